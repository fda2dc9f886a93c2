import { describe, expect, it } from "vitest";
import { headerHash } from "../../src/api/pinned";
import { join, split } from "../../src/api/ranges";
import { compare, type Worth } from "../../src/api/values";
import { read, write } from "../../src/game/address";
import { keeping, turnsAlone } from "../../src/game/hardness";
import { readings } from "../../src/game/pasted";
import { height, history, isFuller, OUTER, scoreTicks } from "../../src/game/history";
import { isPuzzle } from "../../src/game/puzzle";
import { judge, turning } from "../../src/game/review";
import { FOOT, isSkewed, parts, powers } from "../../src/pages/scale";
import type { QueryReport } from "../../src/api/values";

const won = (plies: number): Worth => ({ outcome: "win", plies, score: null });
const lost = (plies: number): Worth => ({ outcome: "loss", plies, score: null });
const drawn: Worth = { outcome: "draw", plies: null, score: null };

/// Returns a report with these moves and values. The first move is the best.
function report(moves: Record<string, Worth>): QueryReport {
  const list = Object.entries(moves).map(([move, { outcome, plies }]) => ({ move, outcome, plies, position: move, key: null }));
  const [best] = list;
  return { rules: "r", position: "p", key: null, to_move: "black", winner: null, outcome: best!.outcome!, plies: best!.plies, moves: list };
}

describe("addresses", () => {
  it("hold positions and games", () => {
    const address = { rules: "bin7x6", page: "play" as const, position: "7/7/2o4/7/7/7 b - - 0", moves: ["dn", "4n"], at: 1, lang: "ja", spoilers: true, embed: false };
    expect(read(write(address))).toEqual(address);
  });
  it("leave out what need not be said", () => {
    expect(write({ rules: "pyon" })).toBe("#/pyon");
    expect(write({ rules: "pyon", page: "learn", moves: ["c4c3"] })).toBe("#/pyon/learn?moves=c4c3");
  });
  it("are read with mercy", () => {
    expect(read("")).toMatchObject({ rules: "", page: "play", moves: [], at: 0 });
    expect(read("#/bin4x4/nowhere?moves=a..b&at=99")).toMatchObject({ page: "play", moves: ["a", "b"], at: 2 });
  });
});

describe("values", () => {
  it("are ordered from best to worst", () => {
    const order = [won(1), won(9), drawn, lost(8), lost(2), { outcome: null, plies: null, score: null }];
    expect([...order].reverse().sort(compare)).toEqual(order);
    const score = (score: number): Worth => ({ outcome: score > 0 ? "win" : "loss", plies: null, score });
    expect([score(2), score(-3), score(8)].sort(compare).map(({ score }) => score)).toEqual([8, 2, -3]);
  });
});

describe("hardness", () => {
  it("counts moves that keep the outcome, or hold out longest", () => {
    expect(keeping(report({ a: won(3), b: won(9), c: drawn }))).toEqual(["a", "b"]);
    expect(keeping(report({ a: lost(8), b: lost(8), c: lost(2) }))).toEqual(["a", "b"]);
  });
  it("counts turns with one right move", async () => {
    const positions: Record<string, QueryReport> = {
      a: report({ x: lost(2) }),
      x: report({ b: won(1), c: lost(2) }),
      b: { ...report({ z: drawn }), moves: [] },
    };
    const ask = (position: string) => Promise.resolve(positions[position]!);
    expect(await turnsAlone(report({ a: won(3), d: drawn }), ask, 8)).toBe(2);
    expect(await turnsAlone(report({ a: won(3), d: drawn }), ask, 1)).toBe(1);
    expect(await turnsAlone(report({ a: won(3), d: won(5) }), ask, 8)).toBe(0);
  });
});

describe("reviews", () => {
  const known = report({ a: won(3), b: won(3), c: won(9), d: drawn });
  it("tell mistakes from slips", () => {
    expect(judge(0, "black", "a", known).mark).toBe("good");
    expect(judge(0, "black", "c", known).mark).toBe("slip");
    expect(judge(0, "black", "d", known)).toMatchObject({ mark: "mistake", right: ["a", "b"], before: won(3), after: drawn });
    expect(judge(0, "black", "a", null).mark).toBeNull();
  });
  it("find the move that decided", () => {
    const game = [judge(0, "black", "d", known), judge(1, "white", "a", known), judge(2, "black", "d", known)];
    expect(turning(game)?.number).toBe(2);
    expect(turning([judge(0, "black", "a", known)])).toBeNull();
  });
});

describe("the course of a game", () => {
  /// Returns a report for a side to move.
  const told = (side: "black" | "white", moves: Record<string, Worth>) => ({ ...report(moves), to_move: side });
  const open: Worth = { outcome: null, plies: null, score: null };
  const score = (score: number): Worth => ({ outcome: score > 0 ? "win" : score < 0 ? "loss" : "draw", plies: null, score });
  const scored = (side: "black" | "white", own: number, move: string, left: number): QueryReport => {
    const { outcome } = score(own);
    const moves = [{ move, outcome: score(left).outcome, score: left, position: "q", key: null }];
    return { rules: "r", position: "p", key: null, to_move: side, winner: null, outcome, score: own, moves };
  };
  const values = (points: ReturnType<typeof history>) => points.map(({ value }) => value && [value.outcome, value.plies]);
  const marks = (points: ReturnType<typeof history>) => points.map(({ mark }) => mark);

  it("is seen by Black and marks what changed the outcome", () => {
    const reports = [told("black", { a: won(7), b: drawn }), told("white", { c: drawn, d: lost(4) }), told("black", { e: won(3) })];
    const points = history(["b", "d", "e"], "black", (ply) => reports[ply] ?? null);
    expect(values(points)).toEqual([["win", 7], ["draw", null], ["win", 3], ["win", 2]]);
    expect(marks(points)).toEqual([null, "mistake", "mistake", null]);
    expect(points.map(({ side }) => side)).toEqual([null, "black", "white", "black"]);
  });
  it("takes a value from the move where the position itself was not asked for", () => {
    const points = history(["a", "x", "y"], "black", (ply) => (ply === 0 ? told("black", { a: won(7), b: drawn }) : null));
    expect(values(points)).toEqual([["win", 7], ["win", 6], null, null]);
  });
  it("ends by the rules", () => {
    const end: Worth = { outcome: "loss", plies: 0, score: null };
    expect(history(["a"], "white", () => null, end).map(({ value }) => value)).toEqual([null, end]);
  });
  it("has gaps, and no marks beside them", () => {
    const reports = [told("black", { a: won(3) }), told("white", { b: open }), told("black", { c: lost(2) })];
    const points = history(["z", "b", "c"], "black", (ply) => reports[ply]!);
    expect(values(points)).toEqual([["win", 3], null, ["loss", 2], ["loss", 1]]);
    expect(marks(points)).toEqual([null, null, null, null]);
  });
  it("marks lost points", () => {
    const reports = [scored("white", 6, "a", 2), scored("black", -2, "b", -4), scored("white", 4, "c", -1)];
    const points = history(["a", "b", "c"], "white", (ply) => reports[ply]!);
    expect(points.map(({ value }) => value?.score)).toEqual([-6, -2, -4, 1]);
    expect(marks(points)).toEqual([null, "slip", "slip", "mistake"]);
  });
  it("is the higher the nearer the win is", () => {
    const heights = [won(0), won(1), won(9), won(70), won(78), won(400), drawn].map((value) => height(value, 1));
    expect(heights).toEqual([...heights].sort((a, b) => b - a));
    expect(heights[0]).toBe(1);
    expect(heights[3]! - heights[4]!).toBeGreaterThan(0.01);
    expect(heights[5]).toBeGreaterThan(0.1);
    expect(height(lost(9), 1)).toBe(-heights[2]!);
    expect(height({ outcome: "loss", plies: null, score: null }, 1)).toBe(-OUTER);
    expect(height(score(-8), 16)).toBe(-0.5);
  });
  it("labels whole points, at most four on a side", () => {
    expect(scoreTicks([]).ticks.map(({ label }) => label)).toEqual([1]);
    expect(scoreTicks([-8, 2])).toMatchObject({ most: 8, ticks: [2, 4, 6, 8].map((label) => ({ label, height: label / 8 })) });
    expect(scoreTicks([64]).ticks.map(({ label }) => label)).toEqual([20, 40, 60]);
  });
  it("keeps what tells more", () => {
    const part = { ...told("black", { a: won(3), b: open }), outcome: null };
    expect(isFuller(told("black", { a: won(3), b: drawn }), part)).toBe(true);
    expect(isFuller(part, told("black", { a: won(3), b: open }))).toBe(false);
    expect(isFuller(part, part)).toBe(true);
  });
});

describe("the scale of counts", () => {
  it("is logarithmic where one bar hides the others", () => {
    expect(isSkewed([1000, 10, 0, 10, 9])).toBe(true);
    expect(isSkewed([500, 10, 0, 10, 9])).toBe(false);
    expect(isSkewed([0, 0])).toBe(false);
    expect(isSkewed([7])).toBe(false);
  });
  it("gives a bar the height of its total and its parts their shares", () => {
    const [black, draw, white] = parts([50, 0, 50]);
    expect(draw).toBeNull();
    expect(black).toEqual([FOOT, expect.closeTo(Math.sqrt(FOOT * 100))]);
    expect(white).toEqual([black![1], 100]);
    expect(parts([0, 0])).toEqual([null, null]);
    expect(parts([1])).toEqual([[FOOT, 1]]);
  });
  it("has powers of ten for labels", () => {
    expect(powers(1)).toEqual([1]);
    expect(powers(1000)).toEqual([1, 10, 100, 1000]);
    expect(powers(99)).toEqual([1, 10]);
  });
});

describe("puzzles", () => {
  it("have one right move of the length asked for", () => {
    const puzzle = report({ a: won(5), b: lost(2) });
    expect(isPuzzle(puzzle, 5)).toBe(true);
    expect(isPuzzle(puzzle, 3)).toBe(false);
    expect(isPuzzle(puzzle, 0)).toBe(true);
    expect(isPuzzle(report({ a: won(5), b: won(7) }), 5)).toBe(false);
    expect(isPuzzle(report({ a: lost(5), b: lost(3) }), 0)).toBe(false);
    expect(isPuzzle(report({ a: won(5) }), 5)).toBe(false);
  });
});

describe("pasted texts", () => {
  it("may be positions, games with numbers, or protocols", () => {
    expect(readings("1. dn bna 2. aa")).toContain("startpos moves dn bna aa");
    expect(readings("position startpos moves dn")).toContain("startpos moves dn");
    expect(readings("  @46144\n")[0]).toBe("@46144");
  });
});

describe("ranges", () => {
  it("are joined where they nearly touch", () => {
    expect(join([{ start: 50, end: 60 }, { start: 0, end: 10 }, { start: 12, end: 20 }], 4)).toEqual([
      { start: 0, end: 20 },
      { start: 50, end: 60 },
    ]);
  });
  it("are split at the parts of a file", () => {
    const file = { bytes: 25, parts: [{ path: "a", bytes: 10 }, { path: "b", bytes: 10 }, { path: "c", bytes: 5 }] };
    expect(split(file, { start: 8, end: 21 })).toEqual([
      { path: "a", start: 8, end: 10 },
      { path: "b", start: 0, end: 10 },
      { path: "c", start: 0, end: 1 },
    ]);
    expect(split(file, { start: 10, end: 20 })).toEqual([{ path: "b", start: 0, end: 10 }]);
  });
});

describe("headers", () => {
  it("end in their hash, the lowest byte first", () => {
    const header = new Uint8Array(136);
    header.set([0xef, 0xcd, 0xab, 0x89, 0x67, 0x45, 0x23, 0x01], 128);
    expect(headerHash(header)).toBe("0123456789abcdef");
    expect(headerHash(new Uint8Array(136))).toBe("0000000000000000");
    expect(headerHash(header.subarray(0, 135))).toBeNull();
  });
});
