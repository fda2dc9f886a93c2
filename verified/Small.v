(** * Small boards inside Coq

    The kernel of Coq runs the checker itself on small boards, without a certificate: with a horizon as long as the
    game, the checker tries all moves of both sides. These theorems do not depend on extraction or OCaml. *)

From Coq Require Import List Uint63.
From Yomikiri Require Import Rules Strategy Checker Soundness.
Import ListNotations.

(** The variant of a rule code with a size and a start alone: targets of lengths 3, 4 and 5, but at most the smaller
    side of the board, and half a point for White. *)
Definition plain (files ranks start_file start_rank : nat) : variant := {|
  files := files;
  ranks := ranks;
  start_file := start_file;
  start_rank := start_rank;
  short := Nat.min 3 (Nat.min files ranks);
  diagonal := Nat.min 4 (Nat.min files ranks);
  long := Nat.min 5 (Nat.min files ranks);
  komi_side := White;
  komi_halves := 1;
  forbid_idle := false;
  forbid_mirror := false
|}.

Ltac run := apply check_sound with 10007%uint63 (fun _ => None) 99; vm_cast_no_check (eq_refl true).

Theorem bin2x2 : wins (plain 2 2 0 0) White (start (plain 2 2 0 0)).
Proof. run. Qed.

Theorem bin3x3 : wins (plain 3 3 0 0) White (start (plain 3 3 0 0)).
Proof. run. Qed.

Theorem bin3x3_s2b : wins (plain 3 3 1 1) Black (start (plain 3 3 1 1)).
Proof. run. Qed.

Theorem bin4x3 : wins (plain 4 3 1 0) White (start (plain 4 3 1 0)).
Proof. run. Qed.

Theorem bin3x4 : wins (plain 3 4 0 1) White (start (plain 3 4 0 1)).
Proof. run. Qed.
