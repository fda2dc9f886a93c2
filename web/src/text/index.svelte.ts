/// What the page says, in the language of the reader: messages of `en.ftl` and `ja.ftl`.

import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";

export const LANGUAGES = { en: "English", ja: "日本語" } as const;
export type Language = keyof typeof LANGUAGES;

const sources = import.meta.glob<string>("./*.ftl", { query: "?raw", import: "default" });
const state = $state<{ lang: Language; bundle: FluentBundle | null }>({ lang: "en", bundle: null });

/// The language that a visitor wants: that of the address, the last one chosen, or the browser's.
export function preferred(asked: string | null): Language {
  const wanted = [asked, stored("lang"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return (wanted.find((tag) => tag !== null && tag in LANGUAGES) as Language | undefined) ?? "en";
}

/// What this browser keeps of the visitor's choices; null where it keeps nothing.
export function stored(name: string): string | null {
  try {
    return localStorage.getItem(`yomikiri.${name}`);
  } catch {
    return null;
  }
}

export function store(name: string, value: string): void {
  try {
    localStorage.setItem(`yomikiri.${name}`, value);
  } catch {
    // Private windows keep nothing; the page works without.
  }
}

export async function speak(lang: Language): Promise<void> {
  const bundle = new FluentBundle(lang, { useIsolating: false });
  const errors = bundle.addResource(new FluentResource(await sources[`./${lang}.ftl`]!()));
  if (errors.length > 0) throw errors[0];
  state.bundle = bundle;
  state.lang = lang;
  document.documentElement.lang = lang;
}

export function language(): Language {
  return state.lang;
}

export function has(id: string): boolean {
  return state.bundle?.hasMessage(id) ?? false;
}

/// A message; its id where there is none, which the tests find.
export function t(id: string, args?: Record<string, FluentVariable>): string {
  const pattern = state.bundle?.getMessage(id)?.value;
  return pattern ? state.bundle!.formatPattern(pattern, args ?? null) : id;
}
