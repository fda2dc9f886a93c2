# The texts of the page in Japanese. en.ftl has the same messages.

name = 読み切り
loading = 読み込み中 …
failed = ページを開始できません: { $problem }
side = { $side ->
    [black] 先手
   *[white] 後手
}
plies = { $plies } 手
skip = 盤へ移動

page-play = 対局
page-puzzles = 問題
page-statistics = 統計
page-learn = ルール
page-edit = 局面編集
page-proof = 証明
pages = ページ
language = 言語
theme = 外観
theme-auto = システム設定
theme-light = ライト
theme-dark = ダーク
close = 閉じる

family-binarsi = ビナーシ
family-animal_shogi = どうぶつしょうぎ
family-pyonpyon = ぴょんぴょんゲーム
family-pyonpyon_shogi = ぴょんぴょんゲーム(将棋の駒)
family-reversi = リバーシ
family-connect_four = コネクトフォー
choose-game = ゲームを選ぶ
rule-code = ルールコード
rule-code-help = どのゲームのどの変種にもコードがあります。
table-here = 解析済み
excerpt-here = 一方のみ解析済み
certificate-here = 証明済み
start-game = 始める

to-move = { $side }の番
thinking = { $side }が考えています …
won-by = { $side }の勝ち
drawn = 引き分け
won-why = { $side }の勝ち({ $reason })
drawn-why = 引き分け({ $reason })
points = 先手 { $black }、後手 { $white }
pass = パス
moved = { $side } { $move }。

players = 対局者
player-human = 人間
player-computer = コンピューター
strength = コンピューターの強さ
strength-value = { $strength ->
    [0] ランダム
    [100] 解析済みの局面では完璧
   *[other] { $strength }
}
new-game = 新しい対局
undo = 待った
redo = やり直す
first = 最初へ
previous = 1 手戻る
next = 1 手進む
last = 最後へ
moves-of-game = 棋譜
no-moves-yet = まだ一手も指していません。
start-position = 開始局面
flip = 盤面反転
hint = ヒント
hint-sought = 最善手を探しています…
hint-is = ヒント: { $move }
hint-gone = ヒントを出せません: { $problem }
best-line = 最善手順
line-of = 最善手順: { $moves }
line-stop = 止める
line-adopt = この手順を盤に並べる
share = 共有・貼り付け
edit-here = 局面を編集
engine-stop = 思考を中断する
again = もう一度試す

values = 評価
values-show = 評価を見る
values-hidden = 自分で考えられるように、評価は隠してあります。
values-open = 評価はまだわかりません。
values-bounds = ここまでにわかった{ $side }の評価：{ $bounds }
at-worst = 悪くても{ $value }
at-best = 良くても{ $value }
comma = 、
values-over = 制限時間になりました。{ $all } 手のうち { $open } 手はまだわかりません。
values-progress = { $all } 手のうち { $decided } 手が判明
values-loading = 調べています …
source-table = 完全な表による評価です。
source-certificate = 証明による評価です。どちらが勝つかは確実ですが、手数はわかりません。
source-opening = 序盤表による評価です。どちらが勝つかは確実ですが、手数はわかりません。
source-proof = この場で証明した評価です。どちらが勝つかは確実ですが、手数はわかりません。
source-excerpt = このコピーに収めた表の抜粋による評価です。
source-subgame = この場で解いた評価です。
source-search = 完全読みによる評価です。
source-rules = 終局しています。ルールによる結果です。
source-unknown = この局面は表にも証明にもないので、評価はわかりません。コンピューターは探索で指します。
source-unlisted = このコピーにあるのは{ $side }が最善を尽くしたときに現れる局面だけで、この局面は含まれていません。コンピューターは探索で指します。
source-engine = コンピューターが探索で選んだ手です。間違っているかもしれません。
source-told-table = コンピューターは完全な表を見て指しました。
source-told-certificate = コンピューターは証明の手を指しました。
source-told-opening = コンピューターは序盤表の手を指しました。
source-told-proof = コンピューターはこの手で勝つことを証明しました。
source-told-excerpt = コンピューターは表の抜粋を見て指しました。
source-told-subgame = コンピューターはこの局面を解いて指しました。
source-told-search = コンピューターは最後まで読み切りました。
source-none = 表がないので、コンピューターの手はブラウザー内の探索で選びます。証明できる局面、読み切れる局面では正確に指します。
no-ranges = このホストはファイルの一部だけを送ることができないので、表を読めません。別のウェブホストが必要です。
too-long = 時間がかかりすぎたので中断しました。
no-answer = サーバーから応答がありません。サーバーが動いているときに、もう一度お試しください。
page-missing = このページを読み込めませんでした。{ $problem }

value-win = 勝ち
value-draw = 引き分け
value-loss = 負け
value-unknown = 不明
value-win-in = { $plies }で勝ち
value-loss-in = { $plies }で負け
value-win-by = { $score } 点差で勝ち
value-loss-by = { $score } 点差で負け
short-win = 勝
short-draw = 分
short-loss = 負
verdict-win = { $side }の勝ち
verdict-win-in = { $side }の { $plies }勝ち
verdict-win-by = { $side }の { $score } 点差勝ち
verdict-draw = 引き分け
fair-points = 点数勝負では: { $verdict }
keeps = { $all } 手のうち、{ $outcome ->
    [win] 勝ちになる
    [draw] 引き分けになる
   *[loss] 最も長く粘れる
}手は { $keep } 手です。
keeps-all-lose = { $all } 手すべて負けです。最も長く粘れるのは { $keep } 手です。
loses-least = { $all } 手すべて負けです。点差が最も小さいのは { $keep } 手です。
keeps-equally = { $all ->
    [1] 指せる手は一つだけで、負けです
   *[other] { $all } 手すべて同じ手数で負けです
}。
loses-equally = { $all ->
    [1] 指せる手は一つだけで、負けです
   *[other] { $all } 手すべて同じ点差で負けです
}。
all-lose = { $all ->
    [1] 指せる手は一つだけで、負けです
   *[other] { $all } 手すべて負けです
}。
only-for = 正しい手は一つしかありません({ $turns ->
    [1] この手番だけ
   *[other] 自分の手番 { $turns } 回連続
})。
all-moves = すべての手({ $count })
group-win = 勝ち
group-draw = 引き分け
group-loss = 負け
group-null = 不明

board = 盤
board-of = { $game }の盤
square-empty = { $square }、空き
square-stone = { $square }、{ $side }
square-piece = { $square }、{ $side }の{ $piece }
square-target = { $label }、ここへ指す: { $move }
square-target-value = { $label }、ここへ指す: { $move }、{ $value }
square-movable = { $label }、動かせます
square-movable-value = { $label }、動かせます: { $value }
square-picked = { $label }、選択中
hand-of = { $side }の持ち駒
hand-nothing = なし
hand-piece = 持ち駒の{ $piece }、{ $count } 枚
piece-lion = ライオン
piece-elephant = ぞう
piece-giraffe = きりん
piece-chick = ひよこ
piece-hen = にわとり
piece-pawn = 歩
piece-lance = 香車
piece-knight = 桂馬
piece-silver = 銀
piece-gold = 金
piece-bishop = 角
piece-rook = 飛車
text-board = 文字の盤面

way-file = { $way } 筋
way-rank = { $way } 段
way-label = { $line }、{ $state ->
    [locked] ロック済み
    [open] { $moves } 手
   *[closed] 指せる手なし
}
way-label-value = { $label }、{ $value }
choose-way = 路を選んでください。数字、文字、石のどれかをクリックします
choose-way-help = 空いている路には、隣の路から作った石が並びます。石のある路は一度だけ変えられ、そのあとロックされます。
choose-operator = { $way }: 演算を選んでください
back-to-ways = 別の路を選ぶ
operator-n = NOT(隣の路の反転)
operator-nL = { $kind ->
    [file] 左
   *[rank] 上
 }隣の NOT
operator-nH = { $kind ->
    [file] 右
   *[rank] 下
 }隣の NOT
operator-a = AND
operator-o = OR
operator-xo = XOR
operator-na = NAND
operator-no = NOR
operator-xn = XNOR
operator-s = { $by } マス回転
clears = { $targets } をクリアー
leaves = 結果: { $line }
ends-win = { $side }の勝ち
ends-draw = 引き分けで終局
changes-nothing = 変化なし
targets = ターゲット
target-label = { $direction ->
    [across] ヨコ
    [diagonal] ナナメ
   *[down] タテ
}に { $length } つ
target-cleared = クリアー済み
target-cleared-at = { $ply } 手目にクリアー
target-possible = まだ作れます
target-impossible = もう作れません

review = 検討
review-start = この対局を検討する
review-again = もう一度検討する
review-progress = { $all } 手中 { $at } 手目を調べています …
review-part = 検討したのは { $count } 手目までです。{ $doubtful ->
    [0] そこまでに間違いはありません。
   *[other] { "" }
}そのあとの手は調べていません。
review-perfect = この対局に間違いはありません。
review-from-start = 勝敗は初手の前に決まっていました: { $worth }。
review-lost = { $number } 手目 { $side } { $move }: 指す前は{ $before }、指したあとは{ $after }。
review-better = 正しくは { $moves } でした。
review-turning = 勝負が決まったのは { $number } 手目です。
review-unknown = 評価できなかった局面が { $count } あります。
review-refute = とがめる手順を見る
review-right = 正しい手順を見る
review-slips = 結果の変わらない緩手が { $count } 手ありました。
mark-mistake = 悪手
mark-slip = 緩手
mark-good = 最善

course = 評価の推移
course-help = 評価の推移、{ $plies } 手: 各手がリンクです。矢印キーで 1 手ずつ移動します
course-start = 開始: { $worth }
course-ply = { $ply } 手目 { $side } { $move }: { $worth }
course-marked = { $point }({ $mark })
course-won = 勝者のみ
course-plies = 終局までの手数
course-points = 点差
course-mistake = 悪手
course-slip = 損な手
course-open = 途切れているところは、まだわかっていません。

share-title = 共有と貼り付け
share-link = リンク
share-embed = 自分のページに盤を埋め込む
share-position = 局面
share-key = キー
share-moves = 棋譜
share-text = 盤面
copy = コピー
copied = コピーしました
paste = 局面、キー、棋譜を貼り付ける
paste-open = 開く
paste-wrong = 読み取れません: { $problem }

puzzle-intro = 正しい手は一つだけです。見つけてください。
puzzle-length = 手数
puzzle-any = 指定なし
puzzle-new = 次の問題
puzzle-solved = 正解!
puzzle-wrong = { $move } では勝てません。もう一度考えるか、答えを見てください。
puzzle-wrong-best = { $move } では最善の結果になりません。もう一度考えるか、答えを見てください。
puzzle-answer = 答えを見る
puzzle-answer-is = 答えは { $move }: { $line }
puzzle-score = { $tried } 問中 { $solved } 問正解、{ $streak } 問連続
puzzle-searching = 問題を探しています …
puzzle-none = 条件に合う問題が見つかりませんでした。手数かゲームを変えてみてください。
puzzle-to-win = { $side }の番です。{ $plies }で勝てます。
puzzle-to-draw = { $side }の番です。最善の結果になる手は一つだけです。
puzzle-play = 盤で開く

statistics-intro = { $rules } の完全な表を数えたものです。
statistics-none = 統計には { $rules } の完全な表が必要です。
statistics-outcomes = どちらが勝つか(手数ごと)
statistics-distances = 終局までの手数
statistics-scores = 終局時の点差
statistics-variants = 変種ごとの勝者
statistics-numbers = 数値
statistics-log = 対数目盛
statistics-log-note = 対数目盛です。目盛線が一つ上がるごとに 10 倍になります。0 の棒はありません。
statistics-log-shares = 棒の高さは合計を、色分けはその内訳の割合を表します。
statistics-positions = 局面数
statistics-ply = 手数
statistics-plies = 終局までの手数
statistics-black = 先手の勝ち
statistics-white = 後手の勝ち
statistics-draw = 引き分け
statistics-win = 手番側の勝ち
statistics-loss = 手番側の負け
statistics-score = 点差
statistics-total = { $count } 局面
statistics-variant = 変種
statistics-result = 初期局面

edit-intro = 置くものを選び、マスをクリックします。もう一度クリックすると消えます。
edit-erase = 空き
edit-tool = 置くもの
edit-to-move = 手番
edit-locks = ロックした路
edit-cleared = クリアーしたターゲット
edit-clear = 盤を空にする
edit-start = 初期局面
edit-use = ここから指す
edit-wrong = まだ局面として成り立っていません: { $problem }

proof-intro = 証明は、負ける側のどの手に対しても、勝つ側の手を一つ示します。枝を開くと続きをたどれます。
proof-none = ここには { $rules } の証明がありません。
proof-winner = この証明は{ $side }の勝ちを示しています。
proof-checked = この証明は一手ずつ検査済みです。
proof-unchecked = この証明はここではまだ検査されていません。
proof-plays = { $side } { $move }
proof-replies = { $side }の応手 { $count } 通り
proof-below = この先に { $count } 局面
proof-below-more = この先に { $count } 局面以上
proof-horizon = 終局間近: 短い探索で決まります
proof-over = 終局
proof-open = 開く
proof-targets = { $side }がまだクリアーできるターゲット: { $targets }
proof-beat = 挑戦する
proof-show = 盤で見る

install = オフライン用に保存({ $size })
installed = オフラインでも使えます。
shortcuts = キーボード操作
shortcut-arrows = ← → で 1 手ずつ、Home と End で最初と最後へ
shortcut-board = Tab で盤へ、矢印キーでマスを移動、Enter で選択、Escape で取り消し
shortcut-ways = ビナーシ: 盤にフォーカスがあるとき、1～7 と a～f で路を選びます
new-here = { $game }は初めてですか?
new-here-link = 図で見るルール

reason-binarsi-targets = クリアーターゲット 3 本先取
reason-binarsi-points = 同着、点数計算
reason-binarsi-no-move = 満局、点数計算
reason-animal-shogi-lion-taken = ライオンを取れる
reason-animal-shogi-last-rank = トライ
reason-animal-shogi-no-move = 指せる手がない
reason-repetition = 千日手
reason-pyonpyon-goal = ゴール
reason-pyonpyon-no-move = 指せる手がなく、両者負け
reason-reversi-full = 盤がいっぱい
reason-reversi-no-discs = 片方の石がなくなった
reason-reversi-no-move = どちらも打てない
reason-connect-four-three = 三つ並んだ
reason-connect-four-four = 四つ並んだ
reason-connect-four-five = 五つ並んだ
reason-connect-four-full = 盤がいっぱい

learn-binarsi-1 = 石はビットで、先手の石は 1、後手の石は 0 です。石一つから始まります。筋には数字、段には文字の名前があり、どちらも「路」と呼びます。
learn-binarsi-2 = 石の隣に新しい路を作れます。NOT(n)は隣の路を反転した石を並べます。ここでは先手が d 段を選びました。
learn-binarsi-3 = 路が二本以上あれば、近い二本を一マスずつ演算した石も並べられます。演算は AND、OR、XOR とその否定です。ここでは 6 筋が 5 筋と 4 筋の NAND です。
learn-binarsi-4 = 石のある路は一度だけ変えられます。変えた路はロックされ、もうどちらも選べません。ただし、交差する路への着手で石は変わります。ここでは d 段を一マス回転しました。
learn-binarsi-5 = 先手のターゲットは、ヨコに 3 つ、ナナメに 4 つ、タテに 5 つです。後手は、タテに 3 つ、ナナメに 4 つ、ヨコに 5 つです。どちらの手でできてもよく、一度クリアーすればあとで崩れても有効です。
learn-binarsi-6 = 先に三つともクリアーした側の勝ちです。ここでは先手が 7 手目でナナメに 4 つを完成させました。
learn-binarsi-7 = 同じ手で両者が三つ目をクリアーしたとき、または指せる手がなくなったときは石を数えます。一つ 1 点で、後手には 0.5 点が加わります。
learn-animal_shogi-1 = 先手も後手も、ライオン、ぞう、きりん、ひよこを一つずつ持ちます。駒の点は動ける方向を表し、どの駒も一マスずつ動きます。
learn-animal_shogi-2 = 取った駒は自分の持ち駒になります。持ち駒は、盤上の駒を動かす代わりに、好きな空きマスに打てます。
learn-animal_shogi-3 = ひよこはいちばん奥の段に進むとにわとりになります。持ち駒になるとひよこに戻ります。
learn-animal_shogi-4 = 相手のライオンを取れる局面になるか、自分のライオンが取られない形でいちばん奥の段に着けば勝ちです。同じ局面が繰り返されると引き分けです。
learn-pyonpyon-1 = 先手も後手も五つの駒を持ち、反対側の端を目指して競走します。どの筋でも、端のマスに自分の駒があるか、そこを塞ぐ相手の駒のすぐ手前に自分の駒があれば勝ちです。
learn-pyonpyon-2 = 駒は、八方向のどれかの隣の空きマスへ進みます。または、隣から切れ目なくまっすぐ並ぶ駒を、どちらの駒でも何個でも跳び越えて、すぐ先の空きマスに降ります。
learn-pyonpyon-3 = 跳んだあとは、向きを変えて続けて跳ぶことも、そこで止まることもできます。駒を取ることはありません。
learn-pyonpyon_shogi-1 = ぴょんぴょんゲームを将棋の駒で指します。跳び方は同じで、続けて跳ぶこともできます。どの筋でも、端のマスに自分の駒があるか、そこを塞ぐ相手の駒のすぐ手前に自分の駒があれば勝ちです。
learn-pyonpyon_shogi-2 = 跳ばないときは、将棋の駒の動きで空きマスへ進みます。桂馬は間の駒を跳び越えます。駒を取ることも成ることもありません。
learn-pyonpyon_shogi-3 = 手番側に指せる手がなければ両者負けで、引き分けと数えます。
learn-reversi-1 = 先手の黒から打ちます。打った石とほかの自分の石とで、相手の石を少なくとも一方向で挟まなければなりません。
learn-reversi-2 = 挟んだ石はすべて裏返ります。打てなければパス、どちらも打てなければ終局です。
learn-reversi-3 = 最後に石の多い側が、その差で勝ちます。
learn-connect_four-1 = 筋を選ぶと、石はその筋のいちばん下の空きマスに落ちます。
learn-connect_four-2 = 先に自分の石をタテ、ヨコ、ナナメのどれかに四つ(変種によっては三つか五つ)続けて並べた側の勝ちです。
learn-connect_four-3 = 並ばないまま盤が埋まれば引き分けです。
learn-settings = この変種: { $rules }
learn-pieces = この変種の駒
learn-play = 対局する
