/// Copies with a file that has changed since it was written. The page says so, and shows nothing of the file.

import { expect, test, type Page } from "@playwright/test";
import { AT } from "./ports";

/// Changes the bytes in answers to requests for `file`.
async function alter(page: Page, file: string, change: (bytes: Buffer) => Buffer): Promise<void> {
  await page.route(`**/${file}`, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: change(await response.body()) });
  });
}

/// Flips one bit of the hash at the end of the header.
function flipped(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  changed[135]! ^= 1;
  return changed;
}

const replaced = (before: string, after: string) => (bytes: Buffer) => Buffer.from(bytes.toString().replace(before, after));

const OTHER = /does not match its hash or cannot be loaded/;

test("a copy's list of files is the one that it was written with", async ({ page }) => {
  await alter(page, "site.json", replaced('"opens":"bin3x3"', '"opens":"bin2x5"'));
  await page.goto(`${AT.site}bin3x3/`);
  await expect(page.getByText(OTHER)).toBeVisible();
});

test("a list of files without hashes does not pass for one with them", async ({ page }) => {
  await alter(page, "site.json", (bytes) => {
    const site = JSON.parse(bytes.toString());
    delete site.integrity;
    delete site.files[0].header_hash;
    return Buffer.from(JSON.stringify(site));
  });
  await page.goto(`${AT.site}bin3x3/`);
  await expect(page.getByText(OTHER)).toBeVisible();
});

test("counts are those that the copy was written with", async ({ page }) => {
  for (const counts of ["ply-winner", "plies-outcome"]) {
    await alter(page, `counts/${counts}.json`, replaced('"count":1', '"count":2'));
    await page.goto(`${AT.site}bin3x3/#/bin3x3/statistics`);
    await expect(page.getByText(OTHER)).toBeVisible();
    await expect(page.getByRole("img", { name: "Who wins, by ply" })).toHaveCount(0);
    await page.unrouteAll();
    await page.goto("about:blank");
  }
});

for (const [code, file, at] of [
  ["bin3x3", "bin3x3.tbl.0", AT.site],
  ["bin2x5", "bin2x5.proof.0", AT.site],
  ["rev4x4", "rev4x4.excerpt.0", AT.site],
  ["rev4x4", "rev4x4.excerpt.0", AT.simple],
] as const) {
  test(`${file} is the file that the copy was written with (${new URL(at).port})`, async ({ page }) => {
    await alter(page, `tables/${file}`, flipped);
    await page.goto(`${at}${code}/#/${code}?spoilers=1`);
    await expect(page.getByText(OTHER)).toBeVisible();
    await expect(page.getByText(/wins in \d+ plies|wins by/)).toHaveCount(0);
  });
}

test("a changed bit anywhere in the list is noticed", async ({ page }) => {
  const { length } = await (await page.request.get(`${AT.site}bin2x5/site.json`)).body();
  expect(length).toBeGreaterThan(100);
  for (let place = 0; place < length; place += 17) {
    await alter(page, "site.json", (bytes) => {
      const changed = Buffer.from(bytes);
      changed[place]! ^= 1 << place % 7;
      return changed;
    });
    await page.goto(`${AT.site}bin2x5/#/bin2x5/proof`);
    await expect(page.getByText(OTHER)).toBeVisible();
    await page.unrouteAll();
    await page.goto("about:blank");
  }
});
