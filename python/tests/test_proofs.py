"""Proofs and certificates agree with tables and the command."""

import time
from pathlib import Path

import pytest
import yomikiri
from conftest import Command, TableOf, walks


def winner_by_table(table: yomikiri.Table, position: yomikiri.Position) -> str | None:
    value = table.value(position)
    assert value is not None
    sides = {"black": "white", "white": "black"}
    return {"win": position.side, "loss": sides[position.side], "draw": None}[value.outcome]


def test_proofs_agree_with_tables(table_of: TableOf) -> None:
    table, moves = table_of("bin3x3"), 0
    for position in walks(table.game, 40):
        proof = yomikiri.prove(table.game, position)
        assert proof.winner == winner_by_table(table, position) and proof.draws is None
        if proof.winning_move is not None:
            moves += 1
            assert proof.winner == position.side
            answer = table.query(position)
            assert answer is not None
            assert [move.value.outcome for move in answer.moves if move.text == proof.winning_move] == ["win"]
    assert moves > 0
    drawn = table_of("con4x4")
    assert winner_by_table(drawn, drawn.game.start) is None
    for draws in ("black", "white"):
        proof = yomikiri.prove("con4x4", draws=draws)
        assert (proof.winner, proof.draws) == (draws, draws)


def test_certificates_tell_who_wins(tmp_path: Path, table_of: TableOf, command: Command) -> None:
    table, file = table_of("bin3x3"), tmp_path / "bin3x3.proof"
    proof = yomikiri.prove("bin3x3", certificate=file, horizon=2)
    assert proof.certificate == file and proof.entries is not None and proof.entries > 0
    certificate = yomikiri.Certificate.open("bin3x3", tables=tmp_path)
    assert certificate.path == file and certificate.game == table.game and certificate.position == table.game.start
    assert (certificate.winner, certificate.draws, certificate.horizon) == ("white", None, 2)
    assert not certificate.is_checked
    checked = certificate.check()
    report = command.json("check", str(file))
    assert checked.entries == report["entries"] == proof.entries
    assert (checked.winner_to_move, checked.loser_to_move, checked.read_out) == (
        report["winner_to_move"],
        report["loser_to_move"],
        report["read_out"],
    )
    assert certificate.is_checked and yomikiri.Certificate.open(file).is_checked
    told, here = 0, table.game.start
    for position in walks(table.game, 300):
        winner = certificate.winner_of(position)
        if winner is not None:
            assert winner == winner_by_table(table, position)
            told += 1
        move = certificate.winning_move(position)
        if move is not None:
            assert position.side == "white"
            assert winner_by_table(table, position.play(move)) == "white"
    assert told > 20
    # White wins with the certificate against any play of Black; here Black always plays its first move.
    while here.over is None:
        move = certificate.winning_move(here)
        if here.side == "white" and move is None:
            break
        here = here.play(move or here.moves[0])
    assert winner_by_table(table, here) == "white"


def test_certificates_that_prove_nothing(tmp_path: Path) -> None:
    with pytest.raises(yomikiri.MissingTableError, match="bin3x3.proof: does not exist"):
        yomikiri.Certificate.open("bin3x3", tables=tmp_path)
    file = tmp_path / "bin3x3.proof"
    yomikiri.prove("bin3x3", certificate=file)
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    with pytest.raises(yomikiri.TableError, match="bytes long"):
        yomikiri.Certificate.open(file)
    (tmp_path / "bin4x4.proof").write_text("mine")
    with pytest.raises(yomikiri.TextError, match="exists and is not a certificate of bin4x4"):
        yomikiri.prove("bin4x4", certificate=tmp_path / "bin4x4.proof")
    with pytest.raises(TypeError, match="expected a Game, a rule code or a path, not int"):
        yomikiri.Certificate.open(3)  # type: ignore[arg-type]


def test_games_that_repeat_have_no_proofs() -> None:
    for code in ["val1n", "pyon"]:
        with pytest.raises(yomikiri.TextError, match=f"{code}: proofs exist only for games that never repeat"):
            yomikiri.prove(code)
    with pytest.raises(yomikiri.TextError, match="draws"):
        yomikiri.prove("con4x4", draws="both")  # type: ignore[arg-type]
    with pytest.raises(yomikiri.TextError, match="horizon"):
        yomikiri.prove("bin3x3", horizon=99)


def test_a_proof_that_is_stopped_goes_on(tmp_path: Path) -> None:
    class Enough(Exception):
        pass

    def stop(step: yomikiri.Step) -> None:
        assert step.name == "proof"
        if step.done > 5_000:
            raise Enough

    with pytest.raises(Enough):
        yomikiri.prove("bin7x6", progress=stop, checkpoint=tmp_path, memory="64M")
    seen = list[int]()

    def first(step: yomikiri.Step) -> None:
        seen.append(step.done)
        raise Enough

    with pytest.raises(Enough):
        yomikiri.prove("bin7x6", progress=first, checkpoint=tmp_path, memory="64M")
    assert seen[0] >= 5_000, "it goes on from the checkpoint"


def test_time_runs_out() -> None:
    begun = time.monotonic()
    proof = yomikiri.prove("bin7x6", seconds=0.3, memory="64M")
    assert proof.winner is None and time.monotonic() < begun + 20 and proof.seconds >= 0.3
    assert repr(proof) == f"<Proof: not decided after {proof.expansions} expansions>"
