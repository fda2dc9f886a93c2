import AxeBuilder from "@axe-core/playwright";
import { expect, test } from "@playwright/test";
import { alone, openAlone } from "./hands";
import { AT } from "./ports";

const PAGES = [
  "#/bin7x6?moves=dn.4n",
  "#/bin3x3?spoilers=1",
  "#/val1n?moves=2c2b",
  "#/pyon",
  "#/rev8x8",
  "#/con7x6",
  "#/bin7x6/learn",
  "#/val1n/edit",
  "#/bin3x3/puzzles",
  "#/bin3x3/statistics",
];

for (const scheme of ["light", "dark"] as const) {
  for (const path of PAGES) {
    test(`axe finds nothing serious in ${path}, ${scheme}`, async ({ page }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: "reduce" });
      await page.goto(AT.server + path);
      await expect(page.locator("svg.board, canvas").first()).toBeVisible();
      const { violations } = await new AxeBuilder({ page }).analyze();
      const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
      expect(serious.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    });
  }
}

test("dialogs keep the focus and give it back", async ({ page }) => {
  await page.goto(`${AT.none}#/bin7x6`);
  const button = page.getByRole("button", { name: "Binarsi · bin7x6" });
  await button.click();
  await expect(page.getByRole("dialog")).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).include("[role=dialog]").analyze();
  expect(violations.filter(({ impact }) => impact === "serious" || impact === "critical")).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();
  await expect(button).toBeFocused();
});

test("a move of Binarsi by the keyboard alone", async ({ page }) => {
  await page.goto(`${AT.none}#/bin7x6`);
  await expect(page.locator("svg.board")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to the board" })).toBeFocused();
  await page.keyboard.press("Enter");
  await page.keyboard.press("d");
  await expect(page.getByRole("button", { name: /^dn: / })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/moves=dn/);
  await expect(page.locator("[aria-live]").first()).toContainText("Black: dn.");
  await page.keyboard.press("Home");
  await expect(page).toHaveURL(/at=0/);
});

test("a move between squares by the keyboard alone", async ({ page }) => {
  await page.goto(`${AT.none}#/pyon`);
  await alone(page);
  await page.locator('.square[tabindex="0"]').focus();
  // Moves the focus to c4 and picks it up, then moves to c3.
  for (const key of ["ArrowRight", "ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown", "Enter", "ArrowUp", "Enter"]) {
    await page.keyboard.press(key);
  }
  await expect(page).toHaveURL(/moves=c4c3/);
});

for (const path of ["#/bin7x6?moves=dn.4n", "#/val1n?moves=2c2b", "#/pyon", "#/rev8x8", "#/con7x6", "#/bin7x6/learn", "#/val1n/edit"]) {
  test(`a phone's width is enough for ${path}`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(AT.none + path);
    await expect(page.locator("svg.board").first()).toBeVisible();
    const { wide, board } = await page.evaluate(() => ({
      wide: document.documentElement.scrollWidth,
      board: document.querySelector("svg.board")!.getBoundingClientRect().width,
    }));
    expect(wide).toEqual(360);
    expect(board).toBeGreaterThan(path.includes("learn") ? 200 : 280);
  });
}

test("a phone's width has room for the operators", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await openAlone(page, AT.none, "bin7x6", ["dn"]);
  await page.locator('[data-way="4"]').click();
  await expect(page.locator(".operators")).toBeInViewport();
});
