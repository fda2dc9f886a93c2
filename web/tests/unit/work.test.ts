import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refused } from "../../src/api/module";
import type { Question } from "../../src/api/types";
import { TooLong, Work } from "../../src/api/work";
import type { Message, Reply } from "../../src/api/worker";

/// A worker that keeps its messages and answers when a test says so.
class FakeWorker {
  static all: FakeWorker[] = [];
  onmessage: ((event: { data: Reply }) => void) | null = null;
  onerror: ((event: { message: string }) => void) | null = null;
  messages: Message[] = [];
  isOver = false;

  constructor() {
    FakeWorker.all.push(this);
  }

  postMessage(message: Message): void {
    this.messages.push(message);
  }

  terminate(): void {
    this.isOver = true;
  }

  reply(data: Reply): void {
    this.onmessage?.({ data });
  }
}

const question: Question = { games: {} };
const ids = (worker: FakeWorker) => worker.messages.map((message) => ("end" in message ? `end ${message.end}` : message.id));

beforeEach(() => {
  FakeWorker.all = [];
  vi.stubGlobal("Worker", FakeWorker);
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the end of a proof leaves the other questions alone", async () => {
  const [work, stop, parts] = [new Work(), new AbortController(), [] as unknown[]];
  const proof = work.ask(question, {}, 1, { proof: 9, signal: stop.signal, hear: (part) => parts.push(part) });
  const other = work.ask<string>(question, {}, 1);
  const worker = FakeWorker.all[0]!;
  worker.reply({ id: 0, part: "half" });
  stop.abort();
  await expect(proof).rejects.toThrow(/abort/i);
  worker.reply({ id: 0, part: "late" });
  worker.reply({ id: 0, answer: "late" });
  worker.reply({ id: 1, answer: "here" });
  expect(await other).toBe("here");
  expect(parts).toEqual(["half"]);
  expect(ids(worker)).toEqual([0, 1, "end 0"]);
  expect([FakeWorker.all.length, worker.isOver]).toEqual([1, false]);
});

test("the end of another question ends its worker, and a new one goes on with the rest", async () => {
  const [work, stop] = [new Work(), new AbortController()];
  const choice = work.ask(question, {}, 1, { signal: stop.signal });
  const proof = work.ask<string>(question, {}, 1, { proof: 9 });
  stop.abort();
  await expect(choice).rejects.toThrow(/abort/i);
  const [old, fresh] = FakeWorker.all as [FakeWorker, FakeWorker];
  expect([old.isOver, fresh.isOver, ids(fresh)]).toEqual([true, false, [1]]);
  fresh.reply({ id: 1, answer: "proved" });
  expect(await proof).toBe("proved");
  await expect(work.ask(question, {}, 1, { signal: stop.signal })).rejects.toThrow(/abort/i);
  expect(FakeWorker.all.length).toBe(2);
});

test("a question that takes too long, or that breaks the module, fails alone", async () => {
  const work = new Work();
  const slow = work.ask(question, {}, 1).catch((error: unknown) => error);
  const proof = work.ask<string>(question, {}, 1, { proof: 9 });
  const broken = work.ask(question, {}, 5).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(600);
  // Its time begins again in the new worker.
  const behind = work.ask<string>(question, {}, 1);
  await vi.advanceTimersByTimeAsync(1300);
  expect(await slow).toBeInstanceOf(TooLong);
  expect(ids(FakeWorker.all[1]!)).toEqual([1, 2, 3]);
  FakeWorker.all[1]!.reply({ id: 3, answer: "late" });
  expect(await behind).toBe("late");
  FakeWorker.all[1]!.reply({ id: 2, error: "unreachable", kind: "trap" });
  expect(await broken).toBeInstanceOf(Refused);
  expect(FakeWorker.all.map(({ isOver }) => isOver)).toEqual([true, true, false]);
  FakeWorker.all[2]!.reply({ id: 1, answer: "proved" });
  expect(await proof).toBe("proved");
});

test("if the worker does not start, all questions fail, and the next question tries again", async () => {
  const work = new Work();
  const asked = [work.ask(question, {}, 1), work.ask(question, {}, 1)].map((answer) => answer.catch((error: unknown) => error));
  FakeWorker.all[0]!.onerror?.({ message: "no script" });
  for (const error of await Promise.all(asked)) expect((error as Error).message).toBe("no script");
  const again = work.ask<string>(question, {}, 1);
  FakeWorker.all[1]!.reply({ id: 2, answer: "here" });
  expect(await again).toBe("here");
});
