"""Boards and surveys by a Ray cluster of several nodes on this machine, some of which are killed."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yomikiri
from conftest import Command
from yomikiri._yomikiri import Run, Storage
from yomikiri.cluster.journal import with_sum
from yomikiri.cluster.plan import STEPS, Unit, plan, split

#: Only what hangs takes so long, on however busy a machine.
PATIENCE = 900.0


QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}

#: `ray`, which takes a loopback address for the machine's outer one: nothing here is to be reached from outside.
START = """
from ray._private import services
from ray.scripts.scripts import main
services.node_ip_address_from_perspective = lambda address=None: "127.0.0.1"
main()
"""

#: The same of a driver, which is told that no other machine is to join.
ON_LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Nodes:
    """A cluster: a head that does no work, and workers of one core each."""

    def __init__(self, folder: Path, workers: int, environment: dict[str, str] | None = None) -> None:
        self.environment = os.environ | QUIET | (environment or {})
        # The paths of sockets may not be long.
        self.folder = Path("/tmp") / f"yomikiri-ray-{os.getpid()}-{free_port()}"
        self.port = free_port()
        self.log = folder / "ray.log"
        self.workers: list[subprocess.Popen[bytes]] = []
        self.started = 0
        head = ["--head", f"--port={self.port}", "--num-cpus=0", "--include-dashboard=false"]
        self.head = self.start(*head, "--dashboard-port", str(free_port()))
        until(self.is_there)
        for _ in range(workers):
            self.add()

    def is_there(self) -> bool:
        """Whether the head takes connections."""
        with socket.socket() as asked:
            return asked.connect_ex(("127.0.0.1", self.port)) == 0

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        # In one folder, nodes that start at the same time take the same names for their sockets, and one dies of it.
        folder = self.folder / str(self.started)
        self.started += 1
        mine = [f"--temp-dir={folder}", "--node-ip-address=127.0.0.1"]
        sizes = ["--object-store-memory=100000000", "--memory=2000000000", "--block"]
        ray = [sys.executable, "-c", START, "start"]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                [*ray, *arguments, *mine, *sizes], env=self.environment, stdout=log, stderr=log, start_new_session=True
            )

    def add(self) -> None:
        self.workers.append(self.start(f"--address={self.address}", "--num-cpus=1"))

    def kill_one(self) -> None:
        """Kills the oldest worker with all its processes, and starts another one."""
        kill(self.workers.pop(0))
        self.add()

    def end(self) -> None:
        for process in [*self.workers, self.head]:
            kill(process)
        subprocess.run(["rm", "-rf", str(self.folder)], check=True)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kills a process with all those that it has started."""
    for group in {process.pid, *sessions_below(process.pid)}:
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def sessions_below(process: int) -> set[int]:
    """The process groups of what a process has started."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,pgid="], capture_output=True, text=True, check=True).stdout
    rows = [tuple(map(int, line.split())) for line in listed.splitlines()]
    found, groups = {process}, set[int]()
    for _ in rows:
        more = {pid for pid, parent, _ in rows if parent in found} - found
        if not more:
            break
        found |= more
    groups = {group for pid, _, group in rows if pid in found}
    return groups - {os.getpgid(0)}


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    started = Nodes(tmp_path_factory.mktemp("ray"), 3)
    yield started
    started.end()


def command_line(address: str, *arguments: str) -> list[str]:
    verb, *rest = arguments
    return [sys.executable, "-m", "yomikiri.cluster", verb, *rest, "--address", address]


def driver(address: str, *arguments: str) -> "subprocess.Popen[str]":
    """A driver at work."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(command_line(address, *arguments), text=True, env=os.environ | QUIET | ON_LOOPBACK, **pipes)  # type: ignore[call-overload, no-any-return]


def finish(process: "subprocess.Popen[str]", status: int = 0) -> str:
    """What a driver has said at its end."""
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, out + err
    return out + err


def until(happens: Callable[[], bool], process: "subprocess.Popen[str] | None" = None) -> None:
    """Waits for something, while a driver is at work."""
    begun = time.monotonic()
    while not happens():
        assert time.monotonic() - begun < PATIENCE
        assert process is None or process.poll() is None, process.communicate()
        time.sleep(0.02)


def files(folder: Path, step: str) -> int:
    """How many files a step has left."""
    found = folder / step
    return len(list(found.iterdir())) if found.exists() else 0


def packed(folder: Path) -> bool:
    """Whether there is a section of a tier that was cut."""
    names = {path.name for path in (folder / "values").iterdir()} if (folder / "values").exists() else set()
    cut = {path.name.split("-")[0] for path in (folder / "audit").iterdir() if "-" in path.name}
    return bool(names & cut)


def table(folder: Path, code: str) -> bytes:
    """A table, from its file or its pieces."""
    whole = folder / f"{code}.tbl"
    pieces = [whole] if whole.exists() else sorted(folder.glob(f"{code}.tbl.[0-9]*"))
    return b"".join(piece.read_bytes() for piece in pieces)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """The bytes of the table that one machine makes."""
    folder = tmp_path_factory.mktemp("one")
    made: dict[str, bytes] = {}

    def of(code: str) -> bytes:
        if code not in made:
            yomikiri.analyze(code, tables=folder)
            made[code] = table(folder, code)
        return made[code]

    return of


def test_three_nodes_make_the_bytes_of_one(nodes: Nodes, tmp_path: Path, expected: Callable[[str], bytes]) -> None:
    said = finish(driver(nodes.address, "analyze", "bin3x3", "--storage", str(tmp_path), "--piece", "10000"))
    assert table(tmp_path, "bin3x3") == expected("bin3x3")
    assert "bin3x3.tbl.0000 to bin3x3.tbl.0004" in said and "CPU s" in said and "written" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"bin3x3.tbl.{number:04}" for number in range(5)]
    # The pieces are a table for whoever asks.
    assert len(yomikiri.Table.open("bin3x3", tables=tmp_path)) == len(yomikiri.analyze("bin3x3", tables=tmp_path))


def test_three_nodes_make_the_same_bytes_in_parts(
    nodes: Nodes, tmp_path: Path, expected: Callable[[str], bytes]
) -> None:
    # Every tier that has squares of the middle rank is cut.
    finish(driver(nodes.address, "analyze", "bin3x3", "--storage", str(tmp_path), "--cut", "1"))
    assert table(tmp_path, "bin3x3") == expected("bin3x3")
    assert [path.name for path in tmp_path.iterdir()] == ["bin3x3.tbl"]


def test_nodes_die_in_every_step(nodes: Nodes, tmp_path: Path, expected: Callable[[str], bytes]) -> None:
    run = tmp_path / "bin4x4.run"
    # Tiers of 65,536 rows are cut at the four squares of the middle.
    process = driver(nodes.address, "analyze", "bin4x4", "--storage", str(tmp_path), "--cut", "32K")
    seen = 0
    for step in ("reach", "values", "audit", "packed"):
        until(lambda: packed(run) if step == "packed" else files(run, step) > 0, process)
        nodes.kill_one()
        seen += 1
    finish(process)
    assert seen == 4
    assert table(tmp_path, "bin4x4") == expected("bin4x4")


def test_drivers_die_in_every_step(
    nodes: Nodes, tmp_path: Path, expected: Callable[[str], bytes]
) -> None:
    run = tmp_path / "bin4x4.run"
    arguments = ("analyze", "bin4x4", "--storage", str(tmp_path), "--keep")
    seen = 0
    for step in ("reach", "values", "audit"):
        process = driver(nodes.address, *arguments)
        until(lambda: files(run, step) > 0, process)
        if step == "reach":
            second = finish(driver(nodes.address, *arguments), status=1)
            assert second.startswith("error: ") and "another driver is at work on this board" in second
        process.kill()
        process.communicate()
        seen += 1
    finish(driver(nodes.address, *arguments))
    assert seen == 3 and table(tmp_path, "bin4x4") == expected("bin4x4")
    # Nothing is left to do: the same command writes the same table.
    finish(driver(nodes.address, *arguments))
    assert table(tmp_path, "bin4x4") == expected("bin4x4")


class Bucket:
    """A server of objects that fails now and then."""

    def __init__(self) -> None:
        from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
        from werkzeug.serving import make_server

        application = DomainDispatcherApplication(create_backend_app)
        self.requests = 0

        def flaky(environment: Any, start: Any) -> Any:
            self.requests += 1
            if self.requests % 15 == 0:
                start("503 Slow Down", [("Content-Length", "0")])
                return [b""]
            return application(environment, start)

        self.server = make_server("127.0.0.1", 0, flaky, threaded=True)
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()

    @property
    def environment(self) -> dict[str, str]:
        return {
            "AWS_ENDPOINT_URL": f"http://127.0.0.1:{self.server.port}",
            "AWS_ALLOW_HTTP": "true",
            "AWS_ACCESS_KEY_ID": "somebody",
            "AWS_SECRET_ACCESS_KEY": "a secret",
            "AWS_REGION": "us-east-1",
        }

    def end(self) -> None:
        self.server.shutdown()
        self.thread.join()


def test_a_bucket_that_fails_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, expected: Callable[[str], bytes]
) -> None:
    bucket = Bucket()
    for name, value in bucket.environment.items():
        monkeypatch.setenv(name, value)
    started = Nodes(tmp_path, 2, bucket.environment)
    try:
        import boto3

        client = boto3.client("s3", config=boto3.session.Config(retries={"max_attempts": 10}))
        client.create_bucket(Bucket="boards")
        arguments = ("analyze", "bin3x2", "--storage", "s3://boards/some", "--piece", "500")
        finish(driver(started.address, *arguments))
        names = [f"some/bin3x2.tbl.{number:04}" for number in range(-(-len(expected("bin3x2")) // 500))]
        listed = client.list_objects_v2(Bucket="boards")["Contents"]
        assert [entry["Key"] for entry in listed] == names
        pieces = [client.get_object(Bucket="boards", Key=name)["Body"].read() for name in names]
        assert len(names) > 2 and b"".join(pieces) == expected("bin3x2")
        assert bucket.requests > 100
    finally:
        started.end()
        bucket.end()


def test_a_survey_is_that_of_one_machine(nodes: Nodes, tmp_path: Path, command: Command) -> None:
    patterns = ["bin{2,3}x3-s*", "bin3x3-k{b,w}{0..2}.5", "pyon3x3", "rev{3,4}x{3,4}", "v{0,2}{0,2}0{0,1}"]
    alone, together = tmp_path / "alone.jsonl", tmp_path / "together.jsonl"
    command.run("survey", *patterns, "--out", str(alone), "--tables", str(tmp_path))
    arguments = ("survey", *patterns, "--out", str(together), "--command", command.program)
    finish(driver(nodes.address, *arguments))
    assert together.read_text() == alone.read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["alone.jsonl", "together.jsonl"]
    # Half of its journal, as a driver that was killed leaves it.
    lines = together.read_text().splitlines(keepends=True)
    together.unlink()
    Path(f"{together}.journal").write_text("".join(lines[:4]) + lines[4][:20])
    finish(driver(nodes.address, *arguments))
    assert together.read_text() == alone.read_text()


def test_a_match_is_that_of_one_machine(nodes: Nodes, tmp_path: Path, command: Command) -> None:
    asked = ["match", "bin4x3", "random", "search,depth=2", "--opening", "2", "--seed", "5", "--games", "119"]
    records = [tmp_path / "alone.games", tmp_path / "together.games"]
    alone = command.run(*asked, "--json", "--records", str(records[0]), "--tables", str(tmp_path))
    parts = tmp_path / "parts"
    on_nodes = ["--out", str(parts), "--command", command.program, "--tables", str(tmp_path), "--json"]

    def without_times(said: str) -> Any:
        summary = json.loads(said.splitlines()[-1])
        return summary | {side: {k: v for k, v in summary[side].items() if not k.endswith("_ms")} for side in "ab"}

    def together(*options: str) -> str:
        process = driver(nodes.address, *asked, *on_nodes, *options)
        out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode == 0, err
        return out

    assert without_times(together("--records", str(records[1]))) == without_times(alone)
    assert records[0].read_text() == records[1].read_text()
    lines = parts.read_text().splitlines(keepends=True)
    assert len(lines) == 60 and not Path(f"{parts}.journal").exists()
    # Half of its journal, as a driver that was killed leaves it; what is there is not played again.
    told = json.loads(lines[7])
    del told["crc32"]
    for time in ("time", "longest"):
        told["tally"]["players"][0]["time_used"][time]["secs"] += 77
    lines[7] = with_sum(json.dumps(told, separators=(",", ":"))) + "\n"
    Path(f"{parts}.journal").write_text("".join(lines[4:9]) + lines[0][:50])
    parts.unlink()
    said = together()
    assert without_times(said) == without_times(alone) and json.loads(said)["a"]["longest_ms"] > 77000
    # A line that is damaged is not summed up.
    Path(f"{parts}.journal").write_text(lines[4].replace('"seed":5', '"seed":4'))
    said = finish(driver(nodes.address, *asked, *on_nodes), status=1)
    assert "line 1 does not match its checksum" in said, said
    # Records are a new file, and are not there of games that were played without.
    for wrong in (records[0], tmp_path / "more"):
        Path(f"{parts}.journal").write_text(lines[0])
        said = finish(driver(nodes.address, *asked, *on_nodes, "--records", str(wrong)), status=1)
        assert said.startswith("error: ") and said.count("\n") == 1, said


def test_what_makes_no_sense_is_one_line(nodes: Nodes, tmp_path: Path) -> None:
    asked = {
        ("analyze", "bin9x9", "--storage", str(tmp_path)): "rule code",
        ("analyze", "val1n", "--storage", str(tmp_path)): "only boards of Binarsi",
        ("analyze", "bin5x5", "--storage", str(tmp_path), "--memory", "64M"): "bin5x5: a step needs",
        ("survey", "bin3x3", "--out", str(tmp_path / "x"), "--command", "no-such-program"): "no-such-program",
        ("survey", "bin9x9", "--out", str(tmp_path / "x")): "yomikiri",
        ("match", "bin3x3", "random", "random", "--out", str(tmp_path / "x"), "--command", "no-such-program"): "no-such-",
    }
    for arguments, part in asked.items():
        said = finish(driver(nodes.address, *arguments), status=1)
        assert said.startswith("error: ") and said.count("\n") == 1 and part in said, said


def test_without_ray_nothing_else_changes(tmp_path: Path) -> None:
    code = """
import sys
sys.modules["ray"] = None
import yomikiri
assert len(yomikiri.analyze("bin2x2", tables=sys.argv[1])) > 0
sys.argv = ["x", "analyze", "bin2x2", "--storage", sys.argv[1]]
from yomikiri.cluster.__main__ import main
sys.exit(main())
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "error: needs Ray: pip install 'yomikiri[cluster]'\n")


def test_steps_in_this_process(tmp_path: Path, expected: Callable[[str], bytes]) -> None:
    storage = Storage(str(tmp_path))
    run = Run("bin3x2", storage, memory="1G")
    units = {step: run.units(step) for step in STEPS}
    for group in plan(units, {}, 2):
        read, written = run.work(group.step, group.units)
        assert read >= 0 and written > 0
    assert all(run.finished(step) == [unit[0] for unit in units[step]] for step in ("solve", "audit"))
    assert units["pack"] == []
    run.write([("bin3x2.tbl", 0, run.length())])
    run.clean()
    assert table(tmp_path, "bin3x2") == expected("bin3x2") and [path.name for path in tmp_path.iterdir()] == ["bin3x2.tbl"]
    assert storage.create("x", b"1") and not storage.create("x", b"2") and storage.get("x") == b"1"
    storage.delete("x")
    assert storage.get("x") is None
    with pytest.raises(yomikiri.TextError):
        run.work("guess", [0])
    with pytest.raises(yomikiri.TableError):
        Run("bin3x3", storage).work("solve", [0])


def some_units() -> dict[str, list[Unit]]:
    """Four plies of four tiers, each of which leads to two of the next."""
    width, plies = 4, 4
    below = {
        number: [(number // width + 1) * width + (number + step) % width for step in range(2)]
        for number in range(width * (plies - 1))
    }
    units: dict[str, list[Unit]] = {step: [] for step in STEPS}
    for number in range(width * plies):
        ply, children = number // width, below.get(number, [])
        parents = [other for other, under in below.items() if number in under]
        solved = [("solve", child) for child in children]
        units["enumerate"].append((number, ply, 3 << 20, 1, [("enumerate", parent) for parent in parents]))
        units["solve"].append((number, ply, 12 << 20, 3, [("enumerate", number), *solved]))
        waits = [("solve", number), *solved, *(("audit", parent) for parent in parents)]
        units["audit"].append((number, ply, 24 << 20, 7, waits))
    return units


def test_a_group_comes_behind_all_that_it_needs() -> None:
    units = some_units()
    for workers in (1, 2, 4, 100):
        done: set[tuple[str, int]] = set()
        groups = plan(units, {}, workers)
        for number, group in enumerate(groups):
            assert group.after <= set(range(number))
            assert {units[group.step][unit][1] for unit in group.units} == {group.ply}
            assert group.memory == {"enumerate": 1, "solve": 3, "audit": 7}[group.step]
            done |= {(group.step, unit) for unit in group.units}
        assert done == {(step, unit[0]) for step in STEPS for unit in units[step]}
        assert len(groups) >= 12 * min(workers, 2)
    # All of what a group needs is in the groups that it waits for, or in theirs.
    groups = plan(units, {}, 2)
    for group in groups:
        known: set[tuple[str, int]] = set()
        waiting = list(group.after)
        while waiting:
            other = groups[waiting.pop()]
            known |= {(other.step, unit) for unit in other.units}
            waiting += other.after
        assert all(set(units[group.step][unit][4]) <= known for unit in group.units)


def test_what_is_finished_is_not_planned_again() -> None:
    units = some_units()
    everything = list(range(16))
    assert plan(units, {step: everything for step in STEPS}, 3) == []
    left = plan(units, {"solve": everything[8:], "enumerate": everything}, 3)
    assert {(group.step, unit) for group in left for unit in group.units} == {
        *(("solve", unit) for unit in everything[:8]),
        *(("audit", unit) for unit in everything),
    }


def test_groups_are_neighbours_of_about_the_same_cost() -> None:
    costs = [5, 1, 1, 1, 1, 1, 10, 1, 1, 8]
    units: list[Unit] = [(number, 0, cost, 0, []) for number, cost in enumerate(costs)]
    for groups in range(1, 12):
        parts = list(split(units, groups))
        assert [unit for part in parts for unit in part] == units
        assert len(parts) <= max(groups, 1) + 1 and all(parts)
    assert json.dumps(list(split([], 3))) == "[]"


def test_a_fork_of_a_driver_says_that_it_is_one(nodes: Nodes, tmp_path: Path) -> None:
    program = """
import os, sys
from yomikiri.cluster import board, nodes
nodes.join(sys.argv[1])
child = os.fork()
if child == 0:
    status = 1
    try:
        board.make("bin2x2", sys.argv[2])
    except nodes.ClusterError as error:
        status = 0 if "this process was forked" in str(error) else 2
    finally:
        os._exit(status)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
board.make("bin2x2", sys.argv[2])
"""
    arguments = [sys.executable, "-W", "ignore", "-c", program, nodes.address, str(tmp_path)]
    subprocess.run(arguments, check=True, timeout=PATIENCE, env=os.environ | QUIET | ON_LOOPBACK)
    assert (tmp_path / "bin2x2.tbl").exists()
