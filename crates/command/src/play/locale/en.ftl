# What `yomikiri play` says in English. Messages that share a variable with `side` or `who` may refer to these.

side = { $side ->
    [black] Black
   *[white] White
}
who = { $who }
plies = { $plies ->
    [1] 1 ply
   *[other] { $plies } plies
}

opening = { $code }: Black ({ $black-mark }) { $black }, White ({ $white-mark }) { $white }.
how-to-begin = Type a move, such as { $move }, or a command.
# $padded is $move, filled up to the second column.
help =
    { $padded } make a move (or: do { $move })
    moves           the legal moves
    hint            what every move is worth, or which is best
    undo, redo      back to your last turn, and forward again
    board           the board once more
    position        the position as a text, for new, query and --start
    go              the computer moves for you
    black WHO       human, computer, random or greedy plays Black; white WHO
    resign          give up
    draw            claim the draw after the third repetition
    save FILE       write the game to a new file; save! FILE replaces an old one
    load FILE       go on with a game from a file
    new [POSITION]  begin again
    quit            leave; so do Ctrl-C and Ctrl-D
    While the computer thinks, stop or Ctrl-C makes it move at once.
prompt = { side } ({ $mark }) to move, help lists the commands>
prompt-at-end = The game is over (undo, new, save, quit)>

# The line above a board; $plies is filled up to two columns, and the colour is in small letters.
board = [{ $plies } moves | next { $side }]
thinks = { side } thinks ...
plays = { side } plays { $move }.
plays-knowing = { side } plays { $move } ({ $opinion }).
passes = { side } has no move and passes.
edited = The board was edited: { $edit }.
last-move = Last move: { side } { $move }.
legal-moves = { $count ->
    [1] 1 legal move:
   *[other] { $count } legal moves:
}

# What a machine thinks of its move; $prospect is one of the next six.
opinion = { $source ->
    [random] at random
    [greedy] greedily
    [table] by the table: { $prospect }
    [certificate] by the certificate: { $prospect }
    [opening] by the opening: { $prospect }
    [unchecked-certificate] by an unchecked certificate: { $prospect }
    [unchecked-opening] by an unchecked opening: { $prospect }
    [search] search, depth { $depth }: { $prospect }
   *[exact] read out to the end: { $prospect }
}
even = even
ahead = { $score } for { side }
drawn = it is a draw
won = { side } wins
won-in = { side } wins in { plies }
won-within = { side } wins within { plies }
won-by = { side } wins by { $points }

# What a move comes to, for the side that makes it.
worth = { $outcome ->
    [win] wins
    [loss] loses
    [repetition] draws by repetition
   *[draw] draws
}
worth-in = { worth } in { plies }
worth-by = { worth } by { $points }
values = { $source ->
    [table] By the table, best first:
   *[exact] Read out to the end, best first:
}
suggestion = { $certainty ->
    [win] { $move } wins ({ $opinion }).
    [draw] No move wins. { $move } draws ({ $opinion }).
    [loss] Every move loses. { $move } seems best ({ $opinion }).
   *[open] Not solved. { $move } seems best ({ $opinion }).
}

# The end of a game: who has won, as above, then why and by which points, if that has to be said.
result = Game over, { $outcome }{ $why }{ $points }.
resigned = : { side } resigns
repeated = : this position is on the board for the third time
reason = : { $reason }
points = { " " }(Black { $black }, White { $white })

seated = { side } is now { who }.
undone = Taken back: { plies }.
redone = Made again: { plies }.
nothing-to-undo = There is no move of yours to take back.
nothing-to-redo = Nothing has been taken back.
nobody-thinks = The computer is not thinking.
game-over = The game is over; undo takes back, new begins again.
saved = Saved to { $file }.
file-exists = { $file } already exists; save! { $file } replaces it.
which-file = Write the name of a file after save.
loaded = { $file }: a game of { plies }.
begun = A new game.
not-saved = The game as it stands is not saved.
# Remarks of machines and mistakes in moves, positions and files are in English everywhere.
remark = ({ $remark })
wrong = { $problem }; help lists the commands

mistake-alone = { $word } takes no argument.
mistake-no-player = Write human, computer, random or greedy after { $word }.
mistake-no-file = Write the name of a file after { $word }.
mistake-no-move = Write a move after { $word }.
mistake-unknown = "{ $word }" is neither a move nor a command; help lists the commands
