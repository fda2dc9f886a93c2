(* Checks certificates that `unpack` has written as text: check.exe [SLOTS] < TEXT. SLOTS is the number of slots of
   each of its tables. Exit status: 0 proved, 1 not proved, 2 bad input. *)

open Extracted

(* The same oracle, which also shows how often it was asked. A position that the tables have forgotten is asked again. *)
let with_progress (certificate : Reader.certificate) oracle =
  let asked = ref 0 and listed = Hashtbl.length certificate.moves in
  fun position ->
    incr asked;
    if !asked mod 500_000 = 0 then
      Printf.eprintf "%s: %d moves looked up, %d are listed\n%!" certificate.code !asked listed;
    oracle position

let () =
  try
    let certificate = Reader.read stdin in
    let v = Text.variant certificate.code in
    let name = match certificate.winner with Black -> "Black" | White -> "White" in
    let slots =
      match Sys.argv with
      | [| _; slots |] -> int_of_string slots
      | _ ->
        let squares = Text.int v.files * Text.int v.ranks in
        if squares <= 12 then 10_007 else if squares <= 16 then 100_003 else 1_000_003
    in
    Gc.set { (Gc.get ()) with minor_heap_size = 1_000_000; space_overhead = 200 };
    let begun = Sys.time () in
    let oracle = with_progress certificate (Reader.oracle v certificate) in
    let horizon = Text.nat certificate.horizon in
    if check v (Uint63.of_int slots) oracle certificate.winner horizon then
      Printf.printf "%s: %s wins: proved with %d listed moves, in %.1f seconds\n" certificate.code name
        (Hashtbl.length certificate.moves) (Sys.time () -. begun)
    else begin
      Printf.printf "%s: not proved that %s wins\n" certificate.code name;
      exit 1
    end
  with
  | Text.Bad message -> prerr_endline ("error: " ^ message); exit 2
  | End_of_file | Scanf.Scan_failure _ | Failure _ ->
    prerr_endline "error: the input is not a certificate as unpack writes it"; exit 2
