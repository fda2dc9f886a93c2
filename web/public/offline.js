// The service worker, which makes the page work without a network. It caches the files that `offline.json` lists, and
// answers range requests for tables that were stored whole.

const PAGE = "page";
const TABLES = "tables";

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const list = await (await fetch("offline.json", { cache: "no-cache" })).json();
      const cache = await caches.open(PAGE);
      await cache.addAll(["./", "site.json", ...list]);
      // Deletes the files of older versions.
      const wanted = new Set(["./", "site.json", ...list].map((path) => new URL(path, self.registration.scope).href));
      for (const request of await cache.keys()) if (!wanted.has(request.url)) await cache.delete(request);
      await self.skipWaiting();
    })(),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

async function slice(response, range) {
  const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? [];
  const blob = await response.blob();
  const part = blob.slice(Number(start), Number(end) + 1);
  const headers = { "content-range": `bytes ${start}-${end}/${blob.size}` };
  return new Response(part, { status: 206, headers });
}

async function answer(request) {
  const range = request.headers.get("range");
  if (range) {
    const kept = await (await caches.open(TABLES)).match(request.url);
    return kept ? slice(kept, range) : fetch(request);
  }
  // Files in assets have a hash in their names and never change. Other files come from the network, or from the cache
  // if the network does not answer.
  const cache = await caches.open(PAGE);
  const kept =
    (await cache.match(request.url, { ignoreSearch: true })) ?? (await (await caches.open(TABLES)).match(request.url));
  if (kept && request.url.includes("/assets/")) return kept;
  try {
    const fresh = await fetch(request);
    if (fresh.ok && (await cache.match(request.url))) await cache.put(request.url, fresh.clone());
    return fresh;
  } catch (error) {
    if (kept) return kept;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(self.registration.scope)) event.respondWith(answer(request));
});
