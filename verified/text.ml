(* Rule codes, moves and positions as text, for the drivers. *)

open Extracted

exception Bad of string

let rec nat n = if n <= 0 then O else S (nat (n - 1))
let rec int = function O -> 0 | S n -> 1 + int n

let digit c = Char.code c - Char.code '0'

(* The variant of a rule code, as docs/binarsi.md defines the codes. Anything else is refused. *)
let variant code =
  let bad () = raise (Bad (Printf.sprintf "rule code \"%s\": not a code of Binarsi" code)) in
  match String.split_on_char '-' code with
  | size :: options when String.length size = 6 && String.sub size 0 3 = "bin" && size.[4] = 'x' ->
    let files = digit size.[3] and ranks = digit size.[5] in
    if files < 2 || files > 7 || ranks < 2 || ranks > 6 then bad ();
    let smaller = min files ranks in
    let plain =
      { files = nat files; ranks = nat ranks;
        start_file = nat (max 1 (files / 2) - 1); start_rank = nat (max 1 (ranks / 2) - 1);
        short = nat (min 3 smaller); diagonal = nat (min 4 smaller); long = nat (min 5 smaller);
        komi_side = White; komi_halves = nat 1; forbid_idle = false; forbid_mirror = false }
    in
    let is_digit c = '0' <= c && c <= '9' in
    (* The number of an option: options come in this order, each at most once. *)
    let add (last, v) option =
      let length = String.length option in
      let number, v =
        match if length > 0 then option.[0] else ' ' with
        | 's' when length = 3 ->
          let file = digit option.[1] - 1 and rank = Char.code option.[2] - Char.code 'a' in
          if file < 0 || file >= files || rank < 0 || rank >= ranks then bad ();
          1, { v with start_file = nat file; start_rank = nat rank }
        | 't' when length = 4 ->
          let target i = if option.[i] < '2' || option.[i] > '9' then bad () else nat (digit option.[i]) in
          2, { v with short = target 1; diagonal = target 2; long = target 3 }
        | 'k' when (length = 5 || length = 6) && String.sub option (length - 2) 2 = ".5" ->
          let whole = String.sub option 2 (length - 4) in
          if not (String.for_all is_digit whole) || (String.length whole = 2 && whole.[0] = '0') then bad ();
          let side = match option.[1] with 'b' -> Black | 'w' -> White | _ -> bad () in
          3, { v with komi_side = side; komi_halves = nat (2 * int_of_string whole + 1) }
        | 'n' when length = 1 -> 4, { v with forbid_idle = true }
        | 'm' when length = 1 -> 4, { v with forbid_idle = true; forbid_mirror = true }
        | _ -> bad ()
      in
      if number <= last then bad () else (number, v)
    in
    snd (List.fold_left add (0, plain) options)
  | _ -> bad ()

let operator_names =
  [ Combine And, "a"; Not, "n"; NotHigh, "nH"; NotLow, "nL"; Combine Nand, "na"; Combine Nor, "no"; Combine Or, "o";
    Shift (nat 1), "s1"; Shift (nat 2), "s2"; Shift (nat 3), "s3"; Shift (nat 4), "s4"; Shift (nat 5), "s5";
    Shift (nat 6), "s6"; Combine Xnor, "xn"; Combine Xor, "xo" ]

let way_name = function
  | File f -> String.make 1 (Char.chr (Char.code '1' + int f))
  | Rank r -> String.make 1 (Char.chr (Char.code 'a' + int r))

let move_name (way, operator) = way_name way ^ List.assoc operator operator_names

(* The way with a number: files from 0, ranks from 7. *)
let way_of_number n = if n < 7 then File (nat n) else Rank (nat (n - 7))

let all_targets = [ B3; B4; B5; W3; W4; W5 ]

let rectangle_sides board =
  let rows = List.filter (List.exists (fun square -> square <> Empty)) board in
  let stones = match rows with [] -> [] | row :: _ -> List.filter (fun square -> square <> Empty) row in
  List.length stones, List.length rows

let ply p =
  let width, height = rectangle_sides p.stones in
  width + height - 2 + List.length p.locked

(* The position as an SFEN. Cleared targets have the ply of the position. *)
let sfen v p =
  let ply = ply p in
  let row squares =
    let buffer = Buffer.create 8 in
    let flush n = if n > 0 then Buffer.add_string buffer (string_of_int n) in
    let step empty = function
      | Empty -> empty + 1
      | Stone side -> flush empty; Buffer.add_char buffer (if side = Black then 'x' else 'o'); 0
    in
    flush (List.fold_left step 0 squares);
    Buffer.contents buffer
  in
  let locks = String.concat "" (List.map way_name (List.filter (fun way -> List.mem way p.locked) (ways v))) in
  let target t = if List.mem t p.cleared then string_of_int ply else "" in
  Printf.sprintf "%s %s %s %s %d"
    (String.concat "/" (List.map row p.stones))
    (if p.turn = Black then "b" else "w")
    (if locks = "" then "-" else locks)
    (if p.cleared = [] then "-" else String.concat "/" (List.map target all_targets))
    ply
