/// What the page asks of whoever knows values, and what comes back.

import type { Part } from "./ranges";
import type { MoveReport, Outcome, QueryReport, Side, Source } from "./types";

export type { QueryReport, Source };

/// A line of best play, or a game that a certificate wins.
export interface Line {
  moves: string[];
  source: Source | null;
}

/// A move of the opponent, and what told it; null if it was found by looking ahead.
export interface Chosen {
  move: string;
  source: Source | null;
}

/// A table, a certificate, or an excerpt of a table, that can be asked.
export interface Holding {
  rules: string;
  kind: "table" | "certificate" | "excerpt";
  bytes: number;
  positions: number | null;
  /// In a copy on a plain host: its parts, one after the other.
  parts?: Part[];
  /// Of an excerpt: the side that plays best by it.
  side?: Side;
}

/// A position of a proof. A branch goes `on`, ends at the `horizon`, where a short search tells, or is `over`.
export interface ProofNode {
  winner: Side;
  to_move: Side;
  is_checked: boolean;
  moves: { move: string; position: string; goes: "on" | "horizon" | "over"; below?: number; more?: boolean }[];
}

export interface Puzzle {
  position: string;
  to_move: Side;
  plies?: number | null;
  score?: number;
  solution: string;
  line: string[];
  moves: number;
}

/// Counts of a table: how many positions have these values of the dimensions asked for.
export interface Counts {
  positions: number;
  by: string[];
  counts: ({ count: number } & Record<string, number | string | null>)[];
}

export interface ValueSource {
  readonly kind: "server" | "files" | "none";
  /// What there is to ask.
  readonly holdings: Holding[];
  /// The code that the page opens with, if it is made for one.
  readonly opens: string | null;
  query(rules: string, position: string): Promise<QueryReport>;
  line(rules: string, position: string, plies: number): Promise<Line>;
  /// A move in the game that begins at `position`, by a player of strength 0 to 100.
  choose(rules: string, position: string, moves: string[], strength: number, seed: number): Promise<Chosen>;
  /// Ends searches that nobody waits for any more.
  stop(): void;
  proof(rules: string, position: string): Promise<ProofNode>;
  /// A position in which one move alone wins, in so many plies; null where only chance finds one.
  puzzle(rules: string, plies: number, seed: number): Promise<Puzzle | null>;
  counts(rules: string, by: string[]): Promise<Counts>;
}

/// A value as boards and lists show it, for the side that moves.
export interface Worth {
  outcome: Outcome | null;
  plies: number | null;
  score: number | null;
}

export function worth(report: MoveReport | QueryReport): Worth {
  return {
    outcome: report.outcome,
    plies: "plies" in report ? report.plies : null,
    score: "score" in report ? report.score : null,
  };
}

const ORDER = { loss: 0, draw: 1, win: 2 };

/// Below 0 where `a` is better for who it is a value for, 0 where they are equal.
export function compare(a: Worth, b: Worth): number {
  const [first, second] = [a, b].map((w) => (w.outcome ? ORDER[w.outcome] : -1)) as [number, number];
  if (first !== second) return second - first;
  if (a.score !== null && b.score !== null) return b.score - a.score;
  if (a.plies === null || b.plies === null) return 0;
  return a.outcome === "win" ? a.plies - b.plies : b.plies - a.plies;
}
