# What `yomikiri play` says in Japanese; en.ftl explains the messages.

side = { $side ->
    [black] 先手
   *[white] 後手
}
who = { $who ->
    [human] 人間
    [computer] コンピューター
    [random] ランダム
   *[greedy] 欲張り
}
plies = { $plies } 手

opening = { $code }: 先手({ $black-mark }) { $black }、後手({ $white-mark }) { $white }
how-to-begin = { $move } のように指し手かコマンドを入力してください。
help =
    { $padded } 指す(do { $move } でも同じ)
    moves           合法手の一覧
    hint            すべての指し手の評価、または最善手
    undo, redo      自分の前の手番まで戻す、戻した手をやり直す
    board           盤をもう一度表示する
    position        局面の文字列(new、query、--start に使えます)
    go              コンピューターに代わりに指させる
    black WHO       先手を human(人間)、computer(コンピューター)、random(ランダム)、greedy(欲張り)にする。後手は white WHO
    resign          投了
    draw            千日手(同一局面 3 回)の宣言
    save FILE       新しいファイルに保存する。save! FILE は上書き
    load FILE       保存した対局の続きを指す
    new [POSITION]  最初から、または指定した局面から指し直す
    quit            終了する(Ctrl-C や Ctrl-D でも同じ)
    コンピューターの考慮中に stop か Ctrl-C を入力すると、すぐに指します。
prompt = { side }({ $mark })の番です(help でコマンド一覧)>
prompt-at-end = 終局(undo, new, save, quit)>

board = [{ $plies } 手 | { side }の番]
thinks = { side }が考えています ...
plays = { side }: { $move }
plays-knowing = { side }: { $move }({ $opinion })
passes = { side }は打てる所がないのでパスです。
edited = 盤面編集: { $edit }
last-move = 直前の手: { side } { $move }
legal-moves = 合法手 { $count } 個:

opinion = { $source ->
    [random] ランダム
    [greedy] 欲張り
    [table] 表によると: { $prospect }
    [certificate] 証明書によると: { $prospect }
    [opening] 序盤表によると: { $prospect }
    [unchecked-certificate] 未検査の証明書によると: { $prospect }
    [unchecked-opening] 未検査の序盤表によると: { $prospect }
    [search] { $depth } 手先まで読んで: { $prospect }
   *[exact] 読み切り: { $prospect }
}
even = 互角
ahead = { side }から見て { $score }
drawn = 引き分け
won = { side }の勝ち
won-in = { side }の { plies }勝ち
won-within = { side }の { plies }以内の勝ち
won-by = { side }の { $points } 石勝ち

worth = { $outcome ->
    [win] 勝ち
    [loss] 負け
    [repetition] 千日手
   *[draw] 引き分け
}
worth-in = { plies }で{ worth }
worth-by = { $points } 石差で{ worth }
values = { $source ->
    [table] 表によると(良い順):
   *[exact] 読み切り(良い順):
}
suggestion = { $certainty ->
    [win] { $move } で勝ちです({ $opinion })。
    [draw] 勝つ手はありません。{ $move } で引き分けです({ $opinion })。
    [loss] どう指しても負けです。{ $move } が最善のようです({ $opinion })。
   *[open] 読み切れません。{ $move } が良さそうです({ $opinion })。
}

result = 終局 { $outcome }{ $why }{ $points }
resigned = (投了)
repeated = (千日手)
reason = ({ $reason })
points = { " " }先手 { $black } 点、後手 { $white } 点

seated = { side }は{ who }になりました。
undone = { plies }戻しました。
redone = { plies }進めました。
nothing-to-undo = 戻せる手がありません。
nothing-to-redo = 戻した手がありません。
nobody-thinks = コンピューターは考えていません。
game-over = 終局しています。undo で戻すか、new で新しい対局を始めてください。
saved = { $file } に保存しました。
file-exists = { $file } は既にあります。上書きするには save! { $file } と入力してください。
which-file = save の後にファイル名を書いてください。
loaded = { $file }: { plies }の対局です。
begun = 新しい対局です。
not-saved = 今の対局は保存していません。
remark = ({ $remark })
wrong = { $problem }(help でコマンド一覧)

mistake-alone = { $word } の後には何も書けません。
mistake-no-player = { $word } の後に human、computer、random、greedy のどれかを書いてください。
mistake-no-file = { $word } の後にファイル名を書いてください。
mistake-no-move = { $word } の後に指し手を書いてください。
mistake-unknown = 「{ $word }」は指し手でもコマンドでもありません(help でコマンド一覧)

# Why games are over, by the ids that the rules give the reasons; a reason without a message here stays English.
reason-binarsi-targets = クリアーターゲット 3 本先取
reason-binarsi-points = 同着、点数計算
reason-binarsi-no-move = 満局、点数計算
reason-animal-shogi-lion-taken = ライオンを取れる
reason-animal-shogi-last-rank = トライ
reason-animal-shogi-no-move = 指せる手がない
reason-pyonpyon-goal = ゴール
reason-pyonpyon-no-move = 指せる手がなく、両者負け
reason-reversi-full = 盤がいっぱい
reason-reversi-no-discs = 片方の石がなくなった
reason-reversi-no-move = どちらも打てない
reason-connect-four-three = 三つ並んだ
reason-connect-four-four = 四つ並んだ
reason-connect-four-five = 五つ並んだ
reason-connect-four-full = 盤がいっぱい
