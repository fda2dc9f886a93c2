/// Values from `yomikiri serve`.

import { compare, NoAnswer, worth } from "./values";
import type {
  Chosen, Counts, Following, Holding, Line, ProofNode, Puzzle, Source, Strength, QueryReport, ValueSource,
} from "./values";
import { Refused, type Module } from "./module";
import type { MoveReport, Side, View } from "./types";
import type { Work } from "./work";
import { chooseAlone } from "./files";

const ROOT = "api/v1/";

/// Parses the text of an answer.
function parsed<Answer>(text: string): Answer | { error: string } {
  try {
    return JSON.parse(text) as Answer | { error: string };
  } catch (error) {
    throw new NoAnswer(undefined, { cause: error });
  }
}

async function get<Answer>(name: string, words: Record<string, string | number>, signal?: AbortSignal): Promise<Answer> {
  const query = new URLSearchParams(Object.entries(words).map(([key, value]) => [key, String(value)]));
  const response = await fetch(`${ROOT}${name}?${query}`, { signal: signal ?? null });
  const answer = parsed<Answer>(await response.text());
  if (typeof answer === "object" && answer !== null && "error" in answer) {
    throw new Refused(answer.error);
  }
  return answer as Answer;
}

/// Milliseconds after which the page shows a question as a proof or a search.
const BEGINS = 500;

/// The winner of a position, null for a draw. A search also gives the plies or the score.
type Found = { winner: Side | null; plies?: number | null; score?: number };

/// A line of a streamed answer: the winner, a move with its outcome, or at the end the full report.
type AnswerLine = QueryReport | Found | ({ decided: number } & MoveReport) | { error: string };

/// Yields the lines of a streamed answer.
async function* lines(
  name: string,
  words: Record<string, string>,
  signal: AbortSignal,
): AsyncGenerator<Exclude<AnswerLine, { error: string }>> {
  const response = await fetch(`${ROOT}${name}?${new URLSearchParams(words)}`, { signal });
  if (!response.body) throw new Refused(response.statusText);
  const decoder = new TextDecoder();
  let rest = "";
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    rest += decoder.decode(value, { stream: !done });
    const whole = rest.split("\n");
    rest = done ? "" : whole.pop()!;
    for (const text of whole.filter(Boolean)) {
      const line = parsed<AnswerLine>(text);
      if ("error" in line) throw new Refused(line.error);
      yield line;
    }
    if (done) return;
  }
}

/// The partial report of a position while its proof or search runs.
class Known {
  private found: Found | null = null;
  private readonly moves: Map<string, MoveReport>;

  constructor(private readonly view: View) {
    const open = ({ move, position }: View["moves"][number]): [string, MoveReport] => [
      move,
      { move, outcome: null, plies: null, position, key: null },
    ];
    this.moves = new Map(view.moves.map(open));
  }

  add(line: Found | MoveReport): void {
    if ("winner" in line) this.found = line;
    else this.moves.set(line.move, line);
  }

  report(): QueryReport {
    const { rules, position, to_move } = this.view;
    const { winner = null, ...measure } = this.found ?? {};
    const outcome = this.found && (winner === null ? "draw" : winner === to_move ? "win" : "loss");
    const moves = [...this.moves.values()].sort((a, b) => compare(worth(a), worth(b)));
    // Only a search gives plies or scores, except for a move that ends the game.
    const isMeasured = "plies" in measure || "score" in measure;
    const source = isMeasured || moves.some((move) => "score" in move || (move.plies ?? 0) > 1) ? "search" : "proof";
    return { rules, position, key: null, to_move, outcome, plies: null, ...measure, winner, source, moves } as QueryReport;
  }
}

export class ServerValues implements ValueSource {
  readonly kind = "server";
  readonly opens = null;

  private constructor(
    readonly holdings: Holding[],
    private readonly module: Module,
    private readonly work: Work,
  ) {}

  /// Returns null if no server answers. A server that answers with an error is an error.
  static async connect(module: Module, work: Work): Promise<ServerValues | null> {
    try {
      const { tables } = await get<{ tables: Holding[] }>("tables", {});
      return new ServerValues(tables, module, work);
    } catch (error) {
      if (error instanceof Refused) throw error;
      return null;
    }
  }

  async query(rules: string, position: string, following?: Following): Promise<QueryReport> {
    if (!following) return get("query", { rules, position });
    const view = this.module.ask<View>({ view: { rules, position } });
    const known = new Known(view);
    // A question that takes longer than a look-up is a proof or a search, even if nothing is decided yet.
    const begun = setTimeout(() => following.hear(known.report()), BEGINS);
    try {
      for await (const line of lines("prove", { rules, position }, following.signal)) {
        if ("rules" in line) return line;
        known.add(line);
        following.hear(known.report());
      }
    } finally {
      clearTimeout(begun);
    }
    throw new Refused("the answer ended early");
  }

  async line(rules: string, position: string, plies: number): Promise<Line> {
    const line = await get<{ moves: string[]; source: Source }>("line", { rules, position });
    return { moves: line.moves.slice(0, plies), source: line.source };
  }

  async choose(
    rules: string, position: string, moves: string[], by: Strength, signal: AbortSignal,
  ): Promise<Chosen> {
    const words = { rules, position, moves: moves.join(" "), ...by };
    try {
      const { move, source } = await get<{ move: string; source?: Source }>("choose", words, signal);
      return { move, source: source ?? null };
    } catch (error) {
      // The server is busy or cannot choose. The page takes the best known move, or searches itself.
      if (!(error instanceof Refused)) throw error;
      const view = this.module.ask<View>({ view: { rules, position, moves } });
      const report = by.strength === 100 ? await this.query(rules, view.position).catch(() => null) : null;
      if (report?.moves[0]) return { move: report.moves[0].move, source: report.source ?? null };
      return chooseAlone(this.work, { rules, position, moves, ...by }, {}, signal);
    }
  }

  proof(rules: string, position: string): Promise<ProofNode> {
    return get("proof", { rules, position });
  }

  async puzzle(rules: string, plies: number, seed: number): Promise<Puzzle | null> {
    try {
      const puzzles = await get<Puzzle[]>("puzzle", { rules, plies, seed });
      return puzzles[0] ?? null;
    } catch (error) {
      if (error instanceof Refused) return null;
      throw error;
    }
  }

  counts(rules: string, by: string[]): Promise<Counts> {
    return get("counts", { rules, by: by.join(",") });
  }
}
