(** * Winning by the rules

    [wins v s p]: side [s] can force a win from position [p] of the variant [v], whatever the other side does. *)

From Coq Require Import List.
From Yomikiri Require Import Rules.

Inductive wins (v : variant) (s : side) : position -> Prop :=
  (** The game is over, and [s] has won. *)
  | wins_over p :
      over v p = Some s -> wins v s p
  (** [s] is to move, and has a legal move to a position that it wins. *)
  | wins_move p m :
      over v p = None -> turn p = s -> In m (moves v p) -> wins v s (play v p m) -> wins v s p
  (** The other side is to move, and all its legal moves lead to positions that [s] wins. It has a legal move, because
      the game is over in a position without one. *)
  | wins_reply p :
      over v p = None -> turn p = other s -> (forall m, In m (moves v p) -> wins v s (play v p m)) -> wins v s p.

(** No position is won by both sides. *)
Theorem wins_exclusive : forall v s p, wins v s p -> wins v (other s) p -> False.
Proof.
  assert (D : forall s, s <> other s) by (intros []; discriminate).
  assert (I : forall s, other (other s) = s) by (intros []; reflexivity).
  intros v s p W. induction W as [p O | p m O T M W IH | p O T W IH]; intros X;
    destruct X as [p O' | p m' O' T' M' W' | p O' T' W']; try congruence.
  - exact (IH (W' m M)).
  - exact (IH m' M' W').
Qed.
