/// Values from files on a plain host, which the module reads. Without files, the module solves what it can.

import { Refused, type Module } from "./module";
import type { LineReport, View } from "./types";
import type {
  Chosen, Counts, Following, Holding, Line, ProofNode, Puzzle, QueryReport, Strength, ValueSource,
} from "./values";
import { fetchPinned } from "./pinned";
import { NoRanges, type RemoteFile } from "./ranges";
import type { Work } from "./work";
import type { Files } from "./worker";

/// The time limit of a question, in seconds.
const SECONDS = 30;
/// The time limit of a proof of the winner or of a search, in seconds.
const PROOF_SECONDS = 60;
/// Positions that the search for a move visits at full strength, about one second.
const NODES = 60_000;
/// Bytes of memory to solve a position without a file, about one second of work.
const MEMORY = 12 << 20;

/// A file of a copy.
export type FileHolding = Holding & RemoteFile;

/// The fields of `site.json` about a copy.
export interface Copy {
  opens?: string;
  files?: FileHolding[];
  /// Paths of files of counts, by rule code and by their dimensions.
  counts?: Record<string, Record<string, string>>;
  /// Hashes of files by path, in the form of the attribute `integrity`.
  integrity?: Record<string, string>;
}

interface Choice extends Strength {
  rules: string;
  position: string;
  moves: string[];
}

/// Chooses a move in a worker, by files if they decide it, else by a search.
export async function chooseAlone(work: Work, choice: Choice, files: Files, signal: AbortSignal): Promise<Chosen> {
  const nodes = Math.max(200, Math.round((NODES * choice.strength) / 100));
  return work.ask<Chosen>({ choose: { ...choice, nodes } }, files, SECONDS, { signal });
}

export class FileValues implements ValueSource {
  readonly kind: "files" | "none";
  readonly holdings: Holding[];
  readonly opens: string | null;
  private readonly files = new Map<string, Files>();

  constructor(
    private readonly module: Module,
    private readonly work: Work,
    /// The worker for proofs and searches that take long. The other worker can end without them.
    private readonly proofs: Work,
    private readonly copy: Copy,
  ) {
    const integrity = copy.integrity ?? {};
    const files = (copy.files ?? []).map((file) => ({
      ...file,
      parts: file.parts.map((part) => ({ ...part, integrity: integrity[part.path] })),
    }));
    this.kind = files.length > 0 ? "files" : "none";
    this.opens = copy.opens ?? null;
    this.holdings = files;
    for (const { rules, kind, bytes, parts, header_hash } of files) {
      // Paths are relative to the page, but a worker would resolve them against its own address.
      const here = parts.map((part) => ({ ...part, path: new URL(part.path, document.baseURI).href }));
      this.files.set(rules, { ...this.files.get(rules), [kind]: { bytes, parts: here, header_hash } });
    }
  }

  private of(rules: string): Files {
    return this.files.get(rules) ?? {};
  }

  query(rules: string, position: string, following?: Following): Promise<QueryReport> {
    const question = { query: { rules, position, memory: MEMORY } };
    if (!following) return this.work.ask(question, this.of(rules), SECONDS);
    return this.proofs.ask(question, this.of(rules), SECONDS, { ...following, proof: PROOF_SECONDS });
  }

  async line(rules: string, position: string, plies: number): Promise<Line> {
    const question = { line: { rules, position, plies, memory: MEMORY } };
    const line = await this.work.ask<LineReport>(question, this.of(rules), SECONDS);
    return { moves: line.moves, source: line.known_by };
  }

  async choose(
    rules: string, position: string, moves: string[], by: Strength, signal: AbortSignal,
  ): Promise<Chosen> {
    const choice = { rules, position, moves, ...by };
    try {
      return await chooseAlone(this.work, choice, this.of(rules), signal);
    } catch (error) {
      if (!(error instanceof NoRanges)) throw error;
      return chooseAlone(this.work, choice, {}, signal);
    }
  }

  /// Returns the winner's move or all replies, by the certificate.
  async proof(rules: string, position: string): Promise<ProofNode> {
    if (!this.of(rules).certificate) throw new Refused(`there is no certificate of ${rules}`);
    const report = await this.query(rules, position);
    if (!report.winner) throw new Refused("the certificate does not decide this position");
    const view = this.module.ask<View>({ view: { rules, position } });
    const isWinner = report.winner === report.to_move;
    const listed = isWinner ? report.moves.filter((move) => move.outcome === "win").slice(0, 1) : report.moves;
    const moves = listed.map(({ move, position }) => {
      const goes = view.moves.find((other) => other.move === move)?.ends ? ("over" as const) : ("on" as const);
      return { move, position, goes };
    });
    return { winner: report.winner, to_move: report.to_move, is_checked: report.certificate === "checked", moves };
  }

  puzzle(): Promise<Puzzle | null> {
    return Promise.resolve(null);
  }

  async counts(rules: string, by: string[]): Promise<Counts> {
    const path = this.copy.counts?.[rules]?.[by.join(",")];
    if (!path) throw new Refused(`there are no counts of ${rules} by ${by.join(" and ")}`);
    return (await (await fetchPinned(path, this.copy.integrity?.[path])).json()) as Counts;
  }
}
