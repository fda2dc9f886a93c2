import { expect, test } from "@playwright/test";
import { gzipSync } from "node:zlib";
import { AT } from "./ports";

/// The largest size of the first load in bytes, compressed.
const MOST = 500_000;

test("the first load is small, and no certificate is part of it", async ({ page }) => {
  const loaded: { url: string; bytes: number }[] = [];
  page.on("response", async (response) => {
    const body = await response.body().catch(() => Buffer.alloc(0));
    loaded.push({ url: response.url(), bytes: gzipSync(body, { level: 6 }).length });
  });
  await page.goto(AT.copy);
  await expect(page.locator("svg.board")).toBeVisible();
  await page.waitForLoadState("networkidle");
  const sum = loaded.reduce((sum, { bytes }) => sum + bytes, 0);
  expect(sum, loaded.map(({ url, bytes }) => `${url} ${bytes}`).join("\n")).toBeLessThan(MOST);
  expect(loaded.filter(({ url }) => /tables\/|values.*wasm/.test(url))).toEqual([]);
});

test("a copy works without a network once it was loaded", async ({ browser }) => {
  const context = await browser.newContext({ serviceWorkers: "allow", locale: "en-US" });
  const page = await context.newPage();
  await page.goto(`${AT.copy}#/bin3x3`);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
  await page.reload();
  await page.getByRole("button", { name: /Keep for offline use/ }).click();
  await expect(page.getByText("Works offline.")).toBeVisible();
  await context.setOffline(true);
  await page.reload();
  await page.getByLabel("Show values").check();
  await expect(page.getByText("White wins in 10 plies")).toBeVisible();
  await context.close();
});
