(** * Bitboards refine the rules *)

From Coq Require Import List Arith ZArith Bool Lia Uint63.
From Yomikiri Require Import Rules Checker Bits Shifts.
Import ListNotations.

(** ** Lists *)

Lemma nth_map_seq : forall A (g : nat -> A) n i d, nth i (map g (seq 0 n)) d = if i <? n then g i else d.
Proof.
  intros A g n i d. destruct (Nat.ltb_spec i n) as [H|H].
  - rewrite nth_indep with (d' := g 0) by (rewrite map_length, seq_length; assumption).
    rewrite map_nth, seq_nth by assumption. reflexivity.
  - apply nth_overflow. rewrite map_length, seq_length. assumption.
Qed.

Lemma existsb_ext : forall A (f g : A -> bool) l, (forall x, In x l -> f x = g x) -> existsb f l = existsb g l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [reflexivity|].
  rewrite H by (left; reflexivity). rewrite IH by (intros; apply H; right; assumption). reflexivity.
Qed.

Lemma forallb_ext : forall A (f g : A -> bool) l, (forall x, In x l -> f x = g x) -> forallb f l = forallb g l.
Proof.
  induction l as [|x l IH]; simpl; intros H; [reflexivity|].
  rewrite H by (left; reflexivity). rewrite IH by (intros; apply H; right; assumption). reflexivity.
Qed.

Lemma existsb_map : forall A B (g : A -> B) f l, existsb f (map g l) = existsb (fun x => f (g x)) l.
Proof. induction l; simpl; congruence. Qed.

Lemma forallb_map : forall A B (g : A -> B) f l, forallb f (map g l) = forallb (fun x => f (g x)) l.
Proof. induction l; simpl; congruence. Qed.

Lemma bool_iff : forall a b : bool, (a = true <-> b = true) -> a = b.
Proof. intros [] [] [H J]; try reflexivity; [symmetry; auto | auto]. Qed.

Lemma combine_map : forall A B C (f : A -> B) (g : A -> C) l,
  combine (map f l) (map g l) = map (fun x => (f x, g x)) l.
Proof. induction l; simpl; congruence. Qed.

#[local] Arguments lane_of : simpl never.

Section Refine.

Variable v : variant.
Hypothesis fit : fits v = true.

Notation F := (files v).
Notation Rk := (ranks v).

Lemma fit_bounds : F <= 7 /\ Rk <= 6 /\ start_file v < F /\ start_rank v < Rk /\
  1 <= short v /\ 1 <= diagonal v /\ 1 <= long v.
Proof.
  pose proof fit as H. unfold fits in H.
  repeat match goal with
  | H : (_ && _)%bool = true |- _ => apply andb_true_iff in H; destruct H
  | H : (_ <=? _) = true |- _ => apply Nat.leb_le in H
  | H : (_ <? _) = true |- _ => apply Nat.ltb_lt in H
  end. auto 10.
Qed.

Ltac bounds := pose proof fit_bounds as (? & ? & ? & ? & ? & ? & ?).

Lemma square_at_build : forall g f r,
  square_at (build v g) f r = if (f <? F) && (r <? Rk) then g f r else Empty.
Proof.
  intros g f r. unfold square_at, build. rewrite nth_map_seq.
  destruct (Nat.ltb_spec r Rk).
  - rewrite nth_map_seq. destruct (f <? F); reflexivity.
  - rewrite andb_false_r. destruct f; reflexivity.
Qed.

(** ** Boards *)

Definition sq (m x : int) (n : nat) : square := if bitn m n then stone_of (bitn x n) else Empty.

Definition inboard (x : int) : Prop :=
  forall n, bitn x n = true -> exists f r, f < F /\ r < Rk /\ n = index f r.

Definition sub (x m : int) : Prop := forall n, bitn x n = true -> bitn m n = true.

Record shows (m x : int) (b : board) : Prop := {
  shows_square : forall f r, square_at b f r = if (f <? F) && (r <? Rk) then sq m x (index f r) else Empty;
  shows_in : inboard m;
  shows_sub : sub x m
}.

Lemma sub_in : forall x m, sub x m -> inboard m -> inboard x.
Proof. intros x m S I n H. apply I, S, H. Qed.

Lemma index_inj : forall f r g s, f < 7 -> g < 7 -> index f r = index g s -> f = g /\ r = s.
Proof. unfold index. intros. lia. Qed.

Lemma index_small : forall f r, f < F -> r < Rk -> index f r < 63.
Proof. bounds. unfold index. lia. Qed.

(** ** Ways *)

Definition onboard (w : way) : Prop := match w with File f => f < F | Rank r => r < Rk end.

Lemma in_ways : forall w, In w (ways v) <-> onboard w.
Proof.
  intros w. unfold ways. rewrite in_app_iff, !in_map_iff. split.
  - intros [(i & <- & H)|(i & <- & H)]; apply in_seq in H; simpl; lia.
  - intros H. destruct w as [f|r]; simpl in H; [left; exists f | right; exists r];
      (split; [reflexivity | apply in_seq; lia]).
Qed.

Lemma way_index_small : forall w i, onboard w -> i < way_length v w -> way_index w i < 63.
Proof. intros [f|r] i H I; simpl in *; apply index_small; assumption. Qed.

Lemma way_index_inj : forall w i j, onboard w -> way_index w i = way_index w j -> i = j.
Proof. intros [f|r] i j H E; simpl in *; unfold index in E; lia. Qed.

Definition on_way (w : way) (n : nat) : Prop := exists i, i < way_length v w /\ n = way_index w i.

Lemma in_way_squares : forall w n, existsb (Nat.eqb n) (way_squares v w) = true <-> on_way w n.
Proof.
  intros w n. rewrite existsb_exists. unfold way_squares, on_way. split.
  - intros (k & I & E). apply Nat.eqb_eq in E. subst k. apply in_map_iff in I. destruct I as (i & <- & I).
    apply in_seq in I. exists i. split; [lia | reflexivity].
  - intros (i & I & ->). exists (way_index w i). rewrite Nat.eqb_refl. split; [|reflexivity].
    apply in_map. apply in_seq. lia.
Qed.

Lemma col_spec : forall w n, onboard w -> (bitn (col (lane_of v w)) n = true <-> on_way w n).
Proof.
  intros w n O. unfold col, lane_of. rewrite bitn_bits_of; [apply in_way_squares|].
  intros k I. apply in_map_iff in I. destruct I as (i & <- & I). apply in_seq in I.
  apply way_index_small; [assumption | lia].
Qed.

Lemma col_index : forall w i, onboard w -> i < way_length v w -> bitn (col (lane_of v w)) (way_index w i) = true.
Proof. intros w i O I. apply col_spec; [assumption|]. exists i. auto. Qed.

Lemma rest_spec : forall w n, onboard w -> n < 63 ->
  bitn (rest (lane_of v w)) n = negb (bitn (col (lane_of v w)) n).
Proof.
  intros w n O L. unfold rest, col, lane_of.
  rewrite bitn_bits_of by (intros k I; apply filter_In in I; destruct I as [I _];
    apply in_seq in I; lia).
  rewrite bitn_bits_of by (intros k I; apply in_map_iff in I; destruct I as (i & <- & I); apply in_seq in I;
    apply way_index_small; [assumption | lia]).
  apply bool_iff. rewrite existsb_exists. split.
  - intros (k & I & E). apply Nat.eqb_eq in E. subst k. apply filter_In in I. apply I.
  - intros H. exists n. rewrite Nat.eqb_refl. split; [|reflexivity]. apply filter_In. split; [|assumption].
    apply in_seq. lia.
Qed.

(** The line of a way, by the content of the way. *)
Definition line_of (w : way) (c : content) : list square :=
  map (fun i => sq (fst c) (snd c) (way_index w i)) (seq 0 (way_length v w)).

(** Contents have no bits beside their way, and black stones only where stones are. *)
Record tidy (w : way) (c : content) : Prop := {
  tidy_on : forall n, bitn (fst c) n = true -> on_way w n;
  tidy_sub : sub (snd c) (fst c)
}.

(** [sh] moves the bits of the way [o] to the way [w]. *)
Definition moves_to (sh : int -> int) (w : way) (o : option way) : Prop :=
  forall x i, inboard x -> i < way_length v w ->
  bitn (sh x) (way_index w i) = match o with Some w' => bitn x (way_index w' i) | None => false end.

Definition same_kind (w w' : way) : Prop :=
  match w, w' with File _, File _ | Rank _, Rank _ => True | _, _ => False end.

Definition kin (w : way) (o : option way) : Prop :=
  match o with Some w' => onboard w' /\ same_kind w w' | None => True end.

Lemma kin_length : forall w w', same_kind w w' -> way_length v w' = way_length v w.
Proof. intros [f|r] [g|s]; simpl; tauto. Qed.

Lemma kin_lower : forall w, onboard w -> kin w (lower w).
Proof. intros [[|f]|[|r]] H; simpl in *; auto; split; auto; lia. Qed.

Lemma kin_higher : forall w, onboard w -> kin w (higher v w).
Proof.
  intros [f|r] H; unfold higher.
  - destruct (Nat.ltb_spec (S f) F); simpl; auto.
  - destruct (Nat.ltb_spec (S r) Rk); simpl; auto.
Qed.

Lemma kin_twice_lower : forall w, onboard w -> kin w (twice lower w).
Proof. intros [[|[|f]]|[|[|r]]] H; simpl in *; auto; split; auto; lia. Qed.

Lemma kin_twice_higher : forall w, onboard w -> kin w (twice (higher v) w).
Proof.
  intros [f|r] H; unfold twice, higher.
  - destruct (Nat.ltb_spec (S f) F); simpl; auto. destruct (Nat.ltb_spec (S (S f)) F); simpl; auto.
  - destruct (Nat.ltb_spec (S r) Rk); simpl; auto. destruct (Nat.ltb_spec (S (S r)) Rk); simpl; auto.
Qed.

Lemma outside : forall x n, inboard x ->
  (forall f r, f < F -> r < Rk -> n = index f r -> False) -> bitn x n = false.
Proof.
  intros x n I H. destruct (bitn x n) eqn:E; [|reflexivity].
  destruct (I n E) as (f & r & ? & ? & ?). exfalso. eauto.
Qed.

Ltac out := apply outside; [assumption | unfold index; intros; lia].

Lemma lsl_to : forall x s k n, to_Z s = Z.of_nat k -> n < 63 -> k <= n -> bitn (x << s) n = bitn x (n - k).
Proof. intros. rewrite (bitn_lsl x s k) by assumption. destruct (Nat.leb_spec k n); [reflexivity | lia]. Qed.

Lemma lsl_low : forall x s k n, to_Z s = Z.of_nat k -> n < 63 -> n < k -> bitn (x << s) n = false.
Proof. intros. rewrite (bitn_lsl x s k) by assumption. destruct (Nat.leb_spec k n); [lia | reflexivity]. Qed.

Lemma moves_id : forall w, moves_to (fun x => x) w (Some w).
Proof. intros w x i _ _. reflexivity. Qed.

Lemma moves_lower : forall w, onboard w -> moves_to (fun x => x << step (lane_of v w))%uint63 w (lower w).
Proof.
  bounds. intros w O x i I L. pose proof (way_index_small w i O L) as S.
  destruct w as [[|f]|[|r]]; simpl in *; unfold index in *.
  - destruct i as [|i]; [apply (lsl_low x _ 1); [reflexivity | lia | lia]|].
    rewrite (lsl_to x _ 1) by (reflexivity || lia). out.
  - rewrite (lsl_to x _ 1) by (reflexivity || lia). f_equal. lia.
  - apply (lsl_low x _ 8); [reflexivity | lia | lia].
  - rewrite (lsl_to x _ 8) by (reflexivity || lia). f_equal. lia.
Qed.

Lemma moves_higher : forall w, onboard w -> moves_to (fun x => x >> step (lane_of v w))%uint63 w (higher v w).
Proof.
  bounds. intros w O x i I L. destruct w as [f|r]; unfold higher; simpl in O, L; cbn [way_index]; unfold index.
  - rewrite (bitn_lsr x _ 1) by reflexivity.
    destruct (Nat.ltb_spec (S f) F); [f_equal; cbn [way_index]; unfold index; lia | out].
  - rewrite (bitn_lsr x _ 8) by reflexivity.
    destruct (Nat.ltb_spec (S r) Rk); [f_equal; cbn [way_index]; unfold index; lia | out].
Qed.

Lemma moves_twice_lower : forall w, onboard w -> lower w <> None ->
  moves_to (fun x => x << step2 (lane_of v w))%uint63 w (twice lower w).
Proof.
  bounds. intros w O N x i I L. pose proof (way_index_small w i O L) as S.
  destruct w as [[|[|f]]|[|[|r]]]; simpl in *; unfold index in *; try (exfalso; apply N; reflexivity).
  - destruct i as [|i]; [apply (lsl_low x _ 2); [reflexivity | lia | lia]|].
    rewrite (lsl_to x _ 2) by (reflexivity || lia). out.
  - rewrite (lsl_to x _ 2) by (reflexivity || lia). f_equal. lia.
  - apply (lsl_low x _ 16); [reflexivity | lia | lia].
  - rewrite (lsl_to x _ 16) by (reflexivity || lia). f_equal. lia.
Qed.

Lemma moves_twice_higher : forall w, onboard w -> higher v w <> None ->
  moves_to (fun x => x >> step2 (lane_of v w))%uint63 w (twice (higher v) w).
Proof.
  bounds. intros w O N x i I L. unfold twice, higher in *.
  destruct w as [f|r]; simpl in O, L; cbn [way_index] in *; unfold index in *.
  - rewrite (bitn_lsr x _ 2) by reflexivity.
    destruct (Nat.ltb_spec (S f) F); [|exfalso; apply N; reflexivity].
    destruct (Nat.ltb_spec (S (S f)) F); [f_equal; cbn [way_index]; unfold index; lia | out].
  - rewrite (bitn_lsr x _ 16) by reflexivity.
    destruct (Nat.ltb_spec (S r) Rk); [|exfalso; apply N; reflexivity].
    destruct (Nat.ltb_spec (S (S r)) Rk); [f_equal; cbn [way_index]; unfold index; lia | out].
Qed.

Lemma line_shows : forall m x b w, shows m x b -> onboard w ->
  line v b w = map (fun i => sq m x (way_index w i)) (seq 0 (way_length v w)).
Proof.
  intros m x b w S O. destruct w as [f|r]; simpl in *; apply map_ext_in; intros i I; apply in_seq in I;
    rewrite (shows_square _ _ _ S).
  - destruct (Nat.ltb_spec f F), (Nat.ltb_spec i Rk); try lia. reflexivity.
  - destruct (Nat.ltb_spec i F), (Nat.ltb_spec r Rk); try lia. reflexivity.
Qed.

Lemma is_stone_sq : forall m x n, is_stone (sq m x n) = bitn m n.
Proof. intros. unfold sq. destruct (bitn m n); reflexivity. Qed.

Section Content.

Variables (m x : int) (b : board).
Hypothesis S : shows m x b.
Variable w : way.
Hypothesis O : onboard w.

Definition seen (sh : int -> int) : content :=
  (sh m land col (lane_of v w), sh x land col (lane_of v w))%uint63.

Lemma seen_tidy : forall sh, (forall y z n, (forall k, bitn y k = true -> bitn z k = true) ->
    bitn (sh y) n = true -> bitn (sh z) n = true) -> tidy w (seen sh).
Proof.
  intros sh M. unfold seen. split; cbn [fst snd].
  - intros n H. rewrite bitn_land in H. apply andb_true_iff in H. apply col_spec; tauto.
  - intros n H. cbn [fst snd] in *. rewrite bitn_land in *. apply andb_true_iff in H. destruct H as [H1 H2].
    apply andb_true_iff. split; [|assumption]. apply M with x; [exact (shows_sub _ _ _ S) | assumption].
Qed.

Lemma seen_stones : forall sh o, moves_to sh w o -> kin w o ->
  stones_on_option v b o = option_map (line_of w) (if_stones (seen sh)).
Proof.
  intros sh o M K. unfold if_stones. change (fst (seen sh)) with (sh m land col (lane_of v w))%uint63.
  destruct o as [w'|]; cbn [stones_on_option kin] in *.
  - destruct K as [O' E]. apply kin_length in E. unfold stones_on.
    assert (L : line v b w' = line_of w (seen sh)).
    { rewrite (line_shows m x) by assumption. rewrite E. unfold line_of. apply map_ext_in. intros i I.
      apply in_seq in I. unfold seen, sq. cbn [fst snd]. rewrite !bitn_land, !M by
        (lia || exact (shows_in _ _ _ S) || exact (sub_in _ _ (shows_sub _ _ _ S) (shows_in _ _ _ S))).
      rewrite col_index by (assumption || lia). rewrite !andb_true_r. reflexivity. }
    rewrite L.
    destruct (is_zero (sh m land col (lane_of v w))) eqn:Z; cbn [option_map].
    + destruct (existsb is_stone (line_of w (seen sh))) eqn:X; [|reflexivity].
      apply existsb_exists in X. destruct X as (y & I & Y). apply in_map_iff in I. destruct I as (i & <- & I).
      rewrite is_stone_sq in Y. unfold seen in Y. cbn [fst] in Y. rewrite (is_zero_true _ _ Z) in Y. discriminate.
    + apply is_zero_false in Z. destruct Z as (n & Z).
      replace (existsb is_stone (line_of w (seen sh))) with true; [reflexivity|]. symmetry.
      apply existsb_exists. pose proof Z as Z'. rewrite bitn_land in Z'. apply andb_true_iff in Z'.
      destruct Z' as [_ Z']. apply col_spec in Z'; [|assumption]. destruct Z' as (i & I & ->).
      exists (sq (fst (seen sh)) (snd (seen sh)) (way_index w i)). split.
      * unfold line_of. apply in_map with (f := fun j => sq (fst (seen sh)) (snd (seen sh)) (way_index w j)).
        apply in_seq. lia.
      * rewrite is_stone_sq. assumption.
  - replace (is_zero (sh m land col (lane_of v w))) with true; [reflexivity|]. symmetry.
    apply is_zero_intro. intros n. rewrite bitn_land.
    destruct (bitn (col (lane_of v w)) n) eqn:C; [|apply andb_false_r].
    apply col_spec in C; [|assumption]. destruct C as (i & I & ->).
    rewrite M by (assumption || exact (shows_in _ _ _ S)). reflexivity.
Qed.

End Content.

(** ** Operators *)

Lemma negated_line : forall w c, negated (line_of w c) = line_of w (fast_negated c).
Proof.
  intros w [m x]. unfold negated, line_of. rewrite map_map. apply map_ext. intros i. simpl. unfold sq.
  rewrite bitn_lxor. destruct (bitn m (way_index w i)); [|reflexivity].
  destruct (bitn x (way_index w i)); reflexivity.
Qed.

Lemma negated_tidy : forall w c, tidy w c -> tidy w (fast_negated c).
Proof.
  intros w [m x] [T S]. split; simpl in *; [assumption|]. intros n H. rewrite bitn_lxor in H.
  destruct (bitn m n) eqn:E; [reflexivity|]. specialize (S n). rewrite E in S.
  destruct (bitn x n); [discriminate S; reflexivity | discriminate].
Qed.

Lemma combined_bits : forall o m x n y, sub x m -> sub y n -> forall k,
  bitn (snd (fast_combined o (m, x) (n, y))) k =
  bitn m k && bitn n k && on_bits o (bitn x k) (bitn y k).
Proof.
  intros o m x n y Sx Sy k. specialize (Sx k). specialize (Sy k).
  destruct o; simpl; rewrite ?bitn_lxor, ?bitn_land, ?bitn_lor, ?bitn_lxor, ?bitn_land, ?bitn_lor;
    destruct (bitn x k), (bitn y k), (bitn m k), (bitn n k); simpl; auto; try (discriminate Sx; reflexivity);
    try (discriminate Sy; reflexivity).
Qed.

Lemma combined_line : forall o w c d, tidy w c -> tidy w d ->
  combined o (line_of w c) (line_of w d) = line_of w (fast_combined o c d).
Proof.
  intros o w [m x] [n y] [_ Sx] [_ Sy]. unfold combined, line_of. rewrite combine_map, map_map.
  apply map_ext. intros i. unfold sq at 3. rewrite combined_bits by assumption.
  simpl. rewrite bitn_land. unfold sq.
  destruct (bitn m (way_index w i)), (bitn n (way_index w i)); try reflexivity.
  simpl. destruct (bitn x (way_index w i)), (bitn y (way_index w i)); reflexivity.
Qed.

Lemma combined_tidy : forall o w c d, tidy w c -> tidy w d -> tidy w (fast_combined o c d).
Proof.
  intros o w [m x] [n y] [T Sx] [_ Sy]. split.
  - intros k H. simpl in H. rewrite bitn_land in H. apply andb_true_iff in H. apply T. simpl. tauto.
  - intros k H. rewrite combined_bits in H by assumption. simpl. rewrite bitn_land.
    apply andb_true_iff in H. tauto.
Qed.

(** ** Shifts *)

Lemma nth_line_of : forall w c i,
  nth i (line_of w c) Empty = if i <? way_length v w then sq (fst c) (snd c) (way_index w i) else Empty.
Proof. intros. unfold line_of. rewrite nth_map_seq. reflexivity. Qed.

Lemma length_line_of : forall w c, length (line_of w c) = way_length v w.
Proof. intros. unfold line_of. rewrite map_length, seq_length. reflexivity. Qed.

Definition only_on (w : way) (y : int) : Prop := forall n, bitn y n = true -> on_way w n.

Lemma only_on_end : forall w y i, onboard w -> only_on w y -> way_length v w <= i -> bitn y (way_index w i) = false.
Proof.
  intros w y i O T L. destruct (bitn y (way_index w i)) eqn:E; [|reflexivity].
  apply T in E. destruct E as (j & J & E). apply way_index_inj in E; [lia | assumption].
Qed.

Lemma along_lsl : forall w y i, onboard w -> only_on w y -> i < way_length v w ->
  bitn (y << along (lane_of v w))%uint63 (way_index w i) =
  match i with O => false | S h => bitn y (way_index w h) end.
Proof.
  bounds. intros w y i O T L. pose proof (way_index_small w i O L) as S.
  destruct w as [f|r]; simpl in O, L; cbn [way_index] in *; unfold index in *.
  - destruct i as [|i].
    + apply (lsl_low y _ 8); [reflexivity | lia | lia].
    + rewrite (lsl_to y _ 8) by (reflexivity || lia). f_equal. lia.
  - destruct i as [|i].
    + destruct r as [|r]; [apply (lsl_low y _ 1); [reflexivity | lia | lia]|].
      rewrite (lsl_to y _ 1) by (reflexivity || lia).
      destruct (bitn y (8 * Datatypes.S r + 0 - 1)) eqn:E; [|reflexivity].
      apply T in E. destruct E as (j & J & E). simpl in J. cbn [way_index] in E. unfold index in E. lia.
    + rewrite (lsl_to y _ 1) by (reflexivity || lia). f_equal. lia.
Qed.

Lemma along_lsr : forall w y i,
  bitn (y >> along (lane_of v w))%uint63 (way_index w i) = bitn y (way_index w (S i)).
Proof.
  intros w y i. destruct w as [f|r]; cbn [way_index]; unfold index.
  - rewrite (bitn_lsr y _ 8) by reflexivity. f_equal. lia.
  - rewrite (bitn_lsr y _ 1) by reflexivity. f_equal. lia.
Qed.

Definition first_of (w : way) (m : int) : int := (m land (m lxor ((m << along (lane_of v w)) land m)))%uint63.
Definition last_of (w : way) (m : int) : int := (m land (m lxor ((m >> along (lane_of v w)) land m)))%uint63.

Lemma first_spec : forall w m i, onboard w -> only_on w m -> i < way_length v w ->
  bitn (first_of w m) (way_index w i) =
  bitn m (way_index w i) && negb (match i with O => false | S h => bitn m (way_index w h) end).
Proof.
  intros w m i O T L. unfold first_of. rewrite bitn_land, bitn_lxor, bitn_land, along_lsl by assumption.
  destruct (bitn m (way_index w i)); [|reflexivity].
  destruct (match i with O => false | S h => bitn m (way_index w h) end); reflexivity.
Qed.

Lemma last_spec : forall w m i,
  bitn (last_of w m) (way_index w i) = bitn m (way_index w i) && negb (bitn m (way_index w (S i))).
Proof.
  intros w m i. unfold last_of. rewrite bitn_land, bitn_lxor, bitn_land, along_lsr.
  destruct (bitn m (way_index w i)), (bitn m (way_index w (S i))); reflexivity.
Qed.

Lemma black_sq : forall m x n, sub x m -> is_stone_of Black (sq m x n) = bitn x n.
Proof.
  intros m x n S. specialize (S n). unfold sq. destruct (bitn m n), (bitn x n); simpl; auto.
Qed.

Lemma leaves_spec : forall w m x, onboard w -> tidy w (m, x) ->
  leaves (line_of w (m, x)) = negb (is_zero (x land last_of w m)%uint63).
Proof.
  intros w m x O [T S]. simpl in T, S. apply bool_iff. unfold leaves. rewrite existsb_exists, length_line_of. split.
  - intros (j & J & E). apply in_seq in J. apply andb_true_iff in E. destruct E as [E1 E2].
    rewrite nth_line_of in E1, E2. replace (j <? way_length v w) with true in E1
      by (symmetry; apply Nat.ltb_lt; lia). cbn [fst snd] in E1, E2. rewrite black_sq in E1 by assumption.
    apply negb_true_iff. destruct (is_zero (x land last_of w m)%uint63) eqn:Z; [|reflexivity].
    apply is_zero_true with (n := way_index w j) in Z. rewrite bitn_land, last_spec, E1, (S _ E1) in Z.
    simpl in Z. apply negb_false_iff in Z.
    destruct (Nat.ltb_spec (Datatypes.S j) (way_length v w)).
    + rewrite is_stone_sq, Z in E2. discriminate.
    + rewrite only_on_end in Z by assumption. discriminate.
  - intros E. apply negb_true_iff, is_zero_false in E. destruct E as (n & E). rewrite bitn_land in E.
    apply andb_true_iff in E. destruct E as [E1 E2]. destruct (T n (S n E1)) as (j & J & ->).
    exists j. split; [apply in_seq; lia|]. rewrite !nth_line_of. replace (j <? way_length v w) with true
      by (symmetry; apply Nat.ltb_lt; lia). cbn [fst snd]. rewrite black_sq, E1 by assumption.
    rewrite last_spec in E2. apply andb_true_iff in E2. destruct E2 as [_ E2].
    destruct (Nat.ltb_spec (Datatypes.S j) (way_length v w)); [rewrite is_stone_sq; assumption | reflexivity].
Qed.

Lemma turn_line : forall w m x, onboard w -> tidy w (m, x) ->
  line_of w (m, fast_turn (lane_of v w) m (first_of w m) (last_of w m) x) = turned (line_of w (m, x)).
Proof.
  intros w m x O T. pose proof T as [T1 S]. simpl in T1, S. unfold turned. rewrite length_line_of.
  unfold line_of at 1. apply map_ext_in. intros i I. apply in_seq in I. cbn [fst snd].
  unfold turned_square. rewrite leaves_spec by assumption.
  rewrite nth_line_of. replace (i <? way_length v w) with true by (symmetry; apply Nat.ltb_lt; lia).
  cbn [fst snd]. unfold sq at 1 2. destruct (bitn m (way_index w i)) eqn:M; [|reflexivity].
  unfold stone_of at 2. unfold fast_turn. rewrite bitn_lor, bitn_land, M, andb_true_r.
  rewrite along_lsl by (assumption || lia || (intros n H; apply T1, S, H)).
  destruct i as [|h].
  - destruct (is_zero (x land last_of w m)%uint63); simpl; [rewrite bitn_zero; reflexivity|].
    rewrite first_spec by (assumption || lia). rewrite M. reflexivity.
  - rewrite nth_line_of. replace (h <? way_length v w) with true by (symmetry; apply Nat.ltb_lt; lia).
    cbn [fst snd]. unfold sq. destruct (bitn m (way_index w h)) eqn:M'.
    + replace (bitn (if is_zero (x land last_of w m)%uint63 then 0%uint63 else first_of w m)
        (way_index w (Datatypes.S h))) with false; [rewrite orb_false_r; reflexivity|].
      destruct (is_zero (x land last_of w m)%uint63); [rewrite bitn_zero; reflexivity|].
      rewrite first_spec by (assumption || lia). rewrite M, M'. reflexivity.
    + assert (X : bitn x (way_index w h) = false).
      { destruct (bitn x (way_index w h)) eqn:X; [|reflexivity]. rewrite (S _ X) in M'. discriminate. }
      rewrite X. destruct (is_zero (x land last_of w m)%uint63); simpl; [rewrite bitn_zero; reflexivity|].
      rewrite first_spec by (assumption || lia). rewrite M, M'. reflexivity.
Qed.

Lemma turn_tidy : forall w m x, tidy w (m, x) ->
  tidy w (m, fast_turn (lane_of v w) m (first_of w m) (last_of w m) x).
Proof.
  intros w m x [T S]. split; [exact T|]. simpl. intros n H. unfold fast_turn in H.
  rewrite bitn_lor, bitn_land in H. apply orb_true_iff in H. destruct H as [H|H].
  - apply andb_true_iff in H. tauto.
  - destruct (is_zero (x land last_of w m)%uint63); [rewrite bitn_zero in H; discriminate|].
    unfold first_of in H. rewrite bitn_land in H. apply andb_true_iff in H. tauto.
Qed.

Lemma way_length_7 : forall w, way_length v w <= 7.
Proof. bounds. intros [f|r]; simpl; lia. Qed.

Lemma turns_line : forall w m k x, onboard w -> tidy w (m, x) -> contiguous (line_of w (m, x)) = true ->
  shifted k (line_of w (m, x)) = line_of w (m, turns (lane_of v w) m (first_of w m) (last_of w m) k x) /\
  tidy w (m, turns (lane_of v w) m (first_of w m) (last_of w m) k x).
Proof.
  intros w m k. induction k as [|k IH]; intros x O T C; simpl.
  - rewrite shifted_zero. auto.
  - rewrite shifted_succ by (assumption || (rewrite length_line_of; apply way_length_7)).
    rewrite <- turn_line by assumption. apply IH; [assumption | apply turn_tidy; assumption|].
    rewrite turn_line by assumption. apply contiguous_turned; [rewrite length_line_of; apply way_length_7 | assumption].
Qed.

Lemma count_cells : forall w m x, onboard w ->
  count_bits (cells (lane_of v w)) m = length (filter is_stone (line_of w (m, x))).
Proof.
  intros w m x O. unfold cells, lane_of, way_squares, line_of. cbn [fst snd].
  assert (B : forall i, In i (seq 0 (way_length v w)) -> way_index w i < 63)
    by (intros i I; apply in_seq in I; apply way_index_small; [assumption | lia]).
  revert B. generalize (seq 0 (way_length v w)). intros is. induction is as [|i is IH]; intros B; [reflexivity|].
  simpl. rewrite has_bit_at, is_stone_sq by (apply B; left; reflexivity).
  rewrite IH by (intros; apply B; right; assumption).
  destruct (bitn m (way_index w i)); reflexivity.
Qed.

(** ** Rectangles *)

Record rect (m : int) (x0 x1 y0 y1 : nat) : Prop := {
  rect_x : x0 < x1 /\ x1 <= F;
  rect_y : y0 < y1 /\ y1 <= Rk;
  rect_bit : forall f r, f < F -> r < Rk ->
    bitn m (index f r) = (x0 <=? f) && (f <? x1) && ((y0 <=? r) && (r <? y1))
}.

Definition crosses (x0 x1 y0 y1 : nat) (w : way) : bool :=
  match w with File f => (x0 <=? f) && (f <? x1) | Rank r => (y0 <=? r) && (r <? y1) end.

Definition span (x0 x1 y0 y1 : nat) (w : way) (i : nat) : bool :=
  match w with File _ => (y0 <=? i) && (i <? y1) | Rank _ => (x0 <=? i) && (i <? x1) end.

Lemma rect_way : forall m x0 x1 y0 y1 w i, rect m x0 x1 y0 y1 -> onboard w -> i < way_length v w ->
  bitn m (way_index w i) = crosses x0 x1 y0 y1 w && span x0 x1 y0 y1 w i.
Proof.
  intros m x0 x1 y0 y1 [f|r] i Q O I; simpl in *; rewrite (rect_bit _ _ _ _ _ Q) by assumption;
    [reflexivity | apply andb_comm].
Qed.

Definition fills (x0 x1 y0 y1 : nat) (w : way) (c : content) : Prop :=
  forall i, i < way_length v w -> bitn (fst c) (way_index w i) = span x0 x1 y0 y1 w i.

Lemma seen_fills : forall m x x0 x1 y0 y1 w sh o c, rect m x0 x1 y0 y1 -> inboard m -> onboard w ->
  moves_to sh w o -> kin w o -> if_stones (seen m x w sh) = Some c -> fills x0 x1 y0 y1 w c /\
    exists w', o = Some w' /\ crosses x0 x1 y0 y1 w' = true.
Proof.
  intros m x x0 x1 y0 y1 w sh o c Q B O M K E. unfold if_stones in E.
  change (fst (seen m x w sh)) with (sh m land col (lane_of v w))%uint63 in E.
  destruct (is_zero (sh m land col (lane_of v w))%uint63) eqn:Z; [discriminate|]. injection E as <-.
  apply is_zero_false in Z. destruct Z as (n & Z). rewrite bitn_land in Z. apply andb_true_iff in Z.
  destruct Z as [Z1 Z2]. apply col_spec in Z2; [|assumption]. destruct Z2 as (j & J & ->).
  rewrite M in Z1 by assumption. destruct o as [w'|]; [|discriminate]. destruct K as [O' K].
  rewrite (rect_way _ _ _ _ _ _ _ Q) in Z1 by (assumption || (rewrite (kin_length _ _ K); assumption)).
  apply andb_true_iff in Z1. destruct Z1 as [Z1 _]. split; [|eauto].
  intros i I. unfold seen. cbn [fst]. rewrite bitn_land, M, col_index, andb_true_r by assumption.
  rewrite (rect_way _ _ _ _ _ _ _ Q) by (assumption || (rewrite (kin_length _ _ K); assumption)).
  rewrite Z1. destruct w, w'; simpl in *; tauto.
Qed.

Lemma fills_negated : forall x0 x1 y0 y1 w c, fills x0 x1 y0 y1 w c -> fills x0 x1 y0 y1 w (fast_negated c).
Proof. intros x0 x1 y0 y1 w [m x] H. exact H. Qed.

Lemma fills_combined : forall o x0 x1 y0 y1 w c d, fills x0 x1 y0 y1 w c -> fills x0 x1 y0 y1 w d ->
  fills x0 x1 y0 y1 w (fast_combined o c d).
Proof.
  intros o x0 x1 y0 y1 w [m x] [n y] H J i I. simpl. rewrite bitn_land.
  specialize (H i I). specialize (J i I). simpl in H, J. rewrite H, J. apply andb_diag.
Qed.

Lemma fills_contiguous : forall x0 x1 y0 y1 w c, x1 <= F -> y1 <= Rk -> x0 < x1 -> y0 < y1 ->
  fills x0 x1 y0 y1 w c -> contiguous (line_of w c) = true.
Proof.
  bounds. intros x0 x1 y0 y1 w c A B C D H'. unfold contiguous.
  apply existsb_exists. exists (match w with File _ => y0 | Rank _ => x0 end).
  split; [apply in_seq; destruct w; lia|].
  apply existsb_exists. exists (match w with File _ => y1 | Rank _ => x1 end).
  split; [apply in_seq; destruct w; lia|].
  unfold spans. apply forallb_forall. intros i I. rewrite length_line_of in I. apply in_seq in I.
  rewrite nth_line_of. replace (i <? way_length v w) with true by (symmetry; apply Nat.ltb_lt; lia).
  rewrite is_stone_sq, H' by lia. destruct w; simpl; apply eqb_reflx.
Qed.

(** ** The content of a way after an operator *)

Definition monotone (sh : int -> int) : Prop := forall y z n,
  (forall k, bitn y k = true -> bitn z k = true) -> bitn (sh y) n = true -> bitn (sh z) n = true.

Lemma monotone_lsl : forall s k, to_Z s = Z.of_nat k -> monotone (fun y => y << s)%uint63.
Proof.
  intros s k E y z n H B. destruct (Nat.lt_ge_cases n 63) as [L|L].
  - rewrite (bitn_lsl z s k) by assumption. rewrite (bitn_lsl y s k) in B by assumption.
    apply andb_true_iff in B. destruct B as [B1 B2].
    rewrite B1. apply H. assumption.
  - rewrite bitn_high in B by assumption. discriminate.
Qed.

Lemma monotone_lsr : forall s k, to_Z s = Z.of_nat k -> monotone (fun y => y >> s)%uint63.
Proof.
  intros s k E y z n H B. rewrite (bitn_lsr z s k) by assumption. rewrite (bitn_lsr y s k) in B by assumption. auto.
Qed.

Lemma step_nat : forall w, exists k, to_Z (step (lane_of v w)) = Z.of_nat k.
Proof. intros [f|r]; [exists 1 | exists 8]; reflexivity. Qed.

Lemma step2_nat : forall w, exists k, to_Z (step2 (lane_of v w)) = Z.of_nat k.
Proof. intros [f|r]; [exists 2 | exists 16]; reflexivity. Qed.

Lemma same_kind_refl : forall w, same_kind w w.
Proof. intros [f|r]; exact I. Qed.

Section Result.

Variables (p : fast) (b : board) (x0 x1 y0 y1 : nat).
Hypothesis S : shows (all p) (black p) b.
Hypothesis Q : rect (all p) x0 x1 y0 y1.
Variable w : way.
Hypothesis O : onboard w.

Definition fine (c : content) : Prop := tidy w c /\ fills x0 x1 y0 y1 w c.

Lemma seen_fine : forall sh o, monotone sh -> moves_to sh w o -> kin w o ->
  stones_on_option v b o = option_map (line_of w) (if_stones (seen (all p) (black p) w sh)) /\
  forall c, if_stones (seen (all p) (black p) w sh) = Some c -> fine c /\
    exists w', o = Some w' /\ crosses x0 x1 y0 y1 w' = true.
Proof.
  intros sh o M M' K. split; [apply seen_stones; assumption|].
  intros c E. destruct (seen_fills _ _ _ _ _ _ _ _ _ _ Q (shows_in _ _ _ S) O M' K E) as [H1 H2].
  split; [|assumption]. split; [|assumption].
  unfold if_stones in E. destruct (is_zero _); [discriminate|]. injection E as <-.
  apply seen_tidy with b; assumption.
Qed.

Lemma own_fine :
  stones_on v b w =
    option_map (line_of w) (if_stones (all p land col (lane_of v w), black p land col (lane_of v w))%uint63)
  /\ forall c, if_stones (all p land col (lane_of v w), black p land col (lane_of v w))%uint63 = Some c ->
    fine c /\ exists w', Some w = Some w' /\ crosses x0 x1 y0 y1 w' = true.
Proof.
  apply (seen_fine (fun y => y) (Some w)).
  - intros y z n H B. apply H. assumption.
  - apply moves_id.
  - split; [assumption | apply same_kind_refl].
Qed.

Lemma low_fine :
  stones_on_option v b (lower w) = option_map (line_of w) (if_stones (below (lane_of v w) (step (lane_of v w)) p)) /\
  forall c, if_stones (below (lane_of v w) (step (lane_of v w)) p) = Some c ->
    fine c /\ exists w', lower w = Some w' /\ crosses x0 x1 y0 y1 w' = true.
Proof.
  destruct (step_nat w) as (k & E).
  apply (seen_fine (fun y => y << step (lane_of v w))%uint63 (lower w)).
  - apply monotone_lsl with k. assumption.
  - apply moves_lower. assumption.
  - apply kin_lower. assumption.
Qed.

Lemma high_fine :
  stones_on_option v b (higher v w) =
    option_map (line_of w) (if_stones (above (lane_of v w) (step (lane_of v w)) p)) /\
  forall c, if_stones (above (lane_of v w) (step (lane_of v w)) p) = Some c ->
    fine c /\ exists w', higher v w = Some w' /\ crosses x0 x1 y0 y1 w' = true.
Proof.
  destruct (step_nat w) as (k & E).
  apply (seen_fine (fun y => y >> step (lane_of v w))%uint63 (higher v w)).
  - apply monotone_lsr with k. assumption.
  - apply moves_higher. assumption.
  - apply kin_higher. assumption.
Qed.

Lemma low2_fine : lower w <> None ->
  stones_on_option v b (twice lower w) =
    option_map (line_of w) (if_stones (below (lane_of v w) (step2 (lane_of v w)) p)) /\
  forall c, if_stones (below (lane_of v w) (step2 (lane_of v w)) p) = Some c ->
    fine c /\ exists w', twice lower w = Some w' /\ crosses x0 x1 y0 y1 w' = true.
Proof.
  intros N. destruct (step2_nat w) as (k & E).
  apply (seen_fine (fun y => y << step2 (lane_of v w))%uint63 (twice lower w)).
  - apply monotone_lsl with k. assumption.
  - apply moves_twice_lower; assumption.
  - apply kin_twice_lower. assumption.
Qed.

Lemma high2_fine : higher v w <> None ->
  stones_on_option v b (twice (higher v) w) =
    option_map (line_of w) (if_stones (above (lane_of v w) (step2 (lane_of v w)) p)) /\
  forall c, if_stones (above (lane_of v w) (step2 (lane_of v w)) p) = Some c ->
    fine c /\ exists w', twice (higher v) w = Some w' /\ crosses x0 x1 y0 y1 w' = true.
Proof.
  intros N. destruct (step2_nat w) as (k & E).
  apply (seen_fine (fun y => y >> step2 (lane_of v w))%uint63 (twice (higher v) w)).
  - apply monotone_lsr with k. assumption.
  - apply moves_twice_higher; assumption.
  - apply kin_twice_higher. assumption.
Qed.

Lemma created_fine : forall op near second,
  fine near -> (forall c, second = Some c -> fine c) ->
  created op (line_of w near) (option_map (line_of w) second) =
    option_map (line_of w) (fast_created op near second) /\
  forall c, fast_created op near second = Some c -> fine c.
Proof.
  intros op near second [T1 F1] H. destruct op as [| | |o|k]; simpl; try (split; [reflexivity | discriminate]).
  - split; [rewrite negated_line; reflexivity|]. intros c E. injection E as <-.
    split; [apply negated_tidy | apply fills_negated]; assumption.
  - destruct second as [d|]; simpl; [|split; [reflexivity | discriminate]].
    destruct (H d eq_refl) as [T2 F2]. split; [rewrite combined_line by assumption; reflexivity|].
    intros c E. injection E as <-. split; [apply combined_tidy | apply fills_combined]; assumption.
Qed.

Lemma modified_fine : forall op own low high,
  fine own -> (forall c, low = Some c -> fine c) -> (forall c, high = Some c -> fine c) ->
  modified op (line_of w own) (option_map (line_of w) low) (option_map (line_of w) high) =
    option_map (line_of w) (fast_modified (lane_of v w) op own low high) /\
  forall c, fast_modified (lane_of v w) op own low high = Some c -> fine c.
Proof.
  intros op own low high [T1 F1] L H. destruct op as [| | |o|k]; cbn [modified fast_modified].
  - destruct low, high; split; reflexivity || discriminate.
  - destruct low as [l|]; simpl; [|split; [destruct high; reflexivity | discriminate]].
    destruct (L l eq_refl). split; [rewrite negated_line; reflexivity|]. intros c E. injection E as <-.
    split; [apply negated_tidy | apply fills_negated]; assumption.
  - destruct high as [l|]; simpl; [|split; [destruct low; reflexivity | destruct low; discriminate]].
    destruct (H l eq_refl). split; [destruct low; simpl; rewrite negated_line; reflexivity|].
    intros c E. assert (E' : Some (fast_negated l) = Some c) by (destruct low; assumption). injection E' as <-.
    split; [apply negated_tidy | apply fills_negated]; assumption.
  - destruct low as [l|], high as [h|]; simpl; try (split; [reflexivity | discriminate]).
    destruct (L l eq_refl), (H h eq_refl). split; [rewrite combined_line by assumption; reflexivity|].
    intros c E. injection E as <-. split; [apply combined_tidy | apply fills_combined]; assumption.
  - destruct own as [m x]. rewrite (count_cells w m x) by assumption.
    destruct ((1 <=? k) && (k <? length (filter is_stone (line_of w (m, x))))); [|split; [reflexivity | discriminate]].
    destruct Q as [[Qa Qb] [Qc Qd] _].
    destruct (turns_line w m k x O T1) as [E T2]; [apply fills_contiguous with x0 x1 y0 y1; assumption|].
    split; [rewrite E; reflexivity|]. intros c X. injection X as <-. split; [exact T2 | exact F1].
Qed.

Lemma result_fine : forall op,
  result v b w op = option_map (line_of w) (fast_result p (lane_of v w) op) /\
  forall c, fast_result p (lane_of v w) op = Some c -> fine c /\
    (crosses x0 x1 y0 y1 w = true \/
     exists w', (lower w = Some w' \/ higher v w = Some w') /\ crosses x0 x1 y0 y1 w' = true).
Proof.
  intros op. unfold result, fast_result.
  destruct own_fine as [E0 H0]. destruct low_fine as [E1 H1]. destruct high_fine as [E2 H2].
  rewrite E0, E1, E2. cbv zeta.
  destruct (if_stones (all p land col (lane_of v w), black p land col (lane_of v w))%uint63) as [own|] eqn:W.
  - destruct (H0 own eq_refl) as [G0 (w' & X & C)]. injection X as <-.
    unfold if_stones in W. destruct (is_zero _) in W; [discriminate|]. injection W as <-.
    destruct (modified_fine op _ _ _ G0 (fun c E => proj1 (H1 c E)) (fun c E => proj1 (H2 c E))) as [A B].
    split; [|intros c E; split; [exact (B c E) | left; assumption]].
    cbn [option_map]. destruct (if_stones (below _ _ p)), (if_stones (above _ _ p)); exact A.
  - cbn [option_map]. destruct (if_stones (below (lane_of v w) (step (lane_of v w)) p)) as [near|].
    + cbn [option_map]. destruct (H1 near eq_refl) as [G1 (w' & X & C)].
      destruct low2_fine as [E3 H3]; [rewrite X; discriminate|]. rewrite E3.
      destruct (created_fine op near _ G1 (fun c E => proj1 (H3 c E))) as [A B].
      split; [exact A|]. intros c E. split; [exact (B c E)|]. right. exists w'. auto.
    + cbn [option_map]. destruct (if_stones (above (lane_of v w) (step (lane_of v w)) p)) as [near|];
        [|split; [reflexivity | discriminate]].
      cbn [option_map]. destruct (H2 near eq_refl) as [G1 (w' & X & C)].
      destruct high2_fine as [E3 H3]; [rewrite X; discriminate|]. rewrite E3.
      destruct (created_fine op near _ G1 (fun c E => proj1 (H3 c E))) as [A B].
      split; [exact A|]. intros c E. split; [exact (B c E)|]. right. exists w'. auto.
Qed.

Lemma holds_fine : holds_stones v b w = negb (is_zero (all p land col (lane_of v w))%uint63).
Proof.
  destruct own_fine as [E0 _]. unfold stones_on in E0. unfold holds_stones.
  unfold if_stones in E0. cbn [fst] in E0.
  destruct (existsb is_stone (line v b w)), (is_zero (all p land col (lane_of v w))%uint63);
    simpl in E0; reflexivity || discriminate.
Qed.

Lemma crosses_zero : is_zero (all p land col (lane_of v w))%uint63 = negb (crosses x0 x1 y0 y1 w).
Proof.
  destruct (crosses x0 x1 y0 y1 w) eqn:C; cbn [negb].
  - destruct (is_zero (all p land col (lane_of v w))%uint63) eqn:Z; [|reflexivity].
    destruct Q as [[Qa Qb] [Qc Qd] _].
    assert (I : (match w with File _ => y0 | Rank _ => x0 end) < way_length v w) by (destruct w; simpl; lia).
    apply is_zero_true with (n := way_index w (match w with File _ => y0 | Rank _ => x0 end)) in Z.
    rewrite bitn_land, col_index, andb_true_r in Z by assumption.
    rewrite (rect_way _ _ _ _ _ _ _ Q), C in Z by assumption. simpl in Z.
    exfalso. destruct w; simpl in Z; apply andb_false_iff in Z; destruct Z as [Z|Z];
      apply Nat.leb_gt in Z || apply Nat.ltb_ge in Z; lia.
  - apply is_zero_intro. intros n. rewrite bitn_land.
    destruct (bitn (col (lane_of v w)) n) eqn:E; [|apply andb_false_r].
    apply col_spec in E; [|assumption]. destruct E as (i & I & ->).
    rewrite (rect_way _ _ _ _ _ _ _ Q), C by assumption. reflexivity.
Qed.

End Result.

(** ** New content on a way *)

Definition mix (w : way) (x y : int) : int := (x land rest (lane_of v w) lor y)%uint63.

Lemma mix_bit : forall w x y n, onboard w -> only_on w y -> n < 63 ->
  bitn (mix w x y) n = if bitn (col (lane_of v w)) n then bitn y n else bitn x n.
Proof.
  intros w x y n O T L. unfold mix. rewrite bitn_lor, bitn_land, rest_spec by assumption.
  destruct (bitn (col (lane_of v w)) n) eqn:C; simpl.
  - rewrite andb_false_r. reflexivity.
  - rewrite andb_true_r. destruct (bitn y n) eqn:E; [|apply orb_false_r].
    apply T in E. apply col_spec in E; [|assumption]. congruence.
Qed.

Lemma col_at : forall w f r, onboard w -> f < F -> r < Rk ->
  bitn (col (lane_of v w)) (index f r) = match w with File g => f =? g | Rank s => r =? s end.
Proof.
  bounds. intros w f r O L M. apply bool_iff. rewrite col_spec by assumption. unfold on_way.
  destruct w as [g|s]; simpl in O |- *; rewrite Nat.eqb_eq; split.
  - intros (i & I & E). apply index_inj in E; lia.
  - intros <-. exists r. auto.
  - intros (i & I & E). apply index_inj in E; lia.
  - intros <-. exists f. auto.
Qed.

Lemma on_way_in : forall w n, onboard w -> on_way w n -> exists f r, f < F /\ r < Rk /\ n = index f r.
Proof. intros [f|r] n O (i & I & ->); simpl in *; eauto. Qed.

Lemma write_shows : forall m x b w c, shows m x b -> onboard w -> tidy w c ->
  shows (mix w m (fst c)) (mix w x (snd c)) (write v b w (line_of w c)).
Proof.
  intros m x b w c S O [T T']. assert (T2 : only_on w (snd c)) by (intros n H; apply T, T', H).
  split.
  - intros f r. unfold write. rewrite square_at_build.
    destruct (Nat.ltb_spec f F) as [L|L], (Nat.ltb_spec r Rk) as [M|M]; try reflexivity. simpl.
    pose proof (index_small f r L M) as N. unfold sq.
    rewrite (mix_bit w m (fst c) _ O T N), (mix_bit w x (snd c) _ O T2 N), (col_at w f r O L M).
    destruct w as [g|s]; rewrite nth_line_of; simpl.
    + destruct (Nat.eqb_spec f g) as [->|].
      * destruct (Nat.ltb_spec r Rk); [reflexivity | lia].
      * rewrite (shows_square _ _ _ S). destruct (Nat.ltb_spec f F), (Nat.ltb_spec r Rk); try lia. reflexivity.
    + destruct (Nat.eqb_spec r s) as [->|].
      * destruct (Nat.ltb_spec f F); [reflexivity | lia].
      * rewrite (shows_square _ _ _ S). destruct (Nat.ltb_spec f F), (Nat.ltb_spec r Rk); try lia. reflexivity.
  - intros n H. unfold mix in H. rewrite bitn_lor, bitn_land in H. apply orb_true_iff in H. destruct H as [H|H].
    + apply andb_true_iff in H. apply (shows_in _ _ _ S). tauto.
    + apply on_way_in with w; [assumption | apply T; assumption].
  - intros n H. unfold mix in *. rewrite bitn_lor, bitn_land in *. apply orb_true_iff in H. apply orb_true_iff.
    destruct H as [H|H]; [left | right; apply T'; assumption].
    apply andb_true_iff in H. apply andb_true_iff. split; [apply (shows_sub _ _ _ S)|]; tauto.
Qed.

Lemma mix_rect_bit : forall m x0 x1 y0 y1 w c f r, rect m x0 x1 y0 y1 -> onboard w -> tidy w c ->
  fills x0 x1 y0 y1 w c -> f < F -> r < Rk ->
  bitn (mix w m (fst c)) (index f r) =
  match w with
  | File g => if f =? g then (y0 <=? r) && (r <? y1) else (x0 <=? f) && (f <? x1) && ((y0 <=? r) && (r <? y1))
  | Rank s => if r =? s then (x0 <=? f) && (f <? x1) else (x0 <=? f) && (f <? x1) && ((y0 <=? r) && (r <? y1))
  end.
Proof.
  intros m x0 x1 y0 y1 w c f r Q O [T _] H L M.
  rewrite (mix_bit w m (fst c) _ O T (index_small f r L M)), (col_at w f r O L M), (rect_bit _ _ _ _ _ Q f r L M).
  destruct w as [g|s].
  - destruct (Nat.eqb_spec f g) as [->|]; [|reflexivity]. apply (H r M).
  - destruct (Nat.eqb_spec r s) as [->|]; [|reflexivity]. apply (H f L).
Qed.

Ltac cases := repeat match goal with
  | |- context [?a =? ?b] => destruct (Nat.eqb_spec a b)
  | |- context [?a <=? ?b] => destruct (Nat.leb_spec a b)
  | |- context [?a <? ?b] => destruct (Nat.ltb_spec a b)
  end; simpl; try reflexivity; try lia.

Lemma mix_rect : forall m x0 x1 y0 y1 w c, rect m x0 x1 y0 y1 -> onboard w -> tidy w c ->
  fills x0 x1 y0 y1 w c ->
  (crosses x0 x1 y0 y1 w = true \/
   exists w', (lower w = Some w' \/ higher v w = Some w') /\ crosses x0 x1 y0 y1 w' = true) ->
  exists a0 a1 b0 b1, rect (mix w m (fst c)) a0 a1 b0 b1.
Proof.
  intros m x0 x1 y0 y1 w c Q O T H X.
  assert (B := fun f r => mix_rect_bit m x0 x1 y0 y1 w c f r Q O T H).
  destruct Q as [[Qa Qb] [Qc Qd] _].
  assert (Same : crosses x0 x1 y0 y1 w = true -> rect (mix w m (fst c)) x0 x1 y0 y1).
  { intros C. split; [auto..|]. intros f r L M. rewrite B by assumption.
    destruct w as [g|s]; simpl in C; apply andb_true_iff in C; destruct C as [C1 C2];
      apply Nat.leb_le in C1; apply Nat.ltb_lt in C2; cases. }
  destruct (crosses x0 x1 y0 y1 w) eqn:C; [exists x0, x1, y0, y1; auto|].
  destruct X as [X|(w' & N & X)]; [discriminate|].
  destruct w as [g|s]; simpl in O.
  - assert (A : g = x1 \/ x0 = S g).
    { destruct N as [N|N].
      - destruct g as [|g]; simpl in N; [discriminate|]. injection N as <-. simpl in C, X. revert C X. cases.
      - unfold higher in N. destruct (S g <? F); [|discriminate]. injection N as <-. simpl crosses in C, X.
        revert C X. cases. }
    destruct A as [->| ->].
    + exists x0, (S x1), y0, y1. split; [lia | auto|]. intros f r L M. rewrite B by assumption. cases.
    + exists g, x1, y0, y1. split; [lia | auto|]. intros f r L M. rewrite B by assumption. cases.
  - assert (A : s = y1 \/ y0 = S s).
    { destruct N as [N|N].
      - destruct s as [|s]; simpl in N; [discriminate|]. injection N as <-. simpl in C, X. revert C X. cases.
      - unfold higher in N. destruct (S s <? Rk); [|discriminate]. injection N as <-. simpl crosses in C, X.
        revert C X. cases. }
    destruct A as [->| ->].
    + exists x0, x1, y0, (S y1). split; [auto | lia|]. intros f r L M. rewrite B by assumption. cases.
    + exists x0, x1, s, y1. split; [auto | lia|]. intros f r L M. rewrite B by assumption. cases.
Qed.

(** ** Lines and counts *)

(** [y] has the stones of side [s]. *)
Definition paints (y : int) (s : side) (b : board) : Prop :=
  inboard y /\ forall f r, is_stone_of s (square_at b f r) = (f <? F) && (r <? Rk) && bitn y (index f r).

Lemma paints_black : forall m x b, shows m x b -> paints x Black b.
Proof.
  intros m x b S. split; [exact (sub_in _ _ (shows_sub _ _ _ S) (shows_in _ _ _ S))|].
  intros f r. rewrite (shows_square _ _ _ S). destruct ((f <? F) && (r <? Rk)); [|reflexivity].
  apply black_sq. exact (shows_sub _ _ _ S).
Qed.

Lemma paints_white : forall m x b, shows m x b -> paints (m lxor x)%uint63 White b.
Proof.
  intros m x b S. pose proof (shows_sub _ _ _ S) as T. split.
  - intros n H. rewrite bitn_lxor in H. apply (shows_in _ _ _ S).
    destruct (bitn m n) eqn:M; [reflexivity|]. destruct (bitn x n) eqn:X; [|discriminate].
    rewrite (T n X) in M. discriminate.
  - intros f r. rewrite (shows_square _ _ _ S). destruct ((f <? F) && (r <? Rk)); [|reflexivity].
    rewrite bitn_lxor. specialize (T (index f r)). unfold sq.
    destruct (bitn m (index f r)), (bitn x (index f r)); try reflexivity. discriminate (T eq_refl).
Qed.

Lemma rows_spec : forall s ks, to_Z s = Z.of_nat ks -> forall n y found i,
  bitn (rows n s y found) i = true <->
  bitn found i = true /\ forall k, k < n -> bitn y (i + S k * ks) = true.
Proof.
  intros s ks E. induction n as [|n IH]; intros y found i; simpl rows.
  - split; [intros H; split; [assumption | lia] | tauto].
  - rewrite IH, bitn_land, andb_true_iff. split.
    + intros [[H1 H2] H3]. split; [assumption|]. intros [|k] K.
      * rewrite (bitn_lsr y s ks i E) in H2. rewrite <- H2. f_equal. lia.
      * specialize (H3 k ltac:(lia)). rewrite (bitn_lsr y s ks _ E) in H3. rewrite <- H3. f_equal. lia.
    + intros [H1 H2]. split; [split; [assumption|]|].
      * rewrite (bitn_lsr y s ks i E). rewrite <- (H2 0 ltac:(lia)). f_equal. lia.
      * intros k K. rewrite (bitn_lsr y s ks _ E). rewrite <- (H2 (S k) ltac:(lia)). f_equal. lia.
Qed.

Lemma fast_line_spec : forall s ks n y, to_Z s = Z.of_nat ks -> 1 <= n ->
  (fast_line y n s = true <-> exists i, forall k, k < n -> bitn y (i + k * ks) = true).
Proof.
  intros s ks n y E N. unfold fast_line. rewrite negb_true_iff. split.
  - intros Z. apply is_zero_false in Z. destruct Z as (i & Z). apply (rows_spec s ks E) in Z.
    destruct Z as [Z1 Z2]. exists i. intros [|k] K.
    + rewrite <- Z1. f_equal. lia.
    + apply Z2. lia.
  - intros (i & H). destruct (is_zero (rows (n - 1) s y y)) eqn:Z; [|reflexivity].
    apply (is_zero_true _ i) in Z.
    assert (T : bitn (rows (n - 1) s y y) i = true).
    { apply (rows_spec s ks E). split.
      - rewrite <- (H 0 ltac:(lia)). f_equal. lia.
      - intros k K. apply H. lia. }
    congruence.
Qed.

Lemma has_line_spec : forall b s n d, has_line v b s n d = true <->
  exists f r, f < F /\ r < Rk /\
    forall k, k < n -> is_stone_of s (square_at b (fst (place d n f r k)) (snd (place d n f r k))) = true.
Proof.
  intros b s n d. unfold has_line. rewrite existsb_exists. split.
  - intros ((f & r) & I & H). apply in_prod_iff in I. destruct I as [I1 I2]. apply in_seq in I1, I2.
    exists f, r. split; [lia|]. split; [lia|]. intros k K. rewrite forallb_forall in H.
    specialize (H k ltac:(apply in_seq; lia)). destruct (place d n f r k). assumption.
  - intros (f & r & L & M & H). exists (f, r). split; [apply in_prod_iff; split; apply in_seq; lia|].
    apply forallb_forall. intros k K. apply in_seq in K. specialize (H k ltac:(lia)).
    destruct (place d n f r k). assumption.
Qed.

Section Lines.

Variables (y : int) (s : side) (b : board).
Hypothesis P : paints y s b.
Variable n : nat.
Hypothesis N : 1 <= n.

Lemma stone_bit : forall f r, is_stone_of s (square_at b f r) = true -> bitn y (index f r) = true.
Proof.
  intros f r H. destruct P as [_ P2]. rewrite P2 in H. apply andb_true_iff in H. tauto.
Qed.

Lemma bit_stone : forall f r, f < F -> r < Rk -> bitn y (index f r) = true -> is_stone_of s (square_at b f r) = true.
Proof.
  intros f r L M H. destruct P as [_ P2]. rewrite P2, H.
  destruct (Nat.ltb_spec f F), (Nat.ltb_spec r Rk); reflexivity || lia.
Qed.

(** The line of bits [i], [i + step] ... is the line of squares in a direction. *)
Lemma line_bits : forall d st ks, to_Z st = Z.of_nat ks ->
  (forall f r k, f < F -> r < Rk -> k < n -> exists i, forall k, k < n ->
    index (fst (place d n f r k)) (snd (place d n f r k)) = i + k * ks) ->
  (forall i, (forall k, k < n -> exists f r, f < F /\ r < Rk /\ i + k * ks = index f r) ->
    exists f r, f < F /\ r < Rk /\ forall k, k < n ->
      fst (place d n f r k) < F /\ snd (place d n f r k) < Rk /\
      index (fst (place d n f r k)) (snd (place d n f r k)) = i + k * ks) ->
  has_line v b s n d = fast_line y n st.
Proof.
  intros d st ks E There Back. apply bool_iff. rewrite has_line_spec, (fast_line_spec st ks) by assumption. split.
  - intros (f & r & L & M & H). destruct (There f r 0 L M N) as (i & I). exists i. intros k K.
    rewrite <- I by assumption. apply stone_bit. apply H. assumption.
  - intros (i & H). destruct (Back i) as (f & r & L & M & B).
    + intros k K. destruct P as [P1 _]. apply P1. apply H. assumption.
    + exists f, r. split; [assumption|]. split; [assumption|]. intros k K. destruct (B k K) as (B1 & B2 & B3).
      apply bit_stone; [assumption..|]. rewrite B3. apply H. assumption.
Qed.

Lemma line_across : has_line v b s n Across = fast_line y n 1.
Proof.
  bounds. apply (line_bits Across _ 1); [reflexivity| |]; cbn [place fst snd]; unfold index.
  - intros f r _ _ _ _. exists (8 * r + f). intros; lia.
  - intros i H'. destruct (H' 0 ltac:(lia)) as (f & r & L & M & I). exists f, r. split; [assumption|].
    split; [assumption|]. induction k as [|k IH]; intros K; [lia|].
    destruct (IH ltac:(lia)) as (A & B & C). destruct (H' (S k) K) as (g & q & G & G' & J). lia.
Qed.

Lemma line_down : has_line v b s n Down = fast_line y n 8.
Proof.
  bounds. apply (line_bits Down _ 8); [reflexivity| |]; cbn [place fst snd]; unfold index.
  - intros f r _ _ _ _. exists (8 * r + f). intros; lia.
  - intros i H'. destruct (H' 0 ltac:(lia)) as (f & r & L & M & I). exists f, r. split; [assumption|].
    split; [assumption|]. induction k as [|k IH]; intros K; [lia|].
    destruct (IH ltac:(lia)) as (A & B & C). destruct (H' (S k) K) as (g & q & G & G' & J). lia.
Qed.

Lemma line_down_right : has_line v b s n DownRight = fast_line y n 9.
Proof.
  bounds. apply (line_bits DownRight _ 9); [reflexivity| |]; cbn [place fst snd]; unfold index.
  - intros f r _ _ _ _. exists (8 * r + f). intros; lia.
  - intros i H'. destruct (H' 0 ltac:(lia)) as (f & r & L & M & I). exists f, r. split; [assumption|].
    split; [assumption|]. induction k as [|k IH]; intros K; [lia|].
    destruct (IH ltac:(lia)) as (A & B & C). destruct (H' (S k) K) as (g & q & G & G' & J). lia.
Qed.

Lemma line_down_left : has_line v b s n DownLeft = fast_line y n 7.
Proof.
  bounds. apply (line_bits DownLeft _ 7); [reflexivity| |]; cbn [place fst snd]; unfold index.
  - intros f r _ _ _ _. exists (8 * r + f + (n - 1)). intros; lia.
  - intros i H'. destruct (H' 0 ltac:(lia)) as (g & r & L & M & I).
    assert (A : forall k, k < n -> k <= g /\ r + k < Rk).
    { induction k as [|k IH]; intros K; [lia|]. destruct (IH ltac:(lia)) as (A & B).
      destruct (H' (S k) K) as (h & q & G & G' & J). lia. }
    destruct (A (n - 1) ltac:(lia)) as (A1 & _).
    exists (g - (n - 1)), r. split; [lia|]. split; [assumption|]. intros k K. destruct (A k K). lia.
Qed.

Lemma count_stones : forall l, (forall f r, In (f, r) l -> f < F /\ r < Rk) ->
  length (filter (fun '(f, r) => is_stone_of s (square_at b f r)) l) =
  count_bits (map (fun '(f, r) => bit_at (index f r)) l) y.
Proof.
  induction l as [|(f, r) l IH]; intros H; [reflexivity|]. simpl.
  destruct (H f r (or_introl eq_refl)) as [L M]. rewrite has_bit_at by (apply index_small; assumption).
  destruct P as [_ P2]. rewrite P2. destruct (Nat.ltb_spec f F), (Nat.ltb_spec r Rk); try lia. simpl.
  destruct (bitn y (index f r)); simpl; rewrite IH; auto using in_cons.
Qed.

End Lines.

Lemma in_squares : forall f r, In (f, r) (squares v) <-> f < F /\ r < Rk.
Proof. intros f r. unfold squares. rewrite in_prod_iff, !in_seq. lia. Qed.

Lemma counted_fast : forall p b, shows (all p) (black p) b -> fast_counted v (tools_of v) p = counted v b.
Proof.
  intros p b S. unfold fast_counted, counted, fast_points, points. cbn [square_bits tools_of].
  rewrite (count_stones _ Black b (paints_black _ _ _ S) 1 (le_n 1)),
    (count_stones _ White b (paints_white _ _ _ S) 1 (le_n 1));
    [reflexivity | intros f r; apply in_squares..].
Qed.

(** ** Options [-n] and [-m] *)

Lemma square_eqb_sq : forall m x n m' x' n', sub x m -> sub x' m' ->
  square_eqb (sq m x n) (sq m' x' n') = Bool.eqb (bitn m n) (bitn m' n') && Bool.eqb (bitn x n) (bitn x' n').
Proof.
  intros m x n m' x' n' S S'. specialize (S n). specialize (S' n'). unfold sq.
  destruct (bitn m n), (bitn m' n'), (bitn x n), (bitn x' n'); simpl; try reflexivity;
    (specialize (S eq_refl); discriminate S) || (specialize (S' eq_refl); discriminate S').
Qed.

Lemma inside : forall A (x y : A) f r, f < F -> r < Rk -> (if (f <? F) && (r <? Rk) then x else y) = x.
Proof. intros A x y f r L M. destruct (Nat.ltb_spec f F), (Nat.ltb_spec r Rk); try lia. reflexivity. Qed.

Lemma same_fast : forall m x b m' x' b', shows m x b -> shows m' x' b' ->
  same v b b' = ((x =? x')%uint63 && (m =? m')%uint63)%bool.
Proof.
  intros m x b m' x' b' S S'. apply bool_iff. unfold same. rewrite forallb_forall, andb_true_iff, !eqb_spec. split.
  - intros H.
    assert (E : forall n, bitn m n = bitn m' n /\ bitn x n = bitn x' n).
    { intros n.
      assert (D : (exists f r, f < F /\ r < Rk /\ n = index f r) \/ (bitn m n = false /\ bitn m' n = false)).
      { destruct (bitn m n) eqn:M; [left; apply (shows_in _ _ _ S); assumption|].
        destruct (bitn m' n) eqn:M'; [left; apply (shows_in _ _ _ S'); assumption | auto]. }
      destruct D as [(f & r & L & M & ->)|[M M']].
      - specialize (H (f, r) (proj2 (in_squares f r) (conj L M))). simpl in H.
        rewrite (shows_square _ _ _ S), (shows_square _ _ _ S'), !inside in H by assumption.
        rewrite square_eqb_sq in H by (exact (shows_sub _ _ _ S) || exact (shows_sub _ _ _ S')).
        apply andb_true_iff in H. destruct H as [H1 H2]. apply eqb_prop in H1, H2. auto.
      - pose proof (shows_sub _ _ _ S n). pose proof (shows_sub _ _ _ S' n).
        destruct (bitn x n); [rewrite M in H0; discriminate (H0 eq_refl)|].
        destruct (bitn x' n); [rewrite M' in H1; discriminate (H1 eq_refl)|]. rewrite M, M'. auto. }
    split; apply bitn_ext; intros n; apply E.
  - intros [-> ->] (f, r) I. apply in_squares in I. destruct I.
    rewrite (shows_square _ _ _ S), (shows_square _ _ _ S'), !inside by assumption.
    apply square_eqb_eq. reflexivity.
Qed.

Lemma image_fast : forall p b q c (g : nat -> nat -> nat * nat), shows (all p) (black p) b ->
  shows (all q) (black q) c -> (forall f r, f < F -> r < Rk -> fst (g f r) < F /\ snd (g f r) < Rk) ->
  same v (build v (fun f r => square_at b (fst (g f r)) (snd (g f r)))) c =
  is_image (map (fun '(f, r) => (bit_at (index (fst (g f r)) (snd (g f r))), bit_at (index f r))) (squares v)) p q.
Proof.
  intros p b q c g S S' G. unfold same, is_image. rewrite forallb_map. apply forallb_ext.
  intros (f, r) I. apply in_squares in I. destruct I as [L M]. destruct (G f r L M) as [L' M'].
  rewrite square_at_build, (inside _ _ _ _ _ L M), (shows_square _ _ _ S), (shows_square _ _ _ S').
  rewrite (inside _ _ _ _ _ L M), (inside _ _ _ _ _ L' M').
  rewrite square_eqb_sq by (exact (shows_sub _ _ _ S) || exact (shows_sub _ _ _ S')).
  rewrite !has_bit_at by (apply index_small; assumption). reflexivity.
Qed.

Lemma forbidden_fast : forall p b q c, shows (all p) (black p) b -> shows (all q) (black q) c ->
  fast_forbidden v (tools_of v) p q = forbidden v b c.
Proof.
  bounds. intros p b q c S S'. unfold fast_forbidden, forbidden. rewrite (same_fast _ _ _ _ _ _ S S').
  unfold left_right, up_down.
  assert (I1 := image_fast p b q c (fun f r => (F - 1 - f, r)) S S' ltac:(intros; simpl; lia)).
  assert (I2 := image_fast p b q c (fun f r => (f, Rk - 1 - r)) S S' ltac:(intros; simpl; lia)).
  cbn [fst snd] in I1, I2. rewrite I1, I2. reflexivity.
Qed.

(** ** Targets *)

Definition target_index (t : target) : nat :=
  match t with b3 => 0 | b4 => 1 | b5 => 2 | w3 => 3 | w4 => 4 | w5 => 5 end.

Lemma target_index_inj : forall s t, (target_index s =? target_index t) = target_eqb t s.
Proof. intros [] []; reflexivity. Qed.

Lemma add_target_bit : forall found k lies n, k < 63 ->
  bitn (add_target found (bit_at k) lies) n = bitn found n || (n =? k) && lies tt.
Proof.
  intros found k lies n K. unfold add_target. rewrite has_bit_at by assumption.
  destruct (bitn found k) eqn:E.
  - destruct (Nat.eqb_spec n k) as [->|]; [rewrite E; reflexivity | rewrite orb_false_r; reflexivity].
  - destruct (lies tt); [rewrite bitn_lor, bitn_bit_at, andb_true_r by assumption; reflexivity|].
    rewrite andb_false_r, orb_false_r. reflexivity.
Qed.

Lemma with_targets_bit : forall m x b found t, shows m x b ->
  bitn (with_targets v found x m) (target_index t) = bitn found (target_index t) || lies_on v b t.
Proof.
  bounds. intros m x b found t S. pose proof (paints_black _ _ _ S) as B. pose proof (paints_white _ _ _ S) as W.
  unfold with_targets.
  change 1%uint63 with (bit_at 0) at 1. change 2%uint63 with (bit_at 1). change 4%uint63 with (bit_at 2).
  change 8%uint63 with (bit_at 3) at 2. change 16%uint63 with (bit_at 4). change 32%uint63 with (bit_at 5).
  rewrite !add_target_bit by lia.
  destruct t; cbn [target_index lies_on Nat.eqb andb]; rewrite ?orb_false_r;
    rewrite ?(line_across _ _ _ B), ?(line_down _ _ _ B), ?(line_down_right _ _ _ B), ?(line_down_left _ _ _ B),
      ?(line_across _ _ _ W), ?(line_down _ _ _ W), ?(line_down_right _ _ _ W), ?(line_down_left _ _ _ W) by assumption;
    reflexivity.
Qed.

Lemma masked_eqb : forall x l, (forall k, In k l -> k < 63) ->
  (x land bits_of l =? bits_of l)%uint63 = forallb (bitn x) l.
Proof.
  intros x l H. apply bool_iff. rewrite eqb_spec, forallb_forall. split.
  - intros E k I. assert (X : bitn (x land bits_of l) k = bitn (bits_of l) k) by (rewrite E; reflexivity).
    rewrite bitn_land, bitn_bits_of in X by assumption.
    replace (existsb (Nat.eqb k) l) with true in X; [rewrite andb_true_r in X; assumption|].
    symmetry. apply existsb_exists. exists k. rewrite Nat.eqb_refl. auto.
  - intros A. apply bitn_ext. intros n. rewrite bitn_land, bitn_bits_of by assumption.
    destruct (existsb (Nat.eqb n) l) eqn:E; [|apply andb_false_r].
    apply existsb_exists in E. destruct E as (k & I & E). apply Nat.eqb_eq in E. subst. rewrite A by assumption.
    reflexivity.
Qed.

(** ** Positions *)

Record refines (p : fast) (q : position) : Prop := {
  refines_board : shows (all p) (black p) (stones q);
  refines_turn : to_move p = turn q;
  refines_locks : forall w, onboard w -> is_locked q w = bitn (locks p) (lock_index w);
  refines_targets : forall t, is_cleared q t = bitn (targets p) (target_index t);
  refines_rect : exists x0 x1 y0 y1, rect (all p) x0 x1 y0 y1
}.

Lemma by_targets_fast : forall p q, refines p q -> fast_by_targets v (tools_of v) p = by_targets v q.
Proof.
  intros p q R. unfold fast_by_targets, by_targets, has_all, targets_of.
  change 7%uint63 with (bits_of [0; 1; 2]). change 56%uint63 with (bits_of [3; 4; 5]).
  rewrite !masked_eqb by (simpl; intros; lia). cbn [forallb].
  rewrite !(refines_targets _ _ R). cbn [target_index].
  rewrite (counted_fast p (stones q)) by exact (refines_board _ _ R). reflexivity.
Qed.

Lemma lock_small : forall w, onboard w -> lock_index w < 63.
Proof. bounds. intros [f|r] O'; simpl in *; lia. Qed.

Lemma lock_eqb : forall w w', onboard w -> onboard w' -> (lock_index w =? lock_index w') = way_eqb w w'.
Proof.
  bounds. intros [f|r] [g|s] O' O''; cbn [lock_index way_eqb onboard] in *; try reflexivity;
    apply bool_iff; rewrite ?Nat.eqb_eq; try lia; split; intros; lia || discriminate.
Qed.

Lemma move_fast : forall p q w op, refines p q -> onboard w ->
  match fast_move v (tools_of v) p (lane_of v w) op with
  | Some p' => legal v q (w, op) = true /\ refines p' (play v q (w, op))
  | None => legal v q (w, op) = false
  end.
Proof.
  intros p q w op R O. destruct R as [S T L C (x0 & x1 & y0 & y1 & Q)].
  unfold fast_move, fast_allowed, legal, play.
  assert (E : has_bit (locks p) (lock (lane_of v w)) = is_locked q w).
  { rewrite L by assumption. apply (has_bit_at (locks p) (lock_index w)). apply lock_small. assumption. }
  rewrite E. destruct (is_locked q w); [reflexivity|]. cbn [negb andb].
  destruct (result_fine p (stones q) x0 x1 y0 y1 S Q w O op) as [E1 H1].
  rewrite E1. destruct (fast_result p (lane_of v w) op) as [c|]; [|reflexivity]. cbn [option_map].
  destruct (H1 c eq_refl) as [[T1 F1] X].
  pose proof (write_shows _ _ _ w c S O T1) as S'.
  rewrite (holds_fine p (stones q) x0 x1 y0 y1 S Q w O).
  set (p' := fast_play v p (lane_of v w) c).
  assert (A : all p' = mix w (all p) (fst c)) by (destruct c; reflexivity).
  assert (B : black p' = mix w (black p) (snd c)) by (destruct c; reflexivity).
  rewrite <- A, <- B in S'.
  rewrite (forbidden_fast p (stones q) p' _ S S').
  destruct (negb (is_zero (all p land col (lane_of v w))%uint63) &&
    forbidden v (stones q) (write v (stones q) w (line_of w c))); [reflexivity|].
  split; [reflexivity|]. split.
  - exact S'.
  - destruct c. simpl. rewrite T. reflexivity.
  - intros w' O'. replace (locks p') with
      (if is_zero (all p land col (lane_of v w))%uint63 then locks p else (locks p lor lock (lane_of v w))%uint63)
      by (destruct c; reflexivity).
    unfold is_locked. cbn [locked].
    destruct (is_zero (all p land col (lane_of v w))%uint63); cbn [negb]; [exact (L w' O')|].
    cbn [existsb]. rewrite bitn_lor. fold (is_locked q w'). rewrite L by assumption.
    replace (bitn (lock (lane_of v w)) (lock_index w')) with (lock_index w' =? lock_index w)
      by (symmetry; apply (bitn_bit_at (lock_index w)); apply lock_small; assumption).
    rewrite lock_eqb by assumption. apply orb_comm.
  - intros t. replace (targets p') with (with_targets v (targets p) (black p') (all p')) by (destruct c; reflexivity).
    rewrite (with_targets_bit _ _ _ (targets p) t S'). rewrite <- C.
    unfold is_cleared at 1. cbn [cleared].
    set (g := fun s => is_cleared q s || lies_on v (write v (stones q) w (line_of w c)) s).
    change (is_cleared q t || lies_on v (write v (stones q) w (line_of w c)) t) with (g t). generalize g. clear.
    intros g. simpl. destruct (g b3) eqn:G1, (g b4) eqn:G2, (g b5) eqn:G3, (g w3) eqn:G4, (g w4) eqn:G5,
      (g w5) eqn:G6; destruct t; simpl; congruence.
  - rewrite A. apply mix_rect with x0 x1 y0 y1; assumption.
Qed.

Lemma in_operators : forall w op p, legal v p (w, op) = true -> onboard w -> forall q, refines q p -> In op operators.
Proof.
  intros w op p H O q R. destruct R as [S T L C (x0 & x1 & y0 & y1 & Q)].
  unfold legal in H. apply andb_true_iff in H. destruct H as [_ H].
  destruct op as [| | |o|k]; try (simpl; tauto); [destruct o; simpl; tauto|].
  unfold result in H.
  assert (K : forall own low high,
    modified (Shift k) own low high <> None -> length own <= 7 -> In (Shift k) operators).
  { intros own low high N B. unfold modified in N.
    destruct (Nat.leb_spec 1 k); [|destruct (N eq_refl)].
    destruct (Nat.ltb_spec k (length (filter is_stone own))); [|destruct (N eq_refl)].
    assert (D : length (filter is_stone own) <= length own).
    { clear. induction own as [|x own IH]; simpl; [lia|]. destruct (is_stone x); simpl; lia. }
    destruct k as [|[|[|[|[|[|[|k]]]]]]]; try lia; simpl; tauto. }
  destruct (stones_on v (stones p) w) as [own|] eqn:E.
  - apply (K own (stones_on_option v (stones p) (lower w)) (stones_on_option v (stones p) (higher v w))).
    + intros N. destruct (stones_on_option v (stones p) (lower w)), (stones_on_option v (stones p) (higher v w));
        rewrite N in H; discriminate.
    + unfold stones_on in E. destruct (existsb is_stone (line v (stones p) w)); [|discriminate]. injection E as <-.
      rewrite (line_shows _ _ _ w S O), map_length, seq_length. apply way_length_7.
  - destruct (stones_on_option v (stones p) (lower w)), (stones_on_option v (stones p) (higher v w));
      simpl in H; discriminate.
Qed.

Lemma in_options : forall A (x : option A) y, In y (options x) <-> x = Some y.
Proof.
  intros A [x|] y; simpl; split; [intros [->|[]]; reflexivity | intros E; injection E; auto | tauto | discriminate].
Qed.

Lemma in_contents : forall p a c, In c (fast_contents p a) <->
  exists op, In op operators /\ fast_result p a op = Some c.
Proof.
  intros p a c. unfold fast_contents, fast_result. cbv zeta.
  assert (A : forall (g : operator -> option content) l, (forall op, In op l -> In op operators) ->
    (forall op d, In op operators -> g op = Some d -> In op l) ->
    (In c (flat_map (fun op => options (g op)) l) <-> exists op, In op operators /\ g op = Some c)).
  { intros g l Sub Sup. rewrite in_flat_map. split.
    - intros (op & I & J). apply in_options in J. eauto.
    - intros (op & I & J). exists op. split; [apply Sup with c; assumption | apply in_options; assumption]. }
  assert (B : forall near second,
    In c (flat_map (fun op => options (fast_created op near second)) creating) <->
    exists op, In op operators /\ fast_created op near second = Some c).
  { intros near second. apply (A (fun op => fast_created op near second)).
    - intros op I. simpl in I. decompose [or] I; subst; simpl; tauto.
    - intros op d _ E. destruct op as [| | |[]|]; simpl in E |- *; try discriminate; tauto. }
  assert (C : forall own low high,
    In c (flat_map (fun op => options (fast_modified a op own low high)) modifying) <->
    exists op, In op operators /\ fast_modified a op own low high = Some c).
  { intros own low high. apply (A (fun op => fast_modified a op own low high)).
    - intros op I. simpl in I. decompose [or] I; subst; simpl; tauto.
    - intros op d I E. simpl in I. decompose [or] I; subst; simpl; try tauto.
      exfalso. simpl in E. destruct low, high; discriminate. }
  destruct (if_stones (all p land col a, black p land col a)%uint63); [apply C|].
  destruct (if_stones (below a (step a) p)); [apply B|].
  destruct (if_stones (above a (step a) p)); [apply B|].
  simpl. split; [contradiction|]. intros (op & _ & E). discriminate.
Qed.

Lemma in_distinct : forall l c, In c (distinct l) <-> In c l.
Proof.
  induction l as [|d l IH]; intros c; simpl; [tauto|].
  destruct (existsb (content_eqb d) (distinct l)) eqn:E; simpl; rewrite IH; [|tauto].
  split; [auto|]. intros [<-|I]; [|assumption]. apply existsb_exists in E. destruct E as (e & I & E).
  unfold content_eqb in E. apply andb_true_iff in E. destruct E as [E1 E2]. apply eqb_spec in E1, E2.
  apply IH. destruct d, e; simpl in *; congruence.
Qed.

Lemma in_insert : forall n q l c, In c (map snd (insert n q l)) <-> c = q \/ In c (map snd l).
Proof.
  intros n q. induction l as [|(m, r) l IH]; intros c; simpl; [intuition congruence|].
  destruct (m <? n)%uint63; simpl; [rewrite IH|]; intuition congruence.
Qed.

Lemma in_in_order : forall s l c, In c (in_order s l) <-> In c l.
Proof.
  intros s. unfold in_order. induction l as [|q l IH]; intros c; simpl; [tauto|].
  rewrite in_insert, IH. intuition congruence.
Qed.

Lemma in_children : forall p c, In c (fast_children v (tools_of v) p) <->
  exists a op, In a (lanes (tools_of v)) /\ In op operators /\ fast_move v (tools_of v) p a op = Some c.
Proof.
  intros p c. unfold fast_children. rewrite in_in_order, in_flat_map. unfold fast_move. split.
  - intros (a & A & I). exists a. destruct (has_bit (locks p) (lock a)); [contradiction|].
    apply in_flat_map in I. destruct I as (d & D & I). apply in_options in I.
    rewrite in_distinct, in_contents in D. destruct D as (op & J & E). exists op. rewrite E. auto.
  - intros (a & op & A & J & E). exists a. split; [assumption|].
    destruct (has_bit (locks p) (lock a)); [discriminate|].
    destruct (fast_result p a op) as [d|] eqn:D; [|discriminate].
    apply in_flat_map. exists d. split; [|apply in_options; assumption].
    rewrite in_distinct, in_contents. eauto.
Qed.

Lemma child_fast : forall p q m, refines p q -> In m (moves v q) ->
  exists c, In c (fast_children v (tools_of v) p) /\ refines c (play v q m).
Proof.
  intros p q [w op] R I. unfold moves in I. apply filter_In in I. destruct I as [I E].
  apply in_prod_iff in I. destruct I as [I J]. pose proof (proj1 (in_ways w) I) as O.
  pose proof (move_fast p q w op R O) as M.
  destruct (fast_move v (tools_of v) p (lane_of v w) op) as [c|] eqn:X; [|congruence].
  exists c. split; [|tauto]. apply in_children. exists (lane_of v w), op. split; [|auto].
  unfold tools_of. cbn [lanes]. apply in_map. assumption.
Qed.

Lemma legal_in_moves : forall p q w op, refines p q -> onboard w -> legal v q (w, op) = true ->
  In (w, op) (moves v q).
Proof.
  intros p q w op R O E. unfold moves. apply filter_In. split; [|assumption].
  apply in_prod_iff. split; [apply in_ways; assumption | apply (in_operators w op q E O p R)].
Qed.

Lemma parent_fast : forall p q c, refines p q -> In c (fast_children v (tools_of v) p) ->
  exists m, In m (moves v q) /\ refines c (play v q m).
Proof.
  intros p q c R I. apply in_children in I. destruct I as (a & op & A & J & I).
  unfold tools_of in A. cbn [lanes] in A. apply in_map_iff in A. destruct A as (w & <- & W). apply in_ways in W.
  pose proof (move_fast p q w op R W) as M. rewrite I in M.
  exists (w, op). split; [|tauto]. apply legal_in_moves with p; tauto.
Qed.

Lemma suggested_fast : forall o p q c, refines p q -> fast_suggested v (tools_of v) o p = Some c ->
  exists m, In m (moves v q) /\ refines c (play v q m).
Proof.
  intros o p q c R E. unfold fast_suggested in E. destruct (o p) as [(i, op)|]; [|discriminate].
  destruct (nth_error (lanes (tools_of v)) i) as [a|] eqn:N; [|discriminate].
  apply nth_error_In in N. unfold tools_of in N. cbn [lanes] in N.
  apply in_map_iff in N. destruct N as (w & <- & W). apply in_ways in W.
  pose proof (move_fast p q w op R W) as M. rewrite E in M.
  exists (w, op). split; [|tauto]. apply legal_in_moves with p; tauto.
Qed.

Lemma start_fast : refines (fast_start v) (start v).
Proof.
  bounds. pose proof (index_small (start_file v) (start_rank v) ltac:(assumption) ltac:(assumption)) as I.
  assert (B : forall n, bitn (all (fast_start v)) n = (n =? index (start_file v) (start_rank v)))
    by (intros n; apply bitn_bit_at; assumption).
  split.
  - split.
    + intros f r. cbn [stones start]. rewrite square_at_build.
      destruct (Nat.ltb_spec f F), (Nat.ltb_spec r Rk); try reflexivity. simpl andb. cbv iota.
      unfold sq. rewrite B. cbn [black fast_start]. rewrite bitn_zero.
      destruct (Nat.eqb_spec f (start_file v)) as [->|], (Nat.eqb_spec r (start_rank v)) as [->|];
        [rewrite Nat.eqb_refl; reflexivity | ..]; cbn [andb];
        match goal with |- context [?a =? ?b] => destruct (Nat.eqb_spec a b) as [X|X] end; try reflexivity;
        unfold index in X; lia.
    + intros n H'. rewrite B in H'. apply Nat.eqb_eq in H'. eauto.
    + intros n H'. cbn [black fast_start] in H'. rewrite bitn_zero in H'. discriminate.
  - reflexivity.
  - intros w O. cbn [locks fast_start]. rewrite bitn_zero. reflexivity.
  - intros t. cbn [targets fast_start]. rewrite bitn_zero. reflexivity.
  - exists (start_file v), (S (start_file v)), (start_rank v), (S (start_rank v)). split; [lia | lia|].
    intros f r L M. rewrite B. unfold index. cases.
Qed.

End Refine.
