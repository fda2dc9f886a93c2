(** * The rules of Binarsi

    This file states the rules as docs/binarsi.md does, in the same order. Files and ranks are numbered from 0, so file
    1 of the page is [File 0] and rank a is [Rank 0]. Nothing here is meant to be fast. *)

From Coq Require Import List Arith Bool.
Import ListNotations.

(** ** Board and stones *)

(** Black's stones are the bit 1, White's the bit 0. *)
Inductive side := Black | White.

Definition other (s : side) : side := match s with Black => White | White => Black end.

Definition side_eqb (s t : side) : bool :=
  match s, t with Black, Black | White, White => true | _, _ => false end.

Inductive square := Empty | Stone (s : side).

Definition is_stone (x : square) : bool := match x with Empty => false | Stone _ => true end.

Definition is_stone_of (s : side) (x : square) : bool :=
  match x with Empty => false | Stone t => side_eqb s t end.

Definition square_eqb (x y : square) : bool :=
  match x, y with Empty, Empty => true | Stone s, Stone t => side_eqb s t | _, _ => false end.

(** What a rule code says. The komi is counted in half points: [kw0.5] is White and 1. The option [-n] is
    [forbid_idle]; [-m] is [forbid_idle] and [forbid_mirror]. *)
Record variant := {
  files : nat;
  ranks : nat;
  start_file : nat;
  start_rank : nat;
  short : nat;
  diagonal : nat;
  long : nat;
  komi_side : side;
  komi_halves : nat;
  forbid_idle : bool;
  forbid_mirror : bool
}.

(** The ranks from a on, each with its squares from file 1 on. *)
Definition board := list (list square).

(** The square on file [f] and rank [r]. Beyond the board everything is empty. *)
Definition square_at (b : board) (f r : nat) : square := nth f (nth r b []) Empty.

(** The board with [content f r] on file [f] and rank [r]. *)
Definition build (v : variant) (content : nat -> nat -> square) : board :=
  map (fun r => map (fun f => content f r) (seq 0 (files v))) (seq 0 (ranks v)).

(** Files and ranks are both called ways. *)
Inductive way := File (f : nat) | Rank (r : nat).

Definition way_eqb (w x : way) : bool :=
  match w, x with File f, File g => f =? g | Rank r, Rank s => r =? s | _, _ => false end.

Definition ways (v : variant) : list way := map File (seq 0 (files v)) ++ map Rank (seq 0 (ranks v)).

(** The squares of a way: of a file from the top, of a rank from the left. *)
Definition line (v : variant) (b : board) (w : way) : list square :=
  match w with
  | File f => map (fun r => square_at b f r) (seq 0 (ranks v))
  | Rank r => map (fun f => square_at b f r) (seq 0 (files v))
  end.

(** The board with other squares on a way, in the order of [line]. *)
Definition write (v : variant) (b : board) (w : way) (l : list square) : board :=
  build v (fun f r =>
    match w with
    | File g => if f =? g then nth r l Empty else square_at b f r
    | Rank s => if r =? s then nth f l Empty else square_at b f r
    end).

(** The squares of a way, if it holds stones. *)
Definition stones_on (v : variant) (b : board) (w : way) : option (list square) :=
  let l := line v b w in if existsb is_stone l then Some l else None.

(** ** Moves *)

Inductive binary := And | Or | Xor | Nand | Nor | Xnor.

Inductive operator :=
  | Not                  (* n, for new ways *)
  | NotLow               (* nL *)
  | NotHigh              (* nH *)
  | Combine (o : binary) (* a o xo na no xn *)
  | Shift (k : nat).     (* s1 to s6 *)

Definition move := (way * operator)%type.

(** The table of the six operators, on bits. *)
Definition on_bits (o : binary) (x y : bool) : bool :=
  match o with
  | And => x && y
  | Or => x || y
  | Xor => xorb x y
  | Nand => negb (x && y)
  | Nor => negb (x || y)
  | Xnor => negb (xorb x y)
  end.

Definition bit_of (s : side) : bool := match s with Black => true | White => false end.
Definition stone_of (x : bool) : square := Stone (if x then Black else White).

(** The opposite of a way, square by square. *)
Definition negated (l : list square) : list square :=
  map (fun x => match x with Empty => Empty | Stone s => Stone (other s) end) l.

(** Two ways combined, square by square. *)
Definition combined (o : binary) (l m : list square) : list square :=
  map (fun '(x, y) =>
    match x, y with
    | Stone s, Stone t => stone_of (on_bits o (bit_of s) (bit_of t))
    | _, _ => Empty
    end) (combine l m).

(** A list of stones shifted by one: each moves to the next place, the last to the first. *)
Definition turn_once (stones : list square) : list square :=
  match stones with [] => [] | _ => last stones Empty :: removelast stones end.

(** A way with other stones on those of its squares that hold stones, in order. *)
Fixpoint refill (l stones : list square) : list square :=
  match l, stones with
  | Stone _ :: rest, x :: more => x :: refill rest more
  | x :: rest, _ => x :: refill rest stones
  | [], _ => []
  end.

(** The stones of a way shifted by [k] squares: down on a file, right on a rank. *)
Definition shifted (k : nat) (l : list square) : list square :=
  refill l (Nat.iter k turn_once (filter is_stone l)).

(** The neighbours of a way. A way at the edge of the board has only one. *)
Definition lower (w : way) : option way :=
  match w with
  | File (S f) => Some (File f)
  | Rank (S r) => Some (Rank r)
  | _ => None
  end.

Definition higher (v : variant) (w : way) : option way :=
  match w with
  | File f => if S f <? files v then Some (File (S f)) else None
  | Rank r => if S r <? ranks v then Some (Rank (S r)) else None
  end.

(** The squares of a way that need not exist, if it holds stones. *)
Definition stones_on_option (v : variant) (b : board) (w : option way) : option (list square) :=
  match w with Some x => stones_on v b x | None => None end.

Definition twice (next : way -> option way) (w : way) : option way :=
  match next w with Some x => next x | None => None end.

(** New: an empty way beside the stones. [near] is the nearest way, [second] the one behind it, if it holds stones. *)
Definition created (op : operator) (near : list square) (second : option (list square)) : option (list square) :=
  match op, second with
  | Not, _ => Some (negated near)
  | Combine o, Some far => Some (combined o near far)
  | _, _ => None
  end.

(** Modify: a way that holds the stones [own]. [low] and [high] are its neighbours, if they hold stones. *)
Definition modified (op : operator) (own : list square) (low high : option (list square)) : option (list square) :=
  match op, low, high with
  | Shift k, _, _ => if (1 <=? k) && (k <? length (filter is_stone own)) then Some (shifted k own) else None
  | NotLow, Some l, _ => Some (negated l)
  | NotHigh, _, Some h => Some (negated h)
  | Combine o, Some l, Some h => Some (combined o l h)
  | _, _, _ => None
  end.

(** The squares of a way after an operator, or [None] if the operator is not available there. *)
Definition result (v : variant) (b : board) (w : way) (op : operator) : option (list square) :=
  let low := stones_on_option v b (lower w) in
  let high := stones_on_option v b (higher v w) in
  match stones_on v b w, low, high with
  | Some own, _, _ => modified op own low high
  | None, Some near, _ => created op near (stones_on_option v b (twice lower w))
  | None, None, Some near => created op near (stones_on_option v b (twice (higher v) w))
  | None, None, None => None
  end.

Definition holds_stones (v : variant) (b : board) (w : way) : bool := existsb is_stone (line v b w).

(** ** Targets *)

(** The clear targets: the lines of three kinds, of each side. *)
Inductive target := b3 | b4 | b5 | w3 | w4 | w5.

Definition target_eqb (s t : target) : bool :=
  match s, t with b3, b3 | b4, b4 | b5, b5 | w3, w3 | w4, w4 | w5, w5 => true | _, _ => false end.

Definition targets_of (s : side) : list target := match s with Black => [b3; b4; b5] | White => [w3; w4; w5] end.

(** Directions of lines. *)
Inductive direction := Across | Down | DownRight | DownLeft.

(** The [k]-th square of a line of length [n] whose leftmost file is [f] and whose top rank is [r]. *)
Definition place (d : direction) (n f r k : nat) : nat * nat :=
  match d with
  | Across => (f + k, r)
  | Down => (f, r + k)
  | DownRight => (f + k, r + k)
  | DownLeft => (f + (n - 1 - k), r + k)
  end.

Definition squares (v : variant) : list (nat * nat) := list_prod (seq 0 (files v)) (seq 0 (ranks v)).

(** True if [n] stones of side [s] stand in a row in direction [d] anywhere on the board. *)
Definition has_line (v : variant) (b : board) (s : side) (n : nat) (d : direction) : bool :=
  existsb (fun '(f, r) =>
    forallb (fun k => let '(g, q) := place d n f r k in is_stone_of s (square_at b g q)) (seq 0 n)) (squares v).

Definition lies_on (v : variant) (b : board) (t : target) : bool :=
  match t with
  | b3 => has_line v b Black (short v) Across
  | b4 => has_line v b Black (diagonal v) DownRight || has_line v b Black (diagonal v) DownLeft
  | b5 => has_line v b Black (long v) Down
  | w3 => has_line v b White (short v) Down
  | w4 => has_line v b White (diagonal v) DownRight || has_line v b White (diagonal v) DownLeft
  | w5 => has_line v b White (long v) Across
  end.

(** ** Positions *)

Record position := {
  stones : board;
  turn : side;           (* the side to move *)
  locked : list way;
  cleared : list target
}.

Definition is_locked (p : position) (w : way) : bool := existsb (way_eqb w) (locked p).
Definition is_cleared (p : position) (t : target) : bool := existsb (target_eqb t) (cleared p).

(** The start: a single white stone, Black to move. *)
Definition start (v : variant) : position := {|
  stones := build v (fun f r => if (f =? start_file v) && (r =? start_rank v) then Stone White else Empty);
  turn := Black;
  locked := [];
  cleared := []
|}.

(** ** Legal moves *)

(** True if two boards have the same squares. *)
Definition same (v : variant) (b c : board) : bool :=
  forallb (fun '(f, r) => square_eqb (square_at b f r) (square_at c f r)) (squares v).

Definition left_right (v : variant) (b : board) : board := build v (fun f r => square_at b (files v - 1 - f) r).
Definition up_down (v : variant) (b : board) : board := build v (fun f r => square_at b f (ranks v - 1 - r)).

(** True if [-n] or [-m] forbids a modify that turns the board [b] into [c]. *)
Definition forbidden (v : variant) (b c : board) : bool :=
  forbid_idle v && same v b c ||
  forbid_mirror v && (same v (left_right v b) c || same v (up_down v b) c).

(** A way that is not locked, and an operator that is available there. The options [-n] and [-m] forbid only
    modifies. *)
Definition legal (v : variant) (p : position) (m : move) : bool :=
  let (w, op) := m in
  negb (is_locked p w) &&
  match result v (stones p) w op with
  | None => false
  | Some l => negb (holds_stones v (stones p) w && forbidden v (stones p) (write v (stones p) w l))
  end.

(** The operators in the order of the notation. *)
Definition operators : list operator :=
  [Combine And; Not; NotHigh; NotLow; Combine Nand; Combine Nor; Combine Or;
   Shift 1; Shift 2; Shift 3; Shift 4; Shift 5; Shift 6; Combine Xnor; Combine Xor].

Definition moves (v : variant) (p : position) : list move :=
  filter (legal v p) (list_prod (ways v) operators).

(** All six targets are looked for after every move. A cleared target stays cleared. A way that held stones is locked,
    a new one is not. *)
Definition play (v : variant) (p : position) (m : move) : position :=
  let (w, op) := m in
  match result v (stones p) w op with
  | None => p (* not a legal move *)
  | Some l =>
    let b := write v (stones p) w l in
    {| stones := b;
       turn := other (turn p);
       locked := if holds_stones v (stones p) w then w :: locked p else locked p;
       cleared := filter (fun t => is_cleared p t || lies_on v b t) [b3; b4; b5; w3; w4; w5] |}
  end.

(** ** The end of the game *)

(** Points in half points: two for each stone, and the komi. *)
Definition points (v : variant) (b : board) (s : side) : nat :=
  2 * length (filter (fun '(f, r) => is_stone_of s (square_at b f r)) (squares v)) +
  (if side_eqb s (komi_side v) then komi_halves v else 0).

(** The side with more points. The komi is an odd number of half points, so no game is drawn. *)
Definition counted (v : variant) (b : board) : side :=
  if points v b White <? points v b Black then Black else White.

Definition has_all (p : position) (s : side) : bool := forallb (is_cleared p) (targets_of s).

(** The winner by targets, if targets end the game. *)
Definition by_targets (v : variant) (p : position) : option side :=
  match has_all p Black, has_all p White with
  | true, true => Some (counted v (stones p))
  | true, false => Some Black
  | false, true => Some White
  | false, false => None
  end.

(** The winner, if the game is over. *)
Definition over (v : variant) (p : position) : option side :=
  match by_targets v p, moves v p with
  | Some s, _ => Some s
  | None, [] => Some (counted v (stones p))
  | None, _ => None
  end.

(** The longest game: every move grows the rectangle or locks a way. *)
Definition longest (v : variant) : nat := 2 * (files v + ranks v) - 2.
