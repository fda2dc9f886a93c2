import { expect, test, type Page, type Route } from "@playwright/test";
import { openAlone, operate } from "./hands";
import { AT } from "./ports";

async function show(page: Page): Promise<void> {
  await page.getByLabel("Show values").check();
}

for (const [name, at] of [["server", AT.server], ["copy", AT.copy]] as const) {
  test(`values are hidden until they are asked for (${name})`, async ({ page }) => {
    const asked: string[] = [];
    page.on("request", (request) => {
      if (/prove|query|tables\/bin/.test(request.url())) asked.push(request.url());
    });
    await page.goto(`${at}#/bin3x3`);
    await expect(page.getByText("Values are hidden")).toBeVisible();
    expect(asked).toEqual([]);
    await show(page);
    await expect(page.getByText("White wins in 10 plies")).toBeVisible();
    await expect(page.getByText("From the complete table.")).toBeVisible();
    await expect(page.locator(".board .badge.loss").first()).toContainText("L 10");
    expect(asked.length).toBeGreaterThan(0);
  });

  test(`a game against the perfect opponent is lost (${name})`, async ({ page }) => {
    await page.goto(`${at}#/bin3x3`);
    for (let turn = 0; turn < 8; turn++) {
      await expect(page.getByText(/Black to move|wins:/).first()).toBeVisible();
      if (await page.getByText(/wins:/).first().isVisible()) break;
      await page.locator(".head.open").first().click();
      await page.locator(".operators li button").first().click();
    }
    await expect(page.getByText(/White wins/).first()).toBeVisible();
    await expect(page.getByText(/The computer (played|solved)/)).toBeVisible();
  });

  test(`a game is reviewed (${name})`, async ({ page }) => {
    // Best play except for the fourth move, by White.
    await page.goto(`${at}#/bin3x3?moves=2n.3na.1nH.as1`);
    await page.getByRole("button", { name: "Review this game" }).click();
    await expect(page.getByText(/The game was decided at move \d|No mistake in this game/).first()).toBeVisible();
    await expect(page.locator(".moves [role=img]")).toHaveCount(4);
    await page.goto(`${at}#/bin3x3?moves=2n`);
    // The page shows the other game a moment later. Until then the button would review the first one. The computer, who
    // is to move in the other game, answers.
    await expect(page.locator(".moves [role=img]")).toHaveCount(0);
    await expect(page.locator(".moves li")).toHaveCount(3);
    await page.getByRole("button", { name: "Review this game" }).click();
    await expect(page.getByText("It was decided before the first move: White wins in 10 plies.")).toBeVisible();
  });

  test(`a review goes on while the computer moves (${name})`, async ({ page }) => {
    await page.goto(`${at}#/bin3x3?moves=2n`);
    await page.getByRole("button", { name: "Review this game" }).click();
    const review = page.locator(".review");
    // The computer answers before the review ends or after it.
    await expect(review.getByText(/No mistake (in this game|was found in them)\./)).toBeVisible();
    await expect(page.locator(".moves li")).toHaveCount(3);
    await page.locator(".head.open").first().click();
    await page.locator(".operators li button").first().click();
    await expect(page.locator(".moves li")).toHaveCount(5);
    await expect(review.getByText(/The review covers the first( \d)? moves?; the game has gone on since\./)).toBeVisible();
    await expect(review.getByText(/No mistake in this game|It was decided before/)).toHaveCount(0);
    await page.getByRole("button", { name: "Review again" }).click();
    await expect(review.getByText(/The review covers/)).toBeHidden();
    // A review of the whole game, then of another game: nothing of the first one stays.
    await page.goto(`${at}#/bin3x3?moves=2n.3na`);
    await expect(page.locator(".moves li")).toHaveCount(3);
    await expect(review.getByText(/Move \d, |The game was decided|No mistake/)).toHaveCount(0);
  });

  test(`the best line is shown on the board and stops where it is told to (${name})`, async ({ page }) => {
    await page.goto(`${at}#/bin3x3?spoilers=1`);
    await page.getByRole("button", { name: "Best line" }).click();
    await expect(page.getByText(/^Best line: 2n 3na 1nH 3nL/).first()).toBeVisible();
    await expect(page.locator(".board .disc")).toHaveCount(2);
    await page.getByRole("button", { name: "Stop" }).click();
    await expect(page.locator(".board .disc")).toHaveCount(1);
  });

  test(`a puzzle tells its answer (${name})`, async ({ page }) => {
    await page.goto(`${at}#/bin3x3/puzzles`);
    const task = page.getByText(/to move and win in \d+ pl/);
    await expect(task).toBeVisible();
    await page.getByRole("button", { name: "Show the answer" }).click();
    const text = await page.getByText(/^The answer is/).first().textContent();
    expect(text).toMatch(/^The answer is (\w+): \1/);
    await expect(page.getByText("Solved 0 of 1, 0 in a row")).toBeVisible();
  });

  test(`a puzzle is solved (${name})`, async ({ page }) => {
    await page.goto(`${at}#/bin3x3/puzzles`);
    const lines = page.locator(".head.open");
    const choices = page.locator(".operators li button");
    const message = page.locator(".message");
    await expect(lines.first()).toBeVisible();
    // Tries all moves of the first position until one is right.
    search: for (let line = 0; line < (await lines.count()); line++) {
      await lines.nth(line).click();
      const count = await choices.count();
      for (let move = 0; move < count; move++) {
        if (move > 0) await lines.nth(line).click();
        await choices.nth(move).click();
        await expect(message).toHaveText(/^Right!|does not win/);
        if ((await message.textContent())!.startsWith("Right!")) break search;
      }
    }
    await expect(message).toHaveText(/^Right!/);
    await expect(page.getByText(/Solved [01] of 1, [01] in a row/)).toBeVisible();
  });

  test(`a proof is opened move by move (${name})`, async ({ page }) => {
    await page.goto(`${at}#/bin2x5/proof`);
    await expect(page.getByText(/^(Black|White) wins by this proof/)).toBeVisible();
    await page.locator("article summary").first().click();
    await expect(page.locator("article details details, article details li").first()).toBeVisible();
  });
}

test("a hint is the best move", async ({ page }) => {
  await openAlone(page, AT.copy, "bin3x3", ["2n"]);
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(page.getByText("Hint: 3na").first()).toBeVisible();
});

test("a copy opens with its own game; a score is told as one", async ({ page }) => {
  await page.goto(AT.copy);
  await expect(page.getByRole("button", { name: "Binarsi · bin3x3" })).toBeVisible();
  await page.goto(`${AT.copy}#/rev4x4?spoilers=1`);
  await expect(page.getByText("White wins by 8")).toBeVisible();
  await expect(page.getByText("All 4 moves lose by the same score.")).toBeVisible();
});

test("a host without ranges is named as what it is, and the computer plays by search", async ({ page }) => {
  const named = page.getByText("This host sends whole files instead of parts of them").first();
  await page.goto(`${AT.whole}#/bin3x3?spoilers=1`);
  await expect(named).toBeVisible();
  await operate(page, "2", "2n");
  const told = /^The computer (found this move by search|searched to the end|solved the position)/;
  await expect(page.getByText(told)).toBeVisible();
  await expect(page.getByRole("combobox", { name: "White" })).toHaveValue("computer");
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(page.getByText(/^Hint: /).first()).toBeVisible();
  for (const other of ["bin3x3/puzzles", "bin2x5/proof"]) {
    await page.goto(`${AT.whole}#/${other}`);
    await expect(named).toBeVisible();
  }
});

test("the links of an embedded page stay embedded", async ({ page }) => {
  await page.goto(`${AT.server}#/bin3x3?spoilers=1&embed=1`);
  await page.getByText(/^All moves/).click();
  await page.getByRole("link", { name: "2n", exact: true }).click();
  await expect(page).toHaveURL(/moves=2n\b.*&embed=1/);
  await expect(page.locator("header")).toHaveCount(0);
});

test("a review that cannot judge a move does not call the game faultless", async ({ page }) => {
  await openAlone(page, AT.server, "bin3x3", ["2n", "3na"]);
  // The question about the start, which has no disc, is answered.
  await page.route(/\/api\/v1\/prove\?/, async (route) => {
    const isLater = /position=[^&]*o/.test(route.request().url());
    await (isLater ? route.fulfill({ status: 400, json: { error: "no table" } }) : route.continue());
  });
  await page.getByRole("button", { name: "Review this game" }).click();
  await expect(page.getByText("could not be judged")).toBeVisible();
  await expect(page.getByText("No mistake in this game")).toHaveCount(0);
});

test("messages follow the language", async ({ page }) => {
  await openAlone(page, AT.server, "bin3x3", ["2n"]);
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(page.getByText("Hint: 3na").first()).toBeVisible();
  await page.getByRole("combobox", { name: "Language" }).selectOption("ja");
  await expect(page.locator(".message")).toHaveText(/ヒント.*3na/);
});

/// A game of the full board, which has no table.
const GAME = "2n.cs1.1na.dn.2nH.ds1.4na.eo.fa.bn.exn.4s3";

for (const [name, at] of [["server", AT.server], ["alone", AT.none]] as const) {
  test(`who wins after each move of the full board is proved, move by move (${name})`, async ({ page }) => {
    await page.goto(`${at}#/bin7x6?spoilers=1&moves=${GAME}`);
    await expect(page.locator(".verdict").getByText(/^(Black|White) wins( in 1 ply)?$/)).toBeVisible();
    await expect(page.getByText(/^\d+ of \d+ moves decided$/)).toHaveCount(0);
    await expect(page.getByText("Proved just now")).toBeVisible();
    await page.getByText(/^All moves/).click();
    await expect(page.getByRole("heading", { name: /^Not known/ })).toHaveCount(0);
    // A new position ends the question, and the page still works.
    const early = GAME.split(".").slice(0, 2).join(".");
    await page.goto(`${at}#/bin7x6?spoilers=1&moves=${early}`);
    await expect(page.getByText(/of \d+ moves decided|The value is not known yet/).first()).toBeVisible();
    await page.goto(`${at}#/bin3x2?spoilers=1`);
    await expect(page.getByText(/^(Black|White) wins in \d+ pl/)).toBeVisible();
  });

  test(`a proof does not say how soon the moves of a lost position lose (${name})`, async ({ page }) => {
    // Black is to move and loses, after eight moves.
    await page.goto(`${at}#/bin7x6?spoilers=1&moves=${GAME.split(".").slice(0, 8).join(".")}`);
    await expect(page.getByText(/All \d+ moves lose\./)).toBeVisible();
    await expect(page.locator(".verdict")).toHaveText("White wins");
  });

  test(`values of an early position come while it is proved (${name})`, async ({ page }) => {
    await page.goto(`${at}#/bin7x6?spoilers=1&moves=${GAME.split(".").slice(0, 6).join(".")}`);
    await expect(page.getByText(/^[1-9]\d* of \d+ moves decided$/).or(page.getByText("Proved just now")).first()).toBeVisible();
  });
}

/// Gives the computer more than its ten seconds for a proof, since a busy machine may need them.
async function dontHurry(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const start = window.setTimeout.bind(window);
    const slower = (work: () => void, after?: number) => start(work, after === 10_000 ? 600_000 : after);
    window.setTimeout = slower as typeof window.setTimeout;
  });
}

for (const [name, at] of [["server", AT.server], ["alone", AT.none]] as const) {
  test(`the computer proves its move of the full board (${name})`, async ({ page }) => {
    await dontHurry(page);
    // White is to move and wins. The proof takes a few hundredths of a second.
    await page.goto(`${at}#/bin7x6?moves=${GAME.split(".").slice(0, 9).join(".")}`);
    await expect(page.getByText("The computer proved that this move wins.")).toBeVisible();
    await expect(page.getByText("Black to move", { exact: true })).toBeVisible();
  });

  test(`the computer moves while values are proved (${name})`, async ({ page }) => {
    // The values of all moves take minutes, more than the page gives them.
    await page.goto(`${at}#/bin7x6?spoilers=1&moves=${GAME.split(".").slice(0, 5).join(".")}`);
    await expect(page.getByText(/The computer proved that this move wins|The computer found this move by search/)).toBeVisible();
    await expect(page.getByText("Black to move", { exact: true })).toBeVisible();
    await expect(page.getByText(/^\d+ of \d+ moves decided$|The value is not known yet|Proved just now/).first()).toBeVisible();
  });

  test(`a hint of the full board is a move that wins (${name})`, async ({ page }) => {
    await dontHurry(page);
    await openAlone(page, at, "bin7x6", GAME.split(".").slice(0, 11));
    await page.getByRole("button", { name: "Hint" }).click();
    await expect(page.getByText(/^Hint: /).first()).toBeVisible();
    const hint = (await page.getByText(/^Hint: /).first().textContent())!.slice("Hint: ".length);
    // The values agree.
    await show(page);
    await page.getByText(/^All moves/).click();
    await expect(page.getByText("Proved just now")).toBeVisible();
    await expect(page.locator("h3.win + ul").getByText(hint, { exact: true })).toBeVisible();
  });
}

for (const [name, at] of [["server", AT.server], ["alone", AT.none]] as const) {
  test(`values of Connect Four are searched, move by move (${name})`, async ({ page }) => {
    await page.goto(`${at}#/con7x6?spoilers=1&moves=4.4.4.4.4.4.3.2`);
    await expect(page.locator(".verdict").getByText("Black wins in 33 plies")).toBeVisible();
    await expect(page.getByText("By exact search.")).toBeVisible();
    await expect(page.getByText(/^\d+ of \d+ moves decided$/)).toHaveCount(0);
    await page.getByText("All moves (6)").click();
    await expect(page.getByRole("heading", { name: "Wins (1)" })).toBeVisible();
    await page.getByRole("button", { name: "Hint" }).click();
    await expect(page.locator("h3.win + ul").getByRole("link")).toHaveText("6");
    await expect(page.getByText("Hint: 6").first()).toBeVisible();
    await page.goto(`${at}#/con7x6?spoilers=1&moves=4`);
    await expect(page.getByText(/of \d+ moves decided|The value is not known yet/).first()).toBeVisible();
  });
}

test("bounds of a search that ran out of time are shown", async ({ page }) => {
  // No position has bounds at the end of its time on each machine, so the answer of a table is made to look like one.
  await page.route(/\/api\/v1\/(query|prove)\?/, async (route) => {
    const report = await (await route.fetch()).json();
    delete report.score;
    const moves = report.moves.map((move: object) => ({ ...move, outcome: null, score: undefined }));
    const open = { ...report, moves, outcome: null, plies: null, winner: null, source: "search" };
    const bounds = { at_least: { outcome: "loss", score: -8 }, at_most: { outcome: "draw", score: 0 } };
    await route.fulfill({ json: { ...open, ...bounds } });
  });
  await page.goto(`${AT.server}#/rev4x4?spoilers=1`);
  await expect(page.getByText("The value is not known yet.")).toBeVisible();
  await expect(page.getByText("Known so far for Black: at worst loses by 8, at best draw.")).toBeVisible();
});

test("a best line does not appear in another game", async ({ page }) => {
  await page.goto(`${AT.none}#/con7x6?spoilers=1&moves=4.4.4.4.4.4.2.3.3.5`);
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  await page.getByRole("button", { name: "Best line" }).click();
  await page.goto(`${AT.none}#/bin3x3?spoilers=1`);
  await expect(page.getByText("White wins in 10 plies")).toBeVisible();
  await page.getByRole("button", { name: "Best line" }).click();
  // The line of the other game came first, because the worker answers in turn.
  await expect(page.getByText(/^Best line: 2n 3na 1nH 3nL/).first()).toBeVisible();
  expect(problems).toEqual([]);
});

test("a game of the full board is reviewed by proofs", async ({ page }) => {
  await page.goto(`${AT.server}#/bin7x6?position=${encodeURIComponent("7/oxoo3/xoxx3/ooxx3/xoxx3/ooxx3 b 2cd ///8// 10")}&moves=exn.4s3`);
  await page.getByRole("button", { name: "Review this game" }).click();
  await expect(page.getByText(/The game was decided at move \d|No mistake in this game/).first()).toBeVisible();
  await expect(page.locator(".moves [role=img]")).toHaveCount(2);
});

test("a review that is left ends its question", async ({ page }) => {
  // This server does not answer, so the question lasts until the page ends it.
  const asked: string[] = [];
  await page.route(/\/prove\?/, (route) => void asked.push(route.request().url()));
  await openAlone(page, AT.server, "bin7x6", GAME.split(".").slice(0, 8));
  await page.getByRole("button", { name: "Review this game" }).click();
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  const ended = page.waitForEvent("requestfailed", (request) => request.url() === asked[0]);
  await page.goto(`${AT.server}#/bin3x3`);
  await ended;
});

test("where nobody knows the value the page says so", async ({ page }) => {
  await page.goto(`${AT.none}#/bin7x6-p?spoilers=1`);
  await expect(page.getByText("No table or proof covers this position")).toBeVisible();
  await expect(page.getByText("There is no table")).toBeVisible();
});

test("a table is shown in charts and numbers", async ({ page }) => {
  await page.goto(`${AT.server}#/bin3x3/statistics`);
  await expect(page.getByRole("img", { name: "Who wins, by ply" })).toBeVisible();
  await page.getByText("The numbers").first().click();
  await expect(page.getByRole("cell", { name: "21,720" }).or(page.getByText("55,289 positions"))).toBeVisible();
});

test("with White to move, animal shogi has White's moves", async ({ page }) => {
  await openAlone(page, AT.server, "m00c1", "2c3c 2a1b 3c2c 2b3b 2c1c 3b2a 2d3c".split(" "));
  await show(page);
  await expect(page.getByText("White to move").first()).toBeVisible();
  await expect(page.getByText("Black wins in 2 plies").first()).toBeVisible();
  await page.getByText(/^All moves/).click();
  await expect(page.getByRole("link", { name: "1b2b", exact: true })).toBeVisible();
  await expect(page.getByRole("link", { name: "3c2c", exact: true })).toHaveCount(0);
});

test("while no server answers the page says so, and goes on once one does", async ({ page }) => {
  await page.goto(`${AT.server}#/bin3x3`);
  // Without a server from the beginning, the page would play alone.
  await expect(page.getByText("Black to move").first()).toBeVisible();
  await page.route(/\/api\/v1\//, (route) => route.abort());
  await operate(page, "2", "2n");
  const silent = page.getByText("The server does not answer").first();
  await expect(silent).toBeVisible();
  await expect(page.getByRole("combobox", { name: "White" })).toHaveValue("computer");
  await page.getByRole("button", { name: "Review this game" }).click();
  await expect(silent).toBeVisible();
  await expect(page.getByText("No mistake in this game")).toHaveCount(0);
  await page.goto(`${AT.server}#/bin3x3/puzzles`);
  await expect(page.getByText("The server does not answer")).toBeVisible();
  await page.goto(`${AT.server}#/bin3x3?moves=2n`);
  await expect(silent).toBeVisible();
  await page.unroute(/\/api\/v1\//);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page).toHaveURL(/moves=2n\.\w+$/);
});

for (const [kind, answer] of [
  ["no answer", (route: Route) => route.abort()],
  ["the page of a gateway", (route: Route) => route.fulfill({ status: 502, body: "<html>Bad Gateway</html>" })],
] as const) {
  test(`a question that got ${kind} can be asked again`, async ({ page }) => {
    await page.goto(`${AT.server}#/bin2x5`);
    await expect(page.getByText("Black to move").first()).toBeVisible();
    for (const [place, found] of [
      ["bin3x3?spoilers=1&moves=2n", /^White wins in 9 plies/],
      ["bin3x3/statistics", "55,289 positions"],
      ["bin2x5/proof", /wins by this proof/],
    ] as const) {
      await page.route(/\/api\/v1\//, answer);
      await page.goto(`${AT.server}#/${place}`);
      await expect(page.getByText("The server does not answer").last()).toBeVisible();
      await expect(page.getByText(/There is no proof|need a complete table|not known/)).toHaveCount(0);
      await page.unroute(/\/api\/v1\//);
      await page.getByRole("button", { name: "Try again" }).last().click();
      await expect(page.getByText(found).first()).toBeVisible();
    }
    await page.route(/\/api\/v1\//, answer);
    await page.locator("article summary").first().click();
    await expect(page.getByText("The server does not answer")).toBeVisible();
    await page.unroute(/\/api\/v1\//);
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.locator("article details details, article details li").first()).toBeVisible();
  });
}

test("a language that cannot be loaded leaves the old one", async ({ page }) => {
  await page.goto(`${AT.server}#/bin3x3`);
  await expect(page.getByText("Black to move").first()).toBeVisible();
  await page.route(/ja-.*\.js/, (route) => route.abort());
  const language = page.getByRole("combobox", { name: "Language" });
  await language.selectOption("ja");
  await expect(page.getByRole("alert")).toHaveText(/The server does not answer/);
  await expect(language).toHaveValue("en");
  await page.unroute(/ja-.*\.js/);
  await language.selectOption("ja");
  await expect(page.getByRole("alert")).toHaveCount(0);
  await expect(page.getByRole("combobox", { name: "言語" })).toHaveValue("ja");
});

test("the score of puzzles counts those of another tab", async ({ page, context }) => {
  const other = await context.newPage();
  for (const tab of [page, other]) {
    await tab.goto(`${AT.server}#/bin3x3/puzzles`);
    await expect(tab.getByRole("button", { name: "Show the answer" })).toBeEnabled();
  }
  for (const [tab, tried] of [[page, 1], [other, 2]] as const) {
    await tab.getByRole("button", { name: "Show the answer" }).click();
    await expect.poll(() => tab.evaluate(() => JSON.parse(localStorage.getItem("yomikiri.puzzles")!).tried)).toBe(tried);
  }
});
