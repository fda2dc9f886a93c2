# The texts of the page in English. ja.ftl has the same messages.

name = Yomikiri
loading = Loading …
failed = The page cannot start: { $problem }
side = { $side ->
    [black] Black
   *[white] White
}
plies = { $plies ->
    [one] { $plies } ply
   *[other] { $plies } plies
}
skip = Skip to the board

page-play = Play
page-puzzles = Puzzles
page-statistics = Statistics
page-learn = Rules
page-edit = Editor
page-proof = Proof
pages = Pages
language = Language
theme = Appearance
theme-auto = System
theme-light = Light
theme-dark = Dark
close = Close

family-binarsi = Binarsi
family-animal_shogi = Animal shogi
family-pyonpyon = Pyonpyon
family-pyonpyon_shogi = Pyonpyon with shogi pieces
family-reversi = Reversi
family-connect_four = Connect Four
choose-game = Choose a game
rule-code = Rule code
rule-code-help = Every variant of every game has a code.
table-here = solved
excerpt-here = one side solved
certificate-here = proved
start-game = Start

to-move = { $side } to move
thinking = { $side } is thinking …
won-by = { $side } wins
drawn = A draw
won-why = { $side } wins: { $reason }
drawn-why = A draw: { $reason }
points = Black { $black }, White { $white }
pass = Pass
moved = { $side }: { $move }.

players = Players
player-human = Person
player-computer = Computer
strength = Strength of the computer
strength-value = { $strength ->
    [0] random
    [100] perfect where solved
   *[other] { $strength }
}
new-game = New game
undo = Undo
redo = Redo
first = To the start
previous = Back one move
next = Forward one move
last = To the end
moves-of-game = Moves
no-moves-yet = No moves yet.
start-position = Start
flip = Turn the board
hint = Hint
hint-sought = Looking for the best move …
hint-is = Hint: { $move }
hint-gone = No hint: { $problem }
best-line = Best line
line-of = Best line: { $moves }
line-stop = Stop
line-adopt = Play it on the board
share = Share, paste
edit-here = Edit position
engine-stop = Stop thinking
again = Try again

values = Values
values-show = Show values
values-hidden = Values are hidden, so that you can find the move yourself.
values-open = The value is not known yet.
values-bounds = Known so far for { $side }: { $bounds }.
at-worst = at worst { $value }
at-best = at best { $value }
comma = {", "}
values-over = The time is over: { $open } of { $all } moves are still undecided.
values-progress = { $decided } of { $all } moves decided
values-loading = Looking up …
source-table = From the complete table.
source-certificate = From a proof: the winner is certain, the number of plies is not known.
source-opening = From the opening table: the winner is certain, the number of plies is not known.
source-proof = Proved just now: the winner is certain, the number of plies is not known.
source-excerpt = From the part of the table in this copy.
source-subgame = Solved on the spot.
source-search = By exact search.
source-rules = By the rules: the game is over.
source-unknown = No table or proof covers this position, so its value is not known. The computer plays by search.
source-unlisted = This copy only covers best play by { $side }, and this position does not arise from it. The computer plays by search.
source-engine = The computer found this move by search; it may be wrong.
source-told-table = The computer played from the complete table.
source-told-certificate = The computer played the move of the proof.
source-told-opening = The computer played by the opening table.
source-told-proof = The computer proved that this move wins.
source-told-excerpt = The computer played by the excerpt of the table.
source-told-subgame = The computer solved the position.
source-told-search = The computer searched to the end.
source-none = There is no table: your browser searches for the computer's moves, and proves or solves what it can.
no-ranges = This host sends whole files instead of parts of them, so the tables cannot be read. Another web host is needed.
too-long = That took too long and was stopped.
no-answer = The server does not answer. Try again once it runs.
page-missing = This page could not be loaded. { $problem }

value-win = wins
value-draw = draw
value-loss = loses
value-unknown = unknown
value-win-in = wins in { $plies }
value-loss-in = loses in { $plies }
value-win-by = wins by { $score }
value-loss-by = loses by { $score }
short-win = W
short-draw = =
short-loss = L
verdict-win = { $side } wins
verdict-win-in = { $side } wins in { $plies }
verdict-win-by = { $side } wins by { $score }
verdict-draw = A draw
fair-points = With points: { $verdict }
keeps = { $keep } of { $all ->
    [one] 1 move
   *[other] { $all } moves
 } { $keep ->
    [one] keeps
   *[other] keep
 } the { $outcome ->
    [win] win
    [draw] draw
   *[loss] longest defence
}.
keeps-all-lose = All { $all } moves lose; { $keep } { $keep ->
    [one] holds
   *[other] hold
 } out longest.
loses-least = All { $all } moves lose; { $keep } { $keep ->
    [one] loses
   *[other] lose
 } by the least.
keeps-equally = { $all ->
    [one] The only move loses
   *[other] All { $all } moves lose in the same number of plies
}.
loses-equally = { $all ->
    [one] The only move loses
   *[other] All { $all } moves lose by the same score
}.
all-lose = { $all ->
    [one] The only move loses
   *[other] All { $all } moves lose
}.
only-for = Only one move is right here, and at { $turns ->
    [one] this turn only
   *[other] { $turns } turns in a row
}.
all-moves = All moves ({ $count })
group-win = Wins
group-draw = Draws
group-loss = Loses
group-null = Not known

board = Board
board-of = Board of { $game }
square-empty = { $square }, empty
square-stone = { $square }, { $side }
square-piece = { $square }, { $side } { $piece }
square-target = { $label }, move here: { $move }
square-target-value = { $label }, move here: { $move }, { $value }
square-movable = { $label }, can move
square-movable-value = { $label }, can move: { $value }
square-picked = { $label }, picked
hand-of = In hand: { $side }
hand-nothing = nothing
hand-piece = { $piece }, { $count } in hand
piece-lion = lion
piece-elephant = elephant
piece-giraffe = giraffe
piece-chick = chick
piece-hen = hen
piece-pawn = pawn
piece-lance = lance
piece-knight = knight
piece-silver = silver
piece-gold = gold
piece-bishop = bishop
piece-rook = rook
text-board = Position as text

way-file = File { $way }
way-rank = Rank { $way }
way-label = { $line }, { $state ->
    [locked] locked
    [open] { $moves ->
        [one] 1 move
       *[other] { $moves } moves
    }
   *[closed] no move
}
way-label-value = { $label }, { $value }
choose-way = Choose a line: click a number, a letter, or a stone
choose-way-help = A new line is made from its neighbours. A line with stones can be changed once and is then locked.
choose-operator = { $way }: choose what it becomes
back-to-ways = Another line
operator-n = NOT, the opposite of the line beside it
operator-nL = NOT of { $kind ->
    [file] the left
   *[rank] the upper
 } neighbour
operator-nH = NOT of { $kind ->
    [file] the right
   *[rank] the lower
 } neighbour
operator-a = AND
operator-o = OR
operator-xo = XOR
operator-na = NAND
operator-no = NOR
operator-xn = XNOR
operator-s = turned by { $by }
clears = clears { $targets }
leaves = leaves { $line }
ends-win = { $side } wins
ends-draw = ends in a draw
changes-nothing = changes nothing
targets = Targets
target-label = { $length } { $direction ->
    [across] across
    [diagonal] on a diagonal
   *[down] down
}
target-cleared = cleared
target-cleared-at = cleared at ply { $ply }
target-possible = possible
target-impossible = out of reach

review = Review
review-start = Review this game
review-again = Review again
review-progress = Looking at move { $at } of { $all } …
review-part = { $count ->
    [one] The review covers the first move; the game has gone on since.
   *[other] The review covers the first { $count } moves; the game has gone on since.
} { $doubtful ->
    [0] No mistake was found in them.
   *[other] { "" }
}
review-perfect = No mistake in this game.
review-from-start = It was decided before the first move: { $worth }.
review-lost = Move { $number }, { $side } { $move }: { $before } before it, { $after } after it.
review-better = { $moves } would have been right.
review-turning = The game was decided at move { $number }.
review-unknown = { $count ->
    [one] One position
   *[other] { $count } positions
 } could not be judged.
review-refute = Show what refutes it
review-right = { $outcome ->
    [win] Show what would have won
   *[draw] Show what would have drawn
}
review-slips = { $count ->
    [one] One slower or weaker move
   *[other] { $count } slower or weaker moves
 } that changed no outcome.
mark-mistake = mistake
mark-slip = slip
mark-good = best

course = Course of the game
course-help = Course of the game, { $plies } plies: each ply is a link, arrow keys step through the game
course-start = Start: { $worth }
course-ply = Ply { $ply }, { $side } { $move }: { $worth }
course-marked = { $point } ({ $mark })
course-won = winner
course-plies = plies to the end
course-points = points
course-mistake = mistake
course-slip = loses points
course-open = Gaps are not known yet.

share-title = Share and paste
share-link = Link
share-embed = A board in your own page
share-position = Position
share-key = Key
share-moves = Game
share-text = Board
copy = Copy
copied = Copied
paste = Paste a position, a key, or a game
paste-open = Open
paste-wrong = This cannot be read: { $problem }

puzzle-intro = Only one move is right. Find it.
puzzle-length = Length
puzzle-any = any
puzzle-new = Next puzzle
puzzle-solved = Right!
puzzle-wrong = { $move } does not win. Try again, or see the answer.
puzzle-wrong-best = { $move } does not keep the best result. Try again, or see the answer.
puzzle-answer = Show the answer
puzzle-answer-is = The answer is { $move }: { $line }
puzzle-score = Solved { $solved } of { $tried }, { $streak } in a row
puzzle-searching = Looking for a puzzle …
puzzle-none = No puzzle of this kind was found. Try another length or another game.
puzzle-to-win = { $side } to move and win in { $plies }.
puzzle-to-draw = { $side } to move: only one move keeps the best result.
puzzle-play = Open on the board

statistics-intro = Counts of the complete table of { $rules }.
statistics-none = Statistics need a complete table of { $rules }.
statistics-outcomes = Who wins, by ply
statistics-distances = Distance to the end
statistics-scores = Final scores
statistics-variants = Who wins, by variant
statistics-numbers = The numbers
statistics-log = Logarithmic scale
statistics-log-note = Logarithmic scale: each line is ten times the one below it, and zero has no bar.
statistics-log-shares = The height of a bar is its total; the colours in it are shares of the total.
statistics-positions = positions
statistics-ply = ply
statistics-plies = plies to the end
statistics-black = Black wins
statistics-white = White wins
statistics-draw = draw
statistics-win = to move wins
statistics-loss = to move loses
statistics-score = score
statistics-total = { $count } positions
statistics-variant = Variant
statistics-result = From the start

edit-intro = Choose a stone, then click squares. Click again to remove it.
edit-erase = Empty
edit-tool = Stone to place
edit-to-move = To move
edit-locks = Locked lines
edit-cleared = Cleared targets
edit-clear = Clear the board
edit-start = Start position
edit-use = Play from here
edit-wrong = Not a position yet: { $problem }

proof-intro = The proof answers every move of the loser with one move of the winner. Open a branch to follow it.
proof-none = There is no proof of { $rules } here.
proof-winner = { $side } wins by this proof.
proof-checked = The proof has been checked move by move.
proof-unchecked = This proof has not been checked here.
proof-plays = { $side } plays { $move }
proof-replies = { $count ->
    [one] One reply
   *[other] All { $count } replies
 } of { $side }
proof-below = { $count } positions below
proof-below-more = more than { $count } positions below
proof-horizon = near the end: a short search decides
proof-over = the game is over
proof-open = Open
proof-targets = { $side } can still clear: { $targets }
proof-beat = Try to beat it
proof-show = On the board

install = Keep for offline use ({ $size })
installed = Works offline.
shortcuts = Keyboard
shortcut-arrows = ← → one move back and forth, Home and End to start and end
shortcut-board = Tab to the board, arrow keys between squares, Enter to choose, Escape to let go
shortcut-ways = Binarsi: 1–7 and a–f choose a line while the board has the focus
new-here = New to { $game }?
new-here-link = The rules in pictures

reason-binarsi-targets = three targets cleared
reason-binarsi-points = both sides cleared three targets, stones count
reason-binarsi-no-move = no move left, stones count
reason-animal-shogi-lion-taken = the lion can be taken
reason-animal-shogi-last-rank = the lion reached the last rank
reason-animal-shogi-no-move = no legal move
reason-repetition = the position has occurred three times
reason-pyonpyon-goal = the goal is filled
reason-pyonpyon-no-move = no legal move, both lose
reason-reversi-full = the board is full
reason-reversi-no-discs = one side has no discs
reason-reversi-no-move = nobody can move
reason-connect-four-three = three in a row
reason-connect-four-four = four in a row
reason-connect-four-five = five in a row
reason-connect-four-full = the board is full

learn-binarsi-1 = Stones are bits: Black's are 1, White's are 0. The game starts with one stone. Files have numbers, ranks have letters; both are called lines here.
learn-binarsi-2 = A new line grows beside the stones. NOT (n) puts the opposite of the line next to it. Here Black chose rank d.
learn-binarsi-3 = From two lines on, a new line may also combine the nearest two, square by square: AND, OR, XOR and their opposites. Here file 6 is the NAND of files 4 and 5.
learn-binarsi-4 = A line that holds stones can be changed once. It is locked afterwards: nobody may choose it again, though moves across still change its stones. Here rank d was turned by one square.
learn-binarsi-5 = Black needs three targets: 3 stones across, 4 on a diagonal, 5 down. White needs 3 down, 4 on a diagonal, 5 across. A target once cleared stays cleared, whoever made the move.
learn-binarsi-6 = The first side with all three targets wins. Here Black's seventh move completes a diagonal of four.
learn-binarsi-7 = If both get their third target with the same move, or nobody can move, the stones are counted: one point each, and half a point on top for White.
learn-animal_shogi-1 = Each side has a lion, an elephant, a giraffe and a chick. Dots on a piece show its directions; it moves one square at a time.
learn-animal_shogi-2 = A piece you take changes sides: it goes to your hand, and in place of a move you can drop it on any empty square.
learn-animal_shogi-3 = A chick that reaches the last rank becomes a hen. In the hand it is a chick again.
learn-animal_shogi-4 = You win as soon as you can take the lion, or when your lion reaches the last rank and cannot be taken there. A game that repeats is a draw.
learn-pyonpyon-1 = Five pieces a side race to the other end. You have won when, in every file, your piece stands on the last rank, or right in front of a piece of the other side that blocks it there.
learn-pyonpyon-2 = A piece steps to an empty square beside it, in any direction, or jumps straight over an unbroken row of pieces, of either side, to the empty square right behind it.
learn-pyonpyon-3 = After a jump the same piece may jump on, in another direction if it likes, and may stop after any jump. Nothing is ever taken.
learn-pyonpyon_shogi-1 = The pyonpyon game with shogi pieces. They jump as they do there, on and on if they like. You have won when, in every file, your piece stands on the last rank, or right in front of a piece of the other side that blocks it there.
learn-pyonpyon_shogi-2 = A piece that does not jump steps to an empty square as it does in shogi; knights leap over what stands in between. Nothing is taken, nothing promotes.
learn-pyonpyon_shogi-3 = If the side to move has no move, both have lost, which counts as a draw.
learn-reversi-1 = Black moves first. A disc must enclose at least one line of the other side's discs between itself and another disc of its colour.
learn-reversi-2 = All enclosed discs are turned. A side without a move passes; if neither side can move, the game is over.
learn-reversi-3 = The side with more discs at the end wins by the difference.
learn-connect_four-1 = Choose a file: the disc falls to its lowest empty square.
learn-connect_four-2 = The first side with four discs in a row wins: across, down or on a diagonal.
learn-connect_four-3 = A full board without a row is a draw.
learn-settings = This variant, { $rules }
learn-pieces = The pieces of this variant
learn-play = Play
