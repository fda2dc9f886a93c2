/// A whole game looked over: which moves threw something away, how much, and what would have been right.

import type { Side } from "../api/types";
import { compare, worth, type QueryReport, type Worth } from "../api/values";

export interface Judged {
  /// Counted from 0.
  number: number;
  side: Side;
  move: string;
  /// For the side that moved; null where nobody knows.
  before: Worth | null;
  after: Worth | null;
  /// The best moves, all of them.
  right: string[];
  /// `mistake` changes the outcome, `slip` the distance or the score alone.
  mark: "mistake" | "slip" | "good" | null;
}

/// A move by what is known of the position before it.
export function judge(number: number, side: Side, move: string, report: QueryReport | null): Judged {
  const unknown = { number, side, move, before: null, after: null, right: [], mark: null };
  if (!report) return unknown;
  const before = worth(report);
  const made = report.moves.find((other) => other.move === move);
  if (!made) return unknown;
  const after = worth(made);
  const best = report.moves[0]!;
  const right = report.moves.filter((other) => compare(worth(other), worth(best)) === 0).map((other) => other.move);
  if (after.outcome === null) return { ...unknown, before, right };
  const mark = after.outcome !== before.outcome ? "mistake" : compare(after, worth(best)) > 0 ? "slip" : "good";
  return { number, side, move, before, after, right, mark };
}

/// The move after which the side that lost could not be saved any more, or nobody could win a drawn game.
export function turning(game: Judged[]): Judged | null {
  return game.findLast((judged) => judged.mark === "mistake") ?? null;
}
