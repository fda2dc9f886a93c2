/// Values in words.

import { t } from "./index.svelte";
import type { Worth } from "../api/values";
import type { Side } from "../api/types";

/// Returns the value of a move in words: `wins in 7 plies`.
export function words({ outcome, plies, score }: Worth): string {
  if (outcome === null) return t("value-unknown");
  if (outcome === "draw") return t("value-draw");
  if (score !== null) return t(`value-${outcome}-by`, { score: Math.abs(score) });
  return plies === null ? t(`value-${outcome}`) : t(`value-${outcome}-in`, { plies: t("plies", { plies }) });
}

/// Returns the value of a move in short form: `W 7`.
export function short({ outcome, plies, score }: Worth): string {
  if (outcome === null) return "?";
  if (outcome === "draw") return t("short-draw");
  if (score !== null) return `${score > 0 ? "+" : "−"}${Math.abs(score)}`;
  return plies === null ? t(`short-${outcome}`) : `${t(`short-${outcome}`)} ${plies}`;
}

/// Returns the value of a position with the name of the winner: `Black wins in 7 plies`.
export function verdict({ outcome, plies, score }: Worth, toMove: Side): string {
  if (outcome === null) return t("value-unknown");
  if (outcome === "draw") return t("verdict-draw");
  const side = t("side", { side: outcome === "win" ? toMove : toMove === "black" ? "white" : "black" });
  if (score !== null) return t("verdict-win-by", { side, score: Math.abs(score) });
  return plies === null ? t("verdict-win", { side }) : t("verdict-win-in", { side, plies: t("plies", { plies }) });
}
