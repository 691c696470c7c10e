"""Robots made by code, and wires around them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from math import pi

import numpy as np

from toccata._mesh import Mesh
from toccata._motion import pose
from toccata._robot import Joint, Link, Robot
from toccata._scene import Scene
from toccata.dynamics import MassProperties

from ._tree import shift
from .primitives import box, capsule, cylinder
from .surface import MeshArrays, along, shifted, union


def planar_arm(lengths: tuple[float, ...] = (1.0, 1.0), width: float = 0.1) -> Robot:
    """Return an arm in the plane z = 0: bars along x, joints about z.

    A bar starts one width after its joint, so that neighbors never touch.
    """
    links, joints = [Link("base")], []
    for i, length in enumerate(lengths):
        bar = shifted(box((length - 2 * width, width, width)), (length / 2, 0.0, 0.0))
        links.append(Link(f"link{i + 1}", Mesh(*bar, solid=True)))
        origin = shift((lengths[i - 1] if i else 0.0, 0.0, 0.0))
        joints.append(
            Joint(f"joint{i + 1}", "continuous", links[i].name, links[i + 1].name, origin)
        )
    return Robot(links, joints)


def puma(segments: int = 24) -> Robot:
    """Return an arm with the proportions of a Puma 560: six joints, seven links, in meters."""

    def tube(radius: float, length: float, axis: str = "z") -> MeshArrays:
        return cylinder(radius, length, segments, axis)

    upper = union(
        shifted(box((0.44, 0.06, 0.16)), (0.16, 0.0, 0.0)), shifted(tube(0.1, 0.07, "y"), (0, 0, 0))
    )
    forearm = union(shifted(box((0.09, 0.08, 0.36)), (0.0, 0.0, 0.14)), tube(0.075, 0.09, "y"))
    shapes: dict[str, MeshArrays] = {
        "base": shifted(tube(0.09, 0.6), (0.0, 0.0, 0.3)),
        "shoulder": union(
            shifted(tube(0.085, 0.18), (0.0, 0.0, 0.0)), shifted(tube(0.07, 0.2, "y"), (0, 0.1, 0))
        ),
        "upper_arm": upper,
        "forearm": forearm,
        "wrist_1": shifted(capsule(0.04, 0.03, 16), (0.0, 0.0, -0.07)),
        "wrist_2": along(capsule(0.04, 0.03, 16), "y"),
        "hand": union(
            shifted(tube(0.03, 0.03), (0.0, 0.0, 0.055)),
            shifted(box((0.02, 0.1, 0.06)), (0.0, 0.0, 0.1)),
        ),
    }
    names = list(shapes)
    origins = [
        (0, 0, 0.67),
        (0, 0.24, 0),
        (0.43, -0.09, 0),
        (0, 0, 0.43),
        (0, 0, 0),
        (0, 0, 0),
    ]
    axes = [(0, 0, 1), (0, 1, 0), (0, 1, 0), (0, 0, 1), (0, 1, 0), (0, 0, 1)]
    limits = [(-2.8, 2.8), (-2.6, 0.5), (-0.6, 2.6), (-2.9, 2.9), (-1.7, 1.7), (-pi, pi)]
    joints = [
        Joint(f"joint{i + 1}", "revolute", *pair, shift(origins[i]), axes[i], *limits[i])
        for i, pair in enumerate(pairwise(names))
    ]
    return Robot([Link(name, Mesh(*mesh)) for name, mesh in shapes.items()], joints)


def wires(count: int, diameter: float = 0.002, seed: int = 0, sides: int = 6) -> Scene:
    """Return thin rods along the axes, with center lines at least 0.35 from (0, 0, 0.4)."""
    rng = np.random.default_rng(seed)
    scene = Scene()
    while len(scene) < count:
        axis = len(scene) % 3
        center = rng.uniform(-0.9, 0.9, 3) + (0.0, 0.0, 0.5)
        across = np.delete(center - (0.0, 0.0, 0.4), axis)
        if np.hypot(*across) < 0.35:
            continue
        rod = along(_rod(diameter / 2, 1.6, sides), "xyz"[axis])
        scene.add(f"wire{len(scene)}", Mesh(*shifted(rod, center)))
    return scene


def _rod(radius: float, length: float, sides: int) -> MeshArrays:
    """Return a prism along z with long triangles, like the triangles of CAD programs."""
    vertices, faces = cylinder(radius, 2 * pi * radius / sides, sides)
    return vertices * (1.0, 1.0, length * sides / (2 * pi * radius)), faces


def chain(count: int, length: float = 0.1, radius: float = 0.02, *, geometry: bool = True) -> Robot:
    """Return a chain of `count` links along x with joints alternately about z and y.

    Links are capsules, 0.4 radii apart; the first link is the base. Without geometry, links have
    only inertia.
    """
    link = _capsules(length, radius, geometry)
    axes = [(0.0, 0.0, 1.0), (0.0, 1.0, 0.0)]
    joints = [
        Joint(f"joint{i}", "revolute", f"link{i - 1}", f"link{i}",
              shift((length, 0.0, 0.0)), axes[i % 2], -1.0, 1.0)
        for i in range(1, count)
    ]  # fmt: skip
    return Robot([link(i) for i in range(count)], joints)


def random_tree(
    count: int, seed: int = 0, branching: float = 0.3, *, geometry: bool = True
) -> Robot:
    """Return a tree of `count` capsules with joints about random axes.

    The parent of a link is the previous link, or with probability `branching` a random earlier
    link. Each link is rotated randomly relative to its parent. Links that touch in the zero
    configuration are ignored pairs.
    """
    rng = np.random.default_rng(seed)
    link = _capsules(0.1, 0.02, geometry)
    joints = []
    for i in range(1, count):
        parent = int(rng.integers(i)) if rng.random() < branching else i - 1
        origin = pose((0.1, 0.0, 0.0), rotvec=rng.uniform(-1.0, 1.0, 3))
        ends = f"joint{i}", "revolute", f"link{parent}", f"link{i}"
        joints.append(Joint(*ends, origin, rng.normal(size=3), -1.0, 1.0))  # type: ignore[arg-type]
    robot = Robot([link(i) for i in range(count)], joints)
    robot.infer_ignored_pairs(at=robot.zero_configuration())
    return robot


def _capsules(length: float, radius: float, geometry: bool) -> Callable[[int], Link]:
    """Return a function that makes a link along x from its index; all links share one mesh."""
    body = along(capsule(length - 2.4 * radius, radius, 12), "x")
    mesh = Mesh(*shifted(body, (length / 2, 0.0, 0.0)))
    weight = MassProperties.of(mesh)
    return lambda i: Link(f"link{i}", mesh if geometry else None, weight)
