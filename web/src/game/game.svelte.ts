/// The game on the board: the start, the moves, the number of moves made, and the players.

import { untrack } from "svelte";
import { SvelteMap } from "svelte/reactivity";
import type { Module } from "../api/module";
import { NoRanges } from "../api/ranges";
import type { MoveView, Side, View } from "../api/types";
import { isOpen, isSilence, worth } from "../api/values";
import type { Chosen, Line, QueryReport, Source, ValueSource, Worth } from "../api/values";
import { TooLong } from "../api/work";
import { isFuller } from "./history";
import { t } from "../text/index.svelte";

export type Who = "human" | "computer";

export function other(side: Side): Side {
  return side === "black" ? "white" : "black";
}

/// Returns the message for an error.
export function problem(error: unknown): string {
  if (error instanceof NoRanges) return t("no-ranges");
  if (error instanceof TooLong) return t("too-long");
  if (isSilence(error)) return t("no-answer");
  return error instanceof Error ? error.message : String(error);
}

/// Milliseconds between the moves of a line on show, and of a game that the computer plays against itself.
const STEP = 900;

/// The time in which the computer may prove a move at full strength, in milliseconds.
const PROOF = 10_000;

/// A question about a position.
interface Asked {
  report: Promise<QueryReport>;
  /// The last partial report.
  part: QueryReport | null;
  /// The full report, once it has come.
  full: QueryReport | null;
  hearers: Set<(part: QueryReport) => void>;
  /// The number of callers that wait for the report.
  waiting: number;
  stop: AbortController;
}

export class Game {
  rules = $state("");
  start = $state("startpos");
  moves = $state.raw<string[]>([]);
  at = $state(0);
  players = $state<Record<Side, Who>>({ black: "human", white: "computer" });
  strength = $state(100);
  spoilers = $state(false);
  turned = $state(false);
  /// A line that is shown on the board but not played. It begins after the moves made.
  shown = $state.raw<{ moves: string[]; at: number; running: boolean } | null>(null);
  thinking = $state(false);
  /// True if nobody has answered the question for the computer's move.
  isStalled = $state(false);
  /// The source of the computer's last move; undefined if it has made none.
  told = $state<Source | null | undefined>(undefined);
  /// The move that is marked on the board.
  hint = $state<string | null>(null);
  /// Returns the message below the board; null if there is none. A function follows the visitor's language.
  notice = $state.raw<(() => string) | null>(null);
  /// The text for screen readers.
  said = $state("");

  /// The number of times that the visitor has asked again for what nobody answered.
  asked = $state(0);

  private seed = 1;
  private thought = 0;
  /// Ends the search for the computer's move or for a hint.
  private seeking = new AbortController();
  private reports = new Map<string, Asked>();
  /// The fullest reports of positions of games, by the moves that lead there.
  private noted = new SvelteMap<string, QueryReport>();

  constructor(
    readonly module: Module,
    readonly values: ValueSource,
  ) {}

  /// The moves on the board: the moves made, then the moves of the line on show.
  readonly line = $derived([...this.moves.slice(0, this.at), ...(this.shown?.moves.slice(0, this.shown.at) ?? [])]);
  readonly view: View = $derived(this.look(this.start, this.line));
  /// The last move on the board.
  readonly last: MoveView | null = $derived(
    this.line.length > 0
      ? (this.look(this.start, this.line.slice(0, -1)).moves.find((move) => move.move === this.line.at(-1)) ?? null)
      : null,
  );
  readonly isComputers: boolean = $derived(
    !this.view.over && !this.shown && this.at === this.moves.length && this.players[this.view.to_move] === "computer",
  );

  /// Returns the view of a position after moves. Throws `Refused` if there is no such position.
  look(position: string, moves: string[]): View {
    return this.module.ask<View>({ view: { rules: this.rules, position, moves } });
  }

  /// Opens a game or position. If there is none, throws `Refused` and changes nothing.
  open(rules: string, position = "startpos", moves: string[] = [], at = moves.length): void {
    const view = this.module.ask<View>({ view: { rules, position, moves } });
    this.leave();
    // If the text of the position contains moves, these become moves of the game.
    const extra = view.moves_played.length - moves.length;
    if (view.rules !== this.rules) this.noted.clear();
    this.rules = view.rules;
    this.start = view.start;
    this.moves = view.moves_played;
    this.at = Math.min(at + extra, view.moves_played.length);
    this.told = undefined;
    // The computer takes the side that an excerpt knows.
    const side = view.rules === rules && this.values.holdings.find((held) => held.rules === rules && held.side)?.side;
    if (side && moves.length === 0) this.players = { [side]: "computer", [other(side)]: "human" } as Record<Side, Who>;
    this.seed = 1 + Math.floor(Math.random() * 2 ** 31);
    this.reports.clear();
  }

  /// Ends everything in progress: thinking, the line on show, hints.
  leave(): void {
    this.pause();
    this.isStalled = false;
    this.shown = null;
    this.hint = null;
  }

  /// Ends thinking and the search for a hint. A line on show stays where it is.
  pause(): void {
    this.thought++;
    this.seeking.abort();
    this.thinking = false;
    this.notice = null;
    if (this.shown) this.shown = { ...this.shown, running: false };
  }

  go(at: number): void {
    this.leave();
    this.at = Math.min(Math.max(at, 0), this.moves.length);
  }

  play(move: string): void {
    const side = this.view.to_move;
    const line = this.line;
    this.leave();
    if (line.length === this.at && this.moves[this.at] === move) {
      // The move was taken back before, with the computer's reply, which follows again.
      this.redo();
    } else {
      this.moves = [...line, move];
      this.at = line.length + 1;
    }
    this.announce(side, move);
  }

  /// Shows a message below the board and says it to screen readers.
  private tell(notice: () => string): void {
    this.notice = notice;
    this.said = notice();
  }

  private announce(side: Side, move: string): void {
    this.said = `${t("moved", { side: t("side", { side }), move })} ${this.status()}`;
  }

  /// Returns the text for the side to move, or for the end of the game.
  status(view: View = this.view): string {
    const { over } = view;
    if (!over) return t("to-move", { side: t("side", { side: view.to_move }) });
    const reason = over.reason && t(`reason-${over.reason}`);
    const side = over.winner && t("side", { side: over.winner });
    const result = side
      ? reason ? t("won-why", { side, reason }) : t("won-by", { side })
      : reason ? t("drawn-why", { reason }) : t("drawn");
    const discs = (of: Side) => String(view.stones.filter((stone) => stone.side === of).length);
    const counted = over.points ?? (view.family === "reversi" ? [discs("black"), discs("white")] : null);
    const points = counted && t("points", { black: counted[0]!, white: counted[1]! });
    return [result, points].filter(Boolean).join(" · ");
  }

  /// Takes back moves until a person is to move.
  undo(): void {
    let at = this.shown ? this.at : this.at - 1;
    const toMove = (at: number) => this.look(this.start, this.moves.slice(0, at)).to_move;
    const people = Object.values(this.players).includes("human");
    while (people && at > 0 && this.players[toMove(at)] === "computer") at--;
    this.go(at);
  }

  redo(): void {
    let at = this.at + 1;
    const toMove = (at: number) => this.look(this.start, this.moves.slice(0, at)).to_move;
    const people = Object.values(this.players).includes("human");
    while (people && at < this.moves.length && this.players[toMove(at)] === "computer") at++;
    this.go(at);
  }

  /// Returns the report of a position, which is asked for once. `hear` gets partial reports while a proof runs. A
  /// caller waits until its signal is aborted; the question ends when no caller waits any more. Throws if the signal is
  /// aborted already.
  report(position: string, signal: AbortSignal, hear?: (part: QueryReport) => void): Promise<QueryReport> {
    signal.throwIfAborted();
    const key = this.reportKey(position);
    const asked = this.reports.get(key) ?? this.ask(key, position);
    if (hear) asked.hearers.add(hear);
    asked.waiting++;
    signal.addEventListener("abort", () => {
      if (hear) asked.hearers.delete(hear);
      if (--asked.waiting > 0 || asked.full) return;
      asked.stop.abort();
      if (this.reports.get(key) === asked) this.reports.delete(key);
    });
    if (asked.part) hear?.(asked.part);
    return asked.report;
  }

  /// Returns the first partial report that is enough, or else the full report. Rejects if the question fails or
  /// `signal` ends it.
  async reportUntil(
    position: string, isEnough: (part: QueryReport) => boolean, signal: AbortSignal,
  ): Promise<QueryReport> {
    signal.throwIfAborted();
    const stop = new AbortController();
    const end = () => stop.abort();
    signal.addEventListener("abort", end);
    try {
      return await new Promise<QueryReport>((resolve, reject) => {
        stop.signal.addEventListener("abort", () => reject(stop.signal.reason as Error));
        const hear = (part: QueryReport) => {
          if (isEnough(part)) resolve(part);
        };
        this.report(position, stop.signal, hear).then(resolve, reject);
      });
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  }

  /// Keeps the report of the position after moves from the start, for the course of the game.
  note(moves: string[], report: QueryReport): void {
    const key = this.lineKey(moves);
    const known = untrack(() => this.noted.get(key));
    if (!known || isFuller(report, known)) this.noted.set(key, report);
  }

  /// Returns the kept report of the position after moves from the start; null if there is none.
  toldOf(moves: string[]): QueryReport | null {
    return this.noted.get(this.lineKey(moves)) ?? null;
  }

  private reportKey(position: string): string {
    return `${this.rules} ${position}`;
  }

  private lineKey(moves: string[]): string {
    return `${this.rules} ${this.start} ${moves.join(" ")}`;
  }

  private ask(key: string, position: string): Asked {
    const stop = new AbortController();
    const hear = (part: QueryReport) => {
      asked.part = part;
      asked.hearers.forEach((hear) => hear(part));
    };
    const report = this.values.query(this.rules, position, { hear, signal: stop.signal });
    const asked: Asked = { report, part: null, full: null, hearers: new Set(), waiting: 0, stop };
    report.then(
      (found) => (asked.full = found),
      // After a failure the position may be asked again.
      () => this.reports.get(key) === asked && this.reports.delete(key),
    );
    this.reports.set(key, asked);
    return asked;
  }

  /// Chooses and plays the computer's move.
  async think(): Promise<void> {
    const thought = ++this.thought;
    this.thinking = true;
    this.notice = null;
    const alone = this.players.black === this.players.white;
    try {
      const [chosen] = await Promise.all([
        this.choose(this.strength),
        new Promise((resolve) => setTimeout(resolve, alone ? STEP : STEP / 3)),
      ]);
      if (thought !== this.thought) return;
      this.thinking = false;
      this.play(chosen.move);
      this.told = chosen.source;
    } catch (error) {
      if (thought !== this.thought) return;
      this.thinking = false;
      // A server that answers again lets the computer go on.
      if (isSilence(error)) this.isStalled = true;
      else this.players[this.view.to_move] = "human";
      this.notice = () => problem(error);
    }
  }

  /// Marks the move that the computer would play at full strength.
  async findHint(): Promise<void> {
    this.leave();
    const thought = this.thought;
    this.notice = () => t("hint-sought");
    try {
      const { move } = await this.choose(100);
      if (thought !== this.thought) return;
      this.hint = move;
      this.tell(() => t("hint-is", { move }));
    } catch (error) {
      if (thought === this.thought) this.notice = () => t("hint-gone", { problem: problem(error) });
    }
  }

  /// Chooses a move of a player of this strength, until `leave`. Full strength prefers a move that is proved to win.
  private async choose(strength: number): Promise<Chosen> {
    const { signal } = (this.seeking = new AbortController());
    const { position, moves_played } = this.view;
    const sure = strength === 100 ? (this.searchedMove(position) ?? (await this.provedMove(position, signal))) : null;
    return sure ?? this.values.choose(this.rules, this.start, moves_played, { strength, seed: this.seed }, signal);
  }

  /// Returns the best move if the page already has it by a search for the exact value, which `ValueSource.choose` does
  /// not repeat. Returns null if the page does not have it.
  private searchedMove(position: string): Chosen | null {
    const asked = this.reports.get(this.reportKey(position));
    const report = asked?.full ?? asked?.part;
    const best = report?.moves[0];
    if (report?.source !== "search" || !best) return null;
    // While the search runs, only a win is certain to be a best move.
    return best.outcome === "win" || !isOpen(report) ? { move: best.move, source: "search" } : null;
  }

  /// Returns a move that a proof shows to win. Returns null if the proof shows that no move wins, if it takes longer
  /// than `PROOF`, or if the position needs no proof. Only Binarsi has proofs on the spot.
  private async provedMove(position: string, signal: AbortSignal): Promise<Chosen | null> {
    if (this.view.family !== "binarsi") return null;
    if (this.values.holdings.some(({ rules, kind }) => rules === this.rules && kind === "table")) return null;
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), PROOF);
    signal.addEventListener("abort", () => stop.abort());
    const proves = ({ source }: QueryReport) => source === "proof" || source === "opening";
    const winning = ({ moves }: QueryReport) => moves.find((move) => move.outcome === "win");
    try {
      const isEnough = (part: QueryReport) => !proves(part) || part.outcome === "loss" || winning(part) !== undefined;
      const report = await this.reportUntil(position, isEnough, stop.signal);
      const best = winning(report);
      return proves(report) && best ? { move: best.move, source: report.source ?? null } : null;
    } catch {
      return null;
    } finally {
      clearTimeout(timer);
    }
  }

  /// Shows a line that begins after the first `from` moves of the game.
  async show(moves: string[], from = this.at): Promise<void> {
    this.go(from);
    const thought = this.thought;
    this.shown = { moves, at: 0, running: true };
    this.tell(() => t("line-of", { moves: moves.join(" ") }));
    for (let at = 1; at <= moves.length; at++) {
      await new Promise((resolve) => setTimeout(resolve, STEP));
      if (thought !== this.thought || !this.shown?.running) return;
      this.shown = { moves, at, running: at < moves.length };
    }
  }

  /// Steps through the line on show, or through the game if there is none.
  step(by: number): void {
    if (!this.shown) return this.go(this.at + by);
    const at = this.shown.at + by;
    if (at < 0) this.leave();
    else this.shown = { ...this.shown, at: Math.min(at, this.shown.moves.length), running: false };
  }

  adopt(): void {
    const line = this.line;
    this.leave();
    this.moves = line;
    this.at = line.length;
  }

  bestLine(position: string): Promise<Line> {
    return this.values.line(this.rules, position, 200);
  }
}

/// Returns the values of the moves of a position, by move.
export function worths(report: QueryReport | null): Map<string, Worth> | null {
  return report && new Map(report.moves.map((move) => [move.move, worth(move)]));
}
