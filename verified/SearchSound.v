(** * The search is sound, for any form of positions that refines the rules *)

From Coq Require Import List Arith Bool.
From Yomikiri Require Import Rules Strategy Checker.
Import ListNotations.

Section Sound.

Variable v : variant.
Variable pos table : Type.
Variable find : table -> nat -> pos -> option bool.
Variable store : table -> nat -> pos -> bool -> table.
Variable targets_end : pos -> option side.
Variable mover : pos -> side.
Variable count : pos -> side.
Variable children : pos -> list pos.
Variable suggested : pos -> option pos.
Variable winner : side.
Variable horizon : nat.

(** [R p q]: the search represents the position [q] by [p]. *)
Variable R : pos -> position -> Prop.

Hypothesis find_store : forall t n p won m p',
  find (store t n p won) m p' = Some true -> find t m p' = Some true \/ won = true /\ p' = p.
Hypothesis R_targets : forall p q, R p q -> targets_end p = by_targets v q.
Hypothesis R_mover : forall p q, R p q -> mover p = turn q.
Hypothesis R_count : forall p q, R p q -> count p = counted v (stones q).
Hypothesis R_child : forall p q m, R p q -> In m (moves v q) -> exists c, In c (children p) /\ R c (play v q m).
Hypothesis R_move : forall p q c, R p q -> In c (children p) -> exists m, In m (moves v q) /\ R c (play v q m).
Hypothesis R_suggested : forall p q c,
  R p q -> suggested p = Some c -> exists m, In m (moves v q) /\ R c (play v q m).

Definition won (p : pos) : Prop := forall q, R p q -> wins v winner q.

Definition good (t : table) : Prop := forall n p, find t n p = Some true -> won p.

Lemma side_eqb_eq : forall s t, side_eqb s t = true <-> s = t.
Proof. intros [] []; simpl; split; congruence. Qed.

Definition sound (go : pos -> table -> bool * table) : Prop :=
  forall p t b t', good t -> go p t = (b, t') -> good t' /\ (b = true -> won p).

Lemma some_child_sound : forall go, sound go -> forall l t b t',
  good t -> some_child pos table go l t = (b, t') -> good t' /\ (b = true -> exists c, In c l /\ won c).
Proof.
  intros go H; induction l as [|c l IH]; simpl; intros t b t' G E.
  - injection E as <- <-. split; [assumption | discriminate].
  - destruct (go c t) as [b1 t1] eqn:E1. destruct (H _ _ _ _ G E1) as [G1 W1].
    destruct b1.
    + injection E as <- <-. split; eauto.
    + destruct (IH _ _ _ G1 E) as [G2 W2]. split; [assumption|].
      intros B. destruct (W2 B) as (d & I & W). eauto.
Qed.

Lemma every_child_sound : forall go, sound go -> forall l t b t',
  good t -> every_child pos table go l t = (b, t') -> good t' /\ (b = true -> forall c, In c l -> won c).
Proof.
  intros go H; induction l as [|c l IH]; simpl; intros t b t' G E.
  - injection E as <- <-. split; [assumption | contradiction].
  - destruct (go c t) as [b1 t1] eqn:E1. destruct (H _ _ _ _ G E1) as [G1 W1].
    destruct b1.
    + destruct (IH _ _ _ G1 E) as [G2 W2]. split; [assumption|].
      intros B d [<-|I]; eauto.
    + injection E as <- <-. split; [assumption | discriminate].
Qed.

Lemma over_moves : forall q m, by_targets v q = None -> In m (moves v q) -> over v q = None.
Proof. intros q m E I. unfold over. rewrite E. destruct (moves v q); [contradiction | reflexivity]. Qed.

Lemma won_by_targets : forall p, targets_end p = Some winner -> won p.
Proof.
  intros p E q H. apply wins_over. unfold over. rewrite <- (R_targets p q H), E. reflexivity.
Qed.

Lemma won_by_count : forall p, targets_end p = None -> children p = [] -> count p = winner -> won p.
Proof.
  intros p E C W q H. apply wins_over. unfold over. rewrite <- (R_targets p q H), E.
  destruct (moves v q) as [|m l] eqn:M.
  - rewrite <- (R_count p q H), W. reflexivity.
  - destruct (R_child p q m H) as (c & I & _); [rewrite M; left; reflexivity|]. rewrite C in I. contradiction.
Qed.

Lemma won_by_move : forall p c, targets_end p = None -> mover p = winner -> won c ->
  (forall q, R p q -> exists m, In m (moves v q) /\ R c (play v q m)) -> won p.
Proof.
  intros p c E T W H q Q. destruct (H q Q) as (m & I & Q').
  apply wins_move with m; auto.
  - apply over_moves with m; [rewrite <- (R_targets p q Q)|]; assumption.
  - rewrite <- (R_mover p q Q). assumption.
Qed.

Lemma won_by_replies : forall p, targets_end p = None -> mover p = other winner -> children p <> [] ->
  (forall c, In c (children p) -> won c) -> won p.
Proof.
  intros p E T N W q Q. apply wins_reply.
  - destruct (children p) as [|c l] eqn:C; [contradiction|].
    destruct (R_move p q c Q) as (m & I & _); [rewrite C; left; reflexivity|].
    apply over_moves with m; [rewrite <- (R_targets p q Q)|]; assumption.
  - rewrite <- (R_mover p q Q). assumption.
  - intros m I. destruct (R_child p q m Q I) as (c & J & Q'). apply (W c J). assumption.
Qed.

Lemma good_store : forall t n p b, good t -> (b = true -> won p) -> good (store t n p b).
Proof.
  intros t n p b G W m p' F. destruct (find_store _ _ _ _ _ _ F) as [F'|[B ->]]; [exact (G _ _ F') | exact (W B)].
Qed.

Theorem search_sound : forall left,
  sound (search pos table find store targets_end mover count children suggested winner horizon left).
Proof.
  induction left as [|left IH]; intros p t b t' G E; simpl in E;
    destruct (targets_end p) as [s|] eqn:T;
    try (injection E as <- <-; split; [assumption|];
         intros B; apply side_eqb_eq in B; subst; apply won_by_targets; assumption).
  - destruct (find t 0 p) as [b0|] eqn:F.
    + injection E as <- <-. split; [assumption|]. intros ->. exact (G _ _ F).
    + destruct (children p) as [|c l] eqn:C; injection E as <- <-.
      * assert (W : side_eqb (count p) winner = true -> won p)
          by (intros B; apply side_eqb_eq in B; apply won_by_count; assumption).
        split; [apply good_store; assumption | assumption].
      * split; [apply good_store; [assumption | discriminate] | discriminate].
  - destruct (find t (S left) p) as [b0|] eqn:F.
    + injection E as <- <-. split; [assumption|]. intros ->. exact (G _ _ F).
    + match type of E with (let (_, _) := ?X in _) = _ => destruct X as [b1 t1] eqn:E1 end.
      injection E as <- <-.
      enough (H : good t1 /\ (b1 = true -> won p))
        by (destruct H; split; [apply good_store; assumption | assumption]).
      destruct (side_eqb (mover p) winner) eqn:M.
      * apply side_eqb_eq in M.
        destruct (horizon <? S left) eqn:Z.
        -- unfold Nat.ltb in Z; simpl in Z; try rewrite Z in E1.
           destruct (suggested p) as [c|] eqn:S.
           ++ destruct (IH _ _ _ _ G E1) as [G1 W1]. split; [assumption|].
              intros B. apply won_by_move with c; auto. intros q Q. apply R_suggested with p; assumption.
           ++ injection E1 as <- <-. split; [assumption | discriminate].
        -- unfold Nat.ltb in Z; simpl in Z; try rewrite Z in E1.
           destruct (children p) as [|c l] eqn:C.
           ++ injection E1 as <- <-. split; [assumption|].
              intros B; apply side_eqb_eq in B; apply won_by_count; assumption.
           ++ destruct (some_child_sound _ IH (c :: l) _ _ _ G E1) as [G1 W1]. split; [assumption|].
              intros B. destruct (W1 B) as (d & I & W). apply won_by_move with d; auto.
              intros q Q. apply R_move with p; [assumption | rewrite C; assumption].
      * assert (O : mover p = other winner) by (destruct (mover p), winner; simpl in *; congruence).
        destruct (children p) as [|c l] eqn:C.
        -- injection E1 as <- <-. split; [assumption|].
           intros B; apply side_eqb_eq in B; apply won_by_count; assumption.
        -- destruct (every_child_sound _ IH (c :: l) _ _ _ G E1) as [G1 W1]. split; [assumption|].
           intros B. apply won_by_replies; auto; rewrite C; [discriminate | exact (W1 B)].
Qed.

End Sound.
