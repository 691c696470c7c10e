"""Options that relax a query change the answer only for the pairs and times that they name.

The judge is coal, along the motion. Half of the pairs start close to the limit of the definition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

import numpy as np
import pytest
from oracles.shapes import Points, Shape
from oracles.size import SEED, cases

import toccata as tc
from toccata._options import Initial, Method

from .asking import naming

relaxed = pytest.importorskip("oracles.relaxed", reason="the judge needs coal and scipy")

ROWS = 25
"""Motions of one pair of meshes, with one separation: a batch."""
METHODS: tuple[Method, ...] = ("auto", "hca", "c2a", "interval")
STARTS: tuple[Initial, ...] = ("report", "resting", "ignore_separating")
Pair = tuple[str, str]
FREE, CONTACT, OVERLAP = tc.Status.FREE, tc.Status.CONTACT, tc.Status.INITIAL_OVERLAP


@dataclass(frozen=True)
class Sample:
    """Some motions of a mesh past another mesh at rest."""

    a: Any
    b: Any
    start: Points
    end: Points
    separation: float
    tolerance: float
    distance: Points
    """At the start."""
    parts: list[bool]
    """True if the motion leads straight away from the closest points."""
    slack: float
    """Larger than the errors of coal's distances and of rounded start distances."""

    @property
    def reach(self) -> float:
        """Distance at the start below which options apply."""
        return self.separation + self.tolerance

    def ask(self, **options: Any) -> Any:
        """Return the answers for all motions."""
        return tc.first_contact_batch(
            tc.Mesh(*self.a.shape),
            tc.Mesh(*self.b.shape),
            self.start,
            self.end,
            separation=self.separation,
            tolerance=self.tolerance,
            threads=1,
            **options,
        )

    def at(self, row: int, times: Points) -> Points:
        """Return distances on a motion."""
        poses = relaxed.between(self.start[row], self.end[row], times)
        return np.asarray(relaxed.distances_on(self.a, self.b, poses))

    def before(self, row: int, until: float) -> Points:
        """Return the distances on a motion before a time, in order."""
        return np.asarray(relaxed.sampled(lambda times: self.at(row, times), until))


def samples(rng: np.random.Generator, count: int) -> Iterator[Sample]:
    for _ in range(count):
        shapes = [relaxed.SHAPES[int(k)] for k in rng.integers(len(relaxed.SHAPES), size=2)]
        scale = float(2.0 ** rng.integers(-10, 11))
        a, b = (relaxed.Model.of(shape, scale) for shape in shapes)
        reach = scale * float(10 ** rng.uniform(-2.5, -0.5))
        # A tolerance with a separation, or a tolerance alone.
        tolerance = reach * float(rng.choice([1e-4, 1e-2, 0.3, 1.0]))
        starts, ends, distances, parts = [], [], [], []
        for _ in range(ROWS):
            wanted = reach * relaxed.ratio_near_edge(rng)
            start, found, normal = relaxed.start_at(rng, a, b, scale, wanted)
            end, apart = relaxed.end_of(rng, start, normal, reach, scale)
            starts.append(start), ends.append(end), distances.append(found), parts.append(apart)
        yield Sample(
            a,
            b,
            np.array(starts),
            np.array(ends),
            reach - tolerance,
            tolerance,
            np.array(distances),
            parts,
            1e-9 * scale,
        )


def same(x: Any, y: Any, row: int) -> bool:
    """Compare rows of two batches, bit by bit."""
    names = ("status", "toc", "safe_until", "distance", "triangle_a", "triangle_b", "point_a")
    return all(getattr(x, k)[row].tobytes() == getattr(y, k)[row].tobytes() for k in names)


def method_of(k: int) -> Method:
    return METHODS[k % len(METHODS)]


Judge = Callable[[Sample, Any, Any, int, float, Counter[str]], None]


def held_against(judge: Judge, seed: int, count: int, initial: Initial) -> Counter[str]:
    """Judge answers with an option, beside answers without it; count the kinds that occur."""
    rng, seen = np.random.default_rng([seed, SEED]), Counter[str]()
    for k, sample in enumerate(samples(rng, count)):
        plain = sample.ask(method=method_of(k))
        found = sample.ask(method=method_of(k), initial=initial)
        for row, start in enumerate(sample.distance):
            with naming(f"sample {k}, row {row}, {method_of(k)}"):
                judge(sample, plain, found, row, float(start), seen)
    assert min(seen[s] for s in ("apart FREE", "apart CONTACT")) > 0.05 * seen.total(), seen
    return seen


def test_resting_changes_only_pairs_that_start_within_reach() -> None:
    seen = held_against(judge_resting, 1, cases(160), "resting")
    assert min(seen[s] for s in ("rests FREE", "rests CONTACT")) > 0.1 * seen.total(), seen
    assert seen["unclear"] < 0.05 * seen.total(), seen


def judge_resting(
    sample: Sample, plain: Any, found: Any, row: int, start: float, seen: Counter[str]
) -> None:
    status, toc = tc.Status(int(found.status[row])), float(found.toc[row])
    if start > sample.reach + sample.slack:
        assert same(plain, found, row), (status, toc, plain.status[row], plain.toc[row])
        seen[f"apart {status.name}"] += 1
        return
    if start > sample.reach - sample.slack or start < 1e3 * sample.slack:
        seen["unclear"] += 1
        return
    assert status is not OVERLAP, start
    seen[f"rests {status.name}"] += 1
    distances = sample.before(row, toc)
    assert distances.min() > start / 2 - sample.slack, (start, distances.min(), toc)
    if status is CONTACT:
        assert sample.at(row, np.array([toc])) <= 5 / 8 * start + sample.slack


def test_ignore_separating_reports_pairs_that_approach() -> None:
    seen = held_against(judge_separating, 2, cases(200), "ignore_separating")
    total = seen.total()
    assert min(seen[s] for s in ("near FREE", "near INITIAL_OVERLAP")) > 0.1 * total, seen
    assert seen["near CONTACT"] > 0.01 * total, seen
    assert seen["straight away"] > 0.03 * total, seen


def judge_separating(
    sample: Sample, plain: Any, found: Any, row: int, start: float, seen: Counter[str]
) -> None:
    status, toc = tc.Status(int(found.status[row])), float(found.toc[row])
    if start > sample.reach + sample.slack:
        assert same(plain, found, row), (status, toc, plain.status[row], plain.toc[row])
        seen[f"apart {status.name}"] += 1
        return
    seen[f"near {status.name}"] += 1
    if sample.parts[row] and start > 1e3 * sample.slack:
        assert status is FREE, (start, toc)
        seen["straight away"] += 1
    if status is OVERLAP:
        return
    distances = sample.before(row, toc)
    left = np.cumsum(distances > sample.reach + sample.slack) > 0
    assert distances[~left].min() > start - sample.slack, (start, distances, toc)
    if left.any():
        assert distances[left].min() > sample.separation - sample.slack, (distances, toc)
    if status is CONTACT:
        assert sample.at(row, np.array([toc])) <= sample.reach + sample.slack


def joints() -> list[tc.Joint]:
    slides = [
        tc.Joint(f"slide {x}", "prismatic", n, m, axis=tuple(np.eye(3)[i]))
        for i, (x, n, m) in enumerate(
            [("x", "base", "one"), ("y", "one", "two"), ("z", "two", "hand")]
        )
    ]
    hinge = tc.Joint(
        "turn", "revolute", "hand", "tool", axis=(0, 0, 1), origin=tc.pose((0, 0, -1.5))
    )
    return [*slides, hinge]


@dataclass(frozen=True)
class Cell:
    """A gantry with a hand and a tool, and two bodies in its world."""

    models: dict[str, Any]
    robot: tc.Robot
    world: tc.Scene

    @classmethod
    def of(cls, shapes: dict[str, Shape]) -> Cell:
        models = {name: relaxed.Model.of(shape) for name, shape in shapes.items()}
        links = [tc.Link("base"), tc.Link("one"), tc.Link("two")]
        links += [tc.Link(name, tc.Mesh(*shapes[name])) for name in ("hand", "tool")]
        world = tc.Scene()
        for name in ("floor", "wall"):
            world.add(name, tc.Mesh(*shapes[name]))
        return cls(models, tc.Robot(links, joints()), world)

    def poses(self, q: Points) -> dict[str, Points]:
        """Return the poses of all links, by the definition of the joints."""
        hand, tool = np.eye(4), np.eye(4)
        hand[:3, 3] = q[:3]
        c, s = np.cos(q[3]), np.sin(q[3])
        tool[:2, :2] = [[c, -s], [s, c]]
        tool[:3, 3] = q[:3] + (0, 0, -1.5)
        return {"hand": hand, "tool": tool, "floor": np.eye(4), "wall": np.eye(4)}

    def distances(self, rows: Points, pair: Pair) -> Points:
        """Return the distances of a link from a body."""
        a, b = pair
        poses = np.array([self.poses(q)[a] for q in rows])
        return np.asarray(relaxed.distances_on(self.models[a], self.models[b], poses))

    def on_line(self, q0: Points, q1: Points, times: Points, pair: Pair) -> Points:
        """Return these distances on a straight motion of the joints."""
        return self.distances(q0 + times[:, None] * (q1 - q0), pair)

    def between(
        self, before: dict[str, Points], after: dict[str, Points], times: Points, pair: Pair
    ) -> Points:
        """Return these distances on a straight motion of the first body."""
        a, b = pair
        moved = relaxed.between(before[a], after[a], times)
        return np.asarray(relaxed.distances_on(self.models[a], self.models[b], moved))


PAIRS = [(link, body) for link in ("hand", "tool") for body in ("floor", "wall")]


def cells(rng: np.random.Generator, count: int) -> Iterator[Cell]:
    for _ in range(count):
        shapes = {
            name: relaxed.SHAPES[int(rng.integers(4))] for name in ("hand", "tool", "floor", "wall")
        }
        points, faces = shapes["wall"]
        shapes["wall"] = points + (1.4, 0.3, 0.0), faces
        yield Cell.of(shapes)


def motions(
    rng: np.random.Generator, cell: Cell, reach: dict[Pair, float]
) -> tuple[Points, Points]:
    """Draw motions; the first pair starts close to its reach if such a start is found."""
    starts, ends = np.empty((ROWS, 4)), np.empty((ROWS, 4))
    for row in range(ROWS):
        q = start_near(rng, cell, reach)
        starts[row] = q
        ends[row] = q + rng.normal(size=4) * rng.choice([0.02, 0.1, 1.0])
        if rng.random() < 0.3:
            ends[row, :3] += (0, 0, 1.0)
    return starts, ends


def start_near(rng: np.random.Generator, cell: Cell, reach: dict[Pair, float]) -> Points:
    """Draw a configuration with a pair close to its reach, and if possible without contacts."""
    for _ in range(4):
        q = np.append(rng.uniform((-1, -1, 2.2), (1, 1, 3.5)), rng.uniform(-3, 3))
        a, b = pair = PAIRS[int(rng.integers(len(PAIRS)))]
        wanted = reach[pair] * relaxed.ratio_near_edge(rng)
        for _ in range(3):
            at = cell.poses(q)
            found, normal = relaxed.nearest(cell.models[a], cell.models[b], at[a], at[b])
            q[:3] -= normal * (found - wanted)
        if all(cell.distances(q[None], other)[0] > 0 for other in PAIRS):
            break
    return q


def ignored_of(rng: np.random.Generator) -> list[Pair]:
    return [pair for pair in PAIRS if rng.random() < 0.25]


def test_robots_apply_options_to_the_named_pairs_only() -> None:
    rng, seen = np.random.default_rng([3, SEED]), Counter[str]()
    for k, cell in enumerate(cells(rng, cases(30))):
        padding = {"hand": float(rng.uniform(0, 0.1)), "tool": float(rng.uniform(0, 0.05))}
        ignored = ignored_of(rng)
        tested = [pair for pair in PAIRS if pair not in ignored]
        own = {pair: float(rng.uniform(0, 0.1)) for pair in tested if rng.random() < 0.5}
        tolerance = float(10 ** rng.uniform(-5, -2))
        keep = {pair: own.get(pair, 0.01) + padding[pair[0]] for pair in PAIRS}
        reach = {pair: keep[pair] + tolerance for pair in PAIRS}
        q0, q1 = motions(rng, cell, reach)
        robot = cell.robot.padded(padding)
        for pair in ignored:
            robot.ignore(*pair)
        how: dict[str, Any] = {
            "separation": {"default": 0.01, **own},
            "tolerance": tolerance,
            "self_contact": False,
            "method": ("auto", "hca", "interval")[k % 3],
        }
        for initial in STARTS:
            found = robot.first_contact_batch(q0, q1, cell.world, initial=initial, **how)
            for row in range(ROWS):
                status = tc.Status(int(found.status[row]))
                names = found.names[found.link_a[row]], found.names[found.link_b[row]]

                with naming(f"cell {k}, row {row}, {initial}"):
                    outcome = judge(
                        PairOptions(keep, reach, ignored, initial),
                        status,
                        float(found.toc[row]),
                        names if status in (CONTACT, OVERLAP) else None,
                        partial(cell.on_line, q0[row], q1[row]),
                    )
                    seen[f"{initial} {outcome}"] += 1
    assert_all_occur(seen)
    assert seen["report INITIAL_OVERLAP"] > 0.05 * seen.total(), seen


def assert_all_occur(seen: Counter[str]) -> None:
    for initial in STARTS:
        both = min(seen[f"{initial} {s}"] for s in ("FREE", "CONTACT"))
        assert both > 0.03 * seen.total(), seen


@dataclass(frozen=True)
class PairOptions:
    """The separations and ignored pairs of a query about a cell."""

    keep: dict[Pair, float]
    reach: dict[Pair, float]
    """Separations and the tolerance."""
    ignored: list[Pair]
    initial: str


def judge(
    told: PairOptions,
    status: tc.Status,
    toc: float,
    touching: Pair | None,
    distances: Callable[[Points, Pair], Points],
) -> str:
    """Compare an answer with the distances of all pairs; return its kind."""
    slack, once = 1e-9, np.zeros(1)
    allowed = dict(told.reach)
    for pair in PAIRS:
        if pair in told.ignored:
            continue
        start, least = float(distances(once, pair)[0]), told.keep[pair]
        if abs(start - told.reach[pair]) < slack:
            return "unclear"
        near = start < told.reach[pair]
        if told.initial == "resting" and near:
            least, allowed[pair] = start / 2, 5 / 8 * start
        if status is OVERLAP:
            continue
        found = relaxed.sampled(lambda times, pair=pair: distances(times, pair), toc)
        if told.initial == "ignore_separating" and near:
            left = np.cumsum(found > told.reach[pair] + slack) > 0
            assert found[~left].min() > start - slack, (pair, start, found)
            found = found[left]
        assert found.min(initial=inf) > least - slack, (pair, start, found.min(), toc)
    if touching is not None:
        assert touching in PAIRS and touching not in told.ignored, touching
        last = float(distances(np.array([toc]), touching)[0])
        assert last <= allowed[touching] + slack, (touching, last)
    return status.name


@pytest.mark.parametrize("of", ["scene", "robot"])
def test_distances_beyond_the_limit_are_infinite(of: str) -> None:
    rng, seen = np.random.default_rng([4, SEED]), Counter[bool]()
    for k, cell in enumerate(cells(rng, cases(40))):
        q, _ = motions(rng, cell, dict.fromkeys(PAIRS, 0.2))
        true = np.array([cell.distances(q, pair) for pair in PAIRS]).T
        limit = float(0.2 * rng.uniform(0.5, 1.5))
        if rng.random() < 0.5:
            limit = float(rng.choice(true.ravel())) * float(rng.uniform(0.98, 1.02))
        if not limit > 1e-6:
            continue
        lower, upper, distance = (np.empty_like(true) for _ in range(3))
        if of == "robot":
            found = cell.robot.distances(q, cell.world, limit=limit)
            columns = [found.pairs.index(pair) for pair in PAIRS]
            lower, upper, distance = (
                x[:, columns] for x in (found.lower, found.upper, found.distance)
            )
        else:
            lower[:], upper[:], distance[:] = limit, inf, inf
            for row in range(len(q)):
                fill_from_scene(cell, q[row], limit, (lower[row], upper[row], distance[row]))
        with naming(f"cell {k}, limit {limit}"):
            near, far = true < limit - 1e-9, true > limit + 1e-9
            assert (lower[far] == limit).all() and np.isinf(upper[far]).all()
            assert np.isinf(distance[far]).all()
            assert np.abs(distance[near] - true[near]).max(initial=0) < 1e-9
            assert (lower[near] <= true[near] + 1e-12).all()
            assert (upper[near] >= true[near] - 1e-12).all()
            assert (upper[near] - lower[near] < 1e-9).all()
            for value in near.ravel():
                seen[bool(value)] += 1
    assert min(seen[True], seen[False]) > 0.2 * seen.total(), seen


def fill_from_scene(cell: Cell, q: Points, limit: float, rows: tuple[Points, ...]) -> None:
    scene = tc.Scene()
    for name, pose in cell.poses(q).items():
        scene.add(name, tc.Mesh(*cell.models[name].shape), pose)
    found = scene.distances(limit)
    for k, (i, j) in enumerate(zip(found.body_a, found.body_b, strict=True)):
        pair = scene.names[i], scene.names[j]
        if pair in PAIRS:
            for row, values in zip(rows, (found.lower, found.upper, found.distance), strict=True):
                row[PAIRS.index(pair)] = values[k]


def test_scenes_apply_options_to_the_named_pairs_only() -> None:
    rng, seen = np.random.default_rng([5, SEED]), Counter[str]()
    for k, cell in enumerate(cells(rng, cases(12))):
        separation, tolerance = float(rng.uniform(0, 0.1)), float(10 ** rng.uniform(-5, -2))
        keep = dict.fromkeys(PAIRS, separation)
        reach = dict.fromkeys(PAIRS, separation + tolerance)
        q0, q1 = motions(rng, cell, reach)
        for row in range(ROWS):
            ignored = ignored_of(rng)
            scene = tc.Scene()
            before, after = cell.poses(q0[row]), cell.poses(q1[row])
            for name, pose in before.items():
                scene.add(
                    name,
                    tc.Mesh(*cell.models[name].shape),
                    tc.Motion.linear(pose, after[name]) if name in ("hand", "tool") else pose,
                )
            for pair in [("hand", "tool"), ("floor", "wall"), *ignored]:
                scene.ignore(*pair)

            for initial in STARTS:
                found = scene.first_contact(
                    separation=separation, tolerance=tolerance, initial=initial
                )
                names = (found.body_a, found.body_b)
                with naming(f"cell {k}, row {row}, {initial}"):
                    outcome = judge(
                        PairOptions(keep, reach, ignored, initial),
                        found.status,
                        found.toc,
                        names if found.status in (CONTACT, OVERLAP) else None,
                        partial(cell.between, before, after),
                    )
                    seen[f"{initial} {outcome}"] += 1
    assert_all_occur(seen)
