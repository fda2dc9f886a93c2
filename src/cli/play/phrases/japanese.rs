//! Japanese.

use yomikiri::engine::{Ending, Score};
use yomikiri::value::{Measure, Outcome, Side};

use super::{Phrases, guess, visible, winner};
use crate::cli::play::commands::Mistake;
use crate::cli::play::hint::Valued;
use crate::cli::play::seats::{Seats, Who};
use crate::cli::play::talk::Verdict;
use crate::cli::play::thinking::Source;

pub struct Japanese;

impl Phrases for Japanese {
    fn opening(&self, code: &str, [black, white]: [&str; 2], seats: Seats) -> String {
        let (first, second) = (who_in_japanese(seats.black), who_in_japanese(seats.white));
        format!("{code}: 先手({black}) {first}、後手({white}) {second}")
    }

    fn how_to_begin(&self, example: &str) -> String {
        format!("{example} のように指し手を打つか、コマンドを打ってください。")
    }

    fn help(&self, example: &str) -> String {
        format!(
            "\
{example:15} 指す(do {example} でも同じ)
moves           合法手の一覧
hint            すべての指し手の評価、または最善手
undo, redo      自分の前の手番まで戻す、戻したのをやり直す
board           盤をもう一度
position        局面の文字列(new、query、--start に使えます)
go              コンピューターに代わりに指させる
black WHO       先手を human(人間)、computer(コンピューター)、random(でたらめ)、greedy(欲ばり)にする。後手は white WHO
resign          投了
draw            千日手(同一局面 3 回)の宣言
save FILE       新しいファイルに保存する。save! FILE は上書き
load FILE       ファイルの続きから
new [POSITION]  最初から、または局面から
quit            終わる(Ctrl-C や Ctrl-D でも)
コンピューターが考えている間に stop か Ctrl-C で、すぐに指させます。"
        )
    }

    fn prompt(&self, side: Side, mark: &str) -> String {
        format!("{}({mark})の番です(help でコマンド一覧)>", side_in_japanese(side))
    }

    fn prompt_at_end(&self) -> &'static str {
        "終局(undo, new, save, quit)>"
    }

    fn thinks(&self, side: Side) -> String {
        format!("{}が考えています ...", side_in_japanese(side))
    }

    fn plays(&self, side: Side, mv: &str) -> String {
        format!("{}: {mv}", side_in_japanese(side))
    }

    fn plays_knowing(&self, side: Side, mv: &str, opinion: &str) -> String {
        format!("{}: {mv}({opinion})", side_in_japanese(side))
    }

    fn passes(&self, side: Side) -> String {
        format!("{}は打てる所がないのでパスです。", side_in_japanese(side))
    }

    fn edited(&self, edit: &str) -> String {
        format!("盤面編集: {edit}")
    }

    fn last_move(&self, side: Side, mv: &str) -> String {
        format!("直前の手: {} {mv}", side_in_japanese(side))
    }

    fn opinion(&self, side: Side, source: Source, score: Score) -> String {
        let source = match source {
            Source::Random => return "でたらめ".into(),
            Source::Greedy => return "欲ばり".into(),
            Source::Table => "表によると".into(),
            Source::Certificate => "証明書によると".into(),
            Source::Exact => "読み切り".into(),
            Source::Search(depth) => format!("{depth} 手先まで読んで"),
        };
        format!("{source}: {}", prospect(side, score))
    }

    fn worth(&self, mv: &Valued) -> String {
        let verb = match mv.outcome {
            Outcome::Win => "勝ち",
            Outcome::Draw if mv.repeats => return "千日手".into(),
            Outcome::Draw => return "引き分け".into(),
            Outcome::Loss => "負け",
        };
        match mv.measure {
            Measure::Distance { plies } => plies.map_or(verb.into(), |plies| format!("{} 手で{verb}", plies.0)),
            Measure::Score { score } => format!("{} 石差で{verb}", score.unsigned_abs()),
        }
    }

    fn values(&self, source: Source) -> String {
        let source = if source == Source::Table { "表によると" } else { "読み切り" };
        format!("{source}(良い順):")
    }

    fn best(&self, mv: &str, opinion: &str) -> String {
        format!("読み切れません。{mv} が良さそうです({opinion})。")
    }

    fn legal_moves(&self, count: usize) -> String {
        format!("合法手 {count} 個:")
    }

    fn result(&self, verdict: &Verdict) -> String {
        let how = match (verdict.ending.winner(), verdict.margin) {
            (Some(winner), Some(margin)) => format!("{}の {margin} 石勝ち", side_in_japanese(winner)),
            (Some(winner), None) => format!("{}の勝ち", side_in_japanese(winner)),
            (None, _) => "引き分け".into(),
        };
        let why = match (verdict.ending, verdict.reason) {
            (Ending::Resignation { .. }, _) => "(投了)".into(),
            (Ending::Repetition, _) => "(千日手)".into(),
            (Ending::Board { .. }, Some(reason)) => format!("({})", reason_in_japanese(reason)),
            (Ending::Board { .. }, None) => String::new(),
        };
        let points = verdict.points.as_ref();
        let points = points.map_or(String::new(), |[black, white]| format!(" 先手 {black} 点、後手 {white} 点"));
        format!("終局 {how}{why}{points}")
    }

    fn seated(&self, side: Side, who: Who) -> String {
        format!("{}は{}になりました。", side_in_japanese(side), who_in_japanese(who))
    }

    fn undone(&self, actions: usize) -> String {
        format!("{actions} 手戻しました。")
    }

    fn redone(&self, actions: usize) -> String {
        format!("{actions} 手進めました。")
    }

    fn nothing_to_undo(&self) -> &'static str {
        "戻せる手がありません。"
    }

    fn nothing_to_redo(&self) -> &'static str {
        "戻した手がありません。"
    }

    fn nobody_thinks(&self) -> &'static str {
        "コンピューターは考えていません。"
    }

    fn game_over(&self) -> &'static str {
        "終局しています。undo で戻す、new で新しい対局。"
    }

    fn saved(&self, file: &str) -> String {
        format!("{file} に保存しました。")
    }

    fn file_exists(&self, file: &str) -> String {
        format!("{file} は既にあります。上書きするには save! {file}")
    }

    fn which_file(&self) -> &'static str {
        "save の後にファイル名を書いてください。"
    }

    fn loaded(&self, file: &str, moves: usize) -> String {
        format!("{file}: {moves} 手の対局です。")
    }

    fn begun(&self) -> &'static str {
        "新しい対局です。"
    }

    fn not_saved(&self) -> &'static str {
        "対局は保存していません。"
    }

    fn remark(&self, remark: &str) -> String {
        format!("({remark})")
    }

    fn wrong(&self, problem: &str) -> String {
        format!("{problem}(help でコマンド一覧)")
    }

    fn mistake(&self, mistake: Mistake) -> String {
        match mistake {
            Mistake::Alone(word) => format!("{} の後には何も書けません。", visible(word)),
            Mistake::NoPlayer(word) => {
                format!("{} の後に human、computer、random、greedy のどれかを書いてください。", visible(word))
            }
            Mistake::NoFile(word) => format!("{} の後にファイル名を書いてください。", visible(word)),
            Mistake::NoMove(word) => format!("{} の後に指し手を書いてください。", visible(word)),
            Mistake::Unknown(line) => {
                format!("「{}」は指し手でもコマンドでもありません(help でコマンド一覧)", visible(line))
            }
        }
    }
}

fn side_in_japanese(side: Side) -> &'static str {
    match side {
        Side::Black => "先手",
        Side::White => "後手",
    }
}

fn who_in_japanese(who: Who) -> &'static str {
    match who {
        Who::Human => "人間",
        Who::Computer => "コンピューター",
        Who::Random => "でたらめ",
        Who::Greedy => "欲ばり",
    }
}

/// What a side can expect: "後手の 5 手勝ち", "後手から見て +1.20".
fn prospect(side: Side, score: Score) -> String {
    let Some(winner) = winner(side, score) else {
        return match score {
            Score::Guess(0) => "互角".into(),
            Score::Guess(hundredths) => format!("{}から見て {}", side_in_japanese(side), guess(hundredths)),
            _ => "引き分け".into(),
        };
    };
    let winner = side_in_japanese(winner);
    match score {
        Score::Points(points) => format!("{winner}の {} 石勝ち", points.unsigned_abs()),
        _ => score.plies().map_or(format!("{winner}の勝ち"), |plies| format!("{winner}の {} 手勝ち", plies.0)),
    }
}

/// What the games say of their ends; what is new to this list stays as it is.
fn reason_in_japanese(reason: &str) -> &str {
    match reason {
        "its three targets are cleared" => "クリアーターゲット 3 本先取",
        "all six targets are cleared, so points decide" => "同着、点数計算",
        "there is no legal move, so points decide" => "満局、点数計算",
        "the lion can be taken" => "ライオンを取れる",
        "a lion has reached the last rank" => "トライ",
        "there is no legal move" => "指せる手がない",
        "its pieces have reached their goal" => "ゴール",
        "the board is full" => "盤がいっぱい",
        "one side has no discs" => "片方の石がなくなった",
        "neither side has a move" => "どちらも打てない",
        "three in a row" => "三つ並んだ",
        "four in a row" => "四つ並んだ",
        "five in a row" => "五つ並んだ",
        other => other,
    }
}
