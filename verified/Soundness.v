(** * The checker is sound

    If [check] says yes, the winner of the certificate wins from the start, by Rules.v and Strategy.v. Nothing is
    assumed about the oracle, which gives the moves of the certificate. *)

From Coq Require Import List Arith Bool Uint63 PArray.
From Yomikiri Require Import Rules Strategy Checker SearchSound Bits Refine.
Import ListNotations.

Lemma fast_eqb_eq : forall p q, fast_eqb p q = true -> p = q.
Proof.
  intros [a b c d s] [a' b' c' d' s'] H. unfold fast_eqb in H. simpl in H.
  repeat (apply andb_true_iff in H; destruct H as [H ?]).
  apply side_eqb_eq in H0. apply eqb_spec in H, H1, H2, H3. congruence.
Qed.

(** An entry of the table after a store is the new one, or was there before. *)
Lemma slots_find_store : forall t p won p',
  slots_find (slots_store t p won) p' = Some true -> slots_find t p' = Some true \/ won = true /\ p' = p.
Proof.
  intros t p won p' H. unfold slots_find, slots_store in *.
  assert (E : slot_of t.[slot_of t p <- Full p won] p' = slot_of t p')
    by (unfold slot_of; rewrite length_set; reflexivity).
  rewrite E in H. destruct (slot_of t p =? slot_of t p')%uint63 eqn:S.
  - apply eqb_spec in S. rewrite <- S in H |- *.
    destruct (slot_of t p <? PArray.length t)%uint63 eqn:L.
    + rewrite get_set_same in H by assumption.
      destruct (fast_eqb p' p) eqn:F; [|discriminate]. right. injection H as ->.
      split; [reflexivity | apply fast_eqb_eq; assumption].
    + left. rewrite get_out_of_bounds by assumption.
      rewrite get_out_of_bounds in H by (rewrite length_set; assumption). rewrite default_set in H. assumption.
  - apply eqb_false_spec in S. rewrite get_set_other in H by assumption. left. assumption.
Qed.

Lemma tables_find_store : forall t n p won m p',
  tables_find (tables_store t n p won) m p' = Some true -> tables_find t m p' = Some true \/ won = true /\ p' = p.
Proof.
  intros t n p won m p' H. unfold tables_find, tables_store in *.
  destruct (is_shallow m); [discriminate|]. destruct (is_shallow n); [left; assumption|].
  revert n m H. induction t as [|s t IH]; intros n m H; [destruct n, m; left; assumption|].
  destruct n as [|n], m as [|m]; simpl in H |- *.
  - exact (slots_find_store _ _ _ _ H).
  - left. assumption.
  - left. assumption.
  - exact (IH _ _ H).
Qed.

Lemma tables_find_empty : forall v size n p, tables_find (no_tables v size) n p = None.
Proof.
  intros v size n p. unfold tables_find, no_tables. destruct (is_shallow n); [reflexivity|].
  destruct (nth_error _ n) as [s|] eqn:E; [|reflexivity].
  apply nth_error_In, in_map_iff in E. destruct E as (i & <- & _).
  unfold slots_find. rewrite get_make. reflexivity.
Qed.

Theorem check_sound : forall v size o winner horizon,
  check v size o winner horizon = true -> wins v winner (start v).
Proof.
  intros v size o winner horizon H. unfold check in H. apply andb_true_iff in H. destruct H as [fit H].
  destruct (search _ _ _ _ _ _ _ _ _ _ _ _ _ _) as [b t] eqn:E. simpl in H. subst b.
  assert (G : forall n p, tables_find (no_tables v size) n p = Some true -> won v fast winner (refines v) p)
    by (intros n p F; rewrite tables_find_empty in F; discriminate).
  assert (S := search_sound v fast tables tables_find tables_store (fast_by_targets v (tools_of v)) to_move
    (fast_counted v (tools_of v)) (fast_children v (tools_of v)) (fast_suggested v (tools_of v) o) winner horizon
    (refines v) tables_find_store
    (by_targets_fast v fit)
    (refines_turn v)
    (fun p q R => counted_fast v fit p (stones q) (refines_board v p q R))
    (child_fast v fit) (parent_fast v fit) (suggested_fast v fit o)
    (longest v) (fast_start v) _ _ _ G E).
  destruct S as [_ W]. apply (W eq_refl). apply start_fast. assumption.
Qed.

Print Assumptions check_sound.
