/// Files on a plain web host, read by ranges of bytes.

/// A part of a file: its address, its size, and its hash in the form of the attribute `integrity`.
export interface Part {
  path: string;
  bytes: number;
  integrity?: string | undefined;
}

/// A file in parts that are small enough for a plain host.
export interface RemoteFile {
  bytes: number;
  /// In the order of the file.
  parts: Part[];
  /// The hash in the header, as 16 hexadecimal digits. Excerpts have none.
  header_hash?: string | undefined;
}

/// The host does not support range requests: it answers with the whole file.
export class NoRanges extends Error {}

/// Ranges with a gap of at most this number of bytes are fetched together.
const GAP = 16 << 10;

export interface Range {
  start: number;
  end: number;
}

/// Returns the ranges in ascending order, joined if at most `gap` bytes lie between them.
export function join(ranges: Range[], gap = GAP): Range[] {
  const joined: Range[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = joined.at(-1);
    if (last && range.start <= last.end + gap) last.end = Math.max(last.end, range.end);
    else joined.push({ ...range });
  }
  return joined;
}

/// Splits a range of a file into ranges of its parts.
export function split(file: RemoteFile, range: Range): { path: string; start: number; end: number }[] {
  const pieces = [];
  let begin = 0;
  for (const part of file.parts) {
    const start = Math.max(range.start, begin) - begin;
    const end = Math.min(range.end, begin + part.bytes) - begin;
    if (start < end) pieces.push({ path: part.path, start, end });
    begin += part.bytes;
  }
  return pieces;
}

async function fetchPiece(path: string, start: number, end: number): Promise<Uint8Array> {
  const response = await fetch(path, { headers: { range: `bytes=${start}-${end - 1}` } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  if (response.status !== 206) {
    // The body is not read: a whole table for every look-up would be too much.
    await response.body?.cancel();
    throw new NoRanges(path);
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  if (bytes.length !== end - start) throw new Error(`${path}: ${bytes.length} bytes instead of ${end - start}`);
  return bytes;
}

/// Fetches the bytes of a range.
export async function read(file: RemoteFile, range: Range): Promise<Uint8Array> {
  const pieces = await Promise.all(split(file, range).map((p) => fetchPiece(p.path, p.start, p.end)));
  const bytes = new Uint8Array(range.end - range.start);
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return bytes;
}

/// Fetches a whole file, from any host. `fetchPart` fetches a part and checks its hash.
export async function readWhole(file: RemoteFile, fetchPart: (part: Part) => Promise<Response>): Promise<Uint8Array> {
  const bytes = new Uint8Array(file.bytes);
  let offset = 0;
  for (const part of file.parts) {
    const read = new Uint8Array(await (await fetchPart(part)).arrayBuffer());
    if (offset + read.length > bytes.length) throw new Error(`${part.path}: is longer than it should be`);
    bytes.set(read, offset);
    offset += read.length;
  }
  if (offset !== bytes.length) throw new Error(`${file.parts[0]!.path}: ${offset} bytes instead of ${bytes.length}`);
  return bytes;
}
