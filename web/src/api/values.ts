/// The interface of a source of values: the questions of the page, and the answers.

import type { Part } from "./ranges";
import type { MoveReport, Outcome, QueryReport, Side, Source, ValueBound } from "./types";

export type { QueryReport, Source };

/// A line of best play, or a line that wins by a certificate.
export interface Line {
  moves: string[];
  source: Source | null;
}

/// A move of the opponent, and its source; null if a search has found it.
export interface Chosen {
  move: string;
  source: Source | null;
}

/// A file that can be asked: a table, a certificate, an opening, or an excerpt of a table.
export interface Holding {
  rules: string;
  kind: "table" | "certificate" | "opening" | "excerpt";
  bytes: number;
  positions: number | null;
  /// In a copy on a plain host: the parts of the file, in order.
  parts?: Part[];
  /// For an excerpt: the side whose best play it knows.
  side?: Side;
}

/// A position of a proof. A move goes `on` in the proof, ends at the `horizon`, from where a short search decides, or
/// the game is `over`.
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

/// Counts of a table: the number of positions for each combination of values of the dimensions in `by`.
export interface Counts {
  positions: number;
  by: string[];
  counts: ({ count: number } & Record<string, number | string | null>)[];
}

/// The answer does not come from our server: a gateway has sent a page of its own in place of it.
export class NoAnswer extends Error {}

/// Returns true for the error of a request that the server has not answered.
export function isSilence(error: unknown): boolean {
  if (error instanceof NoAnswer) return true;
  // The browser's own error.
  return error instanceof TypeError && /fetch|network|load failed/i.test(error.message);
}

/// Returns true if a proof or a search has left the position or a move open. A search that knows only bounds of the
/// value is not done.
export function isOpen({ source, outcome, moves, at_least, at_most }: QueryReport): boolean {
  const decides = source === "proof" || source === "search";
  const isBounded = at_least !== undefined || at_most !== undefined;
  return decides && (outcome === null || isBounded || moves.some((move) => move.outcome === null));
}

/// Follows a question while a proof or a search runs: `hear` gets partial reports, `signal` ends the question.
export interface Following {
  hear(part: QueryReport): void;
  signal: AbortSignal;
}

/// The strength of a player, from 0 to 100, and the seed of its random choices.
export interface Strength {
  strength: number;
  seed: number;
}

export interface ValueSource {
  readonly kind: "server" | "files" | "none";
  /// The files that can be asked.
  readonly holdings: Holding[];
  /// The rule code that the page opens with, if it was made for one.
  readonly opens: string | null;
  query(rules: string, position: string, following?: Following): Promise<QueryReport>;
  line(rules: string, position: string, plies: number): Promise<Line>;
  /// Chooses a move after `moves` from `position`. `signal` ends the question.
  choose(rules: string, position: string, moves: string[], by: Strength, signal: AbortSignal): Promise<Chosen>;
  proof(rules: string, position: string): Promise<ProofNode>;
  /// Returns a position in which exactly one move wins, in `plies` plies; null if the source cannot draw one.
  puzzle(rules: string, plies: number, seed: number): Promise<Puzzle | null>;
  counts(rules: string, by: string[]): Promise<Counts>;
}

/// A value as boards and lists show it, for the side to move.
export interface Worth {
  outcome: Outcome | null;
  plies: number | null;
  score: number | null;
}

export function worth(report: MoveReport | QueryReport | ValueBound): Worth {
  return {
    outcome: report.outcome,
    plies: "plies" in report ? report.plies : null,
    score: "score" in report ? report.score : null,
  };
}

const ORDER = { loss: 0, draw: 1, win: 2 };

/// Compares two values for the same side: below 0 if `a` is better, 0 if they are equal.
export function compare(a: Worth, b: Worth): number {
  const [first, second] = [a, b].map((w) => (w.outcome ? ORDER[w.outcome] : -1)) as [number, number];
  if (first !== second) return second - first;
  if (a.score !== null && b.score !== null) return b.score - a.score;
  if (a.plies === null || b.plies === null) return 0;
  return a.outcome === "win" ? a.plies - b.plies : b.plies - a.plies;
}
