import { existsSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";

// The browser of the system; scripts/test-web says how to get one.
const browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

export default defineConfig({
  testDir: "tests",
  testMatch: "*.spec.ts",
  fullyParallel: true,
  // A test takes seconds; with ten other processes on two cores it may take a minute.
  timeout: 600_000,
  expect: { timeout: 180_000 },
  reporter: process.env.CI ? "line" : "list",
  globalSetup: "./tests/setup.ts",
  use: {
    ...devices["Desktop Chrome"],
    locale: "en-US",
    launchOptions: { ...(browser ? { executablePath: browser } : {}), args: ["--no-sandbox"] },
    serviceWorkers: "block",
  },
});
