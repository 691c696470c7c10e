"""Worlds of rigid bodies for tests, and an independent judge of their logs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.dynamics import World
from toccata.scenes import models

from . import sampling

G = 9.81
Floats = NDArray[np.float64]


def box(*size: float) -> tc.Mesh:
    """A box about the origin."""
    return tc.Mesh(*models.box(size))


def scaled(mesh: Any, factor: float) -> tc.Mesh:
    """A mesh of another size."""
    vertices, faces = (mesh.vertices, mesh.faces) if isinstance(mesh, tc.Mesh) else mesh
    return tc.Mesh(np.asarray(vertices) * factor, faces)


def rectangle(width: float, depth: float) -> tc.Mesh:
    """Two triangles: a sheet without thickness."""
    x, y = width / 2, depth / 2
    return tc.Mesh([(-x, -y, 0), (x, -y, 0), (x, y, 0), (-x, y, 0)], [(0, 1, 2), (0, 2, 3)])


def sliver(thickness: float) -> tc.Mesh:
    """A tetrahedron of length 1, as thin as that in one direction, ten times in the other."""
    d = thickness
    points = [(0.0, 0.0, 0.0), (1.0, d, 0.0), (0.5, d, d), (0.3, 0.0, 10 * d)]
    return tc.Mesh(points, [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])


def soup(rng: np.random.Generator, count: int, size: float) -> tc.Mesh:
    """Triangles at random."""
    corners = rng.normal(size=(count, 3, 3)) * 0.3 * size + rng.normal(size=(count, 1, 3)) * size
    return tc.Mesh(corners.reshape(-1, 3), np.arange(3 * count).reshape(-1, 3))


def turned(rng: np.random.Generator) -> Floats:
    """A rotation vector at random."""
    return rng.normal(size=3)


FLOOR = box(20.0, 20.0, 1.0)


def on_floor(friction: float = 0.5, restitution: float = 0.0, **options: Any) -> World:
    """A world with a floor whose top is z = 0."""
    world = World(**options)
    given: dict[str, Any] = {"friction": friction, "restitution": restitution}
    world.add("floor", FLOOR, tc.pose((0, 0, -0.5)), fixed=True, **given)
    return world


def in_room(size: float = 2.0, at: float = 0.0, restitution: float = 0.0, **options: Any) -> World:
    """A world inside of a closed box without thickness."""
    world = World(**options)
    walls = box(size, size, size)
    inward = tc.Mesh(walls.vertices, walls.faces[:, ::-1])
    world.add("room", inward, tc.pose((at, at, at)), fixed=True, restitution=restitution)
    return world


def scatter(world: World, name: str, mesh: tc.Mesh, draw_pose: Any, **options: Any) -> bool:
    """Add a body at a free pose drawn by `draw_pose`; return whether one was found."""
    for _ in range(100):
        world.add(name, mesh, draw_pose(), **options)
        if world._touching() is None:
            return True
        world.remove(name)
    return False


def pile(sizes: list[tuple[float, float, float]], gap: float = 3e-4, **options: Any) -> World:
    """Return a stack of boxes on a floor, from the lowest on."""
    world, top = on_floor(**options), 0.0
    for i, size in enumerate(sizes):
        top += gap + size[2]
        world.add(f"b{i:03}", box(*size), tc.pose((0, 0, top - size[2] / 2)))
    return world


def kinetic(world: World, density: float = 1000.0) -> float:
    """Return the kinetic energy of all bodies, by its definition."""
    total = 0.0
    for name, pose, v in zip(world.names, world.poses, world.velocities, strict=True):
        if name not in world._bodies.free:
            continue
        mass = tc.MassProperties.of(world.meshes[name], density)
        inertia = pose[:3, :3] @ mass.inertia @ pose[:3, :3].T
        total += mass.mass * v[:3] @ v[:3] / 2 + v[3:] @ inertia @ v[3:] / 2
    return float(total)


def judge(
    log: Any,
    *,
    samples: int = 3,
    most: int = 150,
    unit: float = 1.0,
    tolerance: float = 2e-7,
    robots: Mapping[str, tc.Robot] | None = None,
) -> list[str]:
    """Return the faults of the motions of a log; none if they are free of contact.

    There are three judges: the audit of all motions; coal at samples of up to `most` motions; and
    the interval method. coal gets lengths in units, because it takes small distances for zero. The
    tolerance of the audit, in units, is below all shells; by default it depends on the largest
    body. `robots` has the robot of each articulated body by name.
    """
    arrays = log.arrays()
    wrong = []
    if tc.audit(arrays, tolerance=tolerance * unit).status != tc.Status.FREE:
        wrong.append("audit")
    count, poses = len(arrays["names"]), arrays["poses"].copy()
    meshes = [tc.Mesh(arrays[f"vertices_{i}"] / unit, arrays[f"faces_{i}"]) for i in range(count)]
    middle = np.zeros(3) if robots else poses[0, 0, :3, 3].copy()
    poses[..., :3, 3] = (poses[..., :3, 3] - middle) / unit
    loaded = [sampling.model(mesh.vertices, mesh.faces) for mesh in meshes]
    fixed = [i for i in range(count) if np.array_equal(poses[0, i], poses[-1, i])]
    for k in np.unique(np.linspace(0, len(poses) - 2, most).astype(int)):
        motions = [tc.Motion.linear(poses[k, i], poses[k + 1, i]) for i in range(count)]
        for i, motion in _link_motions(arrays, robots or {}, k).items():
            meshes[i], motions[i] = motion
            loaded[i] = sampling.model(meshes[i].vertices, meshes[i].faces)
        for i in range(count):
            for j in range(i):
                if (i in fixed and j in fixed) or not _tested(
                    arrays["names"][[i, j]], robots or {}
                ):
                    continue
                times = np.linspace(0, 1, samples)
                pairs = zip(motions[i].pose(times), motions[j].pose(times), strict=True)
                if any(sampling.distance(loaded[i], loaded[j], *pair) <= 0 for pair in pairs):
                    wrong.append(f"coal: step {k}, {arrays['names'][[i, j]]}")
                ask: dict[str, Any] = {"method": "interval", "tolerance": 1e-7}
                if tc.first_contact(meshes[i], meshes[j], motions[i], motions[j], **ask):
                    wrong.append(f"interval: step {k}, {arrays['names'][[i, j]]}")
    return wrong


def _link_motions(
    arrays: Any, robots: Mapping[str, tc.Robot], row: int
) -> dict[int, tuple[tc.Mesh, tc.Motion]]:
    """Return the motions of links from a row to the next, by the robots."""
    motions = {}
    for i, full in enumerate(arrays["names"]):
        name, _, link = str(full).partition("/")
        if name not in robots:
            continue
        robot = robots[name]
        q = arrays[f"q_{list(arrays['robots']).index(name)}"]
        motions[i] = robot.links[link].mesh, robot.link_motion(link, q[row], q[row + 1])
    return motions


def _tested(names: Any, robots: Mapping[str, tc.Robot]) -> bool:
    (a, _, link_a), (b, _, link_b) = (str(name).partition("/") for name in names)
    return a != b or a not in robots or robots[a].tests(link_a, link_b)
