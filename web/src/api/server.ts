/// Values from `yomikiri serve`.

import type { Chosen, Counts, Holding, Line, ProofNode, Puzzle, Source, QueryReport, ValueSource } from "./values";
import { Refused, type Module } from "./module";
import type { View } from "./types";
import type { Work } from "./work";
import { chooseAlone } from "./files";

const ROOT = "api/v1/";

async function get<Answer>(name: string, words: Record<string, string | number>, signal?: AbortSignal): Promise<Answer> {
  const query = new URLSearchParams(Object.entries(words).map(([key, value]) => [key, String(value)]));
  const response = await fetch(`${ROOT}${name}?${query}`, { signal: signal ?? null });
  const answer = (await response.json()) as Answer | { error: string };
  if (typeof answer === "object" && answer !== null && "error" in answer) {
    throw new Refused(answer.error);
  }
  return answer as Answer;
}

export class ServerValues implements ValueSource {
  readonly kind = "server";
  readonly opens = null;
  private stopping = new AbortController();

  private constructor(
    readonly holdings: Holding[],
    private readonly module: Module,
    private readonly work: Work,
  ) {}

  /// Null where no server answers.
  static async connect(module: Module, work: Work): Promise<ServerValues | null> {
    try {
      const { tables } = await get<{ tables: Holding[] }>("tables", {});
      return new ServerValues(tables, module, work);
    } catch {
      return null;
    }
  }

  query(rules: string, position: string): Promise<QueryReport> {
    return get("query", { rules, position }, this.stopping.signal);
  }

  async line(rules: string, position: string, plies: number): Promise<Line> {
    const line = await get<{ moves: string[]; source: Source }>("line", { rules, position }, this.stopping.signal);
    return { moves: line.moves.slice(0, plies), source: line.source };
  }

  async choose(rules: string, position: string, moves: string[], strength: number, seed: number): Promise<Chosen> {
    const words = { rules, position, moves: moves.join(" "), strength, seed };
    try {
      const { move, source } = await get<{ move: string; source?: Source }>("choose", words, this.stopping.signal);
      return { move, source: source ?? null };
    } catch (error) {
      // The server is busy or does not know: the page takes the best move that is known, or looks ahead itself.
      if (!(error instanceof Refused)) throw error;
      const view = this.module.ask<View>({ view: { rules, position, moves } });
      const report = strength === 100 ? await this.query(rules, view.position).catch(() => null) : null;
      if (report?.moves[0]) return { move: report.moves[0].move, source: report.source ?? null };
      return chooseAlone(this.work, { rules, position, moves, strength, seed }, {});
    }
  }

  stop(): void {
    this.stopping.abort();
    this.stopping = new AbortController();
    this.work.stop();
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
