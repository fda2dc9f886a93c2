//! Compares views of positions with the naive rules and the texts of the games.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value as Json, json};
use yomikiri_answer::{Arrangement, KeyText, LegalMoves, Played, View, Viewed};
use yomikiri_rules::{AnyGame, AnyMove, AnyPosition, Game, Notation, Presentation, Value};

use crate::support::games::any;
use crate::support::random::Random;
use yomikiri_naive as naive;

/// A check of a view that one game needs.
type Check = fn(code: &str, view: &Json);

/// Checks the view of every position in random games from the start.
fn check_games(code: &str, games: usize, check: Check) {
    let mut random = Random::new(7);
    for _ in 0..games {
        play(&any(code), &mut random, check);
    }
}

fn play(game: &AnyGame, random: &mut Random, check: Check) {
    let mut played = Played { start: game.start(), moves: Vec::new() };
    for _ in 0..60 {
        let moves = look(game, &played, check);
        if moves.is_empty() {
            return;
        }
        played.moves.push(*random.pick(&moves));
    }
}

/// Compares the view of the last position of a game with the texts of the game. Returns the legal moves of that
/// position.
fn look(game: &AnyGame, played: &Played, check: Check) -> Vec<AnyMove> {
    let position = played.position(game);
    let view = serde_json::to_value(View::of(game, played)).unwrap();
    assert_eq!(view["rules"], game.code());
    assert_eq!(view["position"], game.text_with_side(&position));
    assert_eq!(view["text"], game.board_text(&position));
    assert_eq!(view["key"], json!(KeyText::of(game, &position)));
    assert_eq!(view["to_move"], json!(game.side(&position)));
    // A third occurrence ends a game, but not by the rules of the position alone.
    let again = |at: &usize| {
        let other = Played { start: played.start, moves: played.moves[..*at].to_vec() }.position(game);
        other == position && game.side(&other) == game.side(&position)
    };
    if (0..=played.moves.len()).filter(again).count() < 3 {
        check_end(game, &view["over"], &position);
    } else {
        assert_eq!((&view["over"]["reason"], &view["over"]["winner"]), (&json!("repetition"), &Json::Null));
    }
    check_stones(&view);
    let (legal, listed) = (game.legal_moves(&position), LegalMoves::of(game, &position));
    for ((mv, legal), listed) in array(&view["moves"]).iter().zip(&legal).zip(&listed.moves) {
        let texts = json!({"move": mv["move"], "position": mv["position"], "key": mv["key"]});
        assert_eq!(serde_json::to_value(listed).unwrap(), texts);
        assert_eq!(mv["pass"], json!(game.is_pass(*legal)));
        check_end(game, &mv["ends"], &game.play(&position, *legal));
    }
    assert_eq!(array(&view["moves"]).len(), legal.len());
    check_reading(game, played, &view);
    check_arranging(game, &view);
    check(&game.code(), &view);
    legal
}

/// Checks that every accepted way of writing the moves played leads to the same view.
fn check_reading(game: &AnyGame, played: &Played, view: &Json) {
    let (start, words) = (view["start"].as_str().unwrap(), texts(&view["moves_played"]));
    let half = words.len() / 2;
    let early = game.moves_text(&played.moves[..half]);
    let ways = [
        (start.to_string(), &words[..]),
        (format!("{start} moves {}", words.join(" ")), &[]),
        (format!("{start} moves {}", game.moves_text(&played.moves)), &[]),
        (format!("{start} moves {early}"), &words[half..]),
    ];
    for (text, more) in ways {
        let read = Played::read(game, &text, more).unwrap();
        assert_eq!(serde_json::to_value(View::of(game, &read)).unwrap(), *view, "{text} and {more:?}");
    }
    // A position without its game can be read, too, whichever side is to move.
    let here = played.position(game);
    let alone = Played { start: here, moves: Vec::new() };
    for text in [alone.start_text(game), text(&view["position"]).into()] {
        let read = Played::read(game, &text, &[""; 0]).unwrap();
        let [expected, found] = [&alone, &read].map(|played| serde_json::to_value(View::of(game, played)).unwrap());
        assert_eq!(found, expected, "{text}");
    }
    for mv in array(&view["moves"]) {
        let after = game.play(&here, game.parse_move(&here, text(&mv["move"])).unwrap());
        let read = game.parse_position(text(&mv["position"])).unwrap();
        assert_eq!((&read, game.side(&read)), (&after, game.side(&after)), "{mv}");
    }
}

/// Checks that the stones of a view, arranged on an empty board, give the position again.
fn check_arranging(game: &AnyGame, view: &Json) {
    let stone = |stone: &Json| json!({"square": stone["square"], "side": stone["side"], "piece": stone["piece"]});
    let named = |list: &Json, field: &str| -> Vec<Json> {
        array(list).iter().filter(|item| item[field] == true).map(|item| item["name"].clone()).collect()
    };
    let arrangement = json!({
        "stones": array(&view["stones"]).iter().map(stone).collect::<Vec<_>>(),
        "to_move": view["to_move"],
        "hands": view["hands"],
        "locks": named(&view["ways"], "locked"),
        "cleared": named(&view["targets"], "cleared"),
    });
    let arrangement: Arrangement = serde_json::from_value(arrangement).unwrap();
    let arranged = serde_json::to_value(View::arranged(game, &arrangement).unwrap()).unwrap();
    for field in ["key", "to_move", "stones", "hands", "ways", "over", "ply"] {
        assert_eq!(arranged[field], view[field], "{field} of {}", view["text"]);
    }
}

fn check_end(game: &AnyGame, end: &Json, position: &AnyPosition) {
    let Some(value) = game.terminal_value(position) else { return assert_eq!(*end, Json::Null) };
    assert_eq!(end["winner"], json!(value.outcome().winner(game.side(position))));
    let reason = game.end_reason(position);
    assert_eq!(end["reason"], json!(reason.map(|reason| reason.id)));
    assert_eq!(end["text"], json!(reason.map(|reason| reason.text)));
    assert_eq!(end["points"], json!(game.points(position)));
}

/// Checks that a view has the stones of its picture, and that the names of their squares come from files and ranks.
fn check_stones(view: &Json) {
    let [files, ranks] = ["files", "ranks"].map(|name| texts(&view["board"][name]));
    let mut board = vec![vec![String::new(); files.len()]; ranks.len()];
    for stone in array(&view["stones"]) {
        let [file, rank] = ["file", "rank"].map(|name| stone[name].as_u64().unwrap() as usize);
        assert_eq!(stone["square"], files[file].clone() + &ranks[rank]);
        let before = std::mem::replace(&mut board[rank][file], mark(view, stone));
        assert_eq!(before, "", "{stone}");
    }
    let picture = view["text"].as_str().unwrap();
    let rows = picture.lines().filter(|line| line.get(1..3) == Some(" |"));
    let shown: Vec<Vec<String>> = rows.map(cells).collect();
    assert_eq!(board, shown, "{picture}");
}

/// Returns the text of a stone in a picture.
fn mark(view: &Json, stone: &Json) -> String {
    let is_black = stone["side"] == "black";
    let Some(piece) = stone["piece"].as_str() else {
        return view["marks"][usize::from(!is_black)].as_str().unwrap().into();
    };
    let letter = if piece == "knight" { "n" } else { &piece[..1] };
    if is_black { letter.to_uppercase() } else { letter.into() }
}

/// Returns the texts of the squares in a line of a picture.
fn cells(line: &str) -> Vec<String> {
    let (inside, _) = line.split_once('|').unwrap().1.rsplit_once('|').unwrap();
    let cells: Vec<&str> = match inside.contains('|') {
        true => inside.split('|').map(str::trim).collect(),
        false => inside.split_whitespace().collect(),
    };
    cells.into_iter().map(|cell| cell.trim_matches(['.', '+']).to_string()).collect()
}

fn array(json: &Json) -> &[Json] {
    json.as_array().map_or(&[], Vec::as_slice)
}

fn text(json: &Json) -> &str {
    json.as_str().unwrap()
}

fn texts(json: &Json) -> Vec<String> {
    array(json).iter().map(|json| text(json).into()).collect()
}

/// Returns the side of each stone, by the name of its square.
fn sides(view: &Json) -> BTreeMap<String, String> {
    let side = |stone: &Json| (text(&stone["square"]).into(), text(&stone["side"]).into());
    array(&view["stones"]).iter().map(side).collect()
}

/// Returns the view of the position after a move.
fn after(code: &str, view: &Json, mv: &Json) -> Json {
    let moves: Vec<String> = texts(&view["moves_played"]).into_iter().chain([text(&mv["move"]).into()]).collect();
    let game = any(code);
    serde_json::to_value(View::of(&game, &Played::read(&game, text(&view["start"]), &moves).unwrap())).unwrap()
}

fn binarsi(code: &str, view: &Json) {
    let naive = naive::binarsi::Naive::from_code(code.trim_end_matches("-p"));
    let sfen = text(&view["position"]);
    let fields: Vec<&str> = sfen.split(' ').collect();
    assert_eq!(view["ply"].to_string(), fields[4]);
    let stones = sides(view);
    for way in array(&view["ways"]) {
        let name = text(&way["name"]);
        assert_eq!(way["locked"], fields[2].contains(name));
        assert_eq!(way["holds"], stones.keys().any(|square| square.contains(name)));
    }
    // Returns the ply of each of the six targets, or an empty text.
    let cleared = |field: &str| -> Vec<String> {
        (0..6).map(|at| field.split('/').nth(at).unwrap_or("").trim_matches('-').into()).collect()
    };
    let before = cleared(fields[3]);
    let locked = |square: &str| square.chars().all(|way| fields[2].contains(way));
    for (target, ply) in array(&view["targets"]).iter().zip(&before) {
        assert_eq!(target["ply"].as_u64().map_or(String::new(), |ply| ply.to_string()), *ply);
        assert_eq!(target["cleared"], !ply.is_empty());
        let steps: &[(i8, i8)] = match text(&target["direction"]) {
            "across" => &[(1, 0)],
            "down" => &[(0, 1)],
            _ => &[(1, 1), (1, -1)],
        };
        let places = places(&view["board"], steps, target["length"].as_u64().unwrap() as usize);
        let own = |square: &String| stones.get(square).is_some_and(|side| *side == target["side"]);
        let wrong = |square: &String| locked(square) && stones.contains_key(square) && !own(square);
        let lying: BTreeSet<&String> = places.iter().filter(|place| place.iter().all(own)).flatten().collect();
        assert_eq!(texts(&target["squares"]).iter().collect::<BTreeSet<_>>(), lying, "{target} in {sfen}");
        let possible = !ply.is_empty() || places.iter().any(|place| !place.iter().any(wrong));
        assert_eq!(target["possible"], possible, "{target} in {sfen}");
    }
    for mv in array(&view["moves"]) {
        let [way, operator] = ["way", "operator"].map(|name| text(&mv[name]));
        assert_eq!(mv["move"], format!("{way}{operator}"));
        let next = after(code, view, mv);
        assert_eq!(next["position"], naive.play(sfen, text(&mv["move"])));
        let line = sides(&next).into_iter().filter(|(square, _)| square.contains(way));
        let told: BTreeMap<String, String> = array(&mv["line"])
            .iter()
            .map(|stone| (text(&stone["square"]).into(), text(&stone["side"]).into()))
            .collect();
        assert_eq!(told, line.collect());
        let now = cleared(text(&next["position"]).split(' ').nth(3).unwrap());
        let fresh = (0..6).filter(|&at| now[at] != before[at]).map(|at| ["b3", "b4", "b5", "w3", "w4", "w5"][at]);
        assert_eq!(texts(&mv["cleared"]), fresh.collect::<Vec<_>>());
    }
}

/// Returns all lines of `length` squares of a board in the directions `steps`, each given as files to the right and
/// ranks down.
fn places(board: &Json, steps: &[(i8, i8)], length: usize) -> Vec<Vec<String>> {
    let [files, ranks] = ["files", "ranks"].map(|name| texts(&board[name]));
    let name = |file: i8, rank: i8| {
        let (file, rank) = (usize::try_from(file).ok()?, usize::try_from(rank).ok()?);
        Some(files.get(file)?.clone() + ranks.get(rank)?)
    };
    let mut places = Vec::new();
    for &(right, down) in steps {
        for (file, rank) in (0..8).flat_map(|file| (0..8).map(move |rank| (file, rank))) {
            let row = (0..length as i8).map(|at| name(file + at * right, rank + at * down));
            places.extend(row.collect::<Option<Vec<_>>>());
        }
    }
    places
}

#[test]
fn binarsi_shows_ways_targets_and_lines() {
    for code in ["bin7x6", "bin3x3", "bin4x4-s2b-t234-kb1.5-n", "bin2x6-t999", "bin4x3-p"] {
        check_games(code, 4, binarsi);
    }
}

fn pyonpyon(code: &str, view: &Json) {
    let rules = naive::pyonpyon::Naive::from_code(code);
    assert_eq!(
        rules.winner(text(&view["position"])),
        view["over"]["winner"].as_str().map(|side| if side == "black" { 'x' } else { 'o' })
    );
    check_race(rules.files, rules.ranks, view, |mv| is_step(text(&mv["from"]), text(&mv["to"])));
    let stones = sides(view);
    for mv in array(&view["moves"]) {
        let (path, [from, to]) = (texts(&mv["path"]), ["from", "to"].map(|name| text(&mv[name])));
        let free = |square: &str| square == from || !stones.contains_key(square);
        assert_eq!(path.len() - 1, fewest_legs(view, from, to, free), "{path:?} in\n{}", view["text"]);
    }
}

/// Checks the goals of both sides, the squares that decide a game, and the path of each move. `is_step` returns true if
/// a piece can make a move without a jump.
fn check_race(files: usize, ranks: usize, view: &Json, is_step: impl Fn(&Json) -> bool) {
    let names = texts(&view["board"]["ranks"]);
    for (side, rank, name) in [("black", 1, &names[0]), ("white", ranks, &names[names.len() - 1])] {
        let goal = texts(&view["goals"][side]);
        assert!(goal.len() == files && goal.iter().all(|square| square.ends_with(name)));
        assert_eq!(*name, rank.to_string());
    }
    let stones = sides(view);
    if let Some(winner) = view["over"]["winner"].as_str() {
        let deciding = texts(&view["over"]["squares"]);
        assert!(deciding.len() == files && deciding.iter().all(|square| stones[square] == winner));
    }
    for mv in array(&view["moves"]) {
        let (path, [from, to]) = (texts(&mv["path"]), ["from", "to"].map(|name| text(&mv[name])));
        let ends = (path[0].as_str(), path[path.len() - 1].as_str(), mv["move"].as_str());
        assert_eq!(ends, (from, to, Some(&*format!("{from}{to}"))));
        let free = |square: &str| square == from || !stones.contains_key(square);
        if path.len() > 2 || !is_step(mv) {
            assert!(path.windows(2).all(|leg| is_jump(&leg[0], &leg[1], free)), "{path:?} in\n{}", view["text"]);
        }
    }
}

/// Returns the distance from one square to another as files to the right and ranks down.
fn offset(from: &str, to: &str) -> (i8, i8) {
    let [from, to] = [from, to].map(|square| square.as_bytes());
    (to[0] as i8 - from[0] as i8, to[1] as i8 - from[1] as i8)
}

fn is_step(from: &str, to: &str) -> bool {
    let (right, down) = offset(from, to);
    right.abs().max(down.abs()) == 1
}

/// Returns true if a move is one jump: it leads over one or more pieces, without a gap, to the first empty square
/// behind them.
fn is_jump(from: &str, to: &str, free: impl Fn(&str) -> bool) -> bool {
    let (right, down) = offset(from, to);
    let far = right.abs().max(down.abs());
    let straight = [0, far].contains(&right.abs()) && [0, far].contains(&down.abs());
    let between = |at: i8| {
        let [file, rank] =
            [from.as_bytes()[0] as i8 + at * right.signum(), from.as_bytes()[1] as i8 + at * down.signum()];
        [file as u8 as char, rank as u8 as char].iter().collect::<String>()
    };
    straight && far > 1 && free(to) && (1..far).all(|at| !free(&between(at)))
}

/// Returns 1 if a move is one step, otherwise the smallest number of jumps that lead from one square to the other.
fn fewest_legs(view: &Json, from: &str, to: &str, free: impl Fn(&str) -> bool + Copy) -> usize {
    if is_step(from, to) {
        return 1;
    }
    let squares: Vec<String> = places(&view["board"], &[(1, 0)], 1).into_iter().flatten().collect();
    let mut reached = BTreeSet::from([from.to_string()]);
    for legs in 1.. {
        let further = |to: &&String| reached.iter().any(|from| from != *to && is_jump(from, to, free));
        let more: Vec<String> = squares.iter().filter(further).cloned().collect();
        reached.extend(more);
        if reached.contains(to) {
            return legs;
        }
    }
    unreachable!()
}

#[test]
fn pyonpyon_shows_the_paths_of_pieces() {
    for code in ["pyon", "pyon3x4B", "pyon2x3", "pyon4x5"] {
        check_games(code, 3, pyonpyon);
    }
}

fn pyonpyon_shogi(code: &str, view: &Json) {
    let rules = naive::pyonpyon_shogi::Naive::from_code(code);
    let (position, winner) = (text(&view["position"]), view["over"]["winner"].as_str());
    assert_eq!(rules.winner(position), winner.and_then(|winner| winner.chars().next()));
    assert_eq!(rules.is_stuck(position), !view["over"].is_null() && winner.is_none());
    let kinds: BTreeMap<&str, &Json> =
        array(&view["stones"]).iter().map(|stone| (text(&stone["square"]), &stone["piece"])).collect();
    let steps = |piece: &Json| -> Vec<(i8, i8)> {
        let of_kind = array(&view["pieces"]).iter().find(|kind| kind["piece"] == *piece).expect("all kinds are told");
        let number = |step: &Json, at: usize| step[at].as_i64().unwrap() as i8;
        array(&of_kind["steps"]).iter().map(|step| (number(step, 0), number(step, 1))).collect()
    };
    check_race(rules.files, rules.ranks, view, |mv| {
        let (right, down) = offset(text(&mv["from"]), text(&mv["to"]));
        let turned = if view["to_move"] == "black" { (right, down) } else { (-right, -down) };
        steps(kinds[text(&mv["from"])]).contains(&turned)
    });
}

#[test]
fn pyonpyon_with_shogi_pieces_shows_kinds_and_paths() {
    for code in ["pyon-PNSGP", "pyon3x4B-LBR", "pyon2x3-PN", "pyon4x5-GSSN"] {
        check_games(code, 3, pyonpyon_shogi);
    }
}

fn reversi(code: &str, view: &Json) {
    let naive = naive::reversi::Naive::from_code(code);
    for mv in array(&view["moves"]) {
        let name = text(&mv["move"]);
        if mv["pass"] == true {
            assert!(mv["flips"].is_null() && mv["to"].is_null());
            continue;
        }
        assert_eq!(mv["to"], name);
        let turned = naive.turned_by(text(&view["position"]), name).into_iter();
        let turned = turned.map(|(file, rank)| format!("{}{}", char::from(b'a' + file as u8), rank + 1));
        assert_eq!(texts(&mv["flips"]).into_iter().collect::<BTreeSet<_>>(), turned.collect());
    }
}

#[test]
fn reversi_shows_what_is_turned() {
    for code in ["rev8x8", "rev4x4-p", "rev3x5-w", "rev3x3"] {
        check_games(code, 6, reversi);
    }
}

fn connect_four(code: &str, view: &Json) {
    let stones = sides(view);
    for mv in array(&view["moves"]) {
        let mut next = sides(&after(code, view, mv));
        assert_eq!(next.remove(text(&mv["to"])).as_deref(), view["to_move"].as_str());
        assert_eq!(next, stones);
    }
    if let Some(winner) = view["over"]["winner"].as_str() {
        let length = if code.ends_with("k3") { 3 } else { 4 };
        let places = places(&view["board"], &[(1, 0), (0, 1), (1, 1), (1, -1)], length);
        let own = |square: &String| stones.get(square).is_some_and(|side| side == winner);
        let rows: BTreeSet<String> = places.into_iter().filter(|place| place.iter().all(own)).flatten().collect();
        assert_eq!(texts(&view["over"]["squares"]).into_iter().collect::<BTreeSet<_>>(), rows);
    }
}

#[test]
fn connect_four_shows_where_discs_fall_and_rows() {
    for code in ["con7x6", "con4x4", "con3x3-k3", "con8x8", "con4x8"] {
        check_games(code, 8, connect_four);
    }
}

/// Returns the piece and the side of each stone, by the name of its square.
fn pieces(view: &Json) -> BTreeMap<String, [String; 2]> {
    let piece = |stone: &Json| (text(&stone["square"]).into(), ["side", "piece"].map(|name| text(&stone[name]).into()));
    array(&view["stones"]).iter().map(piece).collect()
}

/// Returns the number of pieces of each kind in a side's hand.
fn hand(view: &Json, side: &str) -> BTreeMap<String, u64> {
    array(&view["hands"][side])
        .iter()
        .map(|held| (text(&held["piece"]).into(), held["count"].as_u64().unwrap()))
        .collect()
}

fn animal_shogi(code: &str, view: &Json) {
    // Pictures list the hands.
    for (line, side) in [("White holds ", "white"), ("Black holds ", "black")] {
        let said =
            text(&view["text"]).split_once(line).unwrap().1.lines().next().unwrap().trim_matches('-').to_lowercase();
        let held = array(&view["hands"][side]).iter();
        let held = held.map(|held| text(&held["piece"])[..1].repeat(held["count"].as_u64().unwrap() as usize));
        assert_eq!(said, held.collect::<String>());
    }
    let (before, mover) = (pieces(view), text(&view["to_move"]));
    let steps: BTreeMap<&str, &Json> =
        array(&view["pieces"]).iter().map(|piece| (text(&piece["piece"]), &piece["steps"])).collect();
    for mv in array(&view["moves"]) {
        let to = text(&mv["to"]);
        let (mut board, mut held) = (before.clone(), hand(view, mover));
        let piece = match (mv["from"].as_str(), mv["drop"].as_str()) {
            (Some(from), None) => {
                let [side, piece] = board.remove(from).unwrap();
                assert_eq!(side, mover);
                // Files are numbered from the right.
                let (left, down) = offset(from, to);
                let turn = if mover == "black" { 1 } else { -1 };
                assert!(array(steps[piece.as_str()]).contains(&json!([-left * turn, down * turn])), "{mv} in {view}");
                piece
            }
            (None, Some(piece)) => {
                *held.get_mut(piece).unwrap() -= 1;
                piece.into()
            }
            other => panic!("{other:?}"),
        };
        let piece = if mv["promotes"] == true { "hen".into() } else { piece };
        let taken = board.insert(to.into(), [mover.into(), piece]).map(|[_, piece]| piece);
        assert_eq!(mv["captures"], json!(taken));
        if let Some(taken) = taken {
            *held.entry(if taken == "hen" { "chick".into() } else { taken }).or_default() += 1;
        }
        held.retain(|_, count| *count > 0);
        let next = after(code, view, mv);
        assert_eq!(pieces(&next), board);
        assert_eq!(hand(&next, mover), held);
    }
    if let Some(winner) = view["over"]["winner"].as_str() {
        let (squares, last_rank) =
            (texts(&view["over"]["squares"]), view["over"]["reason"] == "animal-shogi-last-rank");
        let lions: Vec<&str> = squares
            .iter()
            .filter(|&square| before[square][1] == "lion")
            .map(|square| before[square][0].as_str())
            .collect();
        assert!(lions.iter().any(|&side| (side == winner) == last_rank), "{view}");
        assert!(last_rank == (squares.len() == 1));
    }
}

#[test]
fn animal_shogi_shows_hands_drops_and_what_is_taken() {
    for code in ["val1n", "m00c1", "vvvvvT", "val1nT"] {
        check_games(code, 4, animal_shogi);
    }
}

/// Checks that the steps of pieces are those that the pictures of a rule code show.
#[test]
fn animal_shogi_shows_the_steps_of_its_code() {
    for code in ["val1n", "m00c1", "2g001", "vvvvv"] {
        let any = any(code);
        let view = View::of(&any, &Played { start: any.start(), moves: Vec::new() });
        let pictures = crate::support::games::animal_shogi(code).rules.diagrams();
        let rows: Vec<Vec<char>> = pictures.lines().skip(1).map(|line| line.chars().collect()).collect();
        for (at, told) in view.parts.pieces.unwrap().iter().enumerate() {
            let goes = |&[right, down]: &[i8; 2]| {
                rows[(down + 1) as usize].get(12 * at + 2 * (right + 1) as usize) == Some(&'o')
            };
            let all = (-1..=1).flat_map(|down| (-1..=1).map(move |right| [right, down]));
            assert_eq!(told.steps, all.filter(goes).collect::<Vec<_>>(), "{:?} of {code}", told.piece);
        }
    }
}

/// Checks whole games in the notation of other programs, games with edits, and games from a position.
#[test]
fn games_are_taken_apart() {
    fn read(game: &AnyGame, text: &str) -> (String, Vec<String>) {
        let view = View::of(game, &Played::read(game, text, &[""; 0]).unwrap());
        (view.start, view.moves_played)
    }
    let cases = [
        ("con7x6", "44435", "startpos", "4 4 4 3 5"),
        ("con7x6", "startpos moves 44 4", "startpos", "4 4 4"),
        ("rev4x4", "a2a3", "startpos", "a2 a3"),
        ("bin4x4", "position startpos moves cn 3n", "startpos", "cn 3n"),
        ("bin4x4", "startpos moves 3n &cze 1n", "4/1ox1/1oo1/4 b - - 2", "1n"),
        ("val1n", "gle/1c1/1C1/ELG b - 1 moves 2c2b", "startpos", "2c2b"),
        ("val1n", "gle/1C1/3/ELG w C 2", "gle/1C1/3/ELG w C 1", ""),
        ("pyon3x4", "startpos moves c3b2 b1b3", "startpos", "c3b2 b1b3"),
        ("bin2x2", "@6208 moves 1nH", "xo/2 w - - 1", "1nH"),
    ];
    for (code, text, start, moves) in cases {
        let game = any(code);
        let position = game.position_text(&game.parse_position(text).unwrap());
        let found = read(&game, text);
        let again = game.parse_position(&format!("{} moves {}", found.0, found.1.join(" "))).unwrap();
        assert_eq!(game.position_text(&again), position, "{text}");
        assert_eq!((found.0.as_str(), found.1.join(" ").as_str()), (start, moves), "{text}");
    }
}

/// Checks that the error about an arrangement of stones says what is wrong and where.
#[test]
fn bad_arrangements_are_named() {
    let problem = |code: &str, arrangement: Json| -> String {
        let arrangement: Arrangement = serde_json::from_value(arrangement).unwrap();
        View::arranged(&any(code), &arrangement).err().unwrap().to_string()
    };
    let stone = |square: &str| json!({"square": square, "side": "black"});
    assert_eq!(problem("con4x4", json!({"stones": [stone("51")]})), "square \"51\": is not on the board");
    assert_eq!(problem("rev4x4", json!({"stones": [stone("a1"), stone("a1")]})), "square \"a1\": has two stones");
    assert!(problem("bin4x4", json!({"stones": [stone("1a"), stone("3a")]})).contains("2a is empty"));
    assert!(problem("bin4x4", json!({"stones": []})).contains("has no stones"));
    assert!(problem("bin4x4", json!({"stones": [stone("1a")], "locks": ["7"]})).contains("no way \"7\""));
    assert!(problem("bin4x4", json!({"stones": [stone("1a")], "cleared": ["b9"]})).starts_with("target \"b9\""));
    assert_eq!(problem("val1n", json!({"stones": [stone("1a")]})), "square \"1a\": has a stone without a piece");
    assert!(problem("pyon3x4", json!({"stones": [stone("a1")]})).contains("1 x"));
}

/// The third occurrence of a position with the same side to move is a draw; the board alone does not tell.
#[test]
fn a_position_that_occurs_for_the_third_time_is_a_draw() {
    for (code, round) in [("pyon3x4", "a3a1 a2b2 a1a3 b2a2"), ("val1n", "1d1c 3a3b 1c1d 3b3a")] {
        let game = AnyGame::parse(code).unwrap();
        let round: Vec<&str> = round.split(' ').collect();
        for (rounds, is_over) in [(0, false), (1, false), (2, true)] {
            let played = Played::read(&game, "startpos", &round.repeat(rounds)).unwrap();
            let over = &serde_json::to_value(View::of(&game, &played)).unwrap()["over"];
            assert_eq!(*over != Json::Null, is_over, "{code}, {rounds} rounds: {over}");
            assert!(!is_over || (over["reason"] == "repetition" && over["winner"] == Json::Null), "{over}");
        }
    }
}
