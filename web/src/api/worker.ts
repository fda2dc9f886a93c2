/// The module in a worker: look-ups in files, searches, whatever takes longer than a frame.

import { compile, Module, Waiting } from "./module";
import { fetchPinned, readHeader } from "./pinned";
import { join, NoRanges, read, readWhole, type RemoteFile } from "./ranges";
import type { Question } from "./types";
import url from "./values.wasm?url";

export interface Files {
  table?: RemoteFile;
  certificate?: RemoteFile;
  /// Small, and read whole.
  excerpt?: RemoteFile;
}

export interface Request {
  id: number;
  question: Question;
  files: Files;
}

export type Reply = { id: number; answer: unknown } | { id: number; error: string; kind: "ranges" | "refused" };

const loaded = compile(url).then((compiled) => new Module(compiled));
const numbers = new Map<string, Promise<number>>();
const remotes = new Map<number, RemoteFile>();

/// Opens a file, beginning with the bytes that `first` fetches and checks.
async function open(module: Module, file: RemoteFile, first: () => Promise<Uint8Array>): Promise<number> {
  const bytes = await first();
  const number = module.open(file.bytes);
  remotes.set(number, file);
  if (bytes.length > 0) module.give(number, 0, bytes);
  return number;
}

/// The number of a file, which is opened if it is not yet.
function number(module: Module, file: RemoteFile, first: () => Promise<Uint8Array>): Promise<number> {
  const path = file.parts[0]!.path;
  let known = numbers.get(path);
  if (!known) {
    known = open(module, file, first);
    numbers.set(path, known);
    // The next question tries once more.
    known.catch(() => numbers.delete(path));
  }
  return known;
}

/// The number of a file that is read by ranges.
function ranged(module: Module, file: RemoteFile): Promise<number> {
  return number(module, file, async () => (file.header_hash ? readHeader(file) : new Uint8Array()));
}

/// The question with the numbers of its files.
async function filled(module: Module, question: Question, files: Files): Promise<Question> {
  const [[name, body]] = Object.entries(question) as [[string, object]];
  const numbered: Record<string, number> = {};
  const { table, certificate, excerpt } = files;
  if (table) numbered.table = await ranged(module, table);
  if (certificate) numbered.certificate = await ranged(module, certificate);
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

self.onmessage = async ({ data }: MessageEvent<Request>) => {
  const { id } = data;
  try {
    self.postMessage({ id, answer: await answer(data.question, data.files) } satisfies Reply);
  } catch (error) {
    const kind = error instanceof NoRanges ? "ranges" : "refused";
    self.postMessage({ id, error: error instanceof Error ? error.message : String(error), kind } satisfies Reply);
  }
};
