// Takes the pictures of the explorer in docs/pictures: node pictures.mjs COMMAND TABLES. Needs the tables of bin4x4 and
// val1n.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { chromium } from "@playwright/test";

const [command, tables] = process.argv.slice(2);
const folder = fileURLToPath(new URL("../docs/pictures/", import.meta.url));
const PORT = 8123;
const at = `http://127.0.0.1:${PORT}/`;

/// The pictures: name, address, and the action on the page before the picture is taken.
const PICTURES = [
  ["explorer-binarsi", "#/bin7x6?moves=dn.2n.ena.1a.bna.1nH.fo.2a.co", (page) => page.locator(".head.open").nth(2).click()],
  ["explorer-animal-shogi", "#/val1n?spoilers=1", (page) => page.getByText(/White wins in 78 plies/).first().waitFor()],
];

const server = spawn(command, ["serve", "--port", String(PORT), "--tables", tables], { stdio: "ignore" });
const executablePath = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: ["--no-sandbox"] });
try {
  for (const [name, address, act] of PICTURES) {
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 }, locale: "en-US" });
    await page.goto(at + address);
    await act(page);
    await page.waitForTimeout(1500);
    await page.screenshot({ path: `${folder}${name}.png` });
    await page.close();
  }
} finally {
  await browser.close();
  server.kill();
}
