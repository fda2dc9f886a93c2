/// Puzzles: drawn by the server from a whole table, or found in random games.

import type { Module } from "../api/module";
import { NoRanges } from "../api/ranges";
import type { Side, View } from "../api/types";
import { compare, isSilence, worth, type QueryReport, type ValueSource } from "../api/values";

export interface Task {
  rules: string;
  position: string;
  to_move: Side;
  /// The number of plies in which the right move wins; null if it draws, or wins by points.
  plies: number | null;
  solution: string;
  /// Best play, from the solution on.
  line: string[];
}

/// Returns true if exactly one of several moves keeps the outcome. A lost position is no puzzle. The win must take
/// `plies` plies; if that is 0, anything but a win in one ply will do.
export function isPuzzle(report: QueryReport, plies: number): boolean {
  const [best, next] = report.moves;
  if (!best || !next || next.outcome === null || report.outcome === "loss") return false;
  if (best.outcome === next.outcome) return false;
  const here = worth(best);
  return plies === 0 ? here.plies === null || here.plies > 1 : here.outcome === "win" && here.plies === plies;
}

/// The number of random games in a search for a puzzle.
const GAMES = 150;
/// The largest number of positions of such a game.
const LONGEST = 80;
/// The number of positions without a value after which the search gives up.
const PATIENCE = 12;

/// Lengths to ask the server for if any length will do.
const ANY = [3, 5, 7];

function pick<T>(list: T[]): T {
  return list[Math.floor(Math.random() * list.length)]!;
}

/// Plays a random game. Returns its positions, without the end.
function walk(module: Module, rules: string): View[] {
  const views = [module.ask<View>({ view: { rules } })];
  const moves: string[] = [];
  while (views.length < LONGEST && views.at(-1)!.moves.length > 0) {
    moves.push(pick(views.at(-1)!.moves).move);
    views.push(module.ask<View>({ view: { rules, moves } }));
  }
  return views.filter((view) => !view.over);
}

/// Stands for the answer to a question that was refused. Throws if no server answers, or if the host sends no ranges.
function nothing(error: unknown): null {
  if (isSilence(error) || error instanceof NoRanges) throw error;
  return null;
}

/// Finds a puzzle that is won in `plies` plies, or any puzzle if that is 0; null if none was found. Stops when `goes`
/// returns false. Throws if no server answers, or if the host sends no ranges.
export async function drawn(
  module: Module,
  values: ValueSource,
  ask: (position: string) => Promise<QueryReport>,
  rules: string,
  plies: number,
  goes: () => boolean,
): Promise<Task | null> {
  const made = await values.puzzle(rules, plies || pick(ANY), Math.floor(Math.random() * 2 ** 31)).catch(nothing);
  if (made) return { rules, ...made, plies: made.plies ?? null };
  let unknown = 0;
  for (let game = 0; game < GAMES && unknown < PATIENCE && goes(); game++) {
    const views = walk(module, rules);
    // Positions near the end are more often puzzles, and their values come faster.
    for (const view of views.slice(-8).reverse()) {
      if (!goes() || unknown >= PATIENCE) break;
      if (view.moves.length < 2 || view.moves_played.length === 0) continue;
      const report = await ask(view.position).catch(nothing);
      if (!report) {
        unknown++;
        break;
      }
      if (!isPuzzle(report, plies)) continue;
      const best = report.moves.toSorted((a, b) => compare(worth(a), worth(b)))[0]!;
      const { moves } = await values.line(rules, view.position, 60);
      // Moves from the start also give the side to move and the plies at which targets were cleared.
      const position = `startpos moves ${view.moves_played.join(" ")}`;
      const line = moves[0] === best.move ? moves : [best.move];
      return { rules, position, to_move: view.to_move, plies: worth(best).plies, solution: best.move, line };
    }
  }
  return null;
}
