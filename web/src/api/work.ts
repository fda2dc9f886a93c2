/// Workers with the module, which can be stopped: a search has no end of its own.

import { NoRanges } from "./ranges";
import type { Question } from "./types";
import { Refused } from "./module";
import type { Files, Reply } from "./worker";

/// A question took longer than it was given.
export class TooLong extends Error {}

interface Pending {
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/// A worker, started with its first question, and anew after one was stopped.
export class Work {
  private worker: Worker | null = null;
  private readonly pending = new Map<number, Pending>();
  private next = 0;

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const asked = this.pending.get(data.id);
      this.pending.delete(data.id);
      if ("answer" in data) asked?.resolve(data.answer);
      else asked?.reject(data.kind === "ranges" ? new NoRanges(data.error) : new Refused(data.error));
    };
    // A trap, as where memory runs out: what else was asked is lost too.
    worker.onerror = (event) => this.stop(new Refused(event.message || "the search broke off"));
    return worker;
  }

  /// Ends all that is under way.
  stop(error: Error = new DOMException("stopped", "AbortError")): void {
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.pending.values()) reject(error);
    this.pending.clear();
  }

  /// Asks; after `seconds` the worker is stopped.
  ask<Answer>(question: Question, files: Files, seconds: number): Promise<Answer> {
    this.worker ??= this.start();
    const id = this.next++;
    const worker = this.worker;
    const answer = new Promise<unknown>((resolve, reject) => {
      this.pending.set(id, { resolve, reject });
      worker.postMessage({ id, question, files });
    });
    const timer = setTimeout(() => this.stop(new TooLong()), seconds * 1000);
    return answer.finally(() => clearTimeout(timer)) as Promise<Answer>;
  }
}
