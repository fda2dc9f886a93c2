/// Copies of the page that work without a network.

import { fetchPinned } from "./pinned";
import type { Part } from "./ranges";
import type { ValueSource } from "./values";

/// As in `offline.js`.
const TABLES = "tables";

/// Lets the browser keep the page. A server's page is of no use without the server.
export async function keepPage(values: ValueSource): Promise<boolean> {
  if (values.kind === "server" || !("serviceWorker" in navigator) || import.meta.env.DEV) return false;
  try {
    await navigator.serviceWorker.register("./offline.js");
    return true;
  } catch {
    // Plain files or an unsafe origin.
    return false;
  }
}

/// Whether all these files are kept.
export async function areKept(paths: string[]): Promise<boolean> {
  if (!("caches" in window)) return false;
  const cache = await caches.open(TABLES);
  const found = await Promise.all(paths.map((path) => cache.match(path)));
  return found.every(Boolean);
}

/// Keeps files whole, if they have their hashes.
export async function keep(parts: Part[]): Promise<void> {
  const cache = await caches.open(TABLES);
  for (const { path, integrity } of parts) await cache.put(path, await fetchPinned(path, integrity));
}
