// The module of crates/wasm, loaded: files as numbers, questions and answers as objects.

import { readFileSync } from "node:fs";

const HEADER = 4;

/// Loads a module, which may need nothing from outside.
export function load(path) {
  const module = new WebAssembly.Module(readFileSync(path));
  const imports = WebAssembly.Module.imports(module);
  if (imports.length > 0) {
    throw new Error(`the module imports ${imports.map(({ module, name }) => `${module}.${name}`)}`);
  }
  const { memory, allocate, release, open, give, close, answer } = new WebAssembly.Instance(module, {}).exports;

  // Memory grows: every view is a new one.
  const view = (pointer, length) => new Uint8Array(memory.buffer, pointer, length);
  const pass = (bytes) => {
    const pointer = allocate(bytes.length) >>> 0;
    view(pointer, bytes.length).set(bytes);
    return [pointer, bytes.length];
  };
  return {
    /// The number of a file of so many bytes.
    open: (length) => open(BigInt(length)),
    /// Hands in bytes of a file.
    give: (file, offset, bytes) => give(file, BigInt(offset), ...pass(bytes)),
    close,
    /// The answer to a question.
    answer: (question) => {
      const pointer = answer(...pass(new TextEncoder().encode(JSON.stringify(question)))) >>> 0;
      const length = new DataView(memory.buffer).getUint32(pointer, true);
      const text = new TextDecoder().decode(view(pointer + HEADER, length));
      release(pointer, HEADER + length);
      return JSON.parse(text);
    },
  };
}
