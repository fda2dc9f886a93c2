(** * Bits of machine integers *)

From Coq Require Import List Arith ZArith Bool Lia Uint63.
From Yomikiri Require Import Rules Checker.
Import ListNotations.

Local Open Scope uint63_scope.

(** Bit [n] of [x], from 0. *)
Definition bitn (x : int) (n : nat) : bool := Z.testbit (to_Z x) (Z.of_nat n).

Lemma wB_63 : wB = (2 ^ 63)%Z.
Proof. reflexivity. Qed.

Lemma bitn_high : forall x n, (63 <= n)%nat -> bitn x n = false.
Proof.
  intros x n H. unfold bitn. pose proof (to_Z_bounded x) as B.
  destruct (Z.eq_dec (to_Z x) 0) as [->|N]; [apply Z.bits_0|].
  apply Z.bits_above_log2; [lia|].
  apply Z.lt_le_trans with 63%Z; [|lia]. apply Z.log2_lt_pow2; [lia|]. rewrite <- wB_63. lia.
Qed.

Lemma bitn_ext : forall x y, (forall n, bitn x n = bitn y n) -> x = y.
Proof.
  intros x y H. apply to_Z_inj. apply Z.bits_inj'. intros n N.
  rewrite <- (Z2Nat.id n N). apply H.
Qed.

Lemma bitn_zero : forall n, bitn 0 n = false.
Proof. intros n. apply Z.bits_0. Qed.

Lemma bitn_land : forall x y n, bitn (x land y) n = bitn x n && bitn y n.
Proof. intros. unfold bitn. rewrite land_spec'. apply Z.land_spec. Qed.

Lemma bitn_lor : forall x y n, bitn (x lor y) n = bitn x n || bitn y n.
Proof. intros. unfold bitn. rewrite lor_spec'. apply Z.lor_spec. Qed.

Lemma bitn_lxor : forall x y n, bitn (x lxor y) n = xorb (bitn x n) (bitn y n).
Proof. intros. unfold bitn. rewrite lxor_spec'. apply Z.lxor_spec. Qed.

Lemma bitn_lsr : forall x s k n, to_Z s = Z.of_nat k -> bitn (x >> s) n = bitn x (n + k).
Proof.
  intros x s k n E. unfold bitn. rewrite lsr_spec, E.
  rewrite Z.div_pow2_bits by lia. f_equal. lia.
Qed.

Lemma bitn_lsl : forall x s k n, to_Z s = Z.of_nat k -> (n < 63)%nat ->
  bitn (x << s) n = (k <=? n)%nat && bitn x (n - k).
Proof.
  intros x s k n E H. unfold bitn. rewrite lsl_spec, E, wB_63.
  rewrite Z.mod_pow2_bits_low by lia.
  destruct (Nat.leb_spec k n); simpl.
  - rewrite Z.mul_pow2_bits by lia. f_equal. lia.
  - apply Z.mul_pow2_bits_low. lia.
Qed.

Lemma is_zero_spec : forall x, is_zero x = true <-> x = 0.
Proof. intros. unfold is_zero. apply eqb_spec. Qed.

Lemma is_zero_true : forall x n, is_zero x = true -> bitn x n = false.
Proof. intros x n H. apply is_zero_spec in H. subst. apply bitn_zero. Qed.

Lemma is_zero_intro : forall x, (forall n, bitn x n = false) -> is_zero x = true.
Proof. intros x H. apply is_zero_spec. apply bitn_ext. intros n. rewrite H, bitn_zero. reflexivity. Qed.

Lemma all_false_dec : forall x n, (forall k, (k < n)%nat -> bitn x k = false) \/ (exists k, bitn x k = true).
Proof.
  intros x n. induction n as [|n [IH|IH]]; [left; lia| |right; assumption].
  destruct (bitn x n) eqn:E; [right; eauto|].
  left. intros k H. destruct (Nat.eq_dec k n); [subst; assumption | apply IH; lia].
Qed.

Lemma is_zero_false : forall x, is_zero x = false -> exists n, bitn x n = true.
Proof.
  intros x H. destruct (all_false_dec x 63) as [A|A]; [|assumption].
  rewrite is_zero_intro in H; [discriminate|].
  intros n. destruct (Nat.lt_ge_cases n 63); [apply A | apply bitn_high]; assumption.
Qed.

Lemma to_Z_small : forall n, (n < 63)%nat -> to_Z (of_Z (Z.of_nat n)) = Z.of_nat n.
Proof. intros n H. rewrite of_Z_spec. apply Z.mod_small. rewrite wB_63. lia. Qed.

Lemma bitn_one : forall n, bitn 1 n = (n =? 0)%nat.
Proof.
  intros n. unfold bitn. change (to_Z 1) with (2 ^ 0)%Z. rewrite Z.pow2_bits_eqb by lia.
  destruct (Nat.eqb_spec n 0); subst; [reflexivity|]. apply Z.eqb_neq. lia.
Qed.

Lemma bitn_bit_at : forall k n, (k < 63)%nat -> bitn (bit_at k) n = (n =? k)%nat.
Proof.
  intros k n H. destruct (Nat.lt_ge_cases n 63) as [L|L].
  - unfold bit_at. rewrite (bitn_lsl _ _ k) by auto using to_Z_small. rewrite bitn_one.
    destruct (Nat.leb_spec k n), (Nat.eqb_spec n k), (Nat.eqb_spec (n - k) 0); simpl; try reflexivity; lia.
  - rewrite bitn_high by assumption. symmetry. apply Nat.eqb_neq. lia.
Qed.

Lemma bitn_bits_of : forall l n, (forall k, In k l -> (k < 63)%nat) -> bitn (bits_of l) n = existsb (Nat.eqb n) l.
Proof.
  induction l as [|k l IH]; intros n H; simpl.
  - apply bitn_zero.
  - rewrite bitn_lor, bitn_bit_at, IH; [reflexivity | intros; apply H; right; assumption | apply H; left; reflexivity].
Qed.

Lemma has_bit_at : forall x k, (k < 63)%nat -> has_bit x (bit_at k) = bitn x k.
Proof.
  intros x k H. unfold has_bit.
  destruct (bitn x k) eqn:E.
  - apply negb_true_iff. destruct (is_zero (x land bit_at k)) eqn:Z; [|reflexivity].
    apply is_zero_true with (n := k) in Z. rewrite bitn_land, bitn_bit_at, E, Nat.eqb_refl in Z by assumption.
    discriminate.
  - apply negb_false_iff. apply is_zero_intro. intros n. rewrite bitn_land, bitn_bit_at by assumption.
    destruct (Nat.eqb_spec n k); [subst; rewrite E; reflexivity | apply andb_false_r].
Qed.

(** Keeps tactics from unfolding [bitn] into a term of exponential size. *)
#[global] Opaque bitn.
