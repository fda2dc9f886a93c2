// A plain file server for tests: serves the built page, and the files of a copy by ranges.

import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

// The policy of `yomikiri serve`.
const POLICY =
  "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const KINDS = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/// Serves files from the first of these folders that has them. With `whole` it ignores ranges, as some hosts do.
export function serve(port, folders, whole = false) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, "http://localhost");
    const path = normalize(decodeURIComponent(pathname)).replace(/\/$/, "/index.html");
    const found = folders.map((folder) => join(folder, path)).find((file) => statSync(file, { throwIfNoEntry: false })?.isFile());
    if (!found || path.includes("..")) {
      response.writeHead(404).end();
      return;
    }
    const { size } = statSync(found);
    const range = whole ? null : /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
    const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]), size - 1)] : [0, size - 1];
    response.writeHead(range ? 206 : 200, {
      "content-type": KINDS[extname(found)] ?? "application/octet-stream",
      "content-length": end - start + 1,
      "content-security-policy": POLICY,
      "cache-control": "no-cache",
      ...(range ? { "content-range": `bytes ${start}-${end}/${size}` } : {}),
    });
    createReadStream(found, { start, end }).pipe(response);
  });
  return new Promise((resolve) => server.listen(port, "127.0.0.1", () => resolve(server)));
}
