/// The address of the page: the state that a link restores, after the `#`, so that plain hosts need no routing.

export const PAGES = ["play", "puzzles", "statistics", "learn", "edit", "proof"] as const;
export type Page = (typeof PAGES)[number];

export interface Address {
  /// The rule code; empty if the page opens with its default.
  rules: string;
  page: Page;
  /// The position before the moves; `startpos` by default.
  position: string;
  moves: string[];
  /// The number of moves that are made on the board.
  at: number;
  lang: string | null;
  spoilers: boolean;
  /// True if the page is embedded in another page and shows only the board and the game.
  embed: boolean;
}

/// Decodes a part of a path. A part with a wrong escape stays as it is, for the message about it.
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function read(hash: string): Address {
  const [path = "", query = ""] = hash.replace(/^#?\/?/, "").split("?", 2);
  const [rules = "", page = ""] = path.split("/").map(decoded);
  const words = new URLSearchParams(query);
  const moves = words.get("moves")?.split(".").filter(Boolean) ?? [];
  const at = Number(words.get("at") ?? moves.length);
  return {
    rules,
    page: PAGES.find((known) => known === page) ?? "play",
    position: words.get("position") ?? "startpos",
    moves,
    at: Number.isInteger(at) ? Math.min(Math.max(at, 0), moves.length) : moves.length,
    lang: words.get("lang"),
    spoilers: words.get("spoilers") === "1",
    embed: words.get("embed") === "1",
  };
}

/// Returns the part of an address from `#` on, without default values.
export function write(address: Partial<Address> & { rules: string }): string {
  const { rules, page = "play", position = "startpos", moves = [], at = moves.length } = address;
  const words = new URLSearchParams();
  if (position !== "startpos") words.set("position", position);
  if (moves.length > 0) words.set("moves", moves.join("."));
  if (at !== moves.length) words.set("at", String(at));
  if (address.lang) words.set("lang", address.lang);
  if (address.spoilers) words.set("spoilers", "1");
  if (address.embed) words.set("embed", "1");
  const query = words.toString().replaceAll("%2F", "/");
  return `#/${encodeURIComponent(rules)}${page === "play" ? "" : `/${page}`}${query && `?${query}`}`;
}
