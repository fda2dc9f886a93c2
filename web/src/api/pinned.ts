/// Files of a copy on a plain host, held to the hashes that `yomikiri site` wrote: the page has that of `site.json`, and
/// `site.json` those of all files.

import { Refused } from "./module";
import { read, type RemoteFile } from "./ranges";

/// Bytes of the header of a table or a certificate. The last eight are its hash, which covers the whole file.
const HEADER = 136;

const OTHER = "is not the file that this page was written with, or cannot be loaded; load the page again";

/// The hash of `site.json`, in the form of the attribute `integrity`; null on pages that are no copies.
export function pin(): string | null {
  return document.querySelector<HTMLMetaElement>('meta[name="site"]')?.content ?? null;
}

/// Fetches a file. The browser refuses any that has not the hash, if there is one.
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

/// The hash that ends the header of a file, as 16 hexadecimal digits; null if there is none.
export function headerHash(header: Uint8Array): string | null {
  if (header.length < HEADER) return null;
  const view = new DataView(header.buffer, header.byteOffset, header.length);
  return view.getBigUint64(HEADER - 8, true).toString(16).padStart(16, "0");
}

/// The header of a table or a certificate, if it has the hash that the copy names.
export async function readHeader(file: RemoteFile): Promise<Uint8Array> {
  const header = await read(file, { start: 0, end: Math.min(HEADER, file.bytes) });
  if (headerHash(header) !== file.header_hash) throw new Refused(`${file.parts[0]!.path} ${OTHER}`);
  return header;
}
