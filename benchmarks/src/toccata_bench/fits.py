"""Bodies that fit: shaft and bore, lid and box, sliding sheets, and small parts in a hall.

The methods differ most here, because either all triangles of a body are close to the other body or
hardly any. Each motion is free or collides by construction, and every answer is compared with this
known status.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata_bench.averages import geometric_mean
from toccata_bench.clock import best_in_turn
from toccata_bench.goal import Goal, at_most
from toccata_bench.table import Table
from toccata_bench.verify import WrongAnswer

Shape = tuple[NDArray[np.float64], NDArray[np.int64]]
METHODS = ("auto", "hca", "c2a", "interval")
PASSES = 7
WORST, MEAN = 1.15, 1.05
TOLERANCE = 1e-5


@dataclass(frozen=True, slots=True)
class Fit:
    """Motions of mesh a while mesh b rests; the last `hits` motions collide."""

    a: tc.Mesh
    b: tc.Mesh
    motions: list[tc.Motion] = field(default_factory=list)
    hits: int = 0

    def ask(self, method: Any) -> list[tc.Contact]:
        """Return the answers of one method to all motions."""
        options = {"method": method, "tolerance": TOLERANCE}
        return [tc.first_contact(self.a, self.b, motion, **options) for motion in self.motions]


def squares(rows: int, columns: int) -> NDArray[np.int64]:
    """Return the faces of a grid of squares, with vertices row by row."""
    corner = (np.arange(rows)[:, None] * (columns + 1) + np.arange(columns)).ravel()
    below = corner + columns + 1
    halves = (corner, corner + 1, below + 1), (corner, below + 1, below)
    return np.vstack([np.stack(half, 1) for half in halves])


def sheet(n: int) -> Shape:
    """Return a square of half size 1 in the plane z = 0, with n x n cells."""
    x, y = np.meshgrid(*2 * [np.linspace(-1, 1, n + 1)], indexing="ij")
    return np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], 1), squares(n, n)


def tube(radius: float, length: float) -> Shape:
    """Return a cylinder about z without caps; its vertices lie at the radius."""
    angle = 2 * np.pi * np.arange(401) / 400
    z = np.linspace(-length / 2, length / 2, 31)[:, None]
    ring = radius * np.cos(angle), radius * np.sin(angle)
    return np.stack(np.broadcast_arrays(*ring, z), -1).reshape(-1, 3), squares(30, 400)


def crate(n: int, half: tuple[float, float, float], sides: int = 6) -> Shape:
    """Return the sides of a box as sheets; the last of six is the top."""
    points, faces = sheet(n)
    flat = [np.roll(points + (0, 0, s), axis + 1, 1) for axis in range(3) for s in (-1, 1)]
    each = [faces + k * len(points) for k in range(sides)]
    return np.vstack(flat[:sides]) * half, np.vstack(each)


def shaft_in_bore() -> Fit:
    """A shaft turns and slides in its bore, and leans until it touches."""
    motions = [
        tc.Motion.twist(tc.pose((0, 0, -slide / 2)), linear=(0, 0, slide), angular=(0, 0, turn))
        for turn, slide in ((0.0, 4.0), (0.5, 0.0), (3.0, 2.0), (-9.0, 1.0))
    ]
    lean = tc.Motion.linear(tc.pose((0, 0, 1)), tc.pose((0, 0, -1), rotvec=(0.3, 0.1, 0)))
    return Fit(tc.Mesh(*tube(1, 4)), tc.Mesh(*tube(1.01, 2)), [*motions, lean], hits=1)


def lid_on_box() -> Fit:
    """A lid slides and turns above its box, and is put down on it."""
    box, lid = tc.Mesh(*crate(45, (1, 1, 1), sides=5)), tc.Mesh(*crate(40, (1.1, 1.1, 0.1)))
    high = 1.1 + 1e-4
    motions = [
        tc.Motion.linear(tc.pose((-3, y, high)), tc.pose((3, y, high), rotvec=(0, 0, turn)))
        for y, turn in ((0.1, 0.0), (-0.2, 0.7), (0.0, 2.0))
    ]
    down = [
        tc.Motion.linear(tc.pose((x, 0.05, 2)), tc.pose((x, 0, 1), rotvec=(0, 0, turn)))
        for x, turn in ((0.0, 0.0), (0.03, 0.5))
    ]
    return Fit(lid, box, motions + down, hits=len(down))


def sheets_sliding() -> Fit:
    """A sheet slides past another sheet at distances of 1e-3 and 1e-4, and sinks into it."""
    one = tc.Mesh(*sheet(100))
    motions = [
        tc.Motion.linear(tc.pose((-3, 0.013, z)), tc.pose((3, 0.013, z), rotvec=(0, 0, turn)))
        for z, turn in ((1e-3, 0.0), (1e-4, 0.0), (1e-3, 1.0), (1e-4, 2.0))
    ]
    sink = tc.Motion.linear(tc.pose((-1, 0.013, 1e-2)), tc.pose((1, 0.013, -1e-2)))
    return Fit(one, one, [*motions, sink], hits=1)


def parts_in_hall() -> Fit:
    """A small crate flies through a large hall with pillars, and into its walls."""
    pillar = crate(2, (0.3, 0.3, 10))
    points, faces = crate(30, (40, 40, 10))
    feet = [np.array((x, y, 0.0)) for x in range(-32, 33, 8) for y in range(-32, 33, 8)]
    shift = len(points) + len(pillar[0]) * np.arange(len(feet))
    points = np.vstack([points, *(pillar[0] + foot for foot in feet)])
    faces = np.vstack([faces, *(pillar[1] + k for k in shift)])
    rng = np.random.default_rng(17)
    motions, hits = [], 24
    for k in range(2 * hits):
        # Lanes between the pillars are 7.4 wide; half of the motions continue through the wall.
        y, z = 4 + 8 * rng.integers(-4, 4) + rng.uniform(-2, 2), rng.uniform(-8, 8)
        end = tc.pose((rng.uniform(20, 38) if k < hits else 45, y, z), rotvec=rng.uniform(-1, 1, 3))
        motions.append(tc.Motion.linear(tc.pose((-38, y, z), rotvec=rng.uniform(-1, 1, 3)), end))
    return Fit(tc.Mesh(*crate(6, (0.3, 0.2, 0.4))), tc.Mesh(points, faces), motions, hits)


FITS: dict[str, Callable[[], Fit]] = {
    "shaft in bore": shaft_in_bore,
    "lid on box": lid_on_box,
    "sheets sliding": sheets_sliding,
    "parts in a hall": parts_in_hall,
}


@cache
def load(name: str) -> Fit:
    """Return the bodies of one row of the table; their meshes are built once."""
    return FITS[name]()


def verified(name: str, fit: Fit) -> list[str]:
    """Return the methods that decide all motions; raise WrongAnswer for a wrong answer."""
    free, able = len(fit.motions) - fit.hits, []
    for method in METHODS:
        found = [contact.status for contact in fit.ask(method)]
        # The interval method may run out of its budget where surfaces conform.
        if tc.Status.UNDECIDED in found and method != "auto":
            continue
        wrong = [status != tc.Status.FREE for status in found] != free * [False] + fit.hits * [True]
        if wrong or tc.Status.INITIAL_OVERLAP in found:
            raise WrongAnswer(f"{name}, {method}: {', '.join(status.name for status in found)}")
        able.append(method)
    return able


def measure(passes: int = PASSES) -> dict[str, dict[str, float]]:
    """Return microseconds per motion of each method, by row."""
    times = {}
    for name in FITS:
        fit = load(name)
        methods = verified(name, fit)
        took = best_in_turn([partial(fit.ask, method) for method in methods], passes, limit=60.0)
        means = (1e6 * seconds / len(fit.motions) for seconds in took)
        times[name] = dict(zip(methods, means, strict=True))
    return times


def ratios(times: dict[str, dict[str, float]]) -> dict[str, float]:
    """Return the time of auto divided by the time of the fastest named method, by row."""
    return {
        name: means["auto"] / min(took for method, took in means.items() if method != "auto")
        for name, means in times.items()
    }


def goals(times: dict[str, dict[str, float]]) -> list[Goal]:
    """Return the goals for each row, and for the geometric mean of all rows."""
    each = at_most("bodies that fit, auto / fastest named method", WORST, "x")
    mean = at_most("bodies that fit, auto / fastest named method, geometric mean", MEAN, "x")
    found = ratios(times)
    for name, ratio in found.items():
        each.add(name, ratio)
    mean.add("all rows", geometric_mean(found.values()))
    return [each, mean]


def table(times: dict[str, dict[str, float]]) -> Table:
    """Return the table: a row for each pair of bodies, a column for each method."""
    shares = ratios(times)
    rows: list[list[object]] = [
        [name, *(means.get(method) for method in METHODS), shares[name]]
        for name, means in times.items()
    ]
    header = ["", *METHODS, "auto / fastest named"]
    return Table("Bodies that fit, microseconds per motion", header, rows)
