/// The WebAssembly module: rules, notation, look-ups and the search, with questions and answers in JSON.

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

/// Size of the header of an answer in bytes. It holds the length of the answer.
const HEADER = 4;

/// The module's one-line reason to refuse a question.
export class Refused extends Error {}

/// The module needs bytes of files that it does not have yet.
export class Waiting extends Error {
  constructor(readonly wanted: Wanted[]) {
    super("bytes of a file are missing");
  }
}

/// Fetches and compiles a module.
export async function compile(url: string): Promise<WebAssembly.Module> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  // Streaming compilation needs the right content type, which some hosts do not send.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/// An instance of the module, with its own memory and files.
export class Module {
  private readonly exports: Exports;

  constructor(compiled: WebAssembly.Module) {
    this.exports = new WebAssembly.Instance(compiled, {}).exports as unknown as Exports;
  }

  private view(pointer: number, length: number): Uint8Array {
    // A view is invalid once the memory has grown, so none is kept.
    return new Uint8Array(this.exports.memory.buffer, pointer, length);
  }

  private pass(bytes: Uint8Array): [number, number] {
    const pointer = this.exports.allocate(bytes.length) >>> 0;
    this.view(pointer, bytes.length).set(bytes);
    return [pointer, bytes.length];
  }

  /// Opens a file of this size and returns its number.
  open(bytes: number): number {
    return this.exports.open(BigInt(bytes));
  }

  /// Gives the module bytes of a file.
  give(file: number, offset: number, bytes: Uint8Array): void {
    this.exports.give(file, BigInt(offset), ...this.pass(bytes));
  }

  close(file: number): void {
    this.exports.close(file);
  }

  /// Answers a question. Throws `Refused`, or `Waiting` if bytes of files are missing.
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
