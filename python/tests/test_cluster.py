"""Boards, surveys and matches on a Ray cluster of several nodes on this machine. Some tests kill nodes."""

import json
import os
import re
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
from yomikiri.cluster.__main__ import duration
from yomikiri.cluster.journal import with_sum
from yomikiri.cluster.lease import Lease
from yomikiri.cluster.nodes import ClusterError, Offer, State
from yomikiri.cluster.plan import STEPS, Unit, plan, split
from yomikiri.cluster.waiting import Need, Problem, Task, Waiting, lacking, ready, stopped

#: Seconds. Even on a busy machine, only a driver that hangs takes this long.
PATIENCE = 900.0

#: Seconds within which a node must join, all attempts together.
JOINING = 600.0

#: The environment of nodes and drivers.
QUIET = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_AUTH_MODE": "disabled"}

#: The `ray` command, patched in two ways. It uses the loopback address as the address of the machine, so that nothing
#: here can be reached from outside. It waits two minutes, not half a minute, until the head lists a started node.
START = """
import time
from ray._private import services
from ray.scripts.scripts import main

def patiently(*asked, ask=services.get_node, end=time.monotonic() + 120):
    while True:
        try:
            return ask(*asked)
        except RuntimeError:
            if time.monotonic() > end:
                raise
            time.sleep(0.1)

services.get_node = patiently
services.node_ip_address_from_perspective = lambda address=None: "127.0.0.1"
main()
"""

#: Makes a driver use the loopback address: tells Ray that no other machine will join.
ON_LOOPBACK = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


class Nodes:
    """A cluster: a head that does no work, and workers with one core each."""

    def __init__(self, folder: Path, workers: int, environment: dict[str, str] | None = None) -> None:
        self.environment = os.environ | QUIET | (environment or {})
        # Paths of sockets have a length limit, so this is not the test's own folder.
        self.folder = Path("/tmp") / f"yomikiri-ray-{os.getpid()}-{free_port()}"
        self.port = free_port()
        self.logs = folder
        self.workers: list[subprocess.Popen[bytes]] = []
        self.started = 0
        head = ["--head", f"--port={self.port}", "--num-cpus=0", "--include-dashboard=false"]
        self.head = self.start(*head, "--dashboard-port", str(free_port()))
        try:
            for _ in range(workers):
                self.add()
        except BaseException:
            self.end()
            raise

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self, *arguments: str, memory: int = 2_000_000_000) -> subprocess.Popen[bytes]:
        """Starts a node and waits until it has joined, with retries. Fails with the output of the last attempt."""
        begun = time.monotonic()
        while True:
            number, self.started = self.started, self.started + 1
            # Nodes that start in the same folder at the same time choose equal names for their sockets, and one dies.
            folder, log = self.folder / str(number), self.logs / f"node-{number}.log"
            mine = [f"--temp-dir={folder}", "--node-ip-address=127.0.0.1"]
            sizes = ["--object-store-memory=100000000", f"--memory={memory}", "--block"]
            ray = [sys.executable, "-c", START, "start"]
            with log.open("wb") as out:
                node = subprocess.Popen(
                    [*ray, *arguments, *mine, *sizes], env=self.environment, stdout=out, stderr=out,
                    start_new_session=True
                )
            while node.poll() is None and time.monotonic() - begun < JOINING:
                # Ray prints this once the head lists the node.
                if b"Ray runtime started" in log.read_bytes():
                    return node
                time.sleep(0.05)
            kill(node)
            words = log.read_text(errors="replace")
            assert time.monotonic() - begun < JOINING, f"no node has joined: {words}"

    def add(self, memory: int = 2_000_000_000) -> None:
        """Starts a worker with ``memory`` bytes."""
        self.workers.append(self.start(f"--address={self.address}", "--num-cpus=1", memory=memory))

    def kill_one(self) -> None:
        """Kills the oldest worker with all its processes."""
        kill(self.workers.pop(0))

    def end(self) -> None:
        for process in [*self.workers, self.head]:
            kill(process)
        subprocess.run(["rm", "-rf", str(self.folder)], check=True)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """Kills a process with all its descendants."""
    for group in {process.pid, *sessions_below(process.pid)}:
        try:
            os.killpg(group, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def sessions_below(process: int) -> set[int]:
    """Returns the process groups of the descendants of a process."""
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


#: The drivers that the current test has started.
DRIVERS: list["subprocess.Popen[str]"] = []


def driver(address: str, *arguments: str) -> "subprocess.Popen[str]":
    """Starts a driver."""
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    process = subprocess.Popen(command_line(address, *arguments), text=True, env=os.environ | QUIET | ON_LOOPBACK, **pipes)  # type: ignore[call-overload]
    DRIVERS.append(process)
    return process  # type: ignore[no-any-return]


@pytest.fixture(autouse=True)
def no_driver_is_left() -> Iterator[None]:
    """Kills the drivers that a failed test has left. They would occupy the nodes of the next test."""
    yield
    while DRIVERS:
        process = DRIVERS.pop()
        process.kill()
        process.communicate()


def finish(process: "subprocess.Popen[str]", status: int = 0) -> str:
    """Waits for the end of a driver. Returns its output and errors."""
    out, err = process.communicate(timeout=PATIENCE)
    assert process.returncode == status, out + err
    # Events of the cluster, such as the death of a node, must not be on standard output.
    assert "(raylet)" not in out, out
    return out + err


def until(happens: Callable[[], bool], process: "subprocess.Popen[str]", log: Path | None = None) -> None:
    """Waits until ``happens`` returns true while a driver runs.

    Fails with the output of the driver, or with the text of ``log``, if the driver ends or ``PATIENCE`` is over.
    """
    begun = time.monotonic()
    while not happens():
        if time.monotonic() - begun >= PATIENCE:
            process.kill()
            process.wait()
        assert process.poll() is None, log.read_text() if log else process.communicate()
        time.sleep(0.02)


def files(folder: Path, step: str) -> int:
    """Returns the number of files that a step has written."""
    found = folder / step
    return len(list(found.iterdir())) if found.exists() else 0


def packed(folder: Path) -> bool:
    """Returns true if the values of a tier that was cut are there as one section."""
    names = {path.name for path in (folder / "values").iterdir()} if (folder / "values").exists() else set()
    cut = {path.name.split("-")[0] for path in (folder / "audit").iterdir() if "-" in path.name}
    return bool(names & cut)


def table(folder: Path, code: str) -> bytes:
    """Returns the bytes of a table, from its file or its pieces."""
    whole = folder / f"{code}.tbl"
    pieces = [whole] if whole.exists() else sorted(folder.glob(f"{code}.tbl.[0-9]*"))
    return b"".join(piece.read_bytes() for piece in pieces)


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], bytes]:
    """Returns the bytes of the table that one machine makes, by rule code."""
    folder = tmp_path_factory.mktemp("one")
    made: dict[str, bytes] = {}

    def of(code: str) -> bytes:
        if code not in made:
            yomikiri.analyze(code, tables=folder)
            made[code] = table(folder, code)
        return made[code]

    return of


def refusal(said: str) -> str:
    """Returns the only error line of a driver. Ray writes lines of its own to the same place, before and after it."""
    found = [line for line in said.splitlines() if line.startswith("error: ")]
    assert len(found) == 1 and "Traceback" not in said, said
    return found[0]


def test_three_nodes_make_the_bytes_of_one(nodes: Nodes, tmp_path: Path, expected: Callable[[str], bytes]) -> None:
    said = finish(driver(nodes.address, "analyze", "bin3x3", "--storage", str(tmp_path), "--piece", "10000"))
    assert table(tmp_path, "bin3x3") == expected("bin3x3")
    assert "bin3x3.tbl.0000 to bin3x3.tbl.0004" in said and "CPU s" in said and "written" in said
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"bin3x3.tbl.{number:04}" for number in range(5)]
    # The pieces open as one table.
    assert len(yomikiri.Table.open("bin3x3", tables=tmp_path)) == len(yomikiri.analyze("bin3x3", tables=tmp_path))


def test_three_nodes_make_the_same_bytes_in_parts(
    nodes: Nodes, tmp_path: Path, expected: Callable[[str], bytes]
) -> None:
    # Every tier that contains squares of the middle rank is cut.
    finish(driver(nodes.address, "analyze", "bin3x3", "--storage", str(tmp_path), "--cut", "1"))
    assert table(tmp_path, "bin3x3") == expected("bin3x3")
    assert [path.name for path in tmp_path.iterdir()] == ["bin3x3.tbl"]


def test_nodes_die_in_every_step(nodes: Nodes, tmp_path: Path, expected: Callable[[str], bytes]) -> None:
    run = tmp_path / "bin4x4.run"
    # Tiers of 65,536 rows are cut at the four squares in the middle.
    process = driver(nodes.address, "analyze", "bin4x4", "--storage", str(tmp_path), "--cut", "32K")
    seen = 0
    for step in ("reach", "values", "audit", "packed"):
        until(lambda: packed(run) if step == "packed" else files(run, step) > 0, process)
        nodes.kill_one()
        nodes.add()
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
            assert "another driver is at work on this board" in refusal(second)
        process.kill()
        process.communicate()
        seen += 1
    finish(driver(nodes.address, *arguments))
    assert seen == 3 and table(tmp_path, "bin4x4") == expected("bin4x4")
    # No work is left: the same command writes the same table.
    finish(driver(nodes.address, *arguments))
    assert table(tmp_path, "bin4x4") == expected("bin4x4")


class Bucket:
    """An object store that answers every 15th request with an error."""

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
    # The journal of a driver that was killed half-way, with an incomplete last line.
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
    # The journal of a driver that was killed half-way. The parts in it are not played again.
    told = json.loads(lines[7])
    del told["crc32"]
    for time in ("time", "longest"):
        told["tally"]["players"][0]["time_used"][time]["secs"] += 77
    lines[7] = with_sum(json.dumps(told, separators=(",", ":"))) + "\n"
    Path(f"{parts}.journal").write_text("".join(lines[4:9]) + lines[0][:50])
    parts.unlink()
    said = together()
    assert without_times(said) == without_times(alone) and json.loads(said)["a"]["longest_ms"] > 77000
    # A damaged line is refused.
    Path(f"{parts}.journal").write_text(lines[4].replace('"seed":5', '"seed":4'))
    said = finish(driver(nodes.address, *asked, *on_nodes), status=1)
    assert "line 1 does not match its checksum" in said, said
    # Records must go to a new file, and parts that were played without records have none.
    for wrong in (records[0], tmp_path / "more"):
        Path(f"{parts}.journal").write_text(lines[0])
        said = finish(driver(nodes.address, *asked, *on_nodes, "--records", str(wrong)), status=1)
        assert refusal(said), said


def test_what_makes_no_sense_is_one_line(nodes: Nodes, tmp_path: Path) -> None:
    asked = {
        ("analyze", "bin9x9", "--storage", str(tmp_path)): "rule code",
        ("analyze", "val1n", "--storage", str(tmp_path)): "only Binarsi can be solved on a cluster",
        ("analyze", "bin5x5", "--storage", str(tmp_path), "--memory", "64M"): "bin5x5: a step needs",
        ("survey", "bin3x3", "--out", str(tmp_path / "x"), "--command", "no-such-program"): "no-such-program",
        ("survey", "bin9x9", "--out", str(tmp_path / "x")): "yomikiri",
        ("match", "bin3x3", "random", "random", "--out", str(tmp_path / "x"), "--command", "no-such-program"): "no-such-",
    }
    for arguments, part in asked.items():
        said = finish(driver(nodes.address, *arguments), status=1)
        assert part in refusal(said), said


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
    missing = "error: Ray is missing; install it with pip install 'yomikiri[cluster]'\n"
    assert (done.returncode, done.stderr) == (1, missing)


def test_steps_in_this_process(tmp_path: Path, expected: Callable[[str], bytes]) -> None:
    storage = Storage(str(tmp_path))
    run = Run("bin3x2", storage, memory="1G")
    with pytest.raises(yomikiri.TableError, match="bin3x2.run: does not exist"):
        run.work("enumerate", [0])
    run.begin()
    units = {step: run.units(step) for step in STEPS}
    (first, ply, *_), *others = units["enumerate"]
    later = next(unit[0] for unit in others if unit[1] != ply)
    for wrong in ([first, later], [1 << 40]):
        with pytest.raises(yomikiri.TextError, match="units of a step.*must all exist and have the same ply"):
            run.work("enumerate", wrong)
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
    """Returns the units of four plies of four tiers. Each tier leads to two tiers of the next ply."""
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
    # Everything that a group needs is in the groups that it waits for, directly or indirectly.
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


def test_files_and_folders_of_others_stay(nodes: Nodes, tmp_path: Path) -> None:
    asked = ("analyze", "bin2x2", "--storage", str(tmp_path))
    foreign = {"bin2x2.lease": "exists and is not a file of this program", "bin2x2.tbl": "is not a table"}
    for name, words in foreign.items():
        (tmp_path / name).write_text("Dear reader")
        said = finish(driver(nodes.address, *asked), status=1)
        assert name in refusal(said) and words in refusal(said), said
        assert (tmp_path / name).read_text() == "Dear reader"
        (tmp_path / name).unlink()
    run = tmp_path / "bin2x2.run"
    if run.exists():
        subprocess.run(["rm", "-r", str(run)], check=True)
    run.mkdir()
    (run / "letter").write_text("Dear reader")
    said = finish(driver(nodes.address, *asked), status=1)
    assert "bin2x2.run: exists and has no .yomikiri file that marks it as the work of a cluster" in refusal(said), said
    assert [path.name for path in run.iterdir()] == ["letter"]


def test_a_lease_of_another_driver_is_told_from_files_of_others(tmp_path: Path) -> None:
    storage, own = Storage(str(tmp_path)), b'{"driver": "'
    for begun in (b'{"driver": "somebody"}', b'{"dri', b""):
        (tmp_path / "x.lease").write_bytes(begun)
        storage.put("x.lease", own + b'me"}', own)
        assert storage.get("x.lease") == own + b'me"}'
    # A lease with an unreadable time is replaced at once. A file that is no lease is never replaced.
    (tmp_path / "x.lease").write_text('{"driver": "somebody", "time": "noon"}')
    with Lease(storage, "x.lease"):
        assert json.loads((tmp_path / "x.lease").read_text())["process"] == os.getpid()
    assert not (tmp_path / "x.lease").exists()
    for foreign in (b"Dear reader", b'{"time": 0}', b'{"Driver": "x"}'):
        (tmp_path / "x.lease").write_bytes(foreign)
        with pytest.raises(yomikiri.TableError, match="x.lease: exists and is not a file of this .*; move it away"):
            storage.put("x.lease", own + b'me"}', own)
        with pytest.raises(yomikiri.TableError, match="x.lease: exists and is not"), Lease(storage, "x.lease"):
            pass
        assert (tmp_path / "x.lease").read_bytes() == foreign


def test_a_run_begins_in_a_folder_of_its_own(tmp_path: Path) -> None:
    run, folder = Run("bin2x2", Storage(str(tmp_path))), tmp_path / "bin2x2.run"
    folder.mkdir()
    (folder / "letter").write_text("Dear reader")
    problem = "bin2x2.run: exists and has no .yomikiri file that marks it as the work of a cluster"
    with pytest.raises(yomikiri.TableError, match=problem):
        run.begin()
    assert [path.name for path in folder.iterdir()] == ["letter"]
    (folder / "letter").unlink()
    # An empty folder is accepted, and so is the folder of a stopped run.
    run.begin()
    run.begin()
    run.work("enumerate", [0])
    run.clean()
    assert not folder.exists()


def seconds(text: str) -> int:
    """Reads a time that ``span`` wrote. Returns seconds."""
    found = 0
    for part in text.split(":"):
        found = 60 * found + int(part)
    return found


def test_a_driver_without_a_node_says_so_and_goes_on_when_one_comes(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, expected: Callable[[str], bytes]
) -> None:
    logs = tmp_path_factory.mktemp("empty")
    nodes, log = Nodes(logs, 0), logs / "driver.log"

    def waits(for_what: str) -> bool:
        """Returns true if the driver reports this problem. It must do so within 30 s of its 10 minutes of patience."""
        said = re.search(rf"^bin3x3: waiting: {for_what}; gives up in (.*)\n", log.read_text(), re.MULTILINE)
        assert said is None or 600 - seconds(said[1]) <= 30, said[0]
        return said is not None

    with log.open("w") as out:
        asked = command_line(nodes.address, "analyze", "bin3x3", "--storage", str(tmp_path), "--memory", "1G")
        process = subprocess.Popen(asked, stderr=out, text=True, env=os.environ | QUIET | ON_LOOPBACK)
    try:
        until(lambda: waits("a task needs 1 core, but no node of the cluster has cores for tasks"), process, log)
        # This node has too little memory.
        nodes.add(memory=100 << 20)
        small = "the only node of the cluster has 1 core and 100 MiB of memory"
        until(lambda: waits(rf"a task needs 1 core and 2\d\d MiB of memory on one node, but {small}"), process, log)
        assert log.read_text().count("bin3x3: resumed\n") == 1
        nodes.add()
        assert process.wait(PATIENCE) == 0, log.read_text()
        assert log.read_text().count("bin3x3: resumed\n") == 2
        assert table(tmp_path, "bin3x3") == expected("bin3x3")
    finally:
        process.kill()
        nodes.end()


def test_a_driver_without_a_node_gives_up_and_loses_nothing(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, expected: Callable[[str], bytes]
) -> None:
    nodes = Nodes(tmp_path_factory.mktemp("dying"), 1)
    values = tmp_path / "bin4x4.run/values"
    asked = ("analyze", "bin4x4", "--storage", str(tmp_path), "--keep", "--patience")

    try:
        process = driver(nodes.address, *asked, "15s")
        until(lambda: files(values.parent, "values") > 3, process)
        nodes.kill_one()
        said = refusal(finish(process, status=1))
        assert said.startswith("error: bin4x4: a task needs 1 core and ") and said.endswith(
            "; start nodes, then run the same command again to resume"), said
        assert "no node of the cluster has cores for tasks; gave up after 0:1" in said, said
        kept = {path.name: path.stat().st_mtime_ns for path in values.iterdir() if "." not in path.name}
        assert len(kept) > 3 and not (tmp_path / "bin4x4.lease").exists()
        # If no node has enough cores, the message names the cores that there are.
        nodes.add()
        said = refusal(finish(driver(nodes.address, *asked, "10s", "--threads", "64"), status=1))
        assert "a task needs 64 cores on one node, but the only node of the cluster has 1 core and" in said, said
        finish(driver(nodes.address, *asked, "10m"))
        assert table(tmp_path, "bin4x4") == expected("bin4x4")
        assert kept.items() <= {path.name: path.stat().st_mtime_ns for path in values.iterdir()}.items()
    finally:
        nodes.end()


def test_a_driver_without_a_head_gives_up(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    nodes = Nodes(tmp_path_factory.mktemp("headless"), 1)
    try:
        process = driver(nodes.address, "analyze", "bin4x4", "--storage", str(tmp_path), "--patience", "10s")
        until(lambda: files(tmp_path / "bin4x4.run", "reach") > 0, process)
        kill(nodes.head)
        said = refusal(finish(process, status=1))
        assert said.startswith("error: bin4x4: the head of the cluster has not answered for "), said
        assert files(tmp_path / "bin4x4.run", "reach") > 0
    finally:
        nodes.end()


def test_patience_is_a_time() -> None:
    for text in ("0", "x", "-5s", "5 s", "1e3", "5d", "200000h", ""):
        asked = command_line("auto", "analyze", "bin2x2", "--storage", "x", f"--patience={text}")
        done = subprocess.run(asked, capture_output=True, text=True)
        problem = "error: argument --patience: write a number with ms, s, m or h after it"
        assert done.returncode == 2 and done.stderr.startswith(problem) and done.stderr.count("\n") == 1, done.stderr
    times = {"500ms": 0.5, "90s": 90, "7": 7, "1.5m": 90, ".5h": 1800, "12h": 43200}
    assert {text: duration(text) for text in times} == times


def test_a_missing_node_is_named() -> None:
    small, large = Offer(2, 4 << 30), Offer(8, 2 << 30)
    assert lacking([], []) is None
    assert lacking([Need()], [small]) is None
    assert lacking([Need(8), Need(16)], [small, large]) is None
    assert lacking([Need()], []) == "a task needs 1 core, but no node of the cluster has cores for tasks"
    # The message names the smallest task, and the nodes that no other node matches in both cores and memory.
    offers = [Offer(1, 1 << 30), small, large, Offer(8, 1 << 30)]
    assert lacking([Need(16), Need(8, 3 << 30)], offers) == (
        "a task needs 8 cores and 3072 MiB of memory on one node, but the largest of the 4 nodes of the cluster has "
        "8 cores and 2048 MiB of memory or 2 cores and 4096 MiB of memory")
    assert lacking([Need(1, (5 << 30) + 1)], [small]) == (
        "a task needs 1 core and 5121 MiB of memory on one node, but the only node of the cluster has 2 cores and "
        "4096 MiB of memory")


def test_tasks_that_stand_still_are_a_problem() -> None:
    need, offers = [Need()], [Offer(1, 1 << 30)]
    assert stopped(State(offers, 1.0), 0.0, need) is None
    idle = stopped(State(offers, 0.0), 0.0, need)
    assert idle is not None and idle.text == "no task runs, but a node could take one"
    none = stopped(State([], 0.0), 0.0, need)
    assert none is not None and "no node" in none.text
    # An old state says nothing about running tasks.
    assert stopped(State(offers, 0.0), 10.0, need) is None
    lost = stopped(State(offers, 1.0), 20.0, need)
    assert lost is not None and lost.text == "the head of the cluster has not answered for 0:20"


def test_tasks_behind_others_are_not_ready() -> None:
    tasks = {"a": Task(Need(1), 1), "b": Task(Need(2), 1, frozenset("a")), "c": Task(Need(3), 1, frozenset("ab"))}
    assert list(ready(tasks)) == [Need(1)]
    del tasks["a"]
    assert list(ready(tasks)) == [Need(2)]


def test_a_driver_waits_for_as_long_as_it_was_told() -> None:
    said: list[str] = []
    wrong = Problem("nothing goes on", "start nodes")
    waiting = Waiting("x", 60.0, said.append)
    for now in range(0, 30):
        waiting.look(float(now), wrong)
    # The driver reports the problem soon, and then not again at every look.
    assert said == ["x: waiting: nothing goes on; gives up in 0:55"]
    waiting.look(30.0, wrong)
    assert said[1:] == ["x: waiting: nothing goes on; gives up in 0:30"]
    waiting.look(31.0, None)
    waiting.look(32.0, None)
    assert said[2:] == ["x: resumed"]
    # A new problem counts from zero, and the time in which the driver was suspended does not count.
    waiting.look(40.0, wrong)
    waiting.look(1000.0, wrong)
    with pytest.raises(ClusterError) as raised:
        for now in range(1001, 1100):
            waiting.look(float(now), wrong)
    assert now == 1055 and str(raised.value) == (
        "x: nothing goes on; gave up after 1:00; start nodes, then run the same command again to resume")


def test_a_short_problem_is_not_told() -> None:
    said: list[str] = []
    waiting = Waiting("x", 60.0, said.append)
    for now in range(0, 100):
        waiting.look(float(now), Problem("nothing goes on", "start nodes") if now % 5 else None)
    assert said == []


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
