"""Robots of installed PyPI packages, by name."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from toccata.scenes._arguments import look_up

if TYPE_CHECKING:
    from toccata._robot import Robot

_EXAMPLE, _RTB = "example-robot-data", "rtb-data"
# Folder of the robots of each package, below its installation.
_FOLDERS = {_EXAMPLE: "cmeel.prefix/share/example-robot-data/robots", _RTB: "rtbdata/xacro"}


@dataclass(frozen=True, slots=True)
class Source:
    """Package and files of a robot, relative to the folder of the package's robots."""

    package: str
    urdf: str
    srdf: str | None = None
    geometry: Literal["collision", "visual"] = "collision"

    def folder(self) -> Path:
        """Return the folder of the robots; the error names the package to install."""
        try:
            found = Path(str(distribution(self.package).locate_file(_FOLDERS[self.package])))
        except PackageNotFoundError as error:
            raise ModuleNotFoundError(
                f"{self.urdf} needs {self.package}: pip install {self.package}"
            ) from error
        if not found.is_dir():
            raise FileNotFoundError(f"{self.package}: expected its robots in {found}, found none")
        return found


INSTALLED = {
    "ur5": Source(_EXAMPLE, "ur_description/urdf/ur5_robot.urdf", "ur_description/srdf/ur5.srdf"),
    "panda": Source(
        _EXAMPLE, "panda_description/urdf/panda.urdf", "panda_description/srdf/panda.srdf"
    ),
    "talos": Source(_EXAMPLE, "talos_data/robots/talos_reduced.urdf", "talos_data/srdf/talos.srdf"),
    "allegro": Source(_EXAMPLE, "allegro_hand_description/urdf/allegro_right_hand.urdf"),
    "human": Source(_EXAMPLE, "human_description/robots/human.urdf", geometry="visual"),
    "puma560": Source(
        _RTB, "unimation_puma560_description/urdf/puma560_robot.urdf", geometry="visual"
    ),
}
"""Files of the robots, by name."""


def installed_source(name: str) -> Source:
    """Return the files of a robot."""
    return look_up("name", name, INSTALLED)


def installed_robot(name: str) -> Robot:
    """Load a robot of an installed package: ur5, panda, talos, allegro, human or puma560.

    Without an SRDF, pairs of links in contact at every sampled configuration are ignored.
    """
    from toccata._robot import Robot

    source = installed_source(name)
    folder = source.folder()
    robot = Robot.from_urdf(
        folder / source.urdf,
        srdf=source.srdf and folder / source.srdf,
        package_dirs=(folder, folder.parent, folder.parent.parent),
        geometry=source.geometry,
    )
    if source.srdf is None:
        robot.infer_ignored_pairs()
    return robot
