(** * Shifts, square by square

    A shift by one on a line of at most seven squares, whose stones have no gap: checked on all such lines. *)

From Coq Require Import List Arith Bool Lia.
From Yomikiri Require Import Rules.
Import ListNotations.

(** True if a black stone of the line has no stone after it. *)
Definition leaves (l : list square) : bool :=
  existsb (fun j => is_stone_of Black (nth j l Empty) && negb (is_stone (nth (S j) l Empty))) (seq 0 (length l)).

(** Square [i] after a shift by one. *)
Definition turned_square (l : list square) (i : nat) : square :=
  match nth i l Empty with
  | Empty => Empty
  | Stone _ =>
    match i with
    | O => stone_of (leaves l)
    | S h => match nth h l Empty with Empty => stone_of (leaves l) | Stone s => Stone s end
    end
  end.

Definition turned (l : list square) : list square := map (turned_square l) (seq 0 (length l)).

(** True if the stones of the line are those from place [a] to below [b]. *)
Definition spans (l : list square) (a b : nat) : bool :=
  forallb (fun i => eqb (is_stone (nth i l Empty)) ((a <=? i) && (i <? b))) (seq 0 (length l)).

Definition contiguous (l : list square) : bool :=
  existsb (fun a => existsb (fun b => spans l a b) (seq 0 8)) (seq 0 8).

Fixpoint lines_of_length (n : nat) : list (list square) :=
  match n with
  | O => [[]]
  | S m => flat_map (fun l => [Empty :: l; Stone Black :: l; Stone White :: l]) (lines_of_length m)
  end.

Lemma in_lines : forall l, In l (lines_of_length (length l)).
Proof.
  induction l as [|x l IH]; simpl; [left; reflexivity|].
  apply in_flat_map. exists l. split; [assumption|]. destruct x as [|[]]; simpl; auto.
Qed.

Fixpoint list_eqb (l m : list square) : bool :=
  match l, m with
  | [], [] => true
  | x :: l', y :: m' => square_eqb x y && list_eqb l' m'
  | _, _ => false
  end.

Lemma square_eqb_eq : forall x y, square_eqb x y = true <-> x = y.
Proof. intros [|[]] [|[]]; simpl; split; congruence. Qed.

Lemma list_eqb_eq : forall l m, list_eqb l m = true -> l = m.
Proof.
  induction l as [|x l IH]; intros [|y m]; simpl; try discriminate; [reflexivity|].
  intros H. apply andb_true_iff in H. destruct H as [H1 H2]. apply square_eqb_eq in H1. subst.
  f_equal. apply IH. assumption.
Qed.

Definition turns_right (l : list square) : bool :=
  implb (contiguous l)
    (list_eqb (filter is_stone (turned l)) (turn_once (filter is_stone l)) &&
     forallb (fun i => eqb (is_stone (nth i (turned l) Empty)) (is_stone (nth i l Empty))) (seq 0 (length l))).

Lemma all_turn_right : forallb (fun n => forallb turns_right (lines_of_length n)) (seq 0 8) = true.
Proof. vm_compute. reflexivity. Qed.

Lemma turns_right_at : forall l, length l <= 7 -> turns_right l = true.
Proof.
  intros l L. pose proof all_turn_right as A. rewrite forallb_forall in A.
  specialize (A (length l)). rewrite forallb_forall in A. apply A; [apply in_seq; lia | apply in_lines].
Qed.

Lemma filter_turned : forall l, length l <= 7 -> contiguous l = true ->
  filter is_stone (turned l) = turn_once (filter is_stone l).
Proof.
  intros l L C. pose proof (turns_right_at l L) as T. unfold turns_right in T. rewrite C in T. simpl in T.
  apply andb_true_iff in T. apply list_eqb_eq. tauto.
Qed.

Lemma length_turned : forall l, length (turned l) = length l.
Proof. intros. unfold turned. rewrite map_length, seq_length. reflexivity. Qed.

Lemma turned_pattern : forall l, length l <= 7 -> contiguous l = true ->
  forall i, is_stone (nth i (turned l) Empty) = is_stone (nth i l Empty).
Proof.
  intros l L C i. destruct (Nat.lt_ge_cases i (length l)) as [I|I].
  - pose proof (turns_right_at l L) as T. unfold turns_right in T. rewrite C in T. simpl in T.
    apply andb_true_iff in T. destruct T as [_ T]. rewrite forallb_forall in T. apply eqb_prop. apply T.
    apply in_seq. lia.
  - rewrite !nth_overflow; [reflexivity | assumption | rewrite length_turned; assumption].
Qed.

Lemma contiguous_turned : forall l, length l <= 7 -> contiguous l = true -> contiguous (turned l) = true.
Proof.
  intros l L C. rewrite <- C. unfold contiguous.
  assert (E : forall a b, spans (turned l) a b = spans l a b).
  { intros a b. unfold spans. rewrite length_turned.
    induction (seq 0 (length l)); simpl; [reflexivity|]. rewrite turned_pattern, IHl0 by assumption. reflexivity. }
  assert (G : forall bs a, existsb (fun b => spans (turned l) a b) bs = existsb (fun b => spans l a b) bs)
    by (intros bs a; induction bs; simpl; [reflexivity|]; rewrite E, IHbs; reflexivity).
  generalize (seq 0 8) at 2 4. generalize (seq 0 8). intros bs choices. induction choices; simpl; [reflexivity|].
  rewrite G, IHchoices. reflexivity.
Qed.

Lemma refill_pattern : forall l m s, length l = length m ->
  (forall i, is_stone (nth i l Empty) = is_stone (nth i m Empty)) -> length s = length (filter is_stone l) ->
  refill l s = refill m s.
Proof.
  induction l as [|x l IH]; intros [|y m] s L P N; simpl in L; try discriminate; [reflexivity|].
  pose proof (P 0) as P0. simpl in P0.
  assert (P' : forall i, is_stone (nth i l Empty) = is_stone (nth i m Empty)) by (intros i; apply (P (S i))).
  destruct x as [|a], y as [|b]; simpl in P0; try discriminate; simpl in *.
  - f_equal. apply IH; [lia | assumption..].
  - destruct s as [|z s]; [discriminate|]. f_equal. apply IH; [lia | assumption|]. simpl in N. lia.
Qed.

Lemma refill_own : forall l, refill l (filter is_stone l) = l.
Proof. induction l as [|[|s] l IH]; simpl; [reflexivity | f_equal; assumption..]. Qed.

Lemma length_turn_once : forall s, length (turn_once s) = length s.
Proof.
  intros [|x s]; [reflexivity|]. unfold turn_once. cbn [length]. f_equal.
  rewrite removelast_firstn_len, firstn_length. cbn [length]. lia.
Qed.

Lemma length_iter_turn : forall k s, length (Nat.iter k turn_once s) = length s.
Proof. induction k; intros s; simpl; [reflexivity|]. rewrite length_turn_once. apply IHk. Qed.

Lemma iter_inside : forall A (f : A -> A) k x, Nat.iter (S k) f x = Nat.iter k f (f x).
Proof. induction k; intros x; simpl in *; [reflexivity|]. rewrite IHk. reflexivity. Qed.

Lemma shifted_zero : forall l, shifted 0 l = l.
Proof. exact refill_own. Qed.

Lemma shifted_succ : forall k l, length l <= 7 -> contiguous l = true -> shifted (S k) l = shifted k (turned l).
Proof.
  intros k l L C. unfold shifted. rewrite iter_inside, filter_turned by assumption.
  apply refill_pattern.
  - symmetry. apply length_turned.
  - intros i. symmetry. apply turned_pattern; assumption.
  - rewrite length_iter_turn, length_turn_once. reflexivity.
Qed.
