"""Instructions of queries, counted by callgrind. Times are too noisy to compare a few percent.

`count` replays motions in a child process under valgrind. Only counted motions enter the sums: the
child calls one function of the core before each run of counted motions, at which callgrind zeroes
its counters, and another one after it, at which callgrind writes them. The core must have symbols;
CONTRIBUTING.md names the build.
"""

from __future__ import annotations

import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from toccata._native import core
from toccata_bench.adaptive.replay import METHODS, Motions, asking
from toccata_bench.adaptive.runs import simulate
from toccata_bench.adaptive.scenes import EXPERIMENTS, quick_levels
from toccata_bench.process import failure
from toccata_bench.record import Record

QUERY = "toccata::first_contact(toccata::Robot const&, toccata::World const&, toccata::RobotMotion"
"""Start of the name of the function whose instructions count."""
FRONT = ("toccata::RobotSearch::cull(", "toccata::RobotSearch::enter_window(")
"""Functions that update poses and volumes, and cull pairs of links."""
_BEGIN, _END = "toccata::joint_frames(", "toccata::frame_motion("
_POSITION = re.compile(r"(fn|cfn|calls)=(?:\((\d+)\))?(.*)")

Cells = dict[str, Motions]


def missing() -> str | None:
    """Return why instructions cannot be counted here, or None."""
    if shutil.which("valgrind") is None:
        return "instructions: valgrind is not installed"
    if b"_ZN7toccata11RobotSearch4cull" not in Path(core.__file__).read_bytes():
        return "instructions: the core has no symbols; CONTRIBUTING.md names a build with symbols"
    return None


def measure(names: Iterable[str], steps: int | None, quick: bool = False) -> Record:
    """Return instructions of one run of each scene and number of active joints."""
    cells: Cells = {}
    for name in names:
        experiment = EXPERIMENTS[name]
        for level in quick_levels(experiment) if quick else experiment.levels:
            motions = simulate(name, 0, level, steps).motions
            if motions.counted.any():
                cells[f"{name}, {level}"] = motions
    return count(cells)


def count(cells: Cells, methods: tuple[str, ...] = METHODS) -> Record:
    """Return mean instructions per counted motion: of whole queries, and of update and culling."""
    with tempfile.TemporaryDirectory() as folder:
        given, out = Path(folder, "motions"), Path(folder, "counts")
        given.write_bytes(pickle.dumps((cells, methods)))
        command = [
            *(
                "valgrind",
                "--tool=callgrind",
                f"--callgrind-out-file={out}",
                "--collect-atstart=no",
            ),
            *(f"--toggle-collect={QUERY}*", f"--zero-before={_BEGIN}*", f"--dump-before={_END}*"),
            *(sys.executable, "-m", "toccata_bench.adaptive.instructions", str(given)),
        ]
        try:
            done = subprocess.run(command, check=True, capture_output=True)
        except subprocess.CalledProcessError as error:
            raise failure("callgrind", error) from None
        found: Record = {
            cell: {method: {"whole": 0.0, "front": 0.0} for method in methods} for cell in cells
        }
        for k, line in enumerate(done.stdout.decode().splitlines(), 1):
            cell, method = line.split("\t")
            costs = inclusive(out.with_name(f"{out.name}.{k}").read_text().splitlines())
            row, motions = found[cell][method], int(cells[cell].counted.sum())
            row["whole"] += _sum(costs, (QUERY,)) / motions
            row["front"] += _sum(costs, FRONT) / motions
    return found


def _sum(costs: dict[str, int], starts: Iterable[str]) -> int:
    return sum(cost for name, cost in costs.items() if name.startswith(tuple(starts)))


def inclusive(lines: Iterable[str]) -> dict[str, int]:
    """Return the instructions of each function and all that it calls, from a file of callgrind.

    A call of a function by itself counts twice, so recursive functions have no meaningful sum.
    """
    names: dict[str, str] = {}
    sums: dict[str, int] = defaultdict(int)
    now = ""
    for line in lines:
        found = _POSITION.match(line)
        if found is None:
            # A line of costs: a position, then the instructions.
            if now and line[:1] in "0123456789+-*":
                sums[now] += sum(int(part) for part in line.split()[1:2])
        elif found[1] != "calls":
            name = names[found[2]] = found[3].strip() or names[found[2]]
            if found[1] == "fn":
                now = name
    return dict(sums)


def replay(cells: Cells, methods: tuple[str, ...]) -> None:
    """Ask all motions, and print the cell and the method of each run of counted motions."""
    for cell, motions in cells.items():
        for method in methods:
            ask = asking(motions, method)
            counted = np.concatenate([[False], motions.counted, [False]])
            for k in range(len(motions) + 1):
                if counted[k + 1] and not counted[k]:
                    motions.robot.forward_kinematics(motions.start[0])
                elif counted[k] and not counted[k + 1]:
                    motions.robot.link_motion(motions.robot.link_names[0], *motions.start[[0, 0]])
                    print(cell, method, sep="\t")
                if k < len(motions):
                    ask(motions.start[k], motions.end[k])


if __name__ == "__main__":
    replay(*pickle.loads(Path(sys.argv[1]).read_bytes()))
