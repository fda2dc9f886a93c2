/// Makes copies of the page work without a network.

import { fetchPinned } from "./pinned";
import type { Part } from "./ranges";
import type { ValueSource } from "./values";

/// The name of the cache of tables, as in `offline.js`.
const TABLES = "tables";

/// Lets the browser store the page, except the page of a server, which is useless without it. Returns true if it does.
export async function keepPage(values: ValueSource): Promise<boolean> {
  if (values.kind === "server" || !("serviceWorker" in navigator) || import.meta.env.DEV) return false;
  try {
    await navigator.serviceWorker.register("./offline.js");
    return true;
  } catch {
    // Service workers need https or the loopback.
    return false;
  }
}

/// Returns true if all these files are stored.
export async function areKept(paths: string[]): Promise<boolean> {
  if (!("caches" in window)) return false;
  const cache = await caches.open(TABLES);
  const found = await Promise.all(paths.map((path) => cache.match(path)));
  return found.every(Boolean);
}

/// Stores whole files after their hashes have been checked.
export async function keep(parts: Part[]): Promise<void> {
  const cache = await caches.open(TABLES);
  for (const { path, integrity } of parts) await cache.put(path, await fetchPinned(path, integrity));
}
