/// Reads positions and games that people paste: SFEN, keys, moves with or without numbers, boards.

import type { Module } from "../api/module";
import type { View } from "../api/types";

/// Returns the possible readings of a text, the most literal one first.
export function readings(text: string): string[] {
  const trimmed = text.trim();
  const line = trimmed.replace(/\s+/g, " ").replace(/^position (sfen )?/, "");
  const moves = line
    .replace(/\b\d+\s*[.:)](?:\.\.)?\s*/g, "")
    .replace(/[,;]/g, " ")
    .replace(/\s+/g, " ");
  const texts = [trimmed, line, `startpos moves ${line}`, `startpos moves ${moves}`];
  return [...new Set(texts)].filter((text) => text !== "");
}

/// Returns the position or game of a text. Throws the module's error about the most literal reading.
export function open(module: Module, rules: string, text: string): View {
  let first: unknown = null;
  for (const position of readings(text)) {
    try {
      return module.ask<View>({ view: { rules, position } });
    } catch (error) {
      first ??= error;
    }
  }
  throw first;
}
