"""HPP (hpp-python), the only continuous validation for robots on PyPI; it answers yes or no.

It runs in its own process, because its libraries are found only through LD_LIBRARY_PATH.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from toccata_bench.process import failure
from toccata_bench.record import Record
from toccata_bench.robots.cases import Case
from toccata_bench.robots.pin_model import WORLD
from toccata_bench.robots.urdf_files import write_robot

LIMIT = 120.0
"""Seconds for all motions of a case."""


def libraries() -> Path | None:
    """Return the folder of HPP's libraries, None if it is not installed."""
    try:
        lib_folder = Path(str(distribution("hpp-python").locate_file("cmeel.prefix/lib")))
    except PackageNotFoundError:
        return None
    return lib_folder if lib_folder.is_dir() else None


def run_hpp(case: Case) -> dict[str, Record]:
    """Return answers and times by "level, kind"; levels that take too long are left out."""
    lib_folder = libraries()
    if lib_folder is None:
        return {}
    with TemporaryDirectory() as folder:
        write_question(Path(folder), case)
        return {one["key"]: one for one in _run(folder, lib_folder)}


def write_question(folder: Path, case: Case) -> None:
    """Write robot, pairs and motions for the child."""
    robot = case.robot
    write_robot(folder, robot, case.world)
    names, moved = robot.link_names, {joint.child for joint in robot.joints}
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :] if robot.tests(a, b)]
    pairs += [(a, WORLD) for a in names if a in moved and case.world is not None]
    (folder / "pairs.json").write_text(json.dumps(pairs))
    arrays: Record = {"names": np.array(robot.coordinate_names)}
    for label, kinds in case.levels.items():
        for kind, motions in kinds.items():
            arrays[f"{label}, {kind}:start"] = motions.start
            arrays[f"{label}, {kind}:end"] = motions.end
    np.savez(folder / "motions.npz", **arrays)


def _run(folder: str, lib_folder: Path) -> list[Record]:
    """Run HPP, and return the records that it prints within the limit."""
    paths = [str(lib_folder), os.environ.get("LD_LIBRARY_PATH", "")]
    environment = os.environ | {"LD_LIBRARY_PATH": os.pathsep.join(filter(None, paths))}
    command = [sys.executable, "-m", "toccata_bench.robots.hpp_child", folder]
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, timeout=LIMIT, check=True
        )
        text = done.stdout
    except subprocess.TimeoutExpired as late:
        text = late.stdout or b""
    except subprocess.CalledProcessError as error:
        raise failure("hpp-python", error) from error
    return [json.loads(line) for line in text.decode().splitlines() if line.startswith("{")]
