/// The texts of the page in the visitor's language: messages of `en.ftl` and `ja.ftl`.

import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";

export const LANGUAGES = { en: "English", ja: "日本語" } as const;
export type Language = keyof typeof LANGUAGES;

const sources = import.meta.glob<string>("./*.ftl", { query: "?raw", import: "default" });
const state = $state<{ lang: Language; bundle: FluentBundle | null }>({ lang: "en", bundle: null });

/// Returns the visitor's language: the one in the address, the last one chosen, or the browser's.
export function preferred(asked: string | null): Language {
  const wanted = [asked, stored("lang"), ...navigator.languages.map((tag) => tag.slice(0, 2))];
  return (wanted.find((tag) => tag !== null && tag in LANGUAGES) as Language | undefined) ?? "en";
}

/// Returns a stored choice of the visitor; null if there is none or the browser stores nothing.
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
    // Private windows store nothing. The page works without.
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

/// Returns a message. If there is none, returns its id, which the tests notice.
export function t(id: string, args?: Record<string, FluentVariable>): string {
  const pattern = state.bundle?.getMessage(id)?.value;
  return pattern ? state.bundle!.formatPattern(pattern, args ?? null) : id;
}
