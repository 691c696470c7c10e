"""The tree of links and joints, without its fixed joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from toccata._arrays import Floats, moved
from toccata._mesh import Mesh
from toccata._motion import Motion
from toccata._native import core
from toccata._robot.parts import Joint, Link

WORLD = -1
"""The carrier of links that no joint moves."""

PlacedMeshes = dict[tuple[int, bytes], tuple[Mesh, Mesh]]
"""(mesh, mesh at a pose) by the id of the mesh and the pose; the entry keeps the id in use."""


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The joints of a robot in the order of the core, and the links that they carry."""

    root: dict[str, str]
    """The link without a parent that carries each link, by link."""
    moving: list[Joint]
    """Joints that move, mimic joints included, parents first."""
    given: list[tuple[Any, ...]]
    """Arguments of `core.make_joint` for each of `moving`: parent, kind, pose, axes, coordinate,
    (factor, offset)."""
    native: list[core.Joint]
    carrier: dict[str, int]
    """Index in `moving` of the joint that carries each link, or `WORLD`."""
    offset: dict[str, Floats]
    """(4, 4) pose of each link in the frame of its carrier."""
    coordinate: dict[str, int]
    """Index of each joint's first coordinate in a configuration; mimic joints have none."""

    def placed_mesh(self, link: Link, known: PlacedMeshes, placed: PlacedMeshes) -> Mesh:
        """Return the mesh of a link in the frame of its carrier, and keep it in `placed`."""
        assert link.mesh is not None
        mesh = link.mesh
        pose = self.offset[link.name]
        if np.array_equal(pose, np.eye(4)):
            return mesh
        key = id(mesh), pose.tobytes()
        if (found := known.get(key)) is None:
            found = mesh, Mesh(moved(mesh.vertices, pose), mesh.faces, solid=mesh.solid_faces)
        placed[key] = found
        return found[1]

    def poses(self, frames: Floats) -> dict[str, Floats]:
        """Return the (4, 4) poses of all links, for (joints, 4, 4) frames of the joints.

        For (n, joints, 4, 4) frames the poses are (n, 4, 4).
        """
        return {name: self._pose(name, frames) for name in self.offset}

    def _pose(self, link: str, frames: Floats) -> Floats:
        carrier, offset = self.carrier[link], self.offset[link]
        many = frames.ndim == 4
        if carrier == WORLD:
            return np.tile(offset, (len(frames), 1, 1)) if many else offset.copy()
        return np.asarray((frames[:, carrier] if many else frames[carrier]) @ offset)

    def motion(self, link: str, ends: Floats) -> Motion:
        """Return the motion of a link's frame between the two configurations in `ends`."""
        offset = np.ascontiguousarray(self.offset[link])
        return _link_motion(tuple(self.given), self.carrier[link], offset, ends)


def _link_motion(
    joints: tuple[tuple[Any, ...], ...], carrier: int, offset: Floats, ends: Floats
) -> Motion:
    """Return the motion of a frame at an offset from a joint; pickles hold these arguments."""
    bare = core.make_robot([_native_joint(*joint) for joint in joints], [], [], [], [])
    native = core.robot_motion(bare, carrier, offset, ends[:1], ends[1:])
    return Motion._wrap(native, (_link_motion, (joints, carrier, offset, ends)))


def _native_joint(parent: int, kind: str, *rest: Any) -> core.Joint:
    return core.make_joint(parent, core.JointKind[kind], *rest)


def build_tree(
    links: Sequence[Link], joints: Sequence[Joint], bases: Mapping[str, Floats] | None = None
) -> Tree:
    """Check that links and joints form a tree, and return it.

    There may be several links without a parent if `bases` has their poses.
    """
    names = _unique("link", [link.name for link in links])
    _unique("joint", [joint.name for joint in joints])
    above: dict[str, Joint] = {}
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in names:
                raise ValueError(f"joint {joint.name!r}: expected a link as {role}, got {name!r}")
        if joint.child in above:
            other = above[joint.child].name
            raise ValueError(
                f"link {joint.child!r}: expected one parent, got {other!r} and {joint.name!r}"
            )
        above[joint.child] = joint
    order = _from_root(links, joints, above, several=bases is not None)
    tree = Tree({}, [], [], [], {}, {}, _coordinates(joints))
    by_name = {joint.name: joint for joint in joints}
    for name in order:
        if name in above:
            tree.root[name] = tree.root[above[name].parent]
            _hang(tree, above[name], by_name)
        else:
            tree.root[name], tree.carrier[name] = name, WORLD
            tree.offset[name] = np.eye(4) if bases is None else bases[name]
    return tree


def _unique(what: str, names: list[str]) -> set[str]:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{what}s: expected different names, got {name!r} twice")
        seen.add(name)
    return seen


def _from_root(
    links: Sequence[Link], joints: Sequence[Joint], above: dict[str, Joint], several: bool
) -> list[str]:
    """Return the names of all links, parents first."""
    if not links:
        raise ValueError("links: expected at least one, got none")
    roots = [link.name for link in links if link.name not in above]
    if not roots:
        raise ValueError(f"joints: expected a tree, got a cycle through {_cycle(above)}")
    if len(roots) > 1 and not several:
        raise ValueError(f"joints: expected one link without a parent, got {', '.join(roots)}")
    children: dict[str, list[str]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint.child)
    order = roots
    for name in order:  # grows during the loop
        order.extend(children.get(name, ()))
    if len(order) < len(links):
        raise ValueError(
            f"joints: expected a tree, got a cycle through {_cycle(above, set(order))}"
        )
    return order


def _cycle(above: dict[str, Joint], known: set[str] | None = None) -> str:
    name = next(child for child in above if child not in (known or ()))
    seen: list[str] = []
    while name not in seen:
        seen.append(name)
        name = above[name].parent
    return " - ".join([*seen[seen.index(name) :], name])


def _coordinates(joints: Sequence[Joint]) -> dict[str, int]:
    coordinate: dict[str, int] = {}
    count = 0
    for joint in joints:
        if joint.width:
            coordinate[joint.name] = count
            count += joint.width
    return coordinate


def mimicked(joint: Joint, joints: dict[str, Joint]) -> tuple[str, float, float]:
    """Return the joint with coordinates of its own that a joint follows, with factor and offset."""
    factor, offset, seen = 1.0, 0.0, [joint.name]
    while joint.mimic is not None:
        if joint.mimic.joint not in joints:
            raise ValueError(
                f"joint {joint.name!r}: expected a joint to mimic, got {joint.mimic.joint!r}"
            )
        offset += factor * joint.mimic.offset
        factor *= joint.mimic.multiplier
        joint = joints[joint.mimic.joint]
        if joint.name in seen:
            raise ValueError(
                f"joint {joint.name!r}: expected a joint to mimic, got a cycle of mimics"
            )
        seen.append(joint.name)
    if joint.width != 1:
        raise ValueError(
            f"joint {seen[0]!r}: expected to mimic a joint with one coordinate, got {joint.kind}"
        )
    return joint.name, factor, offset


def _hang(tree: Tree, joint: Joint, joints: dict[str, Joint]) -> None:
    parent = tree.carrier[joint.parent]
    pose = tree.offset[joint.parent] @ joint.origin
    if joint.kind == "fixed":
        tree.carrier[joint.child], tree.offset[joint.child] = parent, pose
        return
    name, factor, offset = joint.name, 1.0, 0.0
    if joint.mimic is not None:
        name, factor, offset = mimicked(joint, joints)
    kind = "revolute" if joint.kind == "continuous" else joint.kind
    numbers = np.ascontiguousarray(pose), joint.axes(), tree.coordinate[name], (factor, offset)
    given = (parent, kind, *numbers)
    try:
        native = _native_joint(*given)
    except ValueError as error:
        raise ValueError(f"joint {joint.name!r}, {error}") from error
    tree.moving.append(joint)
    tree.given.append(given)
    tree.native.append(native)
    tree.carrier[joint.child] = len(tree.moving) - 1
    tree.offset[joint.child] = np.eye(4)
