"""The rules agree with the command, and with each other."""

import json
import pickle

import numpy as np
import pytest
import yomikiri
from conftest import CODES, Command, walks


@pytest.mark.parametrize("code", CODES)
def test_positions_are_those_of_the_command(code: str, command: Command) -> None:
    game = yomikiri.Game(code)
    for position in walks(game, 25):
        legal = command.json("moves", code, position.text)["moves"]
        children = [{"move": move, "position": child.text, "key": f"@{child.key}"} for move, child in position.children]
        assert children == legal
        assert position.moves == [move for move, _ in position.children]
        assert command.run("encode", code, position.text).strip() == f"@{position.key}"
        assert (position.over is None) == bool(legal)


@pytest.mark.parametrize("code", CODES)
def test_texts_and_keys_lead_back(code: str) -> None:
    game = yomikiri.Game(code)
    for position in walks(game, 60):
        same = [game.position(position.text), pickle.loads(pickle.dumps(position))]
        assert all(other.key == position.key and other.text == position.text for other in same)
        assert position.key is not None
        by_key = game.position(position.key)
        assert by_key.key == position.key and game.position(f"@{position.key}") == by_key
        assert game.position(np.uint64(position.key)) == by_key  # type: ignore[arg-type]


@pytest.mark.parametrize("code", CODES)
def test_moves_are_played_one_after_the_other(code: str) -> None:
    game = yomikiri.Game(code)
    here, moves = game.start, list[str]()
    while len(moves) < 5 and here.moves:
        moves.append(here.moves[-1])
        here = here.play(moves[-1])
    assert game.start.play(*moves) == here and hash(game.start.play(*moves)) == hash(here)
    assert game.start.play() == game.start != here


@pytest.mark.parametrize("code", CODES)
def test_number_of_games_is_that_of_perft(code: str, command: Command) -> None:
    def count(position: yomikiri.Position, depth: int) -> int:
        return 1 if depth == 0 else sum(count(child, depth - 1) for _, child in position.children)

    start = yomikiri.Game(code).start
    assert command.run("perft", code, "3") == f"{count(start, 3)}\n"


@pytest.mark.parametrize("code", CODES)
def test_children_of_arrays_are_those_of_positions(code: str) -> None:
    game = yomikiri.Game(code)
    keys = np.array([position.key for position in walks(game, 200)], dtype=np.uint64)
    offsets, children = game.children(keys)
    assert offsets.dtype == children.dtype == np.uint64 and offsets.shape == (len(keys) + 1,)
    assert offsets[0] == 0 and offsets[-1] == len(children)
    for number, key in enumerate(keys):
        mine = children[int(offsets[number]) : int(offsets[number + 1])]
        assert mine.tolist() == [child.key for _, child in game.position(int(key)).children]


def test_how_games_end() -> None:
    over = yomikiri.Game("val1n").start.play("2c2b").play("3a3b")
    assert over.over is not None and (over.over.outcome, over.over.plies, over.over.score) == ("win", 1, None)
    assert over.why_over == "the lion can be taken"
    assert over.moves == [] and yomikiri.Game("val1n").start.over is None


def test_games_tell_of_themselves(command: Command) -> None:
    game = yomikiri.Game("bin5x4")
    assert game.settings == json.loads(command.run("rules", "bin5x4", "--json"))["settings"]
    assert [yomikiri.Game(code).same_game for code in ("val13", "rev6x7")] == ["val10", "rev7x6"]
    assert (game.code, repr(game), game.has_keys) == ("bin5x4", 'Game("bin5x4")', True)
    assert pickle.loads(pickle.dumps(game)) == game != yomikiri.Game("bin4x4")
    assert hash(game) == hash(yomikiri.Game("bin5x4")) and game != "bin5x4"
    after = game.start.play(game.start.moves[0])
    assert (game.start.side, game.start.ply, after.side, after.ply) == ("black", 0, "white", 1)
    assert game.start.board.splitlines()[1] == "    1 2 3 4 5"
    wide = yomikiri.Game("con8x8")
    assert not wide.has_keys and wide.start.key is None
