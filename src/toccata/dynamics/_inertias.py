"""Mass properties of the frames that the joints of a robot move."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence

import numpy as np

from toccata._arrays import Floats, as_number
from toccata._checks import as_type
from toccata._robot.internal import tree_of
from toccata._robot.parts import Link
from toccata._robot.robot import Robot
from toccata._robot.tree import WORLD, Tree
from toccata.dynamics._mass import MASSLESS, MassProperties

_ROUNDING = 1e-9
"""Tolerance relative to the largest entry of an inertia, because files give few digits."""


def frame_inertias(
    robot: Robot, density: float = 1000.0, inertias: Mapping[str, MassProperties] | None = None
) -> list[MassProperties]:
    """Return the mass properties that each moving joint carries, in its frame, parents first.

    They are the sums over the links that the joint carries directly or through fixed joints. A
    joint may carry no mass if a joint further out in the tree carries some.

    Args:
        robot: the robot.
        density: density of links with a mesh and without an inertia, as for `MassProperties.of`.
        inertias: inertias by link, in its frame, which replace the inertias in the robot.

    """
    given = _checked(as_type("robot", robot, Robot), inertias)
    as_number("density", density, least=0, open_end=True)
    tree = tree_of(robot)
    carried: list[list[Link]] = [[] for _ in tree.moving]
    for link in robot.links.values():
        if tree.carrier[link.name] != WORLD:
            carried[tree.carrier[link.name]].append(link)
    found = []
    for joint, links in zip(tree.moving, carried, strict=True):
        masses = [_moved(_of(link, density, given), tree.offset[link.name]) for link in links]
        found.append(_summed(joint.name, [link.name for link in links], masses))
    _check_subtrees(tree, found)
    return found


def inertias_from_mjcf(path: str | os.PathLike[str]) -> dict[str, MassProperties]:
    """Return the mass properties of the bodies of a MuJoCo model, by name.

    Pass them as `inertias` for a robot with the same links. MuJoCo reads the file and applies its
    defaults. Bodies without a name and the world are left out.
    """
    try:
        import mujoco
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("MJCF files need mujoco: pip install mujoco") from error
    file = os.fspath(path)
    if not os.path.isfile(file):
        raise FileNotFoundError(f"{file}: no such file")
    try:
        model = mujoco.MjModel.from_xml_path(file)
    except ValueError as error:
        raise ValueError(f"{file}: expected an MJCF file, got {error}") from error
    found = {}
    for i in range(1, model.nbody):
        if name := model.body(i).name:
            turn = np.empty(9)
            mujoco.mju_quat2Mat(turn, model.body_iquat[i])
            axes = turn.reshape(3, 3)
            inertia = (axes * model.body_inertia[i]) @ axes.T
            found[name] = MassProperties._unchecked(
                float(model.body_mass[i]), model.body_ipos[i], (inertia + inertia.T) / 2
            )
    return found


def _checked(
    robot: Robot, inertias: Mapping[str, MassProperties] | None
) -> Mapping[str, MassProperties]:
    if inertias is None:
        return {}
    if not isinstance(inertias, Mapping):
        got = type(inertias).__name__
        raise TypeError(f"inertias: expected a mapping from links to mass properties, got {got}")
    for name, inertia in inertias.items():
        if name not in robot.links:
            raise ValueError(f"inertias: expected links of the robot, got {name!r}")
        as_type(f"inertias, {name!r}", inertia, MassProperties)
    return inertias


def _of(link: Link, density: float, given: Mapping[str, MassProperties]) -> MassProperties:
    inertia = given.get(link.name, link.inertia)
    try:
        if inertia is not None:
            _check_link(inertia)
            return inertia
        if link.missing:
            raise ValueError(f"mesh: expected existing files, got {', '.join(link.missing)}")
        return MASSLESS if link.mesh is None else MassProperties.of(link.mesh, density)
    except ValueError as error:
        raise ValueError(f"link {link.name!r}, {error}") from error


def _check_link(given: MassProperties) -> None:
    """Raise ValueError for an impossible inertia. Point masses are legal: sensors may have them."""
    if np.isnan(given.mass) or np.isnan(given.inertia).any():
        name = "mass" if np.isnan(given.mass) else "inertia"
        raise ValueError(f"{name}: expected a value in the file or in `inertias`, got none")
    numbers = np.concatenate([[given.mass], given.center, given.inertia.ravel()])
    if not np.isfinite(numbers).all():
        raise ValueError(f"inertia: expected finite numbers, got {given!r}")
    if given.mass < 0:
        raise ValueError(f"mass: expected a number of at least 0, got {given.mass}")
    size = float(np.abs(given.inertia).max())
    if given.mass == 0 and size > 0:
        raise ValueError(f"inertia: expected zeros for a mass of 0, got {size:.6g}")
    least, middle, most = (float(x) for x in np.linalg.eigvalsh(given.inertia))
    got = f"got principal moments {least:.6g}, {middle:.6g} and {most:.6g}"
    if least < -_ROUNDING * size:
        raise ValueError(f"inertia: expected no negative principal moment, {got}")
    if most > least + middle + _ROUNDING * size:
        raise ValueError(f"inertia: expected no principal moment above the others' sum, {got}")


def _moved(mass: MassProperties, pose: Floats) -> MassProperties:
    turn = pose[:3, :3]
    center = turn @ mass.center + pose[:3, 3]
    return MassProperties._unchecked(mass.mass, center, turn @ mass.inertia @ turn.T)


def _summed(joint: str, links: list[str], masses: Sequence[MassProperties]) -> MassProperties:
    total = sum(each.mass for each in masses)
    if total == 0:
        return MASSLESS
    center = sum((each.mass * each.center for each in masses), np.zeros(3)) / total
    inertia = np.zeros((3, 3))
    for each in masses:
        arm = each.center - center
        steiner = arm @ arm * np.eye(3) - np.outer(arm, arm)
        inertia += each.inertia + each.mass * steiner
    try:
        return MassProperties(total, center, (inertia + inertia.T) / 2)
    except ValueError as error:
        raise ValueError(f"joint {joint!r}, links {', '.join(links)}: {error}") from error


def _check_subtrees(tree: Tree, found: Sequence[MassProperties]) -> None:
    """Raise ValueError for a joint that moves no mass: forces would accelerate it without bound."""
    behind = np.array([mass.mass for mass in found])
    parents = [given[0] for given in tree.given]
    for i in reversed(range(len(found))):
        if behind[i] == 0:
            joint = tree.moving[i]
            wanted = "expected links with an inertia or a mesh behind it"
            raise ValueError(f"joint {joint.name!r}, link {joint.child!r}: {wanted}, got no mass")
        if parents[i] != WORLD:
            behind[parents[i]] += behind[i]
