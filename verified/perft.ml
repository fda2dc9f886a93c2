(* Move sequences and random games by the extracted rules of Rules.v, to compare with other programs.

   perft CODE DEPTH             prints the number of move sequences of each length up to DEPTH
   perft --random CODE N SEED   prints N positions of random games, each with the positions after all its moves *)

open Extracted
open Text

let legal v p = match over v p with Some _ -> [] | None -> moves v p

let rec perft v p depth =
  if depth = 0 then 1
  else
    let after = legal v p in
    if depth = 1 then List.length after
    else List.fold_left (fun sum m -> sum + perft v (play v p m) (depth - 1)) 0 after

let print_random v code count =
  let left = ref count in
  while !left > 0 do
    let p = ref (start v) and going = ref true in
    while !going && !left > 0 do
      let after = legal v !p in
      decr left;
      let children = List.map (fun m -> move_name m ^ "=" ^ sfen v (play v !p m)) after in
      let winner = match over v !p with None -> "-" | Some Black -> "b" | Some White -> "w" in
      Printf.printf "%s\t%s\t%s\t%s\n" code (sfen v !p) winner (String.concat "," children);
      match after with
      | [] -> going := false
      | _ -> p := play v !p (List.nth after (Random.int (List.length after)))
    done
  done

let () =
  try
    match Array.to_list Sys.argv with
    | [ _; "--random"; code; count; seed ] ->
      Random.init (int_of_string seed);
      print_random (variant code) code (int_of_string count)
    | [ _; code; depth ] ->
      let v = variant code in
      for d = 1 to int_of_string depth do Printf.printf "%d %d\n%!" d (perft v (start v) d) done
    | _ -> prerr_endline "error: perft CODE DEPTH, or perft --random CODE N SEED"; exit 2
  with Bad message -> prerr_endline ("error: " ^ message); exit 2
