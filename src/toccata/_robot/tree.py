"""The tree of links and joints, in which fixed joints are merged into poses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
"""(mesh, mesh at a pose) by the id of the mesh and the pose; the entry keeps the mesh alive."""


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """The joints of a robot in the order of the core, and the links that they carry."""

    root: dict[str, str]
    """For each link, the link without a parent above it."""
    moving: list[Joint]
    """Joints that move, mimic joints included, parents first."""
    given: list[tuple[Any, ...]]
    """Arguments of `core.make_joint`: parent, kind, pose, axes, coordinate, (factor, offset)."""
    native: list[core.Joint]
    carrier: dict[str, int]
    """Index in `moving` of the joint that carries each link, or `WORLD`."""
    offset: dict[str, Floats]
    """Pose of each link in the frame of its carrier, (4, 4)."""
    coordinate: dict[str, int]
    """Index of the first coordinate of each joint that has coordinates of its own."""

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
        """Return the poses of all links, (..., 4, 4), for (..., joints, 4, 4) frames of joints."""
        shape = (*frames.shape[:-3], 4, 4)
        found: dict[str, Floats] = {}
        for name, carrier in self.carrier.items():
            offset = self.offset[name]
            at_rest = carrier == WORLD
            found[name] = (
                np.array(np.broadcast_to(offset, shape))
                if at_rest
                else frames[..., carrier, :, :] @ offset
            )
        return found

    def motion(self, link: str, ends: Floats) -> Motion:
        """Return the motion of a link's frame between the two configurations in `ends`."""
        offset = np.ascontiguousarray(self.offset[link])
        return _link_motion(tuple(self.given), self.carrier[link], offset, ends)


def _link_motion(
    joints: tuple[tuple[Any, ...], ...], carrier: int, offset: Floats, ends: Floats
) -> Motion:
    """Return the motion of a frame at an offset from a joint. Its pickle has these arguments."""
    motion = core.robot_motion(bare_robot(joints), carrier, offset, ends[:1], ends[1:])
    return Motion._wrap(motion, (_link_motion, (joints, carrier, offset, ends)))


def bare_robot(joints: Iterable[tuple[Any, ...]]) -> core.Robot:
    """Return a robot without links, for the arguments of `core.make_joint`."""
    native = [core.make_joint(p, core.JointKind[kind], *more) for p, kind, *more in joints]
    return core.make_robot(native, [], [], [], [])


def build_tree(
    links: Sequence[Link], joints: Sequence[Joint], bases: Mapping[str, Floats] | None = None
) -> Tree:
    """Return the tree of links and joints; raise ValueError if they do not form a tree.

    Several links may have no parent if `bases` has their poses.
    """
    names = _different("links", [link.name for link in links])
    _different("joints", [joint.name for joint in joints])
    above: dict[str, Joint] = {}
    for joint in joints:
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in names:
                wrong = f"{role} {name!r} is not a link of this robot"
                raise ValueError(f"joint {joint.name!r}: {wrong}")
        if joint.child in above:
            got = f"{above[joint.child].name!r} and {joint.name!r}"
            raise ValueError(f"link {joint.child!r}: expected one parent joint, got {got}")
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


def _different(what: str, names: list[str]) -> set[str]:
    """Return names as a set; raise ValueError if a name occurs twice."""
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"{what}: expected different names, got {name!r} twice")
        seen.add(name)
    return seen


def _from_root(
    links: Sequence[Link], joints: Sequence[Joint], above: dict[str, Joint], several: bool
) -> list[str]:
    """Return the names of all links, parents first."""
    if not links:
        raise ValueError("links: expected at least one link, got none")
    roots = [link.name for link in links if link.name not in above]
    if len(roots) > 1 and not several:
        raise ValueError(f"joints: expected one link without a parent, got {', '.join(roots)}")
    children: dict[str, list[str]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint.child)
    order = roots
    for name in order:  # grows during the loop
        order.extend(children.get(name, ()))
    if len(order) < len(links):
        cycle: list[str] = []
        name = next(child for child in above if child not in set(order))
        while name not in cycle:
            cycle.append(name)
            name = above[name].parent
        names = " - ".join([*cycle[cycle.index(name) :], name])
        raise ValueError(f"joints: expected a tree, got a cycle through {names}")
    return order


def _coordinates(joints: Sequence[Joint]) -> dict[str, int]:
    coordinate: dict[str, int] = {}
    count = 0
    for joint in joints:
        if joint.width:
            coordinate[joint.name] = count
            count += joint.width
    return coordinate


def mimicked(joint: Joint, joints: Mapping[str, Joint]) -> tuple[str, float, float]:
    """Return the joint that a mimic joint follows in the end, and the total factor and offset."""
    this, factor, offset, seen = f"joint {joint.name!r}", 1.0, 0.0, {joint.name}
    while (mimic := joint.mimic) is not None:
        this = f"joint {joint.name!r}"
        if mimic.joint not in joints:
            raise ValueError(
                f"{this}: the mimicked joint {mimic.joint!r} is not a joint of this robot"
            )
        offset += factor * mimic.offset
        factor *= mimic.multiplier
        joint = joints[mimic.joint]
        if joint.name in seen:
            raise ValueError(f"joint {joint.name!r}: the joints that it mimics form a cycle")
        seen.add(joint.name)
    if joint.width != 1:
        wrong = f"the mimicked {joint.kind} joint {joint.name!r} does not have one coordinate"
        raise ValueError(f"{this}: {wrong}")
    return joint.name, factor, offset


def _hang(tree: Tree, joint: Joint, joints: dict[str, Joint]) -> None:
    """Add a joint to a tree that already contains the joint's parent link."""
    parent = tree.carrier[joint.parent]
    pose = tree.offset[joint.parent] @ joint.origin
    if joint.kind == "fixed":
        tree.carrier[joint.child], tree.offset[joint.child] = parent, pose
        return
    line = joint.name, 1.0, 0.0
    name, factor, offset = line if joint.mimic is None else mimicked(joint, joints)
    kind = "revolute" if joint.kind == "continuous" else joint.kind
    more = np.ascontiguousarray(pose), joint.axes(), tree.coordinate[name], (factor, offset)
    try:
        native = core.make_joint(parent, core.JointKind[kind], *more)
    except ValueError as error:
        raise ValueError(f"joint {joint.name!r}, {error}") from error
    tree.moving.append(joint)
    tree.given.append((parent, kind, *more))
    tree.native.append(native)
    tree.carrier[joint.child] = len(tree.moving) - 1
    tree.offset[joint.child] = np.eye(4)
