(* Reads a certificate from lines of text, and finds its moves: the line "CODE WINNER HORIZON", then lines "KEY BYTE",
   as docs/format.md defines them. Nothing here is trusted: a wrong move only makes the check fail. *)

open Extracted

type certificate = { code : string; winner : side; horizon : int; moves : (int, int) Hashtbl.t }

let read channel =
  let code, winner, horizon = Scanf.sscanf (input_line channel) "%s %s %d" (fun code winner n -> code, winner, n) in
  let winner =
    match winner with
    | "black" -> Black
    | "white" -> White
    | other -> raise (Text.Bad (Printf.sprintf "winner \"%s\": not a side" other))
  in
  let moves = Hashtbl.create 100_000 in
  (try
     while true do
       Scanf.sscanf (input_line channel) "%d %d" (Hashtbl.replace moves)
     done
   with End_of_file -> ());
  { code; winner; horizon; moves }

(* The rectangle of a position: width, height, first file and first rank. *)
let rectangle (p : fast) =
  let rec low n mask step = if p.all land (mask lsl (step * n)) <> 0 then n else low (n + 1) mask step in
  let rec size n mask step = if p.all land (mask lsl (step * n)) = 0 then 0 else 1 + size (n + 1) mask step in
  let file = low 0 0x10101010101 1 and rank = low 0 0x7f 8 in
  size file 0x10101010101 1, size rank 0x7f 8, file, rank

let reversed =
  let reverse bits n = List.fold_left (fun sum at -> (sum lsl 1) lor ((bits lsr at) land 1)) 0 (List.init n Fun.id) in
  Array.init 8 (fun n -> Array.init 128 (fun bits -> reverse bits n))

(* The oracle of a certificate: for a position, the number of a way and an operator. *)
let oracle v certificate =
  let files = Text.int v.files and ranks = Text.int v.ranks in
  let bases = Hashtbl.create 600 in
  let base = ref 0 in
  for width = 1 to files do
    for height = 1 to ranks do
      for file = 0 to files - width do
        for rank = 0 to ranks - height do
          Hashtbl.add bases (width, height, file, rank) !base;
          base := !base + 1 lsl ((width * height) + width + height + 6)
        done
      done
    done
  done;
  let key (p : fast) (width, height, file, rank) of_files of_ranks =
    let row = ref 0 in
    for at = height - 1 downto 0 do
      let from = rank + if of_ranks then height - 1 - at else at in
      let bits = (p.black lsr ((8 * from) + file)) land ((1 lsl width) - 1) in
      row := (!row lsl width) lor (if of_files then reversed.(width).(bits) else bits)
    done;
    let file_locks = (p.locks lsr file) land ((1 lsl width) - 1) in
    let rank_locks = (p.locks lsr (7 + rank)) land ((1 lsl height) - 1) in
    let lock =
      (if of_files then reversed.(width).(file_locks) else file_locks)
      lor ((if of_ranks then reversed.(height).(rank_locks) else rank_locks) lsl width)
    in
    let file = if of_files then files - width - file else file in
    let rank = if of_ranks then ranks - height - rank else rank in
    Hashtbl.find bases (width, height, file, rank)
    + ((((lock lsl (width * height)) lor !row) lsl 6) lor p.targets)
  in
  let numbers = Array.init (files + ranks) Text.nat in
  let operators = Array.of_list (List.map fst Text.operator_names) in
  let shifts = Array.init 7 (fun k -> Shift (Text.nat k)) in
  let own byte (width, height, _, _) of_files of_ranks =
    let way = byte lsr 4 and number = byte land 15 in
    let is_file = way < 7 in
    let at =
      if is_file then if of_files then files - 1 - way else way
      else files + if of_ranks then ranks - 1 - (way - 7) else way - 7
    in
    let across = if is_file then of_files else of_ranks and along = if is_file then of_ranks else of_files in
    let operator =
      match number with
      | 2 when across -> NotLow
      | 3 when across -> NotHigh
      | _ when number >= 7 && number <= 12 && along ->
        let turned = (if is_file then height else width) - (number - 6) in
        if turned >= 1 && turned <= 6 then shifts.(turned) else operators.(number)
      | _ -> operators.(number)
    in
    if at >= 0 && at < files + ranks then Some (numbers.(at), operator) else None
  in
  fun p ->
    let rectangle = rectangle p in
    let images = [ false, false; true, false; false, true; true, true ] in
    let least =
      List.fold_left
        (fun (best, image) (of_files, of_ranks) ->
          let key = key p rectangle of_files of_ranks in
          if key < best then key, (of_files, of_ranks) else best, image)
        (max_int, (false, false)) images
    in
    let number, (of_files, of_ranks) = least in
    match Hashtbl.find_opt certificate.moves number with
    | Some byte when byte land 15 < 15 -> own byte rectangle of_files of_ranks
    | _ -> None
