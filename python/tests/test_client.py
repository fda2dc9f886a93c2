"""A client of USI engines that others wrote plays games against the engine."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conftest import Command, TableOf
from cshogi.usi import Engine

RANK = {"loss": 0, "draw": 1, "win": 2}


@contextmanager
def started(file: Path) -> Iterator[Engine]:
    """Starts an engine, and ends it. The client leaves its pipes open."""
    engine = Engine(str(file))
    process = engine.proc
    try:
        yield engine
    finally:
        engine.quit()
        for pipe in (process.stdin, process.stdout, process.stderr):
            pipe.close()


def test_ten_games_with_a_client_of_others(folder: Path, table_of: TableOf, command: Command, tmp_path: Path) -> None:
    """With a table, the engine never does worse than the value of its first position, whatever the client plays."""
    drawn, moves, codes = random.Random(23), 0, ["bin3x3", "m00c1"]
    for code in codes:
        table_of(code)
        command.run("usi", "--install", str(tmp_path), "--tables", str(folder), code)
    for number in range(10):
        code, own = codes[number % 2], ["black", "white"][number % 4 // 2]
        table = table_of(code)
        here, played, hoped = table.game.start, list[str](), None
        with started(tmp_path / f"yomikiri-{code}") as engine:
            assert "Yomikiri" in engine.name
            engine.setoption("MoveTime", 1000)
            engine.isready()
            engine.usinewgame()
            while here.over is None and len(played) < 80:
                if here.side == own:
                    value = table.value(here)
                    assert value is not None
                    hoped = hoped or value.outcome
                    engine.position(moves=played)
                    move, _ = engine.go(btime=60_000, wtime=60_000, byoyomi=1000)
                    moves += 1
                else:
                    move = drawn.choice(here.moves)
                here, played = here.play(move), [*played, move]
            engine.gameover("win")
        reached = table.value(here)
        assert hoped is not None and reached is not None
        outcome = reached.outcome if here.side == own else {"win": "loss", "loss": "win"}.get(reached.outcome, "draw")
        assert RANK[outcome] >= RANK[hoped], f"{code} {played}"
    assert moves > 30
