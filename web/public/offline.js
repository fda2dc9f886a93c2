// Keeps the page for use without a network: its files as `offline.json` lists them, and tables that were kept whole,
// which are answered by ranges as their host would.

const PAGE = "page";
const TABLES = "tables";

self.addEventListener("install", (event) => {
  event.waitUntil(
    (async () => {
      const list = await (await fetch("offline.json", { cache: "no-cache" })).json();
      const cache = await caches.open(PAGE);
      await cache.addAll(["./", "site.json", ...list]);
      // Files of older versions.
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
  // What has its contents in its name never changes; all else is asked for first, and kept for when nobody answers.
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
