/// Serves the built page in the ways it is served: without values, as a copy with tables of many parts, as copies that
/// `yomikiri site` has made, both also on a host without ranges, and by `yomikiri serve`.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, copyFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { PORTS } from "./ports";
// @ts-expect-error: plain JavaScript, which node runs as it is.
import { serve } from "./server.mjs";

const command = process.env.YOMIKIRI ?? "../target/debug/yomikiri";
const page = "dist";
const TABLES = ["bin3x3", "con4x4", "m00c1", "rev4x4"];
/// Bytes of a part of a file: small, so that some have several.
const PART = 30_000;

function site(folder: string, made: object): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "site.json"), JSON.stringify(made));
  return folder;
}

export default async function setup(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(tmpdir(), "yomikiri-web-"));
  const tables = join(folder, "tables");
  mkdirSync(tables);
  for (const rules of TABLES) execFileSync(command, ["analyze", rules, "--tables", tables], { stdio: "ignore" });
  copyFileSync("../precomp/proofs/bin2x5.proof", join(tables, "bin2x5.proof"));

  const none = site(join(folder, "none"), { values: "none" });
  const copy = join(folder, "copy");
  const files = ["bin3x3.tbl", "rev4x4.tbl", "bin2x5.proof"].map((name) => {
    const path = join(tables, name);
    const bytes = statSync(path).size;
    const parts: { path: string; bytes: number }[] = [];
    for (let start = 0; start < bytes; start += PART) {
      const part: string = `tables/${name}.${parts.length}`;
      mkdirSync(join(copy, "tables"), { recursive: true });
      const end = Math.min(start + PART, bytes);
      execFileSync("sh", ["-c", `tail -c +${start + 1} "$1" | head -c ${end - start} > "$2"`, "-", path, join(copy, part)]);
      parts.push({ path: part, bytes: end - start });
    }
    const [rules, kind] = name.split(".") as [string, string];
    return { rules, kind: kind === "tbl" ? "table" : "certificate", bytes, positions: null, parts };
  });
  site(copy, { values: "files", opens: "bin3x3", files });

  // Copies as `make docs` and `make smalldocs` make them, and the page over them.
  const copies = join(folder, "site");
  const made = (...args: string[]) => execFileSync(command, ["site", ...args, "--into", copies, "--tables", tables], { stdio: "ignore" });
  made("bin3x3");
  made("bin2x5");
  for (const rules of ["con4x4", "m00c1", "rev4x4"]) made(rules, "--small");
  made();

  const servers = [
    await serve(PORTS.none, [none, page]),
    await serve(PORTS.copy, [copy, page]),
    await serve(PORTS.whole, [copy, page], true),
    await serve(PORTS.site, [copies]),
    await serve(PORTS.simple, [copies], true),
  ];
  const server: ChildProcess = spawn(command, ["serve", "--port", String(PORTS.server), "--tables", tables], { stdio: "ignore" });
  await answering(`http://127.0.0.1:${PORTS.server}/api/v1/tables`, server);
  return async () => {
    server.kill();
    for (const other of servers) {
      other.closeAllConnections();
      other.close();
    }
  };
}

/// Waits until a server answers, as long as its process runs: five minutes on a machine that has much else to do.
async function answering(url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 3000 && server.exitCode === null; tries++) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Not yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}
