/// Finds out who tells values: a server, files on a plain host, or nothing but the module.

import { FileValues, type Copy } from "./files";
import { compile, Module } from "./module";
import { fetchPinned, pin } from "./pinned";
import { ServerValues } from "./server";
import type { ValueSource } from "./values";
import views from "./views.wasm?url";
import { Work } from "./work";

/// What `site.json` says: who made this copy of the page, and with which files.
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
    // A host that answers with a page of its own, or none at all.
  }
  return { values: "none" };
}

/// Loads the module, as far as it draws positions, and finds out who tells values.
export async function connect(): Promise<Client> {
  const [compiled, made] = await Promise.all([compile(views), site()]);
  const module = new Module(compiled);
  const work = new Work();
  if (made.values === "server") {
    const server = await ServerValues.connect(module, work);
    if (server) return { module, values: server };
  }
  const files = made.values === "files" ? (made.files ?? []) : [];
  return { module, values: new FileValues(module, work, { ...made, files }) };
}
