"""Real robots, from packages that may be installed."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

_PLACES = {
    "example-robot-data": "cmeel.prefix/share",
    "rtb-data": "rtbdata/xacro",
}
_ROBOTS = "example-robot-data/robots"
FILES = {
    "ur5": ("example-robot-data", f"{_ROBOTS}/ur_description/urdf/ur5_robot.urdf"),
    "panda": ("example-robot-data", f"{_ROBOTS}/panda_description/urdf/panda.urdf"),
    "talos": ("example-robot-data", f"{_ROBOTS}/talos_data/robots/talos_reduced.urdf"),
    "talos_full": ("example-robot-data", f"{_ROBOTS}/talos_data/robots/talos_full_v2.urdf"),
    "allegro": (
        "example-robot-data",
        f"{_ROBOTS}/allegro_hand_description/urdf/allegro_right_hand.urdf",
    ),
    "human": ("example-robot-data", f"{_ROBOTS}/human_description/robots/human.urdf"),
    "puma560": ("rtb-data", "unimation_puma560_description/urdf/puma560_robot.urdf"),
}


def robot_file(name: str) -> tuple[Path, Path]:
    """Return the URDF of a robot and the folder of its packages; skips if it is not there."""
    package, inner = FILES[name]
    try:
        folder = Path(str(distribution(package).locate_file(_PLACES[package])))
    except PackageNotFoundError:
        pytest.skip(f"{name} is in {package}, which is not installed")
    if not (folder / inner).is_file():
        pytest.skip(f"{package} has no {inner}")
    return folder / inner, folder


def srdf_file(name: str) -> Path:
    """Return the SRDF of a robot, beside its URDF."""
    path, _ = robot_file(name)
    srdf = {"ur5": "ur5.srdf", "panda": "panda.srdf", "talos": "talos.srdf"}[name]
    return path.parents[1] / "srdf" / srdf
