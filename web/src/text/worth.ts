/// Values in words.

import { t } from "./index.svelte";
import { worth, type QueryReport, type Worth } from "../api/values";
import type { Outcome, Side, ValueBound } from "../api/types";

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

/// Returns the bounds of a value that a search has not found yet, or null if there are none: `Known so far for Black: at
/// worst draw, at best wins by 4.` As long as both sides can win, `at worst loses in 40 plies` is left out, because it
/// does not help anybody.
export function bounds({ to_move, outcome, at_least, at_most }: QueryReport): string | null {
  const told = (name: string, bound: ValueBound | undefined, vague: Outcome) => {
    const helps = bound && (outcome !== null || bound.outcome !== vague || "score" in bound);
    return helps ? [t(name, { value: words(worth(bound)) })] : [];
  };
  const known = [...told("at-worst", at_least, "loss"), ...told("at-best", at_most, "win")];
  if (known.length === 0) return null;
  return t("values-bounds", { side: t("side", { side: to_move }), bounds: known.join(t("comma")) });
}
