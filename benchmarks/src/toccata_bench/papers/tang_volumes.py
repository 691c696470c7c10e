"""Tang, Manocha, Kim 2013, sections 3 and 4: swept spheres, and bounds of how they move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.report._png import Image
from toccata.scenes import models
from toccata.scenes.surface import unit
from toccata_bench.papers.drawing import BLUE, ORANGE, YELLOW, picture, put, side_by_side
from toccata_bench.papers.exhibit import Made, Setup, three
from toccata_bench.papers.swept import LineSwept, swept_ball
from toccata_bench.plots import new_figure
from toccata_bench.table import Table
from toccata_bench.verify import WrongAnswer

Floats = NDArray[np.float64]

KINDS = ("PSS", "LSS", "RSS", "triangle")
_TIMES = np.linspace(0.0, 1.0, 65)


@dataclass(frozen=True, slots=True)
class Volume:
    """A swept sphere, or a triangle: corners of the generator, and a radius."""

    corners: Floats
    radius: float


def volumes_around(points: Floats) -> dict[str, Volume]:
    """Return a sphere swept over a point, a line and a rectangle around some points."""
    middle = points.mean(axis=0)
    axes = np.linalg.svd(points - middle, full_matrices=False)[2]
    local = (points - middle) @ axes.T
    found = {}
    for count, kind in enumerate(KINDS[:3]):
        # The generator spans the longest axes; the ball covers the other axes and the ends.
        half = np.zeros(3)
        across = np.linalg.norm(local[:, count:], axis=1).max()
        half[:count] = np.maximum(np.abs(local[:, :count]).max(axis=0) - across, 0.0)
        ends = [np.array(s) * half for s in ((1, 1, 0), (1, -1, 0), (-1, 1, 0), (-1, -1, 0))]
        beyond = np.maximum(np.abs(local) - half, 0.0)
        radius = float(np.linalg.norm(beyond, axis=1).max())
        found[kind] = Volume(np.unique(np.array(ends), axis=0) @ axes + middle, radius)
    return found


def motion_bound(volume: Volume, twist: tuple[Floats, Floats], n: Floats) -> float:
    """Return the bound of lemma 4.1 (of lemma 4.2 for a triangle, whose radius is 0)."""
    v, w = twist
    reach = np.linalg.norm(np.cross(volume.corners, w), axis=1).max() / np.linalg.norm(w)
    return float(v @ n + np.linalg.norm(np.cross(w, n)) * (volume.radius + reach))


def true_motion(volume: Volume, twist: tuple[Floats, Floats], n: Floats) -> float:
    """Return the largest speed of a point along n at samples of time.

    A point R r moves by v + w x R r. Its speed along n is linear in r, so the maximum is at a
    corner of the generator, on the ball around it.
    """
    v, w = twist
    fastest = float("-inf")
    for t in _TIMES:
        turn = tc.pose(rotvec=w * t)[:3, :3]
        lever = turn.T @ np.cross(n, w)
        ball = volume.radius * float(np.linalg.norm(lever))
        fastest = max(fastest, float(v @ n) + float((volume.corners @ lever).max()) + ball)
    return fastest


def figure_2(setup: Setup) -> Made:
    """Compare the bound with the true speed, for many motions of a part of a model."""
    rng = np.random.default_rng(42)
    vertices, faces = unit(*models.gear())
    shares: dict[str, list[float]] = {kind: [] for kind in KINDS}
    plain: list[float] = []
    for _ in range(setup.size(400, 60)):
        triangle = vertices[faces[rng.integers(len(faces))]]
        near = vertices[np.argsort(np.linalg.norm(vertices - triangle[0], axis=1))[:600]]
        some = volumes_around(near) | {"triangle": Volume(triangle, 0.0)}
        twist = rng.normal(size=3), rng.normal(size=3) * rng.uniform(0.2, 2.0)
        n = rng.normal(size=3)
        n /= np.linalg.norm(n)
        for kind, volume in some.items():
            held = Volume(triangle if kind == "triangle" else near, 0.0)
            bound, true = motion_bound(volume, twist, n), true_motion(held, twist, n)
            if true > bound + 1e-12:
                raise WrongAnswer(f"motion bound of a {kind}: {bound}, but a point moves by {true}")
            shares[kind].append(bound - true)
        reach = np.linalg.norm(triangle, axis=1).max()
        whole = float(np.linalg.norm(twist[0]) + np.linalg.norm(twist[1]) * reach)
        plain.append(whole - true_motion(some["triangle"], twist, n))
    rows: list[list[object]] = [
        [kind, three(float(np.mean(some))), three(float(np.max(some)))]
        for kind, some in {**shares, "triangle, no direction": plain}.items()
    ]
    table = Table("Bound minus true speed, radius 1", ["", "mean", "largest"], rows)
    means = {kind: float(np.mean(some)) for kind, some in shares.items()}
    said = (
        "on average, the bound exceeds the true speed of a volume's content by"
        f" {', '.join(f'{three(mean)} ({kind})' for kind, mean in means.items())}, and by"
        f" {three(float(np.mean(plain)))} without a direction; it is never below the true speed"
    )
    return Made(said, [table], {"bound minus true speed, sorted": _sorted(shares, plain)})


def _sorted(shares: dict[str, list[float]], plain: list[float]) -> Any:
    figure, axis = new_figure(6.0, 3.0)
    for kind, some in {**shares, "triangle, no direction": plain}.items():
        axis.plot(np.linspace(0, 100, len(some)), np.sort(some), label=kind)
    axis.set(xlabel="per cent of the motions", ylabel="bound minus true speed")
    axis.legend(fontsize="small")
    return figure


def figure_3(setup: Setup) -> Made:
    """Draw swept spheres, and fit them around a part of a model."""
    shapes = {"PSS": (0.0, 0.0, 0.0), "LSS": (1.0, 0.0, 0.0), "RSS": (1.0, 0.6, 0.0)}
    images: list[Image] = [
        picture(put(swept_ball(half, 0.45), color), (50, 30), (300, 240))
        for half, color in zip(shapes.values(), (ORANGE, BLUE, YELLOW), strict=True)
    ]
    vertices, _ = models.hammer()
    radii = {kind: volume.radius for kind, volume in volumes_around(vertices).items()}
    said = ", ".join(f"{kind} {three(radius)}" for kind, radius in radii.items())
    caption = "a sphere swept over a point, a line and a rectangle"
    return Made(f"radii around the hammer: {said}", [], {caption: side_by_side(*images)})


def distance(a: LineSwept, b: LineSwept) -> tuple[float, Floats]:
    """Return the distance of two line-swept spheres and the direction from a to b."""
    s = np.linspace(0.0, 1.0, 2001)
    points = a.start + s[:, None] * (a.end - a.start)
    line = b.end - b.start
    share = np.clip((points - b.start) @ line / float(line @ line), 0.0, 1.0)
    gaps = b.start + share[:, None] * line - points
    k = int(np.argmin((gaps**2).sum(axis=1)))
    length = float(np.linalg.norm(gaps[k]))
    return length - a.radius - b.radius, gaps[k] / length


def advance(
    moving: LineSwept, fixed: LineSwept, twist: tuple[Floats, Floats], near: float
) -> list[tuple[float, LineSwept, float]]:
    """Return the steps of conservative advancement: time, volume and distance (eq. 2)."""
    t, found = 0.0, []
    for _ in range(50):
        here = moving.placed(tc.pose(twist[0] * t, rotvec=twist[1] * t))
        gap, n = distance(here, fixed)
        found.append((t, here, gap))
        if gap < near or t >= 1.0:
            break
        volume = Volume(np.stack([moving.start, moving.end]), moving.radius)
        bound = motion_bound(volume, twist, n)
        t = min(1.0, t + gap / bound) if bound > 0 else 1.0
    return found


def figure_1(setup: Setup) -> Made:
    """Draw conservative advancement of one line-swept sphere toward another."""
    moving = LineSwept(np.array([-0.5, 0.0, 0.0]), np.array([0.5, 0.0, 0.0]), 0.2)
    fixed = LineSwept(np.array([2.2, -0.9, 0.0]), np.array([2.7, 1.1, 0.0]), 0.25)
    twist = np.array([2.6, 0.35, 0.0]), np.array([0.0, 0.0, 1.3])
    steps = advance(moving, fixed, twist, near=1e-3)
    exact = _first_contact(moving, fixed, twist)
    times = [t for t, _, _ in steps]
    if not times[-1] <= exact + 1e-3 or steps[-1][2] >= 1e-3:
        raise WrongAnswer(f"advancement ends at {times[-1]}, contact is at {exact}")
    said = (
        f"after {len(steps) - 1} steps, at {times[-1]:.4f}, the distance is below 1e-3;"
        f" `first_contact` of the tessellated volumes answers {exact:.4f}"
    )
    return Made(said, [], {"where the moving volume is after each step": _steps(steps, fixed)})


def _first_contact(moving: LineSwept, fixed: LineSwept, twist: tuple[Floats, Floats]) -> float:
    """Return the time of contact of the tessellated volumes, which lie inside of the true ones."""
    a, b = (tc.Mesh(*one.mesh()) for one in (moving, fixed))
    motion = tc.Motion.twist(np.eye(4), linear=twist[0], angular=twist[1])
    return float(tc.first_contact(a, b, motion, tolerance=1e-6).toc)


def _steps(steps: list[tuple[float, LineSwept, float]], fixed: LineSwept) -> Any:
    figure, axis = new_figure(6.5, 3.2)
    axis.fill(*_outline(fixed), color="tab:orange", alpha=0.8)
    for k, (_, here, _) in enumerate(steps):
        shade = 0.15 + 0.5 * k / len(steps)
        axis.fill(*_outline(here), facecolor="tab:blue", alpha=shade, edgecolor="tab:blue")
        if k < 4:
            middle = (here.start + here.end) / 2
            axis.annotate(f"t{k}", (middle[0], middle[1]), ha="center", va="center")
    axis.set_aspect("equal")
    axis.axis("off")
    return figure


def _outline(volume: LineSwept) -> Floats:
    """Return the border in the plane: a half circle around either end."""
    line = volume.end - volume.start
    first = np.arctan2(line[1], line[0])
    angle = np.linspace(-np.pi / 2, np.pi / 2, 40)
    arcs = [
        center[:2] + volume.radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        for center, turn in ((volume.end, first + angle), (volume.start, first + np.pi + angle))
    ]
    return np.concatenate(arcs).T
