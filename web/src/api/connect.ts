/// Finds the source of values: a server, files on a plain host, or the module alone.

import { FileValues, type Copy } from "./files";
import { compile, Module } from "./module";
import { fetchPinned, pin } from "./pinned";
import { ServerValues } from "./server";
import type { ValueSource } from "./values";
import views from "./views.wasm?url";
import { Work } from "./work";

/// The contents of `site.json`: the kind of source of this copy of the page, and its files.
interface Site extends Copy {
  values: "server" | "files" | "none";
}

/// The module and the source of values of this page.
export interface Client {
  module: Module;
  values: ValueSource;
}

async function site(): Promise<Site> {
  const integrity = pin();
  if (integrity) return (await (await fetchPinned("site.json", integrity)).json()) as Site;
  try {
    const response = await fetch("site.json");
    if (response.ok) return (await response.json()) as Site;
  } catch {
    // The host has no such file, and answers with its own page or not at all.
  }
  return { values: "none" };
}

/// Loads the module for drawing positions, and finds the source of values.
export async function connect(): Promise<Client> {
  const [compiled, made] = await Promise.all([compile(views), site()]);
  const module = new Module(compiled);
  const work = new Work();
  if (made.values === "server") {
    const server = await ServerValues.connect(module, work);
    if (server) return { module, values: server };
  }
  const files = made.values === "files" ? (made.files ?? []) : [];
  return { module, values: new FileValues(module, work, new Work(), { ...made, files }) };
}
