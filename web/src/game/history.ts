/// The course of a game: the value of each position, and the moves that were mistakes.

import { worth, type QueryReport, type Worth } from "../api/values";
import type { Outcome, Side } from "../api/types";

/// A position of the game.
export interface Point {
  /// The number of moves made; 0 at the start.
  ply: number;
  /// The move that led here, and the side that made it; null at the start.
  move: string | null;
  side: Side | null;
  /// The value for Black; null while it is open.
  value: Worth | null;
  /// `mistake`: the move changed the outcome for the worse. `slip`: it lost points and kept the outcome.
  mark: "mistake" | "slip" | null;
}

const ORDER: Record<Outcome, number> = { loss: 0, draw: 1, win: 2 };
const TURNED: Record<Outcome, Outcome> = { loss: "win", draw: "draw", win: "loss" };

/// Returns the same value for Black.
function byBlack(value: Worth, toMove: Side): Worth {
  if (toMove === "black" || value.outcome === null) return value;
  return { ...value, outcome: TURNED[value.outcome], score: value.score === null ? null : -value.score };
}

/// Returns true if the value tells more than the outcome.
export function isExact(value: Worth): boolean {
  return value.outcome === "draw" || value.plies !== null || value.score !== null;
}

/// Returns the value of a position by its own report, or by the report of the position before, whichever tells more.
function valueOf(own: QueryReport | null, before: QueryReport | null, move: string | null): Worth | null {
  const here = own && own.outcome !== null ? byBlack(worth(own), own.to_move) : null;
  if (here && isExact(here)) return here;
  const made = before?.moves.find((other) => other.move === move);
  if (!before || !made || made.outcome === null) return here;
  const after = byBlack(worth(made), before.to_move);
  // A move's distance counts the move itself.
  const left = after.plies === null ? after : { ...after, plies: Math.max(after.plies - 1, 0) };
  return here && !isExact(left) ? here : left;
}

/// Compares the values before and after a move, for the side that made it.
function markOf(before: Worth | null, after: Worth | null, side: Side): Point["mark"] {
  if (!before?.outcome || !after?.outcome) return null;
  const sign = side === "black" ? 1 : -1;
  const steps = sign * (ORDER[after.outcome] - ORDER[before.outcome]);
  if (steps !== 0) return steps < 0 ? "mistake" : null;
  return before.score !== null && after.score !== null && sign * (after.score - before.score) < 0 ? "slip" : null;
}

/// Returns the positions of a game, first to last. `first` moves first, and sides take turns. `told` returns the report
/// of the position after a number of moves. `end` is the value of the last position by the rules, if the game is over.
export function history(
  moves: string[],
  first: Side,
  told: (ply: number) => QueryReport | null,
  end: Worth | null = null,
): Point[] {
  const points: Point[] = [];
  for (let ply = 0; ply <= moves.length; ply++) {
    const move = ply > 0 ? moves[ply - 1]! : null;
    const side = ply === 0 ? null : (ply % 2 === 1) === (first === "black") ? "black" : "white";
    const found = valueOf(told(ply), ply > 0 ? told(ply - 1) : null, move);
    const value = found ?? (ply === moves.length ? end : null);
    const mark = side && markOf(points.at(-1)?.value ?? null, value, side);
    points.push({ ply, move, side, value, mark });
  }
  return points;
}

/// Returns true if a report tells at least as much as another report of the same position.
export function isFuller(report: QueryReport, than: QueryReport): boolean {
  const decided = ({ moves }: QueryReport) => moves.filter(({ outcome }) => outcome !== null).length;
  if ((report.outcome === null) !== (than.outcome === null)) return report.outcome !== null;
  return decided(report) >= decided(than);
}

/// Wins in this number of plies or more are drawn at the lowest height.
const FAR = 200;
/// The lowest height of a win with a distance: clear of a draw.
const LOWEST = 0.15;
/// The height of a win without a distance or score.
export const OUTER = 1.2;

/// Returns the height of a win in `plies`: 1 at 0 plies, falling with the logarithm to `LOWEST` at `FAR`.
function near(plies: number): number {
  return 1 - (1 - LOWEST) * Math.min(Math.log1p(plies) / Math.log1p(FAR), 1);
}

/// Returns the height of a value in the chart, from -1 (White has won) over 0 (a draw) to 1 (Black has won). `most` is
/// the score at height 1. Wins without a distance or score lie at `OUTER`.
export function height(value: Worth, most: number): number {
  if (value.outcome === null || value.outcome === "draw") return 0;
  if (value.score !== null) return value.score / most;
  const sign = value.outcome === "win" ? 1 : -1;
  return sign * (value.plies === null ? OUTER : near(value.plies));
}

/// A labelled height on Black's side. White's side has the same heights below 0.
export interface Tick {
  label: number;
  height: number;
}

/// The steps of an axis of scores, times a power of ten.
const STEPS = [1, 2, 5, 10];
/// The largest number of labelled scores on one side.
const MOST_TICKS = 4;

/// Returns the largest score, which lies at the top, and the labelled scores: whole numbers, evenly spaced.
export function scoreTicks(scores: number[]): { most: number; ticks: Tick[] } {
  const most = Math.max(1, ...scores.map(Math.abs));
  const unit = 10 ** Math.floor(Math.log10(most / MOST_TICKS));
  const fits = (step: number) => step >= 1 && Math.floor(most / step) <= MOST_TICKS;
  const step = STEPS.map((step) => step * unit).find(fits) ?? 1;
  const count = Math.floor(most / step);
  const labels = Array.from({ length: count }, (_, i) => (i + 1) * step);
  return { most, ticks: labels.map((label) => ({ label, height: label / most })) };
}

/// The labelled distances.
export const PLY_TICKS: Tick[] = [1, 5, 20, 80].map((label) => ({ label, height: near(label) }));
