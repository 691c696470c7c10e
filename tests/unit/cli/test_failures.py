"""No failure of the command line reads as an answer, and a reader may leave early."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toccata._cli import main
from toccata._cli.check import Check
from toccata._cli.check_robot import CheckRobot
from toccata._cli.check_sequence import CheckSequence
from toccata._cli.check_step import CheckStep
from toccata._cli.demo import Demo
from toccata.scenes import models

FAILURE, INTERRUPTED = 2, 130
COMMANDS: dict[str, Any] = {
    "check a b": Check,
    "check-robot a": CheckRobot,
    "check-step a b": CheckStep,
    "check-sequence a b": CheckSequence,
    "demo": Demo,
    "bench rigid": None,
}


def let_fail(command: str, error: BaseException, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> int:
        print("half an answer")
        raise error

    if COMMANDS[command] is not None:
        monkeypatch.setattr(COMMANDS[command], "solve", fail)
    else:
        monkeypatch.setattr(sys.modules["toccata_bench.rigid"].Rigid, "run", fail)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(
    "error", [RuntimeError("bug"), MemoryError(), AssertionError(), KeyError(3)]
)
def test_every_exception_is_a_failure(
    command: str,
    error: BaseException,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    let_fail(command, error, monkeypatch)
    assert main(command.split()) == FAILURE
    told = capsys.readouterr().err
    assert "Traceback" in told and type(error).__name__ in told


@pytest.mark.parametrize("command", COMMANDS)
def test_an_interrupt_is_no_answer(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    let_fail(command, KeyboardInterrupt(), monkeypatch)
    assert main(command.split()) == INTERRUPTED


def start(words: list[str], stdout: Any, before: str = "") -> tuple[int, str]:
    """Run `python -m toccata` after some code; return its exit code and its messages."""
    code = f"{before}\nimport runpy; runpy.run_module('toccata', run_name='__main__')"
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        stdout=stdout,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    return done.returncode, done.stderr


def test_the_exit_code_of_a_crash_arrives() -> None:
    before = "import toccata._cli.check as c\nc.Check.solve = lambda *_: 1 // 0"
    code, told = start(["check", "a", "b"], subprocess.DEVNULL, before)
    assert code == FAILURE and "ZeroDivisionError" in told


def test_benchmarks_that_are_not_installed_are_a_failure_in_one_line() -> None:
    before = "import sys\nsys.modules['toccata_bench'] = None"
    code, told = start(["bench", "rigid", "--quick"], subprocess.DEVNULL, before)
    assert code == FAILURE
    assert told.startswith("toccata bench: benchmarks need toccata-bench: pip install")
    code, told = start(["--version"], subprocess.DEVNULL, before)
    assert (code, told) == (0, "")


@pytest.fixture
def frames(tmp_path: Path) -> list[str]:
    """Two frames of a box that falls, as files."""
    trimesh = pytest.importorskip("trimesh")
    vertices, faces = models.box((1.0, 1.0, 1.0))
    paths = [tmp_path / f"frame{i}.ply" for i in range(2)]
    for i, path in enumerate(paths):
        trimesh.Trimesh(vertices - (0, 0, i), faces, process=False).export(path)
    return [str(path) for path in paths]


URDF = """<robot name="arm"><link name="base"/><link name="hand"><collision><geometry>
<box size="1 1 1"/></geometry></collision></link><joint name="turn" type="revolute">
<parent link="base"/><child link="hand"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" velocity="1" effort="1"/></joint></robot>"""


def words_of(command: str, frames: list[str]) -> list[str]:
    if command == "check-robot":
        pytest.importorskip("yourdfpy")
        robot = Path(frames[0]).with_name("arm.urdf")
        robot.write_text(URDF)
        return [command, str(robot), "--from", "0", "--to", "1"]
    if command == "demo":
        return [command, "--report", str(Path(frames[0]).with_name("demo.html"))]
    name, *options = command.split()
    return [name, *(frames if "-h" not in command else []), *options]


FEW_SCENES = "import toccata._cli.demo as d\nd._names = lambda: ['demo/tumbling-box']"
PIPED = ["check", "check --json -", "check-step", "check-sequence", "check-robot", "demo"]


@pytest.mark.parametrize("command", [*PIPED, "-h", "bench rigid -h"])
def test_a_reader_that_leaves_is_no_error(command: str, frames: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    try:
        code, told = start(words_of(command, frames), writer, FEW_SCENES)
    finally:
        os.close(writer)
    told = told.removeprefix("drawing ...\n")
    assert (code, told) == (FAILURE, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("command", ["check", "check-sequence"])
def test_a_full_disk_is_a_failure_in_one_line(command: str, frames: list[str]) -> None:
    with open("/dev/full", "w") as full:
        code, told = start(words_of(command, frames), full, FEW_SCENES)
    assert code == FAILURE and "No space left" in told and "Traceback" not in told
