(** * The checker

    [check v size oracle winner horizon] plays a certificate of the variant [v] out. The oracle gives the moves of the
    certificate; nothing is assumed about it. Soundness.v proves that the winner wins by the rules of Rules.v if the
    answer is true. This file has no proofs, and nothing in it has to be trusted. *)

From Coq Require Import List Arith ZArith Bool Uint63 PArray.
From Yomikiri Require Import Rules.
Import ListNotations.

(** ** Search

    A depth-first search with a table of the positions that were decided before. It works on any form of positions. *)

Section Search.

Variable pos : Type.
Variable table : Type.
Variable find : table -> nat -> pos -> option bool.
Variable store : table -> nat -> pos -> bool -> table.
Variable targets_end : pos -> option side.  (* the winner by targets *)
Variable mover : pos -> side.
Variable count : pos -> side.               (* the winner if the stones are counted *)
Variable children : pos -> list pos.
Variable suggested : pos -> option pos.     (* the position after the move of the certificate *)
Variable winner : side.
Variable horizon : nat.

Fixpoint some_child (go : pos -> table -> bool * table) (l : list pos) (t : table) : bool * table :=
  match l with
  | [] => (false, t)
  | c :: rest => let (won, t') := go c t in if won then (true, t') else some_child go rest t'
  end.

Fixpoint every_child (go : pos -> table -> bool * table) (l : list pos) (t : table) : bool * table :=
  match l with
  | [] => (true, t)
  | c :: rest => let (won, t') := go c t in if won then every_child go rest t' else (false, t')
  end.

(** True if [winner] wins [p], which has at most [left] plies left. *)
Fixpoint search (left : nat) (p : pos) (t : table) : bool * table :=
  match targets_end p with
  | Some s => (side_eqb s winner, t)
  | None =>
    match find t left p with
    | Some won => (won, t)
    | None =>
      let (won, t') :=
        match left with
        | O => match children p with [] => (side_eqb (count p) winner, t) | _ => (false, t) end
        | S less =>
          if side_eqb (mover p) winner then
            if (horizon <? left)%nat then
              match suggested p with Some c => search less c t | None => (false, t) end
            else
              match children p with
              | [] => (side_eqb (count p) winner, t)
              | l => some_child (search less) l t
              end
          else
            match children p with
            | [] => (side_eqb (count p) winner, t)
            | l => every_child (search less) l t
            end
        end
      in (won, store t' left p won)
    end
  end.

End Search.

(** ** Bitboards

    The square on file [f] and rank [r] is bit [8 r + f]. The eighth file stays empty, so no line runs around the
    edge. *)

Local Open Scope uint63_scope.

Record fast := Fast {
  black : int;
  all : int;         (* the squares with stones *)
  locks : int;       (* files from bit 0, ranks from bit 7 *)
  targets : int;     (* b3 b4 b5 w3 w4 w5 from bit 0 *)
  to_move : side
}.

Definition bit_at (n : nat) : int := 1 << of_Z (Z.of_nat n).
Definition bits_of (l : list nat) : int := fold_right (fun n x => bit_at n lor x) 0%uint63 l.

Definition index (f r : nat) : nat := (8 * r + f)%nat.

(** What a way is to bitboards. *)
Record lane := Lane {
  col : int;       (* its squares *)
  rest : int;      (* all other bits *)
  step : int;      (* from a way to the next *)
  step2 : int;
  along : int;     (* from a square of the way to the next *)
  lock : int;
  cells : list int (* each of its squares *)
}.

Definition way_index (w : way) (i : nat) : nat := match w with File f => index f i | Rank r => index i r end.
Definition lock_index (w : way) : nat := match w with File f => f | Rank r => (7 + r)%nat end.
Definition way_length (v : variant) (w : way) : nat := match w with File _ => ranks v | Rank _ => files v end.
Definition way_squares (v : variant) (w : way) : list nat := map (way_index w) (seq 0 (way_length v w)).

Definition lane_of (v : variant) (w : way) : lane := {|
  col := bits_of (way_squares v w);
  rest := bits_of (filter (fun n => negb (existsb (Nat.eqb n) (way_squares v w))) (seq 0 63));
  step := match w with File _ => 1 | Rank _ => 8 end;
  step2 := match w with File _ => 2 | Rank _ => 16 end;
  along := match w with File _ => 8 | Rank _ => 1 end;
  lock := bit_at (lock_index w);
  cells := map bit_at (way_squares v w)
|}%uint63.

(** The parts of a variant that the search needs, made once. *)
Record tools := Tools {
  lanes : list lane;
  square_bits : list int;
  left_right_bits : list (int * int);   (* each square, and its image *)
  up_down_bits : list (int * int)
}.

Definition tools_of (v : variant) : tools := {|
  lanes := map (lane_of v) (ways v);
  square_bits := map (fun '(f, r) => bit_at (index f r)) (squares v);
  left_right_bits := map (fun '(f, r) => (bit_at (index (files v - 1 - f)%nat r), bit_at (index f r))) (squares v);
  up_down_bits := map (fun '(f, r) => (bit_at (index f (ranks v - 1 - r)%nat), bit_at (index f r))) (squares v)
|}.

Definition is_zero (x : int) : bool := (x =? 0)%uint63.
Definition has_bit (x b : int) : bool := negb (is_zero (x land b)).

(** The content of a way: its squares with stones, and those with black stones. *)
Definition content := (int * int)%type.

Definition fast_negated (c : content) : content := let (m, x) := c in (m, m lxor x).

Definition fast_combined (o : binary) (c d : content) : content :=
  let (m, x) := c in
  let (n, y) := d in
  let k := m land n in
  (k, match o with
      | And => x land y
      | Or => (x lor y) land k
      | Xor => (x lxor y) land k
      | Nand => k lxor (x land y)
      | Nor => k lxor ((x lor y) land k)
      | Xnor => k lxor ((x lxor y) land k)
      end).

(** The stones [x] on the way with the stones [m], turned by one square. *)
Definition fast_turn (a : lane) (m first last x : int) : int :=
  ((x << along a) land m) lor (if is_zero (x land last) then 0%uint63 else first).

(** The content of the ways below and above a way. *)
Definition below (a : lane) (s : int) (p : fast) : content := ((all p << s) land col a, (black p << s) land col a).
Definition above (a : lane) (s : int) (p : fast) : content := ((all p >> s) land col a, (black p >> s) land col a).

Definition if_stones (c : content) : option content := if is_zero (fst c) then None else Some c.

Definition fast_created (op : operator) (near : content) (second : option content) : option content :=
  match op, second with
  | Not, _ => Some (fast_negated near)
  | Combine o, Some far => Some (fast_combined o near far)
  | _, _ => None
  end.

Fixpoint turns (a : lane) (m first last : int) (k : nat) (x : int) : int :=
  match k with O => x | S j => turns a m first last j (fast_turn a m first last x) end.

Fixpoint count_bits (l : list int) (x : int) : nat :=
  match l with [] => O | b :: rest => if has_bit x b then S (count_bits rest x) else count_bits rest x end.

Definition fast_modified (a : lane) (op : operator) (own : content) (low high : option content) : option content :=
  match op, low, high with
  | Shift k, _, _ =>
    let (m, x) := own in
    if ((1 <=? k) && (k <? count_bits (cells a) m))%nat then
      let first := m land (m lxor ((m << along a) land m)) in
      let last := m land (m lxor ((m >> along a) land m)) in
      Some (m, turns a m first last k x)
    else None
  | NotLow, Some l, _ => Some (fast_negated l)
  | NotHigh, _, Some h => Some (fast_negated h)
  | Combine o, Some l, Some h => Some (fast_combined o l h)
  | _, _, _ => None
  end.

Definition fast_result (p : fast) (a : lane) (op : operator) : option content :=
  let own := (all p land col a, black p land col a) in
  match if_stones own, if_stones (below a (step a) p), if_stones (above a (step a) p) with
  | Some _, low, high => fast_modified a op own low high
  | None, Some near, _ => fast_created op near (if_stones (below a (step2 a) p))
  | None, None, Some near => fast_created op near (if_stones (above a (step2 a) p))
  | None, None, None => None
  end.

(** Bit [i] is set if [x] has the bits [i + s], [i + 2 s] ... [i + n s], and [found] has bit [i]. *)
Fixpoint rows (n : nat) (s x found : int) : int :=
  match n with O => found | S less => let x' := x >> s in rows less s x' (found land x') end.

Definition fast_line (x : int) (n : nat) (s : int) : bool := negb (is_zero (rows (n - 1)%nat s x x)).

Definition add_target (found b : int) (lies : unit -> bool) : int :=
  if has_bit found b then found else if lies tt then found lor b else found.

Definition with_targets (v : variant) (found black all : int) : int :=
  let white := all lxor black in
  let found := add_target found 1 (fun _ => fast_line black (short v) 1) in
  let found := add_target found 2 (fun _ => fast_line black (diagonal v) 9 || fast_line black (diagonal v) 7) in
  let found := add_target found 4 (fun _ => fast_line black (long v) 8) in
  let found := add_target found 8 (fun _ => fast_line white (short v) 8) in
  let found := add_target found 16 (fun _ => fast_line white (diagonal v) 9 || fast_line white (diagonal v) 7) in
  add_target found 32 (fun _ => fast_line white (long v) 1).

(** The position after new content of a way. *)
Definition fast_play (v : variant) (p : fast) (a : lane) (c : content) : fast :=
  let (m, x) := c in
  let all' := (all p land rest a) lor m in
  let black' := (black p land rest a) lor x in
  {| black := black';
     all := all';
     locks := if is_zero (all p land col a) then locks p else locks p lor lock a;
     targets := with_targets v (targets p) black' all';
     to_move := other (to_move p) |}.

(** True if the image of the board of [p] is the board of [q]. *)
Definition is_image (pairs : list (int * int)) (p q : fast) : bool :=
  forallb (fun '(b, c) => Bool.eqb (has_bit (all p) b) (has_bit (all q) c) &&
    Bool.eqb (has_bit (black p) b) (has_bit (black q) c)) pairs.

Definition fast_forbidden (v : variant) (z : tools) (p q : fast) : bool :=
  forbid_idle v && ((black p =? black q)%uint63 && (all p =? all q)%uint63) ||
  forbid_mirror v && (is_image (left_right_bits z) p q || is_image (up_down_bits z) p q).

(** The position after new content of a way, unless an option forbids it. *)
Definition fast_allowed (v : variant) (z : tools) (p : fast) (a : lane) (c : content) : option fast :=
  let q := fast_play v p a c in
  if negb (is_zero (all p land col a)) && fast_forbidden v z p q then None else Some q.

(** The position after a move, if it is legal. *)
Definition fast_move (v : variant) (z : tools) (p : fast) (a : lane) (op : operator) : option fast :=
  if has_bit (locks p) (lock a) then None
  else match fast_result p a op with None => None | Some c => fast_allowed v z p a c end.

Definition options {A} (x : option A) : list A := match x with Some y => [y] | None => [] end.

Definition creating : list operator :=
  [Not; Combine And; Combine Or; Combine Xor; Combine Nand; Combine Nor; Combine Xnor].
Definition modifying : list operator :=
  [NotLow; NotHigh; Combine And; Combine Or; Combine Xor; Combine Nand; Combine Nor; Combine Xnor; Shift 1; Shift 2;
   Shift 3; Shift 4; Shift 5; Shift 6].

(** All content that [fast_result] gives a way. *)
Definition fast_contents (p : fast) (a : lane) : list content :=
  let own := (all p land col a, black p land col a) in
  match if_stones own with
  | Some _ =>
    let low := if_stones (below a (step a) p) in
    let high := if_stones (above a (step a) p) in
    flat_map (fun op => options (fast_modified a op own low high)) modifying
  | None =>
    match if_stones (below a (step a) p) with
    | Some near =>
      let second := if_stones (below a (step2 a) p) in
      flat_map (fun op => options (fast_created op near second)) creating
    | None =>
      match if_stones (above a (step a) p) with
      | Some near =>
        let second := if_stones (above a (step2 a) p) in
        flat_map (fun op => options (fast_created op near second)) creating
      | None => []
      end
    end
  end.

Definition content_eqb (c d : content) : bool := (snd c =? snd d) && (fst c =? fst d).

(** The list without repetitions. *)
Fixpoint distinct (l : list content) : list content :=
  match l with
  | [] => []
  | c :: more => let found := distinct more in if existsb (content_eqb c) found then found else c :: found
  end.

(** The number of bits of [x], which has none above bit 55. It only orders moves. *)
Definition population (x : int) : int :=
  let x := x - ((x >> 1) land 0x5555555555555555) in
  let x := (x land 0x3333333333333333) + ((x >> 2) land 0x3333333333333333) in
  let x := (x + (x >> 4)) land 0x0f0f0f0f0f0f0f0f in
  (x * 0x0101010101010101) >> 56.

(** Moves of the side [s] to positions with a smaller score are tried first: those that clear all its targets, then
    those with many stones of its colour. *)
Definition score (s : side) (q : fast) : int :=
  match s with
  | Black => if targets q land 7 =? 7 then 0 else 64 - population (black q)
  | White => if targets q land 56 =? 56 then 0 else 1 + population (black q)
  end.

Fixpoint insert (n : int) (q : fast) (l : list (int * fast)) : list (int * fast) :=
  match l with
  | [] => [(n, q)]
  | (m, r) :: more => if m <? n then (m, r) :: insert n q more else (n, q) :: l
  end.

Definition in_order (s : side) (l : list fast) : list fast :=
  map snd (fold_right (fun q sorted => insert (score s q) q sorted) [] l).

(** The positions after all legal moves. *)
Definition fast_children (v : variant) (z : tools) (p : fast) : list fast :=
  in_order (to_move p) (flat_map (fun a =>
    if has_bit (locks p) (lock a) then []
    else flat_map (fun c => options (fast_allowed v z p a c)) (distinct (fast_contents p a))) (lanes z)).

Definition fast_points (v : variant) (z : tools) (x : int) (s : side) : nat :=
  (2 * count_bits (square_bits z) x + (if side_eqb s (komi_side v) then komi_halves v else 0))%nat.

Definition fast_counted (v : variant) (z : tools) (p : fast) : side :=
  if (fast_points v z (all p lxor black p) White <? fast_points v z (black p) Black)%nat then Black else White.

Definition fast_by_targets (v : variant) (z : tools) (p : fast) : option side :=
  match (targets p land 7 =? 7)%uint63, (targets p land 56 =? 56)%uint63 with
  | true, true => Some (fast_counted v z p)
  | true, false => Some Black
  | false, true => Some White
  | false, false => None
  end.

Definition fast_start (v : variant) : fast := {|
  black := 0;
  all := bit_at (index (start_file v) (start_rank v));
  locks := 0;
  targets := 0;
  to_move := Black
|}.

(** ** The table

    For each number of plies left, slots for positions that were decided before, and whether the winner wins them. A new
    position replaces the old one of its slot. *)

Definition fast_eqb (p q : fast) : bool :=
  (black p =? black q) && (all p =? all q) && (locks p =? locks q) && (targets p =? targets q) &&
  side_eqb (to_move p) (to_move q).

Inductive slot := Free | Full (p : fast) (won : bool).

Definition slots := array slot.

Definition hash (p : fast) : int :=
  let x := black p * 0x1E3779B97F4A7C15 + all p * 0x3C6EF372FE94F82B +
    (locks p * 64 + targets p) * 0x14F9D2B6A3C85E71 in
  let y := (x lxor (x >> 31)) * 0x27D4EB2F165667C5 in
  (y lxor (y >> 29)) >> 1.

Definition slot_of (t : slots) (p : fast) : int := hash p mod length t.

Definition slots_find (t : slots) (p : fast) : option bool :=
  match t.[slot_of t p] with
  | Free => None
  | Full q won => if fast_eqb p q then Some won else None
  end.

Definition slots_store (t : slots) (p : fast) (won : bool) : slots := t.[slot_of t p <- Full p won].

Definition tables := list slots.

(** Positions with at most one ply left are not worth a slot. *)
Definition is_shallow (left : nat) : bool := match left with S (S _) => false | _ => true end.

Definition tables_find (t : tables) (left : nat) (p : fast) : option bool :=
  if is_shallow left then None
  else match nth_error t left with None => None | Some s => slots_find s p end.

Fixpoint store_at (t : tables) (left : nat) (p : fast) (won : bool) : tables :=
  match t, left with
  | [], _ => []
  | s :: more, O => slots_store s p won :: more
  | s :: more, S less => s :: store_at more less p won
  end.

Definition tables_store (t : tables) (left : nat) (p : fast) (won : bool) : tables :=
  if is_shallow left then t else store_at t left p won.

(** Empty tables of [size] slots each. *)
Definition no_tables (v : variant) (size : int) : tables :=
  map (fun _ => PArray.make size Free) (seq 0 (S (longest v))).

(** ** The checker *)

(** The oracle names a move of the certificate: the number of a way in [ways], and an operator. *)
Definition oracle := fast -> option (nat * operator).

Definition fast_suggested (v : variant) (z : tools) (o : oracle) (p : fast) : option fast :=
  match o p with
  | None => None
  | Some (i, op) => match nth_error (lanes z) i with None => None | Some a => fast_move v z p a op end
  end.

(** Boards that the bitboards can hold, and targets with at least one stone. *)
Definition fits (v : variant) : bool :=
  ((files v <=? 7) && (ranks v <=? 6) && (start_file v <? files v) && (start_rank v <? ranks v) &&
  (1 <=? short v) && (1 <=? diagonal v) && (1 <=? long v))%nat.

(** [size] is the number of slots of each table. *)
Definition check (v : variant) (size : int) (o : oracle) (winner : side) (horizon : nat) : bool :=
  let z := tools_of v in
  fits v &&
  fst (search fast tables tables_find tables_store (fast_by_targets v z) to_move (fast_counted v z)
    (fast_children v z) (fast_suggested v z o) winner horizon (longest v) (fast_start v) (no_tables v size)).
