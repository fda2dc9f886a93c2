import { expect, test } from "@playwright/test";
import { alone, openAlone, operate } from "./hands";
import { AT } from "./ports";

test.beforeEach(({ page }) => {
  // No error may go unnoticed: neither exceptions, nor logged errors, nor violations of the content security policy.
  page.on("pageerror", (error) => {
    throw error;
  });
  page.on("console", (message) => {
    if (message.type() === "error" && !message.text().includes("404")) throw new Error(message.text());
  });
});

const GAME = "dn bna aa 4n 2o eo 5xo".split(" ");

test("a game of Binarsi is played to its end, a line chosen first", async ({ page }) => {
  await page.goto(`${AT.none}#/bin7x6`);
  await alone(page);
  for (const text of GAME) await operate(page, text[0]!, text);
  await expect(page.getByText("Black wins: three targets cleared").first()).toBeVisible();
  await expect(page.getByText("cleared at ply 7")).toBeVisible();
  await expect(page).toHaveURL(/#\/bin7x6\?moves=dn\.bna\.aa\.4n\.2o\.eo\.5xo$/);
});

test("the line that an operator leaves is shown before it is chosen", async ({ page }) => {
  await openAlone(page, AT.none, "bin7x6", ["dn"]);
  const board = page.getByRole("group", { name: "Board of Binarsi" });
  await expect(board.locator(".disc")).toHaveCount(2);
  await page.locator('[data-way="4"]').click();
  await page.getByRole("button", { name: /^4n: NOT.*leaves 1 0/ }).hover();
  await expect(board.locator(".disc")).toHaveCount(4);
  await page.getByRole("button", { name: "Another line" }).click();
  await expect(board.locator(".disc")).toHaveCount(2);
});

test("the computer answers, moves are taken back and made again", async ({ page }) => {
  await page.goto(`${AT.none}#/bin4x4`);
  await operate(page, "1", "1n");
  await expect(page).toHaveURL(/moves=1n\.\w+$/);
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(page).toHaveURL(/at=0/);
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(page).not.toHaveURL(/at=/);
  // The same move by hand brings the computer's reply, too, and the board can be operated again.
  await page.getByRole("button", { name: "Undo" }).click();
  await operate(page, "1", "1n");
  await expect(page).toHaveURL(/moves=1n\.\w+$/);
  await expect(page.getByText("Black to move").first()).toBeVisible();
  await page.getByRole("button", { name: "New game" }).click();
  await expect(page).toHaveURL(/#\/bin4x4$/);
});

test("a link reopens a game where it was", async ({ page }) => {
  await page.goto(`${AT.none}#/bin7x6?moves=${GAME.join(".")}&at=4`);
  await expect(page.getByRole("button", { name: /4n$/ })).toHaveAttribute("aria-current", "true");
  await expect(page.getByText("Black to move").first()).toBeVisible();
  await page.getByRole("button", { name: "To the end" }).click();
  await expect(page.getByText("Black wins: three targets cleared").first()).toBeVisible();
});

test("a link that makes no sense says why and opens the game", async ({ page }) => {
  await page.goto(`${AT.none}#/bin4x4?moves=9z`);
  await expect(page.getByRole("alert")).toContainText("9z");
  await expect(page.getByRole("button", { name: "Binarsi · bin4x4" })).toBeVisible();
  await page.goto("about:blank");
  await page.goto(`${AT.none}#/100%`);
  await expect(page.getByRole("alert")).toContainText("100%");
});

test("the language is changed and kept", async ({ page }) => {
  await page.goto(`${AT.none}#/bin4x4`);
  await page.getByLabel("Language").selectOption("ja");
  await expect(page.getByText("先手の番").first()).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("lang", "ja");
  await page.reload();
  await expect(page.getByText("先手の番").first()).toBeVisible();
});

test("Connect Four, reversi, pyonpyon and animal shogi are played by their squares", async ({ page }) => {
  await page.goto(`${AT.none}#/con4x4?moves=1.2.1.2.1.2`);
  await alone(page);
  await page.locator('[data-square="14"]').click();
  await expect(page.getByText("Black wins: four in a row").first()).toBeVisible();

  await page.goto(`${AT.none}#/rev4x4`);
  await page.locator('[data-square="b1"]').click();
  await expect(page).toHaveURL(/moves=b1/);
  await expect(page.locator(".board .black .disc")).toHaveCount(4);

  await page.goto(`${AT.none}#/pyon`);
  await page.locator('[data-square="b5"]').click();
  await page.locator('[data-square="d3"]').hover();
  await page.locator('[data-square="d3"]').click();
  await expect(page).toHaveURL(/moves=b5d3/);

  await page.goto(`${AT.none}#/val1n?moves=2c2b.1a2b`);
  await page.getByRole("button", { name: "chick, 1 in hand" }).last().click();
  await page.locator('[data-square="3b"]').click();
  await expect(page).toHaveURL(/moves=2c2b\.1a2b\.C\*3b/);
});

test("a position and a game are pasted", async ({ page }) => {
  await page.goto(`${AT.none}#/bin7x6`);
  await alone(page);
  await page.getByRole("button", { name: "Share, paste" }).click();
  await page.getByLabel("Paste a position, a key, or a game").fill("1. dn 2. bna 3. aa");
  await page.getByRole("button", { name: "Open" }).click();
  await expect(page).toHaveURL(/moves=dn\.bna\.aa/);
  await page.getByRole("button", { name: "Share, paste" }).click();
  await page.getByLabel("Paste a position, a key, or a game").fill("@46144");
  await page.getByRole("button", { name: "Open" }).click();
  await expect(page.getByText("White to move").first()).toBeVisible();
  await page.getByRole("button", { name: "Share, paste" }).click();
  await page.getByLabel("Paste a position, a key, or a game").fill("what is this");
  await page.getByRole("button", { name: "Open" }).click();
  await expect(page.getByRole("alert")).toContainText("cannot be read");
});

test("another game is chosen by its code, which is decoded first", async ({ page }) => {
  await page.goto(AT.none);
  await page.getByRole("button", { name: "Binarsi · bin7x6" }).click();
  await page.getByLabel("Rule code").fill("bin9x9");
  await expect(page.getByRole("alert")).toBeVisible();
  await page.getByLabel("Rule code").fill("val1n");
  await expect(page.getByText("v = 11111: all eight directions")).toBeVisible();
  await page.getByRole("button", { name: "Start", exact: true }).click();
  await expect(page).toHaveURL(/#\/val1n$/);
});

test("a position is laid out and played from", async ({ page }) => {
  await page.goto(`${AT.none}#/con4x4/edit`);
  await page.locator('[data-square="11"]').click();
  await expect(page.getByText("White to move")).toBeVisible();
  await page.locator('[data-square="33"]').click();
  await expect(page.getByText(/Not a position yet/)).toBeVisible();
  await page.locator('[data-square="33"]').click();
  await page.getByRole("button", { name: "Play from here" }).click();
  await expect(page).toHaveURL(/#\/con4x4\?position=/);
});

test("every game has its rules in pictures", async ({ page }) => {
  for (const [rules, pictures] of [["bin7x6", 7], ["val1n", 4], ["pyon", 3], ["rev8x8", 3], ["con7x6", 3]] as const) {
    await page.goto(`${AT.none}#/${rules}/learn`);
    await expect(page.locator("article ol > li svg.board")).toHaveCount(pictures);
  }
});

test("a link to another position changes the board of the editor", async ({ page }) => {
  await page.goto(`${AT.none}#/con4x4/edit`);
  await page.locator('[data-square="11"]').click();
  await expect(page.getByText("4/4/4/X3 O")).toBeVisible();
  await page.goto(`${AT.none}#/con4x4/edit?moves=2.3`);
  await expect(page.getByText("4/4/4/1XO1 X")).toBeVisible();
});
