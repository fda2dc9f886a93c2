// Holds the answers of the WebAssembly module to those of the command: node answers.mjs MODULE COMMAND

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";

import { load } from "./module.mjs";

const [wasm, command] = process.argv.slice(2);
const proofs = join(dirname(fileURLToPath(import.meta.url)), "../../precomp/proofs");
const module = load(wasm);
const tables = mkdtempSync(join(tmpdir(), "yomikiri-wasm-"));
const none = mkdtempSync(join(tmpdir(), "yomikiri-wasm-"));
after(() => [tables, none].forEach((folder) => rmSync(folder, { recursive: true })));

// Certificates and openings that ship with the program would answer some questions.
process.env.YOMIKIRI_DATA = "";

/// What the command prints.
const run = (args, input) =>
  execFileSync(command, args, { input, encoding: "utf8", stdio: ["pipe", "pipe", "ignore"] });

/// What the command says of a position.
const native = (rules, position, folder, ...more) =>
  JSON.parse(run(["query", rules, position, "--json", "--tables", folder, ...more]));

/// Makes a table; its path.
function table(rules) {
  run(["analyze", rules, "--tables", tables]);
  return join(tables, `${rules}.tbl`);
}

/// A file as the module has it, all of it handed in at once.
function whole(path) {
  const bytes = readFileSync(path);
  const file = module.open(bytes.length);
  module.give(file, 0, bytes);
  return file;
}

/// The answer to a question, wanted ranges of files being read as they are asked for; with what was read.
function byRanges(question, paths) {
  let [rounds, bytes] = [0, 0];
  for (;;) {
    const answer = module.answer(question);
    if (!answer.wanted) return { answer, rounds, bytes };
    rounds += 1;
    assert.ok(rounds < 20, "asks again and again");
    for (const { file, start, end } of answer.wanted) {
      const handle = openSync(paths[file]);
      const part = Buffer.alloc(end - start);
      assert.equal(readSync(handle, part, 0, part.length, start), part.length);
      closeSync(handle);
      module.give(file, start, part);
      bytes += part.length;
    }
  }
}

/// A move that is good, bad or in between by turns.
const anyMove = (moves, ply) => moves[[0, moves.length - 1, moves.length >> 1][ply % 3]];

/// Positions along a game from the start, with what the command says of them.
function* game(rules, folder, choose) {
  let position = "startpos";
  for (let ply = 0; ply < 12; ply += 1) {
    const found = native(rules, position, folder);
    yield [position, found];
    if (found.moves.length === 0) return;
    position = choose(found.moves, ply).position;
  }
}

// Tables of tiers (two games), of sorted keys (two games), without draws and without wins.
for (const rules of ["bin3x3", "rev4x4", "m00c1", "con3x3-k3", "pyon3x3", "pyon2x3"]) {
  test(`${rules}: answers from a table, handed in whole and by ranges`, () => {
    const path = table(rules);
    const file = whole(path);
    for (const [position, expected] of game(rules, tables, anyMove)) {
      assert.deepEqual(module.answer({ query: { rules, position, table: file } }), expected);
      const parts = module.open(statSync(path).size);
      const query = { rules, position, table: parts };
      const { answer, rounds } = byRanges({ query }, { [parts]: path });
      assert.deepEqual(answer, expected);
      // Header, directory, the page and the block of the position, and those of its moves.
      assert.ok(rounds <= 6, `${rounds} rounds`);
      module.close(parts);
    }
    module.close(file);
  });
}

test("a look-up reads a part of the file", () => {
  const path = join(tables, "bin3x3.tbl");
  const file = module.open(statSync(path).size);
  const query = { rules: "bin3x3", position: "startpos", table: file };
  const { bytes } = byRanges({ query }, { [file]: path });
  assert.ok(bytes * 2 < statSync(path).size, `${bytes} of ${statSync(path).size} bytes`);
  module.close(file);
});

test("answers from a certificate: who wins where values are out of reach", () => {
  const rules = "bin5x5-s1b";
  const path = join(proofs, `${rules}.proof`);
  copyFileSync(path, join(tables, `${rules}.proof`));
  copyFileSync(join(proofs, "checked"), join(tables, "checked"));
  const file = whole(path);
  let certified = 0;
  for (const [position, expected] of game(rules, tables, ([best]) => best)) {
    assert.deepEqual(module.answer({ query: { rules, position, certificate: file } }), expected);
    const parts = module.open(statSync(path).size);
    const query = { rules, position, certificate: parts };
    assert.deepEqual(byRanges({ query }, { [parts]: path }).answer, expected);
    module.close(parts);
    certified += expected.plies === null ? 1 : 0;
    if (certified === 3) break;
  }
  assert.equal(certified, 3);
  module.close(file);
});

test("answers from an opening: who wins, and which moves win", () => {
  const rules = "bin4x4";
  const folder = mkdtempSync(join(tables, "opening-"));
  const path = join(folder, "openings", `${rules}.opening`);
  run(["opening", rules, "--plies", "2", "--memory", "64M", "--tables", folder]);
  run(["check", path]);
  for (const position of ["startpos", "startpos moves 1n", "startpos moves 1n 2nL"]) {
    const expected = native(rules, position, folder, "--memory", "1M");
    assert.equal(expected.source, "opening");
    const file = module.open(statSync(path).size);
    const query = { rules, position, opening: file, memory: 1 << 20 };
    assert.deepEqual(byRanges({ query }, { [file]: path }).answer, expected);
    module.close(file);
  }
});

test("answers without files: positions below solved, or a search", () => {
  const positions = [
    ["bin3x3", "startpos moves 2n"],
    ["m00c1", "startpos"],
    ["con4x4", "startpos moves 1 2 3"],
    ["pyon3x3", "startpos"],
    ["rev6x6", "XX----XXXOO-XOOXO-OOOXX---XOOX---XOO X"],
  ];
  for (const [rules, position] of positions) {
    assert.deepEqual(module.answer({ query: { rules, position } }), native(rules, position, none));
  }
});

test("looks ahead as the command does", () => {
  const best = (protocol, rules, limit) =>
    run([protocol, rules, "--tables", none], `position startpos\ngo ${limit}\n`).match(/bestmove (\S+)/)[1];
  for (const rules of ["bin5x5", "val1n"]) {
    const choose = { rules, position: "startpos", nodes: 20_000 };
    assert.deepEqual(module.answer({ choose }), { move: best("usi", rules, "nodes 20000"), source: null });
  }
  const choose = { rules: "pyon4x5", position: "startpos", depth: 7 };
  assert.deepEqual(module.answer({ choose }), { move: best("upi", "pyon4x5", "depth 7"), source: null });
});

test("lists games and says what codes mean", () => {
  assert.deepEqual(module.answer({ games: {} }), JSON.parse(run(["rules", "--json"])));
  for (const rules of ["bin5x4-n", "bin4x4-p", "val1nT", "pyonB", "rev6x6-p-w", "con7x6-k5"]) {
    assert.deepEqual(module.answer({ rules: { rules } }), JSON.parse(run(["rules", rules, "--json"])));
  }
});

test("views have the moves, texts and keys of the command", () => {
  for (const rules of ["bin7x6", "bin3x3-p", "val1n", "pyon", "rev6x6-p", "con7x6"]) {
    const moves = [];
    for (let ply = 0; ply < 12; ply += 1) {
      const view = module.answer({ view: { rules, moves } });
      const text = ["startpos", ...(moves.length > 0 ? ["moves", ...moves] : [])].join(" ");
      const legal = JSON.parse(run(["moves", rules, text, "--json"]));
      assert.deepEqual(view.moves.map(({ move, position, key }) => ({ move, position, key })), legal.moves);
      assert.ok(run(["moves", rules, text]).startsWith(`${view.text}\n`));
      assert.deepEqual([view.start, view.moves_played], ["startpos", moves]);
      assert.deepEqual(module.answer({ view: { rules, position: text } }), view);
      const key = run(["encode", rules, text]).trim();
      assert.equal(view.key, key);
      assert.deepEqual(module.answer({ encode: { rules, moves } }), { key });
      const decoded = module.answer({ decode: { rules, key } });
      assert.equal(decoded.position, module.answer({ view: { rules, position: key } }).position);
      assert.ok(run(["decode", rules, key]).includes(decoded.position));
      if (view.over) {
        assert.deepEqual(view.moves, []);
        break;
      }
      const next = anyMove(view.moves, ply);
      assert.deepEqual(module.answer({ view: { rules, moves: [...moves, next.move] } }).over, next.ends);
      moves.push(next.move);
    }
  }
});

test("positions laid out by hand", () => {
  const view = (rules, arrangement) => module.answer({ arrange: { rules, arrangement } });
  const stones = [{ square: "41", side: "black" }, { square: "42", side: "white" }];
  const position = run(["moves", "con7x6", "44", "--json"]);
  assert.deepEqual(
    view("con7x6", { stones }).moves.map(({ position }) => position),
    JSON.parse(position).moves.map(({ position }) => position));
  assert.match(view("con7x6", { stones: stones.slice(1) }).error, /empty square below/);
  assert.match(view("con7x6", { stones: [{ square: "99", side: "black" }] }).error, /square "99": is not on the board/);
});

test("best lines from tables, by ranges", () => {
  for (const rules of ["bin3x3", "con3x3-k3", "pyon2x3"]) {
    const path = join(tables, `${rules}.tbl`);
    const file = module.open(statSync(path).size);
    const position = "startpos";
    const best = run(["line", rules, "--tables", tables]).trim().split("\n").at(-1).split(" moves ")[1];
    const line = (plies) => module.answer({ line: { rules, position, table: file, plies } });
    for (let rounds = 0; line(100).wanted; rounds += 1) {
      assert.ok(rounds < 200, "asks again and again");
      for (const { start, end } of line(100).wanted ?? []) {
        module.give(file, start, readFileSync(path).subarray(start, end));
      }
    }
    const { moves, ends, known_by } = line(100);
    assert.equal(known_by, "table");
    assert.equal(moves.join(rules.startsWith("con") ? "" : " "), best);
    assert.equal(ends, rules.startsWith("pyon") && !module.answer({ view: { rules, moves } }).over ? "repeats" : "over");
    assert.deepEqual(line(3), { moves: moves.slice(0, 3), ends: moves.length > 3 ? "cut" : ends, known_by });
    module.close(file);
  }
});

test("chooses by a table as the engine does, and as badly as asked for", () => {
  const engines = { bin3x3: ["usi", "sfen"], m00c1: ["usi", "sfen"], pyon3x3: ["upi", "pfen"] };
  for (const [rules, [protocol, notation]] of Object.entries(engines)) {
    const path = join(tables, `${rules}.tbl`);
    let mistakes = 0;
    for (const [position, { moves }] of game(rules, tables, anyMove)) {
      if (moves.length === 0) break;
      const ask = (more) => {
        const file = module.open(statSync(path).size);
        const { answer } = byRanges({ choose: { rules, position, table: file, nodes: 1, ...more } }, { [file]: path });
        module.close(file);
        assert.equal(answer.source, "table");
        return answer.move;
      };
      const outcome = (chosen) => moves.find(({ move }) => move === chosen).outcome;
      if (rules !== "m00c1") {
        const place = position === "startpos" ? position : `${notation} ${position}`;
        const told = run([protocol, rules, "--tables", tables], `position ${place}\ngo\n`);
        assert.ok(!told.includes("error"), told);
        const best = told.match(/bestmove (\S+)/)[1];
        if (best !== "resign") assert.equal(ask({}), best, position);
      }
      for (let seed = 0; seed < 4; seed += 1) {
        assert.equal(outcome(ask({ strength: 99, seed })), moves[0].outcome);
        const any = ask({ strength: 0, seed });
        assert.equal(ask({ strength: 0, seed }), any);
        mistakes += outcome(any) === moves[0].outcome ? 0 : 1;
      }
    }
    assert.ok(mistakes > 0, rules);
  }
});

test("says what is wrong", () => {
  const error = (question) => module.answer(question).error;
  assert.match(error({ query: { rules: "draughts", position: "startpos" } }), /rule code "draughts"/);
  assert.match(error({ query: { rules: "bin3x3", position: "nowhere" } }), /^SFEN: has 1 of the five fields/);
  assert.match(error({ query: { rules: "bin3x3", position: "startpos", table: 77 } }), /file 77: is not open/);
  assert.match(error({ choose: { rules: "bin3x3", position: "startpos" } }), /nodes or depth/);
  assert.match(error({ sing: {} }), /unknown variant/);
  const other = whole(join(tables, "rev4x4.tbl"));
  const foreign = { rules: "bin3x3", position: "startpos", table: other };
  assert.match(error({ query: foreign }), /is the table of rev4x4, not of bin3x3/);
  const damaged = readFileSync(join(tables, "bin3x3.tbl"));
  damaged[200] ^= 1;
  const file = module.open(damaged.length);
  module.give(file, 0, damaged);
  const answers = [...game("bin3x3", tables, anyMove)].map(([position]) =>
    module.answer({ query: { rules: "bin3x3", position, table: file } }));
  assert.ok(answers.some(({ error }) => /does not match its checksum/.test(error)));
  [other, file].forEach(module.close);
});

/// The outcome of each move.
const outcomes = (report) => Object.fromEntries(report.moves.map(({ move, outcome }) => [move, outcome]));

test("who wins is proved in slices, and each answer knows more", () => {
  const rules = "bin7x6";
  for (const moves of ["2n cs1 1na dn 2nH ds1 4na eo fa bn exn 4s3", "2n 2nH 1n bn bnH an 1s1 4o 3nL cs3"]) {
    const position = `startpos moves ${moves}`;
    const expected = native(rules, position, none, "--time", "1h");
    assert.equal(expected.source, "proof");
    let [known, rounds] = [-1, 0];
    for (let isOpen = true; isOpen; rounds++) {
      const report = module.answer({ query: { rules, position, memory: 1 << 20, slices: 2 } });
      assert.equal(report.source, "proof");
      const decided = report.moves.filter(({ outcome }) => outcome !== null);
      assert.ok(decided.length >= known, `${decided.length} after ${known}`);
      for (const { move, outcome } of decided) assert.equal(outcome, outcomes(expected)[move], move);
      assert.ok(report.winner === null || report.winner === expected.winner);
      known = decided.length;
      isOpen = report.winner === null || known < report.moves.length;
    }
    assert.ok(rounds > 2, `${rounds}`);
  }
});

test("a search goes on from slice to slice", () => {
  const positions = [["con7x6", "startpos moves 4 4 4 4 4 4 3 2 1"], ["rev6x6", "startpos moves d5 e5 c2 d2 e1 c5 e6 d1 e2 f3"]];
  for (const [rules, position] of positions) {
    const expected = native(rules, position, none, "--time", "1h");
    assert.equal(expected.source, "search");
    let rounds = 0;
    for (let report; report?.outcome == null || report.moves.some(({ outcome }) => outcome === null); rounds++) {
      report = module.answer({ query: { rules, position, memory: 1 << 20, slices: 1 } });
      assert.ok(rounds < 10_000, `${rules}: ${JSON.stringify(outcomes(report))}`);
      for (const { move, outcome } of report.moves) assert.ok([null, outcomes(expected)[move]].includes(outcome), move);
    }
    assert.ok(rounds > expected.moves.length, `${rules} ${rounds}`);
  }
});

test("without slices nothing is proved", () => {
  const answer = module.answer({ query: { rules: "bin7x6", position: "startpos", memory: 1 << 20 } });
  assert.match(answer.error, /the subgame of this position is too large/);
});
