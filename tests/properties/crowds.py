"""Random scenes: any shapes on any motions, with bodies at rest or inside others."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from oracles.cases import Path, fixed, linear, random_path, spline
from oracles.crowd import Crowd, Member, Pair
from oracles.shapes import Shape, box, pose, random_rotation, sphere, tetrahedron, triangle, wedge

import toccata as tc
from toccata.scenes import models

from .asking import motion

CLOSED = (
    box(),
    tetrahedron(),
    wedge(0.2),
    sphere(3, 4),
    sphere(6, 8),
    models.torus(0.4, 0.1, 9, 6),
)
SHEET = triangle((-0.5, -0.5, 0), (0.5, -0.5, 0), (0, 0.5, 0.2))


@dataclass(frozen=True)
class Drawn:
    """One body of a scene."""

    shape: Shape
    path: Path
    solid: bool = False

    def member(self) -> Member:
        """Return the body as the oracle knows it."""
        return Member(self.shape, self.path.pose(), self.solid)

    def mesh(self) -> tc.Mesh:
        """Return the body's mesh."""
        return tc.Mesh(*self.shape, solid=self.solid)


@dataclass(frozen=True)
class DrawnScene:
    """Bodies by name, and ignored pairs."""

    bodies: dict[str, Drawn]
    ignored: frozenset[Pair] = field(default_factory=frozenset)

    def crowd(self) -> Crowd:
        """Return the scene as the oracle knows it: pairs in the order of the bodies."""
        pairs = [pair for pair in combinations(self.bodies, 2) if pair not in self.ignored]
        return Crowd({name: body.member() for name, body in self.bodies.items()}, pairs)

    def scene(self) -> tc.Scene:
        """Return the scene."""
        scene = tc.Scene()
        for name, body in self.bodies.items():
            scene.add(name, body.mesh(), motion(body.path))
        for pair in sorted(self.ignored):
            scene.ignore(*pair)
        return scene

    def without(self, pair: Pair) -> DrawnScene:
        """Return the scene with one more ignored pair."""
        return replace(self, ignored=self.ignored | {pair})

    def with_body(self, name: str, body: Drawn) -> DrawnScene:
        """Return the scene with one more body."""
        return replace(self, bodies={**self.bodies, name: body})


def any_path(rng: np.random.Generator, start: NDArray[Any], end: NDArray[Any]) -> Path:
    """Draw a motion of any kind that ends close to `end`; one in four does not turn."""
    if rng.random() < 0.25:
        return linear(start, pose(end[:3, 3], start[:3, :3]))
    if rng.random() < 0.7:
        return random_path(rng, start, end)
    middle = pose((start + end)[:3, 3] / 2 + rng.normal(size=3) * 0.3, random_rotation(rng))
    times = (0.0, float(rng.uniform(0.2, 0.8)), 1.0)
    return spline(times, (start, middle, end), str(rng.choice(["smooth", "linear"])))


def any_body(rng: np.random.Generator, at: Any, moves: float = 0.5) -> Drawn:
    """Draw a body at a position; it may move to any position in a box of side 4."""
    shape = CLOSED[int(rng.integers(len(CLOSED)))] if rng.random() < 0.85 else SHEET
    points = shape[0] * rng.uniform(0.3, 0.85)
    start = pose(at + rng.uniform(-0.1, 0.1, 3), random_rotation(rng))
    end = pose(rng.uniform(-2, 2, 3), random_rotation(rng))
    path = any_path(rng, start, end) if rng.random() < moves else fixed(start)
    solid = shape is not SHEET and bool(rng.random() < 0.5)
    return Drawn((points, shape[1]), path, solid)


def lifted(rng: np.random.Generator, at: NDArray[Any]) -> dict[str, Drawn]:
    """Draw a crate that starts on a block or closely above it, and leaves it or not."""
    start = pose(at + (0.1, 0.2, 0.75 + rng.choice([0.0, 1e-5, 5e-3])))
    end = pose(start[:3, 3] + (0.3, 0.2, rng.choice([-0.4, 0.1, 0.4])), start[:3, :3])
    crate = Drawn((box()[0] * 0.5, box()[1]), any_path(rng, start, end))
    return {"block": Drawn(box(), fixed(pose(at)), solid=True), "crate": crate}


def any_scene(rng: np.random.Generator) -> DrawnScene:
    """Draw two to six bodies: apart, at rest, in contact, or inside others."""
    corners = np.array([(x, y, z) for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-0.5, 0.5)])
    centers = rng.permutation(corners * 1.5)[: rng.integers(2, 7)]
    bodies = {f"body {k}": any_body(rng, at) for k, at in enumerate(centers)}
    if rng.random() < 0.3:
        far, gap = np.array([rng.choice([-4.0, 4.0]), 0, 0]), rng.uniform(0.02, 0.06)
        bodies["below"] = Drawn(box(), fixed(pose(far)))
        bodies["above"] = Drawn(box(), fixed(pose(far + (0.2, 0.1, 1 + gap))))
    if rng.random() < 0.2:
        bodies |= lifted(rng, np.array([0.0, rng.choice([-4.0, 4.0]), 0.0]))
    if rng.random() < 0.2:
        body = bodies["body 0"]
        hull = replace(body, shape=(box()[0] * 0.9, box()[1]))
        bodies["body 0"] = hull
        bodies["pea"] = Drawn(tetrahedron(0.1), fixed(hull.path.pose()(0.0)))
    names = rng.permutation(list(bodies))
    return DrawnScene({str(name): bodies[str(name)] for name in names})
