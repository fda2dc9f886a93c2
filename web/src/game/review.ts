/// Reviews a whole game: the mistakes, their cost, and the right moves.

import type { Side } from "../api/types";
import { compare, worth, type QueryReport, type Worth } from "../api/values";

export interface Judged {
  /// The number of the move, from 0.
  number: number;
  side: Side;
  move: string;
  /// Values for the side that moved; null if unknown.
  before: Worth | null;
  after: Worth | null;
  /// All best moves.
  right: string[];
  /// A `mistake` changes the outcome, a `slip` only the distance or the score. Null if unknown.
  mark: "mistake" | "slip" | "good" | null;
}

/// Returns true if a report is enough to judge a move: it has the outcome of the position and of the move, and a move
/// that keeps the outcome. A proof may still run.
export function tells(report: QueryReport, move: string): boolean {
  const made = report.moves.find((other) => other.move === move);
  return report.outcome !== null && !!made?.outcome && report.moves.some(({ outcome }) => outcome === report.outcome);
}

/// Judges a move by the report of the position before it.
export function judge(number: number, side: Side, move: string, report: QueryReport | null): Judged {
  const unknown = { number, side, move, before: null, after: null, right: [], mark: null };
  if (!report) return unknown;
  const before = worth(report);
  const made = report.moves.find((other) => other.move === move);
  if (!made) return unknown;
  const after = worth(made);
  const best = report.moves.find(({ outcome }) => outcome === before.outcome) ?? report.moves[0]!;
  const right = report.moves.filter((other) => compare(worth(other), worth(best)) === 0).map((other) => other.move);
  if (after.outcome === null) return { ...unknown, before, right };
  const mark = after.outcome !== before.outcome ? "mistake" : compare(after, worth(best)) > 0 ? "slip" : "good";
  return { number, side, move, before, after, right, mark };
}

/// Returns the last mistake, which decided the game; null if there was none.
export function turning(game: Judged[]): Judged | null {
  return game.findLast((judged) => judged.mark === "mistake") ?? null;
}
