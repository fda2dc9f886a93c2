/// Puzzles: drawn by the server from a whole table, or found in games played at random.

import type { Module } from "../api/module";
import type { Side, View } from "../api/types";
import { compare, worth, type QueryReport, type ValueSource } from "../api/values";

export interface Task {
  rules: string;
  position: string;
  to_move: Side;
  /// In how many plies the right move wins; null where it draws, or wins by points.
  plies: number | null;
  solution: string;
  /// Best play, from the solution on.
  line: string[];
}

/// Whether one move alone keeps the outcome, and there are others; nobody has to find the only legal move, or the
/// best of moves that all lose.
export function isPuzzle(report: QueryReport, plies: number): boolean {
  const [best, next] = report.moves;
  if (!best || !next || next.outcome === null || report.outcome === "loss") return false;
  if (best.outcome === next.outcome) return false;
  const here = worth(best);
  return plies === 0 ? here.plies === null || here.plies > 1 : here.outcome === "win" && here.plies === plies;
}

/// Games that are played in search of a puzzle.
const GAMES = 150;
/// Plies of such a game, at most.
const LONGEST = 80;
/// Positions without values, after which nothing is expected any more.
const PATIENCE = 12;

/// Lengths that are asked of the server where any will do.
const ANY = [3, 5, 7];

function pick<T>(list: T[]): T {
  return list[Math.floor(Math.random() * list.length)]!;
}

/// A game of random moves as its positions.
function walk(module: Module, rules: string): View[] {
  const views = [module.ask<View>({ view: { rules } })];
  const moves: string[] = [];
  while (views.length < LONGEST && views.at(-1)!.moves.length > 0) {
    moves.push(pick(views.at(-1)!.moves).move);
    views.push(module.ask<View>({ view: { rules, moves } }));
  }
  return views.filter((view) => !view.over);
}

/// A puzzle that is won in so many plies, any if that is 0; null if none was found. `goes` says whether it is wanted.
export async function drawn(
  module: Module,
  values: ValueSource,
  ask: (position: string) => Promise<QueryReport>,
  rules: string,
  plies: number,
  goes: () => boolean,
): Promise<Task | null> {
  const made = await values.puzzle(rules, plies || pick(ANY), Math.floor(Math.random() * 2 ** 31)).catch(() => null);
  if (made) return { rules, ...made, plies: made.plies ?? null };
  let unknown = 0;
  for (let game = 0; game < GAMES && unknown < PATIENCE && goes(); game++) {
    const views = walk(module, rules);
    // Near the end there are more of them, and they are told sooner.
    for (const view of views.slice(-8).reverse()) {
      if (!goes() || unknown >= PATIENCE) break;
      if (view.moves.length < 2 || view.moves_played.length === 0) continue;
      const report = await ask(view.position).catch(() => null);
      if (!report) {
        unknown++;
        break;
      }
      if (!isPuzzle(report, plies)) continue;
      const best = report.moves.toSorted((a, b) => compare(worth(a), worth(b)))[0]!;
      const { moves } = await values.line(rules, view.position, 60);
      // Told by its moves, a position keeps the plies of targets and whose turn it is.
      const position = `startpos moves ${view.moves_played.join(" ")}`;
      const line = moves[0] === best.move ? moves : [best.move];
      return { rules, position, to_move: view.to_move, plies: worth(best).plies, solution: best.move, line };
    }
  }
  return null;
}
