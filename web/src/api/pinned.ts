/// Files of a copy on a plain host, checked by the hashes that `yomikiri site` wrote. The page has the hash of
/// `site.json`, and `site.json` has the hashes of all files.

import { Refused } from "./module";
import { read, type RemoteFile } from "./ranges";

/// Size of the header of a table, a certificate or an opening, in bytes. The last 8 bytes are a hash of the rest of the
/// header; through the checksums in it, the hash covers the whole file.
const HEADER = 136;

const OTHER = "does not match its hash or cannot be loaded; reload the page";

/// Returns the hash of `site.json`, in the form of the attribute `integrity`; null if the page is not a copy.
export function pin(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name="site"]')?.content ?? null;
}

/// Fetches a file. If there is a hash, the browser refuses a file that does not match it.
export async function fetchPinned(path: string, integrity?: string | null): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, integrity ? { integrity } : {});
  } catch (error) {
    throw integrity ? new Refused(`${path} ${OTHER}`) : error;
  }
  if (!response.ok) throw new Refused(`${path}: ${response.status}`);
  return response;
}

/// Returns the hash at the end of the header of a file, as 16 hexadecimal digits; null if the header is incomplete.
export function headerHash(header: Uint8Array): string | null {
  if (header.length < HEADER) return null;
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  return view.getBigUint64(HEADER - 8, true).toString(16).padStart(16, "0");
}

/// Reads the header of a file. Throws `Refused` if its hash is not the one in `site.json`.
export async function readHeader(file: RemoteFile): Promise<Uint8Array> {
  const header = await read(file, { start: 0, end: Math.min(HEADER, file.bytes) });
  if (headerHash(header) !== file.header_hash) throw new Refused(`${file.parts[0]!.path} ${OTHER}`);
  return header;
}
