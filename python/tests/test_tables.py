"""Values of tables agree with the command and with the rules, position by position."""

import json
import os
import pickle
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import yomikiri
from conftest import CODES, REPOSITORY, Command, KeysOf, TableOf, walks


@pytest.mark.parametrize("code", CODES)
def test_answers_are_those_of_the_command(code: str, table_of: TableOf, command: Command) -> None:
    table = table_of(code)
    positions = list(walks(table.game, 150))
    lines = command.run("query", code, "-", lines=[position.text for position in positions]).splitlines()
    for position, line in zip(positions, lines, strict=True):
        told, answer = json.loads(line), table.query(position)
        assert answer is not None

        def measured(value: yomikiri.Value) -> dict[str, object]:
            measure = table.measure
            return {"outcome": value.outcome, measure: getattr(value, measure)}

        assert measured(answer.value).items() <= told.items()
        assert answer.value == table.value(position) == table.value(position.text)
        assert len(answer.moves) == len(told["moves"])
        for move, expected in zip(answer.moves, told["moves"], strict=True):
            found = {"move": move.text, "position": move.position.text, "key": f"@{move.position.key}"}
            assert found | measured(move.value) == expected


@pytest.mark.parametrize("code", CODES)
def test_arrays_are_answered_as_the_command_answers_lines(code: str, table_of: TableOf, command: Command) -> None:
    table = table_of(code)
    keys = np.array([position.key for position in walks(table.game, 400)], dtype=np.uint64)
    told = command.run("query", code, "-", "--brief", lines=[f"@{key}" for key in keys]).splitlines()
    outcomes, measured = table.values(keys)
    assert outcomes.shape == measured.shape == keys.shape and outcomes.dtype == np.int8
    assert measured.dtype == (np.int16 if table.measure == "plies" else np.int8)
    words = {1: "win", 0: "draw", -1: "loss"}
    for line, outcome, measure in zip(told, outcomes.tolist(), measured.tolist(), strict=True):
        expected = json.loads(line)
        assert words[outcome] == expected["outcome"]
        assert measure == (-1 if expected[table.measure] is None else expected[table.measure])


@pytest.mark.parametrize("code", CODES)
def test_every_value_follows_from_its_moves(code: str, table_of: TableOf, keys_of: KeysOf) -> None:
    """The value of each position is the best of its children's values, computed with NumPy."""
    table, keys = table_of(code), keys_of(code)
    assert len(keys) == len(table)
    if len(keys) > 300_000:
        keys = np.sort(np.random.default_rng(17).choice(keys, 300_000, replace=False))
    offsets, children = table.game.children(keys)
    own, of_children = preference(table, *table.values(keys)), preference(table, *table.values(children))
    starts, counts = offsets[:-1].astype(np.int64), np.diff(offsets)
    moved = counts > 0
    # The value of a move: the child's value negated, one ply farther from the end.
    if table.measure == "plies":
        turned = -of_children - np.sign(-of_children)
    else:
        turned = -of_children
    best = np.maximum.reduceat(turned, starts[moved])
    assert (best == own[moved]).all()


def preference(
    table: yomikiri.Table, outcomes: npt.NDArray[np.int8], measured: npt.NDArray[np.int16] | npt.NDArray[np.int8]
) -> npt.NDArray[np.int64]:
    """Returns numbers that order values for the side to move: an early win is the highest, an early loss the lowest."""
    assert (outcomes != yomikiri.UNKNOWN).all()
    if table.measure == "score":
        assert (np.sign(measured) == outcomes).all()
        return measured.astype(np.int64)
    return outcomes.astype(np.int64) * (1000 - measured.astype(np.int64))


@pytest.mark.parametrize("code", CODES)
def test_counts_are_those_of_the_command(code: str, table_of: TableOf, keys_of: KeysOf, command: Command) -> None:
    table, keys, stats = table_of(code), keys_of(code), command.json("stats", code)
    ended = stats.get("ended") or 0
    assert isinstance(ended, int) and len(keys) + ended == stats["positions"]
    if code == "m00c1":
        # The command counts positions in which the game is over, too: children that the table does not list.
        over = np.setdiff1d(table.game.children(keys)[1], keys)
        assert len(over) == ended
        keys = np.concatenate([keys, over])
    outcomes, _ = table.values(keys)
    counted = {name: int((outcomes == number).sum()) for name, number in [("wins", 1), ("draws", 0), ("losses", -1)]}
    if code in ["pyon2x3", "pyon3x4"]:
        assert counted["draws"] == stats["draws"] and sum(counted.values()) == len(table)
    else:
        assert counted == {name: stats[name] for name in counted}


@pytest.mark.parametrize("code", CODES)
def test_order_repetitions_and_strides_do_not_matter(code: str, table_of: TableOf, keys_of: KeysOf) -> None:
    table, keys, drawn = table_of(code), keys_of(code), np.random.default_rng(5)
    some = drawn.choice(keys, 60_000)
    outcomes, measured = table.values(some)
    order = np.argsort(some, kind="stable")
    sorted_outcomes, sorted_measured = table.values(some[order])
    assert (outcomes[order] == sorted_outcomes).all() and (measured[order] == sorted_measured).all()
    strided = np.repeat(some[:500], 3)[::3]
    for same in [strided, some[:500].tolist(), some[:500].astype(np.int64), some[:500].astype(">u8")]:
        again = table.values(same)
        assert (again[0] == outcomes[:500]).all() and (again[1] == measured[:500]).all()
    single = [table.value(int(key)) for key in some[:200]]
    words = {1: "win", 0: "draw", -1: "loss"}
    assert [value and value.outcome for value in single] == [words[outcome] for outcome in outcomes[:200].tolist()]


@pytest.mark.parametrize("resident", [False, True, None])
def test_tables_in_memory_answer_as_those_in_files(resident: bool | None, folder: Path, table_of: TableOf) -> None:
    for code in ["pyon3x5-PNG", "pyon2x3", "pyon3x4", "bin3x3"]:
        random, played = np.random.default_rng(3), [position.key for position in walks(table_of(code).game, 3_000)]
        drawn = random.choice(np.array(played, dtype=np.uint64), 30_000)
        asked = np.concatenate([drawn, random.integers(0, 2**28, 5_000, dtype=np.uint64)])
        # A short array is looked up in the file.
        file = yomikiri.Table.open(code, tables=folder, resident=False)
        expected = [file.values(part) for part in np.array_split(asked, 10)]
        table = yomikiri.Table.open(code, tables=folder, resident=resident)
        if resident is None:
            # After this number of look-ups the table is read into memory.
            for _ in range(20):
                table.values(asked)
        for found, parts in zip(table.values(asked), zip(*expected, strict=True), strict=True):
            assert (found == np.concatenate(parts)).all()


def told(table: yomikiri.Table, key: int) -> tuple[int, int]:
    """Returns the expected result of ``values`` for a number. ``Table.value`` raises if no position has this key."""
    nothing = -1 if table.measure == "plies" else yomikiri.UNKNOWN
    try:
        value = table.value(key)
    except yomikiri.TextError as error:
        assert str(error) == f'key "@{key}": is not the key of a position'
        return yomikiri.UNKNOWN, nothing
    if value is None:
        return yomikiri.UNKNOWN, nothing
    measured = getattr(value, table.measure)
    return {"win": 1, "draw": 0, "loss": -1}[value.outcome], -1 if measured is None else measured


@pytest.mark.parametrize("code", ["bin2x3", "bin3x3", "rev3x4", "con3x4", "pyon2x3", "pyon3x3", "pyon3x3-PGP", "2g001"])
@pytest.mark.parametrize("resident", [False, True])
def test_values_knows_of_every_number_what_value_knows(
    code: str, resident: bool, table_of: TableOf, keys_of: KeysOf, folder: Path
) -> None:
    table_of(code)
    table, own = yomikiri.Table.open(code, tables=folder, resident=resident), keys_of(code)
    drawn = np.random.default_rng(39).integers(0, 2 * int(own.max()) + 2, 5_000, dtype=np.uint64)
    near = np.random.default_rng(39).choice(own, 1_000)
    last = np.array([2**64 - 1, 2**63, 2**40 + 1], dtype=np.uint64)
    keys = np.concatenate([np.arange(20_000, dtype=np.uint64), drawn, near, near + np.uint64(1), last])
    outcomes, measured = table.values(keys)
    expected = [told(table, int(key)) for key in keys]
    assert list(zip(outcomes.tolist(), measured.tolist(), strict=True)) == expected
    unknown = keys[outcomes == yomikiri.UNKNOWN]
    assert 0 < len(unknown) < len(keys) and not np.isin(unknown, own).any()
    refused = 0
    for key in [*unknown[:1_000].tolist(), *last.tolist()]:
        try:
            table.game.children([key])
        except yomikiri.TextError:
            refused += 1
            for ask in (table.value, table.query, table.line, table.game.position):
                with pytest.raises(yomikiri.TextError, match="is not the key of a position"):
                    ask(key)
    assert refused > 0


def test_no_target_is_cleared_before_the_first_move(table_of: TableOf, command: Command) -> None:
    """Of the numbers below 2,000, 60 are no keys of bin2x3 for this reason alone."""
    table = table_of("bin2x3")
    assert table.values([7, 15, 23])[0].tolist() == 3 * [yomikiri.UNKNOWN]
    first, second = command.run("query", "bin2x3", "-", lines=["@0", "@7"]).splitlines()
    assert json.loads(first)["outcome"] == "loss"
    assert json.loads(second) == {"error": 'key "@7": is not the key of a position'}


def test_keys_of_no_position_have_no_value(table_of: TableOf) -> None:
    for code in CODES:
        table = table_of(code)
        keys = np.array([2**64 - 1, 2**63, 2**40 + 1], dtype=np.uint64)
        outcomes, measured = table.values(keys)
        assert outcomes.tolist() == 3 * [yomikiri.UNKNOWN]
        assert measured.tolist() == 3 * [-1 if table.measure == "plies" else yomikiri.UNKNOWN]
        empty = table.values(np.array([], dtype=np.uint64))
        assert empty[0].shape == empty[1].shape == (0,) == table.values([])[0].shape
    cannot_arise = yomikiri.Game("bin3x3").position("oo1/3/3 w - - 1")
    assert table_of("bin3x3").value(cannot_arise) is None
    assert table_of("bin3x3").query(cannot_arise) is None
    assert table_of("bin3x3").line(cannot_arise) is None


@pytest.mark.parametrize("code", CODES)
def test_lines_are_those_of_the_command(code: str, table_of: TableOf, command: Command) -> None:
    table = table_of(code)
    line = table.line()
    assert line is not None and line == table.line(table.game.start) and table.root == table.game.start
    told = command.run("line", code).splitlines()[-1].partition("moves ")[2]
    assert told.replace(" ", "") == "".join(move for move, _ in line)
    here = table.game.start
    for move, position in line:
        assert move in here.moves
        here = here.play(move)
        assert here.text == position.text
    assert here.over is not None or here in [table.game.start, *(position for _, position in line[:-1])]


def test_tables_of_later_positions(folder: Path, tmp_path: Path) -> None:
    game = yomikiri.Game("bin3x3")
    later = game.start.play("2n")
    made = yomikiri.analyze(game, tables=tmp_path, position=later)
    opened = yomikiri.Table.open("bin3x3", tables=tmp_path, position=later.key)
    assert opened.root == later == made.root and len(opened) == len(made) and opened.path == made.path
    whole = yomikiri.analyze(game, tables=folder)
    assert opened.value(later) == whole.value(later) and opened.value(game.start) is None
    with pytest.raises(yomikiri.MissingTableError):
        yomikiri.Table.open("bin3x3", tables=tmp_path)


def test_tables_by_path_and_by_the_folder_of_the_environment(
    folder: Path, table_of: TableOf, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table_of("bin3x3").path
    assert path == folder / "bin3x3.tbl"
    assert yomikiri.Table.open(path).game == yomikiri.Table.open(str(path)).game == yomikiri.Game("bin3x3")
    monkeypatch.setenv("YOMIKIRI_TABLES", str(folder))
    assert yomikiri.Table.open("bin3x3").path == path
    assert yomikiri.Table.open(yomikiri.Game("bin3x3")).path == path
    assert repr(table_of("bin3x3")) == f"<Table of bin3x3: 55289 positions, {path}>"


def test_files_of_other_names(table_of: TableOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A string with a separator of paths, or the name of a file that is no rule code, is a path."""
    whole = table_of("bin3x3").path.read_bytes()
    monkeypatch.chdir(tmp_path)
    for name in ("renamed.bin", "bin2x2"):
        (tmp_path / name).write_bytes(whole)
        assert yomikiri.Table.open(f"./{name}").game == yomikiri.Game("bin3x3")
    assert yomikiri.Table.open("renamed.bin").game == yomikiri.Game("bin3x3")
    yomikiri.prove("bin3x3", certificate="x.cert")
    for name in ("x.cert", "./x.cert", str(tmp_path / "x.cert")):
        assert yomikiri.Certificate.open(name).game == yomikiri.Game("bin3x3")
    # A rule code stays one, although a file has its name.
    with pytest.raises(yomikiri.MissingTableError, match="bin2x2.tbl: does not exist"):
        yomikiri.Table.open("bin2x2", tables=tmp_path / "none")
    for name in ("./none.bin", "none/x"):
        with pytest.raises(yomikiri.MissingTableError, match="does not exist"):
            yomikiri.Table.open(name)
        with pytest.raises(yomikiri.MissingTableError, match="does not exist"):
            yomikiri.Certificate.open(name)
    with pytest.raises(yomikiri.TextError, match="no game has codes of this form"):
        yomikiri.Table.open("none.bin")


def test_tables_of_several_folders(
    folder: Path, table_of: TableOf, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = table_of("bin3x3").path
    assert yomikiri.Table.open("bin3x3", tables=[tmp_path, str(folder)]).path == path
    monkeypatch.setenv("YOMIKIRI_TABLES", os.pathsep.join([str(tmp_path), str(folder)]))
    assert yomikiri.Table.open("bin3x3").path == path
    assert yomikiri.analyze("bin2x2").path == tmp_path / "bin2x2.tbl"
    with pytest.raises(yomikiri.MissingTableError, match="pyon2x4.tbl or .*pyon2x4.tbl: does not exist"):
        yomikiri.Table.open("pyon2x4")
    monkeypatch.setenv("YOMIKIRI_TABLES", "https://host.invalid/t:/tables")
    with pytest.raises(yomikiri.TextError, match="may be one address or several names"):
        yomikiri.Table.open("bin3x3")
    with pytest.raises(TypeError, match="expected a path or a list of paths, not int"):
        yomikiri.Table.open("bin3x3", tables=3)  # type: ignore[arg-type]


def test_certificates_that_ship_with_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    with pytest.raises(yomikiri.MissingTableError):
        yomikiri.Certificate.open("bin2x5", tables=elsewhere)
    monkeypatch.setenv("YOMIKIRI_DATA", str(REPOSITORY / "precomp"))
    certificate = yomikiri.Certificate.open("bin2x5", tables=elsewhere)
    assert certificate.path == REPOSITORY / "precomp/proofs/bin2x5.proof" and certificate.address is None


def test_damage_is_an_exception(table_of: TableOf, keys_of: KeysOf, tmp_path: Path) -> None:
    whole = table_of("bin3x3").path.read_bytes()
    changed = bytearray(whole)
    changed[len(whole) // 2] ^= 1
    for name, content, what in [
        ("short.tbl", whole[:-10], "bytes long"),
        ("empty.tbl", b"", "shorter than the header of a file"),
        ("other.tbl", b"x" * 500, "not a Yomikiri table"),
    ]:
        (tmp_path / name).write_bytes(content)
        with pytest.raises(yomikiri.TableError, match=what):
            yomikiri.Table.open(tmp_path / name)
    (tmp_path / "bin3x3.tbl").write_bytes(changed)
    table = yomikiri.Table.open("bin3x3", tables=tmp_path)
    keys = keys_of("bin3x3")
    with pytest.raises(yomikiri.TableError, match="does not match its checksum"):
        table.values(keys)
    with pytest.raises(yomikiri.TableError, match="is the table of bin3x3, not of bin4x4"):
        (tmp_path / "bin4x4.tbl").write_bytes(whole)
        yomikiri.Table.open("bin4x4", tables=tmp_path)


def test_values_compare_and_print(table_of: TableOf) -> None:
    table = table_of("bin3x3")
    first, second = table.value(table.game.start), table.value(0)
    assert first == second and hash(first) == hash(second) and repr(first) == "<Value loss, plies=10>"
    assert first != table.value(table.game.start.play("2n"))
    with pytest.raises(TypeError):
        pickle.dumps(first)
