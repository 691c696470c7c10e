"""Files of real robots, from packages that may be installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from toccata_bench.scenes.installed import INSTALLED, Source

ODD = {
    "talos_full": Source("example-robot-data", "talos_data/robots/talos_full_v2.urdf"),
    "simple_humanoid": Source(
        "example-robot-data", "simple_humanoid_description/urdf/simple_humanoid.urdf"
    ),
    "ur3_empty": Source("example-robot-data", "ur_description/urdf/ur3.urdf"),
    "alex_hands": Source("example-robot-data", "alex_description/urdf/alex_psyonic_hands.urdf"),
    "kuka": Source("rtb-data", "kuka_description/kuka_kr16/urdf/kr16_2.urdf"),
}


def robot_file(name: str) -> tuple[Path, Path]:
    """Return the URDF of a robot and the folder of its packages; skip if it is missing."""
    source = (INSTALLED | ODD)[name]
    try:
        folder = source.folder()
    except (ModuleNotFoundError, FileNotFoundError) as error:
        pytest.skip(str(error))
    path = folder / source.urdf
    if not path.is_file():
        pytest.skip(f"{source.package} has no {source.urdf}")
    # One package refers to its own name, the other to the names of its robots.
    return path, folder.parents[1] if source.package == "example-robot-data" else folder


def srdf_file(name: str) -> Path | None:
    """Return the SRDF of a robot, if it has one."""
    source = INSTALLED[name]
    return None if source.srdf is None else source.folder() / source.srdf
