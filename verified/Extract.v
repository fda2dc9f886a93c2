(** Extracts the rules and the checker to OCaml. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63 PArray.
From Yomikiri Require Import Rules Checker.

(** ExtrOCamlPArray of Coq 8.16 writes types that OCaml does not accept. *)
Extract Constant PArray.array "'a" => "'a Parray.t".
Extract Constant PArray.make => "Parray.make".
Extract Constant PArray.get => "Parray.get".
Extract Constant PArray.default => "Parray.default".
Extract Constant PArray.set => "Parray.set".
Extract Constant PArray.length => "Parray.length".

Extraction "extracted.ml" start moves play over longest ways check.
