/// Serves the built page in all ways: without values, as a copy with tables in many parts, as copies of
/// `yomikiri site`, and by `yomikiri serve`. Both kinds of copies are also served by a host without ranges.

import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, copyFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { PORTS } from "./ports";
// @ts-expect-error: plain JavaScript without types.
import { serve } from "./server.mjs";

const command = process.env.YOMIKIRI ?? "../target/debug/yomikiri";
const page = "dist";
const TABLES = ["bin3x3", "con4x4", "m00c1", "rev4x4"];
// Certificates and openings that ship with the program would answer some questions of the tests.
process.env.YOMIKIRI_DATA = "";
/// The size of a part of a file in bytes. It is small, so that some files have several parts.
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
  for (const proof of ["bin2x5.proof", "bin4x4.proof"]) copyFileSync(`../precomp/proofs/${proof}`, join(tables, proof));
  const opening = ["opening", "bin4x4", "--plies", "2", "--memory", "64M", "--tables", tables];
  execFileSync(command, opening, { stdio: "ignore" });
  // Copies of the explorer take checked files only.
  for (const file of ["bin2x5.proof", "bin4x4.proof", "openings/bin4x4.opening"]) {
    execFileSync(command, ["check", join(tables, file)], { stdio: "ignore" });
  }

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

  // Copies as `make docs` and `make smalldocs` write them, and the front page.
  const copies = join(folder, "site");
  const made = (...args: string[]) => execFileSync(command, ["site", ...args, "--into", copies, "--tables", tables], { stdio: "ignore" });
  made("bin3x3");
  made("bin2x5");
  made("bin4x4");
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

/// Waits until a server answers, for at least five minutes on a busy machine. Throws if its process ends.
async function answering(url: string, server: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 3000 && server.exitCode === null; tries++) {
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // The server is not ready yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer`);
}
