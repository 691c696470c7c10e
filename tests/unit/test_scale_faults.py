"""Whatever ends a run, another one takes it up, and all bits are those of an undisturbed run."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest
from oracles import datasets
from oracles.datasets import PART, Inline, bits, check, coordinator, source_in

import toccata as tc
from toccata import scale
from toccata.scale.executors import WorkerDied, executor_of
from toccata.scenes.robots import planar_arm

Bits = dict[str, bytes]
STARTS = (0, 20, 40, 60, 70, 90, 110)
"""First rows of all parts: the first file has 70 rows."""


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return source_in(tmp_path_factory.mktemp("motions"))


@pytest.fixture(scope="module")
def undisturbed(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("undisturbed")
    summary = check(source, target, Inline())
    assert summary.complete and summary.parts_computed == len(STARTS)
    assert 0.2 < summary.counts.free / summary.rows < 0.8, "too one-sided to prove anything"
    return target


@pytest.fixture
def faults(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    """Return what orders faults by name; workers that are started later have them."""
    folder = tmp_path / "faults"
    folder.mkdir()
    monkeypatch.setenv(datasets.FAULTS, str(folder))

    def order(*names: str) -> Path:
        for name in names:
            (folder / name).touch()
        return folder

    yield order
    shutil.rmtree(folder)  # so that nobody is held any longer


def assert_complete(target: Path, undisturbed: Path) -> None:
    """Check that a target holds all bits, and nothing else."""
    assert bits(target) == bits(undisturbed)
    assert not datasets.left_over(target)
    for name in ("_plan.json", "_SUCCESS"):
        assert (target / name).read_bytes() == (undisturbed / name).read_bytes()
    found, wanted = scale.load(target), scale.load(undisturbed)
    assert list(found) == list(wanted)
    for name in wanted:
        assert found[name].tobytes() == wanted[name].tobytes(), name
    assert scale.status(target).complete


def assert_incomplete(target: Path) -> None:
    """Check that nobody takes a target for whole."""
    assert not (target / "_SUCCESS").exists()
    assert not scale.status(target).complete
    with pytest.raises(ValueError, match="expected all 7 parts"):
        scale.load(target)


def processes(workers: int = 2) -> Any:
    return executor_of("processes", workers, None)


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_workers_that_die_are_replaced(
    workers: int, source: Path, undisturbed: Path, faults: Any, tmp_path: Path
) -> None:
    folder = faults("kill-once-0", "kill-writing-40", "kill-once-70", "kill-writing-110")
    summary = check(source, tmp_path / "out", processes(workers))
    assert summary.parts_computed == len(STARTS) and not list(folder.iterdir())
    assert_complete(tmp_path / "out", undisturbed)
    assert not active_children()


def test_workers_that_are_killed_are_replaced(
    source: Path, undisturbed: Path, tmp_path: Path
) -> None:
    killed = []

    def kill(_: scale.Progress) -> None:
        if len(killed) < 2:
            workers = [child for child in active_children() if child.name == "toccata-worker"]
            killed.append(len(workers))
            for worker in workers:
                os.kill(worker.pid, signal.SIGKILL)

    check(source, tmp_path / "out", progress=kill)
    assert killed[0] == 2
    assert_complete(tmp_path / "out", undisturbed)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_part_that_takes_all_workers_down_is_given_up_alone(
    workers: int, source: Path, undisturbed: Path, faults: Any, tmp_path: Path
) -> None:
    folder = faults("kill-40")
    with pytest.raises(WorkerDied, match="rows 40 to 59: 3 workers died of part-"):
        check(source, tmp_path / "out", processes(workers))
    assert not active_children()
    assert_incomplete(tmp_path / "out")
    assert len(bits(tmp_path / "out")) == len(STARTS) - 1
    part = scale.load(tmp_path / "out", partial=True)
    assert part["id"].tolist() == [i for i in range(datasets.ROWS) if not 40 <= i < 60]
    (folder / "kill-40").unlink()
    summary = check(source, tmp_path / "out", Inline())
    assert summary.parts_computed == 1
    assert_complete(tmp_path / "out", undisturbed)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_coordinator_that_is_killed_leaves_no_worker_and_what_is_done(
    workers: int, source: Path, undisturbed: Path, faults: Any, tmp_path: Path
) -> None:
    folder = faults("hold")
    with coordinator(source, tmp_path / "out", str(workers)) as process:
        children = [psutil.Process(pid) for pid in datasets.children_told(process)]
        assert len(children) == workers
        process.kill()
        process.wait()
    (folder / "hold").unlink()
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
    assert_incomplete(tmp_path / "out")
    before = scale.status(tmp_path / "out")
    summary = check(source, tmp_path / "out", processes(workers))
    assert 0 < before.parts_there == len(STARTS) - summary.parts_computed < len(STARTS)
    assert_complete(tmp_path / "out", undisturbed)


def test_ctrl_c_leaves_what_is_done(
    source: Path, undisturbed: Path, faults: Any, tmp_path: Path
) -> None:
    folder = faults("hold")
    with coordinator(source, tmp_path / "out") as process:
        children = [psutil.Process(pid) for pid in datasets.children_told(process)]
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        _, told = process.communicate(timeout=100)
    assert process.returncode == -signal.SIGINT or process.returncode == 130
    assert told.rstrip().endswith("KeyboardInterrupt") and told.count("Traceback") == 1
    _, alive = psutil.wait_procs(children, timeout=60)
    assert not alive
    (folder / "hold").unlink()
    assert_incomplete(tmp_path / "out")
    summary = check(source, tmp_path / "out")
    assert 0 < summary.parts_computed < len(STARTS)
    assert_complete(tmp_path / "out", undisturbed)


def test_an_error_of_the_caller_ends_all_workers(
    source: Path, undisturbed: Path, tmp_path: Path
) -> None:
    def fail(_: scale.Progress) -> None:
        raise LookupError("of the caller")

    with pytest.raises(LookupError, match="of the caller"):
        check(source, tmp_path / "out", progress=fail)
    assert not active_children()
    assert_incomplete(tmp_path / "out")
    check(source, tmp_path / "out", Inline())
    assert_complete(tmp_path / "out", undisturbed)


def test_a_full_disk_is_told_and_no_end(
    source: Path, undisturbed: Path, faults: Any, tmp_path: Path
) -> None:
    faults("full-60")
    with pytest.raises(OSError, match=os.strerror(errno.ENOSPC)):
        check(source, tmp_path / "out")
    assert not active_children()
    assert_incomplete(tmp_path / "out")
    check(source, tmp_path / "out", Inline())
    assert_complete(tmp_path / "out", undisturbed)


@pytest.mark.parametrize("fits", ["nothing", "plan"])
def test_files_that_may_not_grow_are_told_and_no_end(
    fits: str, source: Path, undisturbed: Path, tmp_path: Path
) -> None:
    plan = (undisturbed / "_plan.json").stat().st_size
    part = min(map(len, bits(undisturbed).values()))
    most = 100 if fits == "nothing" else (plan + part) // 2
    assert plan < (plan + part) // 2 < part
    with coordinator(source, tmp_path / "out", "2", str(most)) as process:
        _, told = process.communicate(timeout=100)
    assert process.returncode == 1
    assert told.rstrip().splitlines()[-1].startswith("OSError: [Errno 27] File too large")
    assert not bits(tmp_path / "out")
    check(source, tmp_path / "out", Inline())
    assert_complete(tmp_path / "out", undisturbed)


GARBAGE = {
    "empty": lambda whole: b"",
    "one byte": lambda whole: whole[:1],
    "half": lambda whole: whole[: len(whole) // 2],
    "without its last byte": lambda whole: whole[:-1],
    "without its last 8 bytes": lambda whole: whole[:-8],
    "zeros": lambda whole: bytes(len(whole)),
    "the end alone": lambda whole: whole[-100:],
    "noise": lambda whole: np.random.default_rng(3).bytes(len(whole)),
    "noise with the right ends": lambda whole: whole[:4] + bytes(len(whole) - 12) + whole[-8:],
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_part_files_that_are_not_whole_are_made_again(
    kind: str, source: Path, undisturbed: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    shutil.copytree(undisturbed, target)
    cut = sorted(target.glob("*.parquet"))[2]
    cut.write_bytes(GARBAGE[kind](cut.read_bytes()))
    assert scale.status(target).parts_there == len(STARTS) - 1  # whatever _SUCCESS says
    with pytest.raises(ValueError, match="expected all 7 parts, got 1 less"):
        scale.load(target)
    assert len(scale.load(target, partial=True)["id"]) in (datasets.ROWS - PART, datasets.ROWS - 10)
    assert check(source, target, Inline()).parts_computed == 1
    assert_complete(target, undisturbed)


def test_a_bit_that_turns_in_a_part_is_noticed_when_it_is_read(
    undisturbed: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    shutil.copytree(undisturbed, target)
    part = sorted(target.glob("*.parquet"))[0]
    data = bytearray(part.read_bytes())
    data[200] ^= 1
    part.write_bytes(data)
    with pytest.raises(OSError, match=r"(?i)crc|checksum|corrupt|decompress"):
        scale.load(target)


@pytest.mark.parametrize("workers", [1, 2])
def test_two_coordinators_at_once_write_the_same(
    workers: int, source: Path, undisturbed: Path, tmp_path: Path
) -> None:
    words = source, tmp_path / "out", str(workers)
    with coordinator(*words) as one, coordinator(*words) as other:
        for process in (one, other):
            _, told = process.communicate(timeout=100)
            assert process.returncode == 0, told
    assert_complete(tmp_path / "out", undisturbed)


def test_options_never_mix_and_what_was_done_is_found_again(
    source: Path, undisturbed: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    check(source, target, Inline())
    first = bits(target)
    assert check(source, target, Inline(), tolerance=1e-3).parts_computed == len(STARTS)
    assert not bits(target).keys() & first.keys()
    assert bits(target / "_others") == first
    assert scale.load(target).about["options"] == {"tolerance": "0.001"}
    assert check(source, target, Inline()).parts_computed == 0
    assert bits(target) == first
    assert_complete(target, undisturbed)


def test_another_mesh_is_another_robot(source: Path, undisturbed: Path, tmp_path: Path) -> None:
    target = tmp_path / "out"
    thin, thick = planar_arm(), planar_arm(width=np.nextafter(0.1, 1.0))
    check(source, target, Inline(), robot=thin)
    assert check(source, target, Inline(), robot=thick).parts_computed == len(STARTS)
    assert check(source, target, Inline(), robot=planar_arm()).parts_computed == 0
    assert_complete(target, undisturbed)


def test_a_value_of_the_source_changes_its_part_alone(
    source: Path, undisturbed: Path, tmp_path: Path
) -> None:
    mine, target = tmp_path / "motions", tmp_path / "out"
    shutil.copytree(source, mine)
    check(mine, target, Inline())
    q = datasets.ways(planar_arm(), datasets.ROWS)
    q[1, 100, 0] = np.nextafter(q[1, 100, 0], 9)
    datasets.write(mine / "b.parquet", datasets.table(q).slice(70))
    assert check(mine, target, Inline()).parts_computed == 1
    fresh = tmp_path / "fresh"
    check(mine, fresh, Inline())
    assert_complete(target, fresh)
    assert len(bits(target).keys() & bits(undisturbed).keys()) == len(STARTS) - 1


@pytest.mark.parametrize("name", ["0.parquet", "aa.parquet", "c.parquet"])
def test_a_file_that_is_added_is_done_alone(name: str, source: Path, tmp_path: Path) -> None:
    mine, target = tmp_path / "motions", tmp_path / "out"
    shutil.copytree(source, mine)
    check(mine, target, Inline())
    datasets.write(mine / name, datasets.table(datasets.ways(planar_arm(), 30, seed=5)))
    assert check(mine, target, Inline()).parts_computed == 2
    fresh = tmp_path / "fresh"
    check(mine, fresh, Inline())
    assert_complete(target, fresh)


SCRIPT = """
from toccata import scale, surfaces
from toccata.scenes import models, robots
import toccata as tc

def plane(lo, hi):
    return lo[2] + 5.0 - 1e-12, hi[2] + 5.0 + 1e-12

def slope(lo, hi):
    return (0.0, 0.0, 1.0), (0.0, 0.0, 1.0)

arm, world = robots.planar_arm(), {world}
print(scale.check_motions({source!r}, {target!r}, robot=arm, world=world, workers=2))
"""
FLOOR = "surfaces.ImplicitSurface(plane, ((-9, -9, -9), (9, 9, 9)), gradient=slope)"


def run_script(text: str, script: Path | None) -> subprocess.CompletedProcess[str]:
    """Run a script from a file, or from standard input."""
    if script is not None:
        script.write_text(text)
    return subprocess.run(
        [sys.executable, "-" if script is None else str(script)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        input=text if script is None else None,
        capture_output=True,
        text=True,
        timeout=100,
    )


@pytest.mark.parametrize("level", [0, 5])  # models below and above what a pipe holds at once
@pytest.mark.parametrize("name", ["script.py", None])
def test_a_script_needs_no_guard(
    level: int, name: str | None, source: Path, tmp_path: Path
) -> None:
    world = f"tc.Mesh(*models.icosphere(1.0, {level}))"
    text = SCRIPT.format(world=world, source=str(source), target=str(tmp_path / "out"))
    done = run_script(text, name and tmp_path / name)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("complete") == 1


@pytest.mark.parametrize("name", ["script.py", None])
def test_models_made_by_a_script_need_one(name: str | None, source: Path, tmp_path: Path) -> None:
    text = SCRIPT.format(world=FLOOR, source=str(source), target=str(tmp_path / "out"))
    done = run_script(text, name and tmp_path / name)
    assert done.returncode == 1
    last = done.stderr.rstrip().splitlines()[-1]
    assert last.startswith("RuntimeError: a worker ended before it began")
    assert last.endswith("if __name__ == '__main__':")
    if name is None:
        return
    guarded = text.replace("print(", "if __name__ == '__main__':\n    print(")
    done = run_script(guarded, tmp_path / name)
    assert done.returncode == 0, done.stderr


def test_success_tells_how_rows_came_out(undisturbed: Path) -> None:
    told = json.loads((undisturbed / "_SUCCESS").read_text())
    status = scale.load(undisturbed)["status"]
    assert told["parts"] == len(STARTS) and told["rows"] == datasets.ROWS == len(status)
    for name in ("free", "contact", "initial_overlap", "undecided"):
        assert told[name] == np.count_nonzero(status == tc.Status[name.upper()])
    assert told["free"] and told["contact"] and told["initial_overlap"]
