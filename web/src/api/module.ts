/// The WebAssembly module: rules, notation, look-ups and the search, asked in JSON.

import type { Problem, Question, Wanted, WantedRanges } from "./types";

interface Exports {
  memory: WebAssembly.Memory;
  allocate(length: number): number;
  release(pointer: number, length: number): void;
  open(length: bigint): number;
  give(file: number, offset: bigint, pointer: number, length: number): void;
  close(file: number): void;
  answer(pointer: number, length: number): number;
}

/// Bytes before an answer, which tell its length.
const HEADER = 4;

/// What the module says is wrong with a question, in one line.
export class Refused extends Error {}

/// Bytes of files are missing.
export class Waiting extends Error {
  constructor(readonly wanted: Wanted[]) {
    super("bytes of a file are missing");
  }
}

/// Fetches and compiles a module.
export async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  // Some hosts do not know the type of the file, which compiling while it comes in needs.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/// The module with memory and files of its own.
export class Module {
  private readonly exports: Exports;

  constructor(compiled: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(compiled, {}).exports as unknown as Exports;
  }

  private view(pointer: number, length: number): Uint8Array {
    // Memory grows: every view is a new one.
    return new Uint8Array(this.exports.memory.buffer, pointer, length);
  }

  private pass(bytes: Uint8Array): [number, number] {
    const pointer = this.exports.allocate(bytes.length) >>> 0;
    this.view(pointer, bytes.length).set(bytes);
    return [pointer, bytes.length];
  }

  /// The number of a file of so many bytes.
  open(bytes: number): number {
    return this.exports.open(BigInt(bytes));
  }

  /// Hands in bytes of a file.
  give(file: number, offset: number, bytes: Uint8Array): void {
    this.exports.give(file, BigInt(offset), ...this.pass(bytes));
  }

  close(file: number): void {
    this.exports.close(file);
  }

  /// The answer to a question. Throws `Refused`, or `Waiting` where bytes of files are missing.
  ask<Answer>(question: Question): Answer {
    const bytes = new TextEncoder().encode(JSON.stringify(question));
    const pointer = this.exports.answer(...this.pass(bytes)) >>> 0;
    const length = new DataView(this.exports.memory.buffer).getUint32(pointer, true);
    const text = new TextDecoder().decode(this.view(pointer + HEADER, length));
    this.exports.release(pointer, HEADER + length);
    const reply = JSON.parse(text) as Answer | Problem | WantedRanges;
    if (typeof reply === "object" && reply !== null) {
      if ("error" in reply) throw new Refused(reply.error);
      if ("wanted" in reply) throw new Waiting(reply.wanted);
    }
    return reply as Answer;
  }
}
