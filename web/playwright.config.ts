import { existsSync } from "node:fs";
import { defineConfig, devices } from "@playwright/test";

// The system's browser; scripts/test-web installs one.
const browser = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) => existsSync(path));

export default defineConfig({
  testDir: "tests",
  testMatch: "*.spec.ts",
  fullyParallel: true,
  workers: "100%",
  // A test takes seconds, but may take a minute next to ten other processes on two cores.
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
