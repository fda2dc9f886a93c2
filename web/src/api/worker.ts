/// The worker: runs the module for look-ups in files, searches, and all else that takes longer than a frame.

import { compile, Module, Waiting } from "./module";
import { fetchPinned, readHeader } from "./pinned";
import { join, NoRanges, read, readWhole, type RemoteFile } from "./ranges";
import type { QueryReport, Question } from "./types";
import { isOpen } from "./values";
import url from "./values.wasm?url";

export interface Files {
  table?: RemoteFile;
  certificate?: RemoteFile;
  opening?: RemoteFile;
  /// Read whole, because it is small.
  excerpt?: RemoteFile;
}

export interface Request {
  id: number;
  question: Question;
  files: Files;
  /// Seconds that a query may spend on a proof of the winner or a search. Partial reports are sent meanwhile.
  proof?: number;
}

/// A question, or the number of a question that is to end.
export type Message = Request | { end: number };

/// After an error of the kind `trap` the module is in an unknown state or was not loaded, so this worker must not be
/// asked again.
export type Reply =
  | { id: number; answer: unknown }
  | { id: number; part: unknown }
  | { id: number; error: string; kind: "ranges" | "refused" | "trap" };

let isLoaded = false;
const loaded = compile(url).then((compiled) => {
  isLoaded = true;
  return new Module(compiled);
});
const numbers = new Map<string, Promise<number>>();
const remotes = new Map<number, RemoteFile>();

/// Opens a file. `first` fetches and checks its first bytes.
async function open(module: Module, file: RemoteFile, first: () => Promise<Uint8Array>): Promise<number> {
  const bytes = await first();
  const number = module.open(file.bytes);
  remotes.set(number, file);
  if (bytes.length > 0) module.give(number, 0, bytes);
  return number;
}

/// Returns the number of a file, and opens it if necessary.
function number(module: Module, file: RemoteFile, first: () => Promise<Uint8Array>): Promise<number> {
  const path = file.parts[0]!.path;
  let known = numbers.get(path);
  if (!known) {
    known = open(module, file, first);
    numbers.set(path, known);
    // After a failure the next question tries again.
    known.catch(() => numbers.delete(path));
  }
  return known;
}

/// Returns the number of a file that is read by ranges.
function ranged(module: Module, file: RemoteFile): Promise<number> {
  return number(module, file, async () => (file.header_hash ? readHeader(file) : new Uint8Array()));
}

/// Adds the numbers of the files to a question.
async function filled(module: Module, question: Question, files: Files): Promise<Question> {
  const [[name, body]] = Object.entries(question) as [[string, object]];
  const numbered: Record<string, number> = {};
  const { excerpt } = files;
  for (const kind of ["table", "certificate", "opening"] as const) {
    const file = files[kind];
    if (file) numbered[kind] = await ranged(module, file);
  }
  if (excerpt) {
    const whole = () => readWhole(excerpt, (part) => fetchPinned(part.path, part.integrity));
    numbered.excerpt = await number(module, excerpt, whole);
  }
  return { [name]: { ...body, ...numbered } } as unknown as Question;
}

async function answer(question: Question, files: Files): Promise<unknown> {
  const module = await loaded;
  const asked = await filled(module, question, files);
  for (;;) {
    try {
      return module.ask(asked);
    } catch (error) {
      if (!(error instanceof Waiting)) throw error;
      const { wanted } = error;
      const fetches = [...remotes].flatMap(([file, remote]) =>
        join(wanted.filter((range) => range.file === file)).map(async (range) =>
          module.give(file, range.start, await read(remote, range)),
        ),
      );
      await Promise.all(fetches);
    }
  }
}

/// Slices of work in one call of the module, about a tenth of a second.
const SLICES = 4;

/// The numbers of the queries that are being proved.
const proving = new Set<number>();

/// Lets the worker take the messages that have arrived.
function takeMessages(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/// Answers a query, with a proof of the winner or a search if necessary. Sends a partial report whenever more is
/// decided. Other questions are answered between two calls of the module.
async function proved(data: Request, seconds: number): Promise<QueryReport> {
  const question = { query: { ...(data.question as { query: object }).query, slices: SLICES } } as unknown as Question;
  const end = Date.now() + seconds * 1000;
  let known = "";
  proving.add(data.id);
  for (;;) {
    const report = (await answer(question, data.files)) as QueryReport;
    if (!isOpen(report) || Date.now() >= end || !proving.has(data.id)) return report;
    const decided = report.moves.filter((move) => move.outcome !== null).length;
    const more = JSON.stringify([decided, report.winner, report.at_least, report.at_most]);
    if (more !== known) self.postMessage({ id: data.id, part: report } satisfies Reply);
    known = more;
    await takeMessages();
  }
}

self.onmessage = async ({ data }: MessageEvent<Message>) => {
  if ("end" in data) return proving.delete(data.end);
  const { id } = data;
  try {
    const told = data.proof ? proved(data, data.proof) : answer(data.question, data.files);
    self.postMessage({ id, answer: await told } satisfies Reply);
  } catch (error) {
    // A full stack is a `RangeError`.
    const trapped = !isLoaded || error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
    const kind = error instanceof NoRanges ? "ranges" : trapped ? "trap" : "refused";
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error), kind } satisfies Reply);
  } finally {
    proving.delete(id);
  }
};
