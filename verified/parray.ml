(* The persistent arrays of Coq. The newest version is a plain array; each older one is its difference to the next. *)

type 'a t = 'a state ref
and 'a state = Plain of 'a array * 'a | Changed of int * 'a * 'a t

let max_length = 4194303

let make (size : Uint63.t) default =
  let size = if Uint63.le size max_length then size else max_length in
  ref (Plain (Array.make size default, default))

let rec newest t =
  match !t with
  | Plain (a, default) -> a, default
  | Changed (i, x, next) ->
    let a, default = newest next in
    next := Changed (i, a.(i), t);
    a.(i) <- x;
    t := Plain (a, default);
    a, default

let length t = Array.length (fst (newest t))

let get t i =
  let a, default = newest t in
  if Uint63.lt i (Array.length a) then Array.unsafe_get a i else default

let set t i x =
  let a, default = newest t in
  if Uint63.lt i (Array.length a) then begin
    let next = ref (Plain (a, default)) in
    t := Changed (i, Array.unsafe_get a i, next);
    Array.unsafe_set a i x;
    next
  end
  else t

let default t = snd (newest t)
