import { expect, test } from "@playwright/test";
import { playOut } from "./hands";
import { AT } from "./ports";

test("the front page leads to every copy", async ({ page }) => {
  await page.goto(AT.site);
  await expect(page.getByRole("row")).toHaveCount(6);
  await expect(page.getByRole("row", { name: /^con4x4 Connect Four/ })).toContainText("the positions that one side needs");
  await page.getByRole("link", { name: "bin3x3" }).click();
  await expect(page.getByRole("button", { name: "Binarsi · bin3x3" })).toBeVisible();
});

test("a copy has the values of its table, and its counts", async ({ page }) => {
  await page.goto(`${AT.site}bin3x3/#/bin3x3?spoilers=1`);
  await expect(page.getByText("White wins in 10 plies")).toBeVisible();
  await page.getByRole("link", { name: "Statistics" }).click();
  await expect(page.getByRole("img", { name: "Who wins, by ply" })).toBeVisible();
  await expect(page.getByText("55,289 positions")).toBeVisible();
});

test("a copy of a certificate shows its proof", async ({ page }) => {
  await page.goto(`${AT.site}bin2x5/#/bin2x5/proof`);
  await expect(page.getByText(/^(Black|White) wins by this proof/)).toBeVisible();
});

test("a copy with an opening knows all moves of the first plies", async ({ page }) => {
  await page.goto(`${AT.site}bin4x4/#/bin4x4?moves=1n.2nL&spoilers=1`);
  await expect(page.getByText("From the opening table: the winner is certain")).toBeVisible();
});

for (const [host, at] of [["ranges", AT.site], ["no ranges", AT.simple]] as const) {
  test(`by a small copy the winner plays best (${host})`, async ({ page }) => {
    await page.goto(`${at}rev4x4/`);
    await page.getByLabel("Show values").check();
    await expect(page.getByText("White wins by 8")).toBeVisible();
    await expect(page.getByText("From the part of the table")).toBeVisible();
    await page.getByLabel("Show values").uncheck();
    await playOut(page, 1);
    const [, black, white] = /Black (\d+), White (\d+)/.exec((await page.locator(".status").textContent())!)!;
    expect(Number(white) - Number(black)).toBeGreaterThanOrEqual(8);
    await expect(page.getByText("The computer played by the excerpt of the table.")).toBeVisible();
  });
}

test("a small copy of a draw holds it, and says what it does not know", async ({ page }) => {
  await page.goto(`${AT.simple}con4x4/`);
  // The computer plays Black. The excerpt has all moves of White, and one move of Black in each position.
  await expect(page.getByText("The computer played by the excerpt of the table.")).toBeVisible();
  await page.getByLabel("Show values").check();
  await page.getByText(/^All moves/).click();
  await expect(page.getByRole("heading", { name: /^(Draw|Loses)/ }).first()).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Not known/ })).toHaveCount(0);
  await page.keyboard.press("Home");
  await expect(page.getByText("A draw").first()).toBeVisible();
  await expect(page.getByRole("heading", { name: /^Not known/ })).toBeVisible();
});

test("a host without ranges is named as what it is by a copy with a whole table", async ({ page }) => {
  await page.goto(`${AT.simple}bin3x3/#/bin3x3?spoilers=1`);
  await expect(page.getByText("This host sends whole files instead of parts of them")).toBeVisible();
});
