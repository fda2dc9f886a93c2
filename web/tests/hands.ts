/// Makes moves as people do, with a pointer, by what the page offers and without knowledge of the rules.

import { expect, type Locator, type Page } from "@playwright/test";

/// Taps on a touch screen, else clicks.
async function press(place: Locator): Promise<void> {
  const touches = await place.page().evaluate(() => navigator.maxTouchPoints > 0);
  await (touches ? place.tap() : place.click());
}

/// Lets people play both sides.
export async function alone(page: Page): Promise<void> {
  await page.getByRole("combobox", { name: "White" }).selectOption("human");
}

/// Opens a game after some moves, and lets people play both sides. The computer has no turn in between, so it cannot
/// move before it is told to leave the game to people.
export async function openAlone(page: Page, host: string, rules: string, moves: string[]): Promise<void> {
  await page.goto(`${host}#/${rules}`);
  await alone(page);
  await page.goto(`${host}#/${rules}?moves=${moves.join(".")}`);
}

/// Makes a move of Binarsi: chooses the way, then the operator.
export async function operate(page: Page, way: string, move: string): Promise<void> {
  await press(page.locator(`[data-way="${way}"]`));
  await press(page.getByRole("button", { name: new RegExp(`^${move}: `) }));
}

/// Makes a move between squares (b5d3), onto a square (b1), from the hand (C*3b) or into a file (4).
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

/// Returns the moves in the address.
export function made(page: Page): string[] {
  return /moves=([^&]*)/.exec(page.url())?.[1]?.split(".") ?? [];
}

const OVER = / wins|A draw/;

/// Makes moves that the page offers until the game is over, and waits for the computer if it plays. `pick` selects the
/// moves, `most` is the largest number of turns.
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
