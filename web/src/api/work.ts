/// Runs the module in a worker, which can be stopped in the middle of a search.

import { NoRanges } from "./ranges";
import type { Question } from "./types";
import { Refused } from "./module";
import type { Files, Reply } from "./worker";

/// A question has exceeded its time limit.
export class TooLong extends Error {}

interface Pending {
  resolve(answer: unknown): void;
  reject(error: Error): void;
  /// Takes a partial answer.
  hear(part: unknown): void;
}

/// A proof or a search that a query may run. `hear` gets partial answers.
export interface Proof<Answer> {
  seconds: number;
  hear(part: Answer): void;
  /// Ends the proof and all other questions of the worker.
  signal: AbortSignal;
}

/// A worker, which starts at the first question, and again at the first question after a stop.
export class Work {
  private worker: Worker | null = null;
  private readonly pending = new Map<number, Pending>();
  private next = 0;

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const asked = this.pending.get(data.id);
      if ("part" in data) return asked?.hear(data.part);
      this.pending.delete(data.id);
      if ("answer" in data) asked?.resolve(data.answer);
      else asked?.reject(data.kind === "ranges" ? new NoRanges(data.error) : new Refused(data.error));
    };
    // A trap of the module, for example if memory runs out. All other questions are lost too.
    worker.onerror = (event) => this.stop(new Refused(event.message || "the search broke off"));
    return worker;
  }

  /// Ends the worker. All open questions fail with `error`.
  stop(error: Error = new DOMException("stopped", "AbortError")): void {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
  }

  /// Asks a question. After `seconds`, plus those of the proof, the worker is stopped.
  ask<Answer>(question: Question, files: Files, seconds: number, proof?: Proof<Answer>): Promise<Answer> {
    this.worker ??= this.start();
    const id = this.next++;
    const worker = this.worker;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.pending.set(id, { resolve, reject, hear: (part) => proof?.hear(part as Answer) });
      worker.postMessage({ id, question, files, ...(proof && { proof: proof.seconds }) });
    });
    const abort = () => this.pending.has(id) && this.stop();
    proof?.signal.addEventListener("abort", abort);
    const timer = setTimeout(() => this.stop(new TooLong()), (seconds + (proof?.seconds ?? 0)) * 1000);
    const end = () => {
      clearTimeout(timer);
      proof?.signal.removeEventListener("abort", abort);
    };
    return answer.finally(end) as Promise<Answer>;
  }
}
