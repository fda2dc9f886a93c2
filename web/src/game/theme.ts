/// The light or dark theme, by the visitor's choice or by the system.

import { store, stored } from "../text/index.svelte";

export const THEMES = ["auto", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const system = matchMedia("(prefers-color-scheme: dark)");

export function theme(): Theme {
  return THEMES.find((known) => known === stored("theme")) ?? "auto";
}

export function wear(chosen: Theme): void {
  store("theme", chosen);
  const dark = chosen === "dark" || (chosen === "auto" && system.matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

system.addEventListener("change", () => wear(theme()));
