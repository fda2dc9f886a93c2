import { FluentBundle, FluentResource } from "@fluent/bundle";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const source = (lang: string) => readFileSync(`src/text/${lang}.ftl`, "utf8");
const ids = (lang: string) => new Set([...source(lang).matchAll(/^([a-z][\w-]*) =/gm)].map((match) => match[1]!));

function code(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(svelte|ts)$/.test(entry.name))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

describe("texts", () => {
  it("are there in both languages", () => {
    expect([...ids("ja")].sort()).toEqual([...ids("en")].sort());
  });
  it("can be read", () => {
    for (const lang of ["en", "ja"]) {
      expect(new FluentBundle(lang).addResource(new FluentResource(source(lang)))).toEqual([]);
    }
  });
  it("are all used, and all that are used are there", () => {
    const text = code("src");
    const known = ids("en");
    const whole = [...text.matchAll(/\bt\(\s*"([\w-]+)"/g)].map((match) => match[1]!);
    expect(whole.filter((id) => !known.has(id))).toEqual([]);
    // A composed id begins with the text before its first placeholder, or ends with the text after it.
    const begun = [...text.matchAll(/`([a-z]+-)[^`\s]*\$\{/g)].map((match) => match[1]!);
    const ended = [...text.matchAll(/t\(`\$\{\w+\}(-[a-z]+)`/g)].map((match) => match[1]!);
    const quoted = new Set([...text.matchAll(/"([a-z][\w-]+)"/g)].map((match) => match[1]!));
    const isMade = (id: string) => begun.some((start) => id.startsWith(start)) || ended.some((end) => id.endsWith(end));
    const unused = [...known].filter((id) => !quoted.has(id) && !isMade(id));
    expect(unused).toEqual([]);
  });
});
