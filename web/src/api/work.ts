/// Runs the module in a worker, which is ended if a question exceeds its time limit.

import { NoRanges } from "./ranges";
import type { Question } from "./types";
import { Refused } from "./module";
import type { Files, Message, Reply, Request } from "./worker";

/// A question has exceeded its time limit.
export class TooLong extends Error {}

interface Pending {
  request: Request;
  /// Starts the time of the question, again if a new worker gets it.
  start(): void;
  resolve(answer: unknown): void;
  reject(error: Error): void;
  /// Takes a partial answer.
  hear(part: unknown): void;
}

/// The ways to follow and to end a question.
export interface Asking<Answer> {
  /// Ends the question. The other questions go on.
  signal?: AbortSignal | undefined;
  /// The time limit of a proof or a search that a query may run, in seconds. Without it the query runs none.
  proof?: number;
  /// Gets partial answers.
  hear?(part: Answer): void;
}

/// A worker, which starts at the first question. Questions at work take turns.
export class Work {
  private worker: Worker | null = null;
  private readonly pending = new Map<number, Pending>();
  private next = 0;

  private start(): Worker {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    worker.onmessage = ({ data }: MessageEvent<Reply>) => {
      const asked = this.pending.get(data.id);
      if (!asked) return;
      if ("part" in data) return asked.hear(data.part);
      if ("answer" in data) asked.resolve(data.answer);
      else if (data.kind === "trap") return this.renew(data.id, new Refused(data.error));
      else asked.reject(data.kind === "ranges" ? new NoRanges(data.error) : new Refused(data.error));
      this.pending.delete(data.id);
    };
    // The worker itself does not work, for example because its script cannot be loaded.
    worker.onerror = (event) => {
      this.worker?.terminate();
      this.worker = null;
      for (const { reject } of this.pending.values()) reject(new Refused(event.message || "the worker does not start"));
      this.pending.clear();
    };
    return worker;
  }

  private post(message: Message): void {
    this.worker ??= this.start();
    this.worker.postMessage(message);
  }

  /// Ends the worker. The question `id` fails with `error`, and a new worker gets the others.
  private renew(id: number, error: Error): void {
    this.worker?.terminate();
    this.worker = null;
    this.pending.get(id)?.reject(error);
    this.pending.delete(id);
    for (const { request, start } of this.pending.values()) {
      start();
      this.post(request);
    }
  }

  /// Asks a question. After `seconds`, plus those of the proof, the question fails with `TooLong`.
  async ask<Answer>(question: Question, files: Files, seconds: number, asking: Asking<Answer> = {}): Promise<Answer> {
    const { signal, proof, hear } = asking;
    signal?.throwIfAborted();
    const id = this.next++;
    const request: Request = { id, question, files, ...(proof !== undefined && { proof }) };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.renew(id, new TooLong()), (seconds + (proof ?? 0)) * 1000);
    };
    const answer = new Promise<unknown>((resolve, reject) => {
      this.pending.set(id, { request, start, resolve, reject, hear: (part) => hear?.(part as Answer) });
    });
    const abort = () => {
      const error = signal?.reason as Error;
      // Only a proof looks for messages between two calls of the module. Anything else that may take long ends with the
      // worker.
      if (proof === undefined) return this.renew(id, error);
      this.pending.get(id)?.reject(error);
      this.pending.delete(id);
      this.post({ end: id });
    };
    signal?.addEventListener("abort", abort);
    start();
    this.post(request);
    try {
      return (await answer) as Answer;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }
}
