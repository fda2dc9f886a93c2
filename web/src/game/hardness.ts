/// The difficulty of a position: the number of moves that keep its value, and the number of turns with only one.

import { worth, type QueryReport } from "../api/values";

/// Returns the moves that keep the outcome. In a lost position, returns those that lose latest or by the least.
export function keeping(report: QueryReport): string[] {
  const best = worth(report);
  const keeps = report.moves.filter((move) => {
    const here = worth(move);
    if (best.outcome !== "loss") return here.outcome === best.outcome;
    return here.plies === best.plies && here.score === best.score;
  });
  return keeps.map((move) => move.move);
}

/// Returns the number of turns of the side to move, from this one on, in which only one move keeps the outcome. Both
/// sides play best. At most `most` turns are looked at.
export async function turnsAlone(
  report: QueryReport,
  ask: (position: string) => Promise<QueryReport>,
  most: number,
): Promise<number> {
  let turns = 0;
  let here = report;
  while (turns < most && here.outcome !== "loss" && here.moves.length > 1 && keeping(here).length === 1) {
    turns++;
    const reply = await ask(here.moves[0]!.position);
    if (reply.moves.length === 0) break;
    here = await ask(reply.moves[0]!.position);
    if (here.moves.length === 0) break;
  }
  return turns;
}
