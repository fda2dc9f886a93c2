/// The module in a worker: look-ups in files, searches, whatever takes longer than a frame.

import { compile, Module, Waiting } from "./module";
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
const numbers = new Map<string, number>();
const remotes = new Map<number, RemoteFile>();

function number(module: Module, file: RemoteFile): number {
  const path = file.parts[0]!.path;
  let known = numbers.get(path);
  if (known === undefined) {
    known = module.open(file.bytes);
    numbers.set(path, known);
    remotes.set(known, file);
  }
  return known;
}

/// The question with the numbers of its files.
async function filled(module: Module, question: Question, files: Files): Promise<Question> {
  const [[name, body]] = Object.entries(question) as [[string, object]];
  const numbered: Record<string, number> = {};
  if (files.table) numbered.table = number(module, files.table);
  if (files.certificate) numbered.certificate = number(module, files.certificate);
  if (files.excerpt) {
    const isNew = !numbers.has(files.excerpt.parts[0]!.path);
    const bytes = isNew ? await readWhole(files.excerpt) : null;
    numbered.excerpt = number(module, files.excerpt);
    if (bytes) module.give(numbered.excerpt, 0, bytes);
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
