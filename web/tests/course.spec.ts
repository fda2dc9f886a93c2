/// The course of a game in a chart, and charts of counts on a logarithmic scale.

import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { AT } from "./ports";

/// A game of bin3x3 with four mistakes.
const BINARSI = "bn.cna.bxn.1s2.2n.anH.2s2.cs1.3no.3s2";
/// A game of rev4x4 with mistakes and lost points.
const REVERSI = "a2.a3.b4.c1.a4.pass.b1.a1.d2.c4.d4.pass.d1.d3";

const chart = (page: Page) => page.getByRole("group", { name: "Course of the game" });
const point = (page: Page, name: string | RegExp) => chart(page).getByRole("link", { name });

async function review(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Review this game" }).click();
  await expect(page.getByRole("button", { name: "Review again" })).toBeVisible();
}

test("a reviewed game has its course, and every ply is a link", async ({ page }) => {
  await page.goto(`${AT.copy}#/bin3x3?moves=${BINARSI}`);
  await expect(page.getByRole("button", { name: "Review this game" })).toBeVisible();
  await expect(chart(page)).toHaveCount(0);
  await review(page);
  await expect(chart(page).getByRole("link")).toHaveCount(11);
  await expect(point(page, "Start: White wins in 10 plies")).toBeVisible();
  await expect(point(page, /\(mistake\)$/)).toHaveCount(4);
  await expect(point(page, /^Ply 10, White 3s2: White wins$/)).toHaveAttribute("aria-current", "true");
  await point(page, "Ply 6, White anH: Black wins in 4 plies (mistake)").click();
  await expect(page).toHaveURL(/at=6/);
  await expect(point(page, /^Ply 6,/)).toHaveAttribute("aria-current", "true");
  await expect(chart(page).locator("[aria-current]")).toHaveCount(1);
});

test("the keyboard steps through the course", async ({ page }) => {
  await page.goto(`${AT.copy}#/bin3x3?moves=${BINARSI}&at=3`);
  await review(page);
  // The only tab stop is the current position.
  await expect(chart(page).locator('[tabindex="0"]')).toHaveCount(1);
  await page.getByRole("button", { name: "Review again" }).focus();
  await page.keyboard.press("Shift+Tab");
  await expect(point(page, /^Ply 3,/)).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(point(page, /^Ply 4,/)).toBeFocused();
  await expect(page).toHaveURL(/at=4/);
  await page.keyboard.press("Home");
  await expect(point(page, /^Start/)).toBeFocused();
  await expect(page).toHaveURL(/at=0/);
});

test("the course of a game about points marks points that were lost", async ({ page }) => {
  await page.goto(`${AT.copy}#/rev4x4?moves=${REVERSI}&at=2`);
  await review(page);
  await expect(point(page, "Ply 2, White a3: Black wins by 8 (mistake)")).toBeVisible();
  await expect(point(page, "Ply 7, Black b1: Black wins by 4 (loses points)")).toBeVisible();
  await expect(point(page, /\(loses points\)$/)).toHaveCount(3);
});

test("where proofs tell the winner alone the course has no distance", async ({ page }) => {
  const position = encodeURIComponent("7/oxoo3/xoxx3/ooxx3/xoxx3/ooxx3 b 2cd ///8// 10");
  await page.goto(`${AT.none}#/bin7x6?position=${position}&moves=exn.4s3`);
  await review(page);
  await expect(point(page, "Ply 1, Black exn: White wins (mistake)")).toBeVisible();
  await expect(chart(page).getByText("winner", { exact: true })).toHaveCount(2);
  await expect(chart(page).getByRole("link")).toHaveCount(3);
});

test("one move has no course", async ({ page }) => {
  // The computer does not move before the last move of the game.
  await page.goto(`${AT.copy}#/bin3x3?moves=2n&at=0`);
  await review(page);
  await expect(chart(page)).toHaveCount(0);
});

test("values that were shown are in the course, others are gaps", async ({ page }) => {
  await page.goto(`${AT.copy}#/bin3x3?moves=2n.3na.1nH.as1&at=1&spoilers=1`);
  // The report of a position also has the value of the position after a move.
  await expect(point(page, "Ply 1, Black 2n: White wins in 9 plies")).toBeVisible();
  await expect(point(page, "Ply 2, White 3na: White wins in 8 plies")).toBeVisible();
  await expect(point(page, "Start: unknown")).toBeVisible();
  await expect(point(page, "Ply 4, White as1: unknown")).toBeVisible();
  await point(page, "Ply 4, White as1: unknown").click();
  await expect(point(page, "Ply 4, White as1: Black wins in 6 plies")).toBeVisible();
  await page.getByLabel("Show values").uncheck();
  await expect(chart(page)).toHaveCount(0);
});

test("a line that is shown is not the course of the game", async ({ page }) => {
  await page.goto(`${AT.copy}#/bin3x3?moves=2n.3na.1nH.as1&at=0`);
  await review(page);
  await page.getByRole("button", { name: "Show what would have won" }).click();
  await expect(page.getByRole("button", { name: "Play it on the board" })).toBeVisible();
  await expect(chart(page).getByRole("link")).toHaveCount(5);
  await expect(chart(page).locator("[aria-current]")).toHaveCount(0);
});

for (const scheme of ["light", "dark"] as const) {
  test(`the course is accessible, and a phone's width is enough, in Japanese too (${scheme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${AT.copy}#/rev4x4?moves=${REVERSI}&at=2&lang=ja`);
    await page.getByRole("button", { name: "この対局を検討する" }).click();
    await expect(page.getByRole("button", { name: "もう一度検討する" })).toBeVisible();
    await expect(page.getByRole("link", { name: "2 手目 後手 a3: 先手の 8 点差勝ち(悪手)" })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const { violations } = await new AxeBuilder({ page }).analyze();
    const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
    expect(serious.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
  });
}

/// Serves made-up counts of bin3x3: `most` positions are one ply before the end, and few are at other distances.
async function counted(page: Page, most: number): Promise<void> {
  const row = (plies: number, count: number) => ({ plies, outcome: plies % 2 ? "win" : "loss", count });
  const distances = [0, 2, 3, 4, 5].map((plies) => row(plies, 12));
  const start = [{ ply: 0, winner: "white", count: 20 }];
  const even = { rules: "bin3x3", positions: 20, by: ["ply", "winner"], counts: start };
  const plies = [...distances, row(1, most)];
  const skewed = { rules: "bin3x3", positions: 60 + most, by: ["plies", "outcome"], counts: plies };
  await page.route("**/site.json", async (route) => {
    const response = await route.fetch();
    const counts = { bin3x3: { "ply,winner": "counts/even.json", "plies,outcome": "counts/skewed.json" } };
    await route.fulfill({ response, json: { ...(await response.json()), counts } });
  });
  await page.route("**/counts/even.json", (route) => route.fulfill({ json: even }));
  await page.route("**/counts/skewed.json", (route) => route.fulfill({ json: skewed }));
}

test("a bar that hides the others makes the scale logarithmic, until that is switched off", async ({ page }) => {
  await counted(page, 100_000);
  await page.goto(`${AT.copy}#/bin3x3/statistics`);
  const logarithmic = page.getByRole("img", { name: "Distance to the end (Logarithmic scale)" });
  const box = page.getByRole("checkbox", { name: "Logarithmic scale" });
  await expect(logarithmic).toBeVisible();
  await expect(page.getByRole("img", { name: "Who wins, by ply", exact: true })).toBeVisible();
  await expect(box).toHaveCount(1);
  await expect(box).toBeChecked();
  await expect(page.getByText("zero has no bar")).toBeVisible();
  await box.uncheck();
  await expect(page.getByRole("img", { name: "Distance to the end", exact: true })).toBeVisible();
  await expect(logarithmic).toHaveCount(0);
  await page.reload();
  await expect(box).not.toBeChecked();
  await box.check();
  await page.reload();
  await expect(logarithmic).toBeVisible();
  await page.getByText("The numbers").last().click();
  await expect(page.getByRole("cell", { name: "100,000" })).toBeVisible();
});

test("bars beside which the others can be seen keep the linear scale", async ({ page }) => {
  await counted(page, 300);
  await page.goto(`${AT.copy}#/bin3x3/statistics`);
  await expect(page.getByRole("img", { name: "Distance to the end", exact: true })).toBeVisible();
  await expect(page.getByRole("checkbox", { name: "Logarithmic scale" })).toHaveCount(0);
});
