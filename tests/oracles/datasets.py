"""Datasets for tests, runs with injected faults, and the bits of targets.

Run as a program, it is a coordinator that can be killed:

    python -m oracles.datasets SOURCE TARGET [WORKERS [MOST_BYTES [EXECUTOR]]]
"""

from __future__ import annotations

import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import toccata as tc
from toccata import scale
from toccata.scale._executors import Done, Executor, executor_of
from toccata.scale._options import Running
from toccata.scale._plan import Part
from toccata.scale._robot_motions import RobotMotions
from toccata.scale._run import check_dataset
from toccata.scale._source import Source
from toccata.scale._summary import Progress, Summary
from toccata.scale._worker import Worker
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm
from toccata.scenes.surface import shifted

TESTS = Path(__file__).parents[1]
FAULTS = "TOCCATA_TEST_FAULTS"
"""Folder with a file per fault: `kill-40` kills the worker of the part with row 40."""
ROWS, PART, GROUP = 120, 20, 10


def wall(x: float = 1.5) -> tc.Scene:
    """Return a wall that fills all space beyond `x`."""
    scene = tc.Scene()
    scene.add("wall", tc.Mesh(*shifted(box((1.0, 9.0, 9.0)), (x + 0.5, 0.0, 0.0))))
    return scene


def random_ends(robot: tc.Robot, count: int, seed: int = 0, reach: float = 2.0) -> Any:
    """Return both ends of random motions, (2, n, dof)."""
    return np.random.default_rng(seed).uniform(-reach, reach, (2, count, robot.dof))


def table(q: Any, /, **ids: Any) -> Any:
    """Return motions as a table of lists, after row numbers or other columns."""
    own = ids or {"id": np.arange(len(q[0]))}
    return pa.table({**own, "q0": list(q[0]), "q1": list(q[1])})


def write(path: Path, rows: Any, group: int = GROUP) -> Path:
    """Write a table in row groups; folders are made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(rows, path, row_group_size=group)
    return path


def source_in(folder: Path, seed: int = 0) -> Path:
    """Write the motions for all tests of faults in two files; return their folder."""
    rows = table(random_ends(planar_arm(), ROWS, seed))
    write(folder / "a.parquet", rows.slice(0, 70))
    write(folder / "b.parquet", rows.slice(70))
    return folder


def bits(target: Path) -> dict[str, bytes]:
    """Return the bytes of all parts of a target by name."""
    return {path.name: path.read_bytes() for path in sorted(target.glob("*.parquet"))}


def left_over(target: Path) -> list[str]:
    """Return the names of files in a target that belong to no run."""
    known = {"_plan.json", "_SUCCESS", "_others"}
    return [p.name for p in target.iterdir() if p.suffix != ".parquet" and p.name not in known]


@dataclass(frozen=True)
class Runs:
    """Motions, and their verdicts by an undisturbed run."""

    source: Path
    undisturbed: Path
    parts: int = 7
    """The first file has 70 rows, the second 50."""

    @classmethod
    def within(cls, folder: Path) -> Runs:
        """Write motions, and check them."""
        source = source_in(folder / "motions")
        summary = check(source, folder / "undisturbed", Inline())
        assert summary.complete and summary.parts_computed == cls.parts
        assert 0.2 < summary.counts.free / summary.rows < 0.8, "too one-sided to prove anything"
        return cls(source, folder / "undisturbed")

    def assert_complete(self, target: Path) -> None:
        """Check that a target has all bits, and no other files."""
        assert_same(target, self.undisturbed)

    def assert_incomplete(self, target: Path) -> None:
        """Check that a target is not reported as complete."""
        assert not (target / "_SUCCESS").exists()
        assert not scale.status(target).complete
        with pytest.raises(ValueError, match=f"of {self.parts} parts are missing"):
            scale.load(target)


def assert_same(target: Path, wanted: Path) -> None:
    """Check that two targets have the same bits, and no other files."""
    assert bits(target) == bits(wanted)
    assert not left_over(target)
    for name in ("_plan.json", "_SUCCESS"):
        assert (target / name).read_bytes() == (wanted / name).read_bytes()
    found, known = scale.load(target), scale.load(wanted)
    assert list(found) == list(known)
    for name in known:
        assert found[name].tobytes() == known[name].tobytes(), name
    assert scale.status(target).complete


def faults_in(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """Yield a function that orders faults by name for workers started later."""
    folder.mkdir()
    monkeypatch.setenv(FAULTS, str(folder))

    def order(*names: str) -> Path:
        for name in names:
            (folder / name).touch()
        return folder

    yield order
    shutil.rmtree(folder)  # releases the waiting workers


def processes_of(faults: Path) -> list[psutil.Process]:
    """Return all processes with these faults."""
    found = []
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            mine = process.environ().get(FAULTS) == str(faults)
            if mine and not any("resource_tracker" in word for word in process.cmdline()):
                found.append(process)
    return found


class Inline:
    """An executor that runs parts in this process."""

    def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
        """Do parts one by one."""
        worker = Worker(packed)
        for part in parts:
            yield part, worker.do(part)


class Faulty(RobotMotions):
    """A query like `RobotMotions` with injected faults, which its hash does not include."""

    __slots__ = ()

    def answer(self, source: Source, part: Part) -> Any:
        """Answer the rows, with the faults that are ordered for this part."""
        answers = super().answer(source, part)
        if (faults := os.environ.get(FAULTS)) is not None:
            _have(Path(faults), part.start)
        return answers


def _have(faults: Path, start: int) -> None:
    while (faults / "hold").exists() and not _is_first(faults, start):
        time.sleep(0.01)
    if (faults / f"kill-{start}").exists():
        _kill()
    for name, fault in {
        "kill-once": _kill,
        "full": _disk_full,
        "kill-writing": _kill_later,
    }.items():
        if (once := faults / f"{name}-{start}").exists():
            once.unlink()
            fault()


def _is_first(faults: Path, start: int) -> bool:
    """Return whether this is the only part that runs while the others wait."""
    with suppress(FileExistsError):
        (faults / "first").symlink_to(str(start))
    return os.readlink(faults / "first") == str(start)


def _kill(*_: Any) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _disk_full() -> None:
    def fail(_: int) -> None:
        os.fsync = kept
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    kept, os.fsync = os.fsync, fail


def _kill_later() -> None:
    """Kill the process after it has written a file and before it renames the file."""
    os.replace = _kill


def question(robot: tc.Robot | None = None, **options: Any) -> Faulty:
    """Return the query of all tests of faults."""
    columns = {"q0": "q0", "q1": "q1"}
    bodies = wall()._as_world()
    return Faulty(columns, "first_contact", ("q",), options, robot or planar_arm(), bodies)


def check(
    source: Path,
    target: Path,
    executor: Executor | None = None,
    *,
    progress: Any = None,
    **given: Any,
) -> Summary:
    """Check the motions of a source; options are those of `question`."""
    strict, rows = given.pop("strict", False), given.pop("rows_per_part", PART)
    how = Running(executor or executor_of("processes", 2, None), rows, strict, progress)
    return check_dataset(question(**given), source, target, how)


@contextmanager
def coordinator(source: Path, target: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    """Start another process that checks a dataset, in a process group of its own."""
    path = os.pathsep.join([str(TESTS), *filter(None, sys.path)])
    process = subprocess.Popen(
        [sys.executable, "-m", "oracles.datasets", str(source), str(target), *words],
        env={**os.environ, "PYTHONPATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def children_told(process: subprocess.Popen[str]) -> list[int]:
    """Wait until a coordinator has done a part; return the numbers of its workers' processes."""
    assert process.stdout is not None
    return [int(word) for word in process.stdout.readline().split()]


def main(
    source: str, target: str, workers: str = "2", most_bytes: str = "0", kind: str = "processes"
) -> None:
    """Check a dataset, and print the processes of the workers whenever a part is done."""
    signal.signal(
        signal.SIGINT, signal.default_int_handler
    )  # processes in the background ignore it
    if int(most_bytes):
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(most_bytes), resource.RLIM_INFINITY))

    def tell(_: Progress) -> None:
        print(*(child.pid for child in active_children()), flush=True)

    check(Path(source), Path(target), executor_of(kind, int(workers), None), progress=tell)


if __name__ == "__main__":
    from oracles import datasets

    datasets.main(
        *sys.argv[1:]
    )  # not `main`: classes of this module have one name in all processes
