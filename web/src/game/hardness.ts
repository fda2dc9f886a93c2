/// How hard a position is: how many of its moves keep what it is worth, and for how long only one does.

import { worth, type QueryReport } from "../api/values";

/// The moves that keep the outcome; where all lose, those that lose as late or as little as possible.
export function keeping(report: QueryReport): string[] {
  const best = worth(report);
  const keeps = report.moves.filter((move) => {
    const here = worth(move);
    if (best.outcome !== "loss") return here.outcome === best.outcome;
    return here.plies === best.plies && here.score === best.score;
  });
  return keeps.map((move) => move.move);
}

/// For how many turns of the side to move, this one included, one move alone keeps the outcome, if the other side
/// holds out as long as it can; at most `most`.
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
