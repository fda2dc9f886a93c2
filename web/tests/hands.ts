/// Moves as people make them, with a pointer, without knowing rules: whatever the page offers.

import { expect, type Locator, type Page } from "@playwright/test";

/// Touches where the screen takes touches.
async function press(place: Locator): Promise<void> {
  const touches = await place.page().evaluate(() => navigator.maxTouchPoints > 0);
  await (touches ? place.tap() : place.click());
}

/// Both sides are people.
export async function alone(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "White" }).selectOption("human");
}

/// A move of Binarsi: its line, then what that becomes.
export async function operate(page: Page, way: string, move: string): Promise<void> {
  await press(page.locator(`[data-way="${way}"]`));
  await press(page.getByRole("button", { name: new RegExp(`^${move}: `) }));
}

/// A move between squares, as b5d3; onto one, as b1; a drop, as C*3b; into a file, as 4.
export async function move(page: Page, text: string): Promise<void> {
  const drop = /^([LEGC])\*(..)$/.exec(text);
  if (drop) {
    const piece = { L: "lion", E: "elephant", G: "giraffe", C: "chick" }[drop[1]!];
    await press(page.locator(`.hand button[aria-disabled="false"][aria-label^="${piece}"]`));
  } else if (text.length > 2) {
    await press(page.locator(`[data-square="${text.slice(0, 2)}"]`));
  }
  const to = drop ? drop[2]! : text.length > 2 ? text.slice(2, 4) : text;
  const square = to.length === 1 ? page.locator(`.square.target[data-square^="${to}"]`).first() : page.locator(`[data-square="${to}"]`);
  await press(square);
}

/// The moves that the address has.
export function made(page: Page): string[] {
  return /moves=([^&]*)/.exec(page.url())?.[1]?.split(".") ?? [];
}

const OVER = / wins|A draw/;

/// Makes moves that the page offers until the game is over, `pick` of them each time; where the computer has a side, it
/// is waited for.
export async function playOut(page: Page, pick = 0, most = 80): Promise<void> {
  const status = page.locator(".status");
  for (let turn = 0; turn < most; turn++) {
    const open = page.locator(".square.target, .square.movable, .hand button[aria-disabled=false], .head.open, .pass button");
    await expect(status.getByText(OVER).or(open.first()).first()).toBeVisible();
    if (await status.getByText(OVER).count()) return;
    const before = page.url();
    const first = open.nth((turn * 7 + pick) % (await open.count()));
    const isMove = await first.evaluate((element) => element.matches(".target, .pass button"));
    await press(first);
    if (!isMove) {
      const then = page.locator(".operators li button, .square.target");
      await expect(then.first()).toBeVisible();
      await press(then.nth((turn * 5 + pick) % (await then.count())));
    }
    await expect(page).not.toHaveURL(before);
  }
  throw new Error(`no end after ${most} turns`);
}
