import { expect, test } from "@playwright/test";
import { alone, made, move, operate, playOut } from "./hands";
import { AT } from "./ports";

test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 });

/// Complete games with moves on squares.
const GAMES = {
  val1n: "1d1c 3a3b 1c1d 3b3a 1d1c 2b2c 3d2c C*1d 1c1b 2a2b",
  pyon:
    "b5d3 d1e1 d5d1 a2a1 a4a3 e1e5 a3a2 c2d2 e4c2 e2b2 c4e2 a1c3 d3b3 e5d5 e2e1 c3a1 c2c1 d2e2 c1c2 a1c3 d1d2 b1c4 b3b1 " +
    "c4b4 a2a1 c3c1 d2d1",
};

for (const [rules, text] of Object.entries(GAMES)) {
  test(`${rules} is played to its end on a phone`, async ({ page }) => {
    await page.goto(`${AT.none}#/${rules}`);
    await alone(page);
    for (const [at, mv] of text.split(" ").entries()) {
      await move(page, mv);
      await expect.poll(() => made(page).length).toBe(at + 1);
    }
    expect(made(page).join(" ")).toBe(text);
    await expect(page.locator(".status")).toContainText("Black wins: ");
  });
}

test("Binarsi's full board is played to its end on a phone", async ({ page }) => {
  await page.goto(`${AT.none}#/bin7x6`);
  await alone(page);
  for (const text of "dn bna aa 4n 2o eo 5xo".split(" ")) await operate(page, text[0]!, text);
  await expect(page.locator(".status")).toContainText("Black wins: three targets cleared");
});

for (const rules of ["bin4x4", "rev8x8", "con7x6"]) {
  test(`${rules} is played to its end on a phone, whatever is chosen`, async ({ page }) => {
    await page.goto(`${AT.none}#/${rules}`);
    await alone(page);
    await playOut(page);
    await expect(page.locator(".status")).toContainText(/wins|draw/);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });
}
