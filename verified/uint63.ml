(* The 63-bit unsigned integers of Coq as native integers of OCaml. *)

type t = int

let[@inline] ult (x : int) (y : int) = x lxor min_int < y lxor min_int
let[@inline] l_sl x y = if 0 <= y && y < 63 then x lsl y else 0
let[@inline] l_sr x y = if 0 <= y && y < 63 then x lsr y else 0
let[@inline] l_and (x : int) y = x land y
let[@inline] l_or (x : int) y = x lor y
let[@inline] l_xor (x : int) y = x lxor y
let[@inline] add (x : int) y = x + y
let[@inline] sub (x : int) y = x - y
let[@inline] mul (x : int) y = x * y
let[@inline] equal (x : int) (y : int) = x = y
let[@inline] lt x y = ult x y
let[@inline] le x y = not (ult y x)

let rem x y =
  if y = 0 then x
  else if y < 0 then if ult x y then x else x - y
  else if x >= 0 then x mod y
  else
    let r = x - (((x lsr 1) / y) lsl 1) * y in
    if ult r y then r else r - y

let of_int (x : int) : t = x
