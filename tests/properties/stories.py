"""Robots in worlds that change from query to query, with what an oracle has to know of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray
from oracles.cases import Path, fixed, linear
from oracles.crowd import Crowd, Member, Pair
from oracles.pinocchio_tree import PinocchioTree
from oracles.rules import Rule
from oracles.shapes import Shape, box, pose, random_rotation, sphere, tetrahedron, wedge
from scipy.interpolate import CubicSpline

import toccata as tc
from toccata.scenes.robots import chain, random_tree

from .asking import mesh, motion

Floats = NDArray[np.float64]
SHAPES = (box(), tetrahedron(), wedge(0.3), sphere(4, 6))
KINDS = ("revolute", "revolute", "revolute", "continuous", "prismatic", "planar", "fixed")


def some_shape(rng: np.random.Generator, size: float) -> Shape:
    points, faces = SHAPES[int(rng.integers(len(SHAPES)))]
    return points * rng.uniform(0.4, 1.0, 3) * size, faces


def some_path(rng: np.random.Generator, at: Floats, moves: float) -> Path:
    start = pose(at, random_rotation(rng))
    if rng.random() >= moves:
        return fixed(start)
    return linear(start, pose(start[:3, 3] + rng.normal(size=3) * 0.2, random_rotation(rng)))


def some_robot(rng: np.random.Generator) -> tc.Robot:
    """Draw a tree of links with joints of any kind, or a larger robot with hinges."""
    if rng.random() < 0.3:
        count = int(rng.integers(8, 24))
        return chain(count) if rng.random() < 0.5 else random_tree(count, int(rng.integers(1000)))
    count = int(rng.integers(5, 14))
    links = [tc.Link("base", mesh(some_shape(rng, 0.2)))]
    joints: list[tc.Joint] = []
    for k in range(1, count):
        parent = k - 1 if rng.random() < 0.6 else int(rng.integers(0, k))
        kind: Any = "floating" if k == 1 and rng.random() < 0.2 else str(rng.choice(KINDS))
        axis = (0.0, 0.0, 1.0) if kind == "planar" else tuple(rng.normal(size=3))
        leaders = [j.name for j in joints if j.kind in ("revolute", "prismatic") and not j.mimic]
        mimic = None
        if kind in ("revolute", "prismatic") and leaders and rng.random() < 0.15:
            mimic = tc.Mimic(str(rng.choice(leaders)), rng.uniform(-1, 1), rng.uniform(-0.3, 0.3))
        links.append(tc.Link(f"l{k}", mesh(some_shape(rng, 0.25)) if rng.random() < 0.9 else None))
        origin = pose(rng.normal(size=3) * 0.3, random_rotation(rng))
        ends = links[parent].name, links[k].name
        most = {"revolute": 2.0, "prismatic": 0.4}.get(kind, np.inf)
        joints.append(tc.Joint(f"j{k}", kind, *ends, origin, axis, -most, most, mimic=mimic))
    return tc.Robot(links, joints)


@dataclass(frozen=True)
class Move:
    """A motion of a robot: configurations by time, and the arguments of the query."""

    at: Callable[[float], Floats]
    end: Floats
    arguments: tuple[Any, ...]
    options: dict[str, Any] = field(default_factory=dict)
    world: Callable[[float], float] = float
    """Time of the world's motions by time."""

    @property
    def is_path(self) -> bool:
        return len(self.arguments) == 1


@dataclass
class Options:
    """Options of queries that an oracle has to know."""

    separation: dict[Pair, float]
    default: float
    tolerance: float
    initial: str
    self_contact: bool = True

    def given(self) -> dict[str, Any]:
        """Return the options for a query about a scene."""
        separation: Any = self.default
        if self.separation:
            separation = {"default": self.default, **self.separation}
        options = {"separation": separation, "tolerance": self.tolerance, "initial": self.initial}
        return options if self.self_contact else {**options, "self_contact": False}

    def rule(self, pair: Pair, padding: float = 0.0) -> Rule:
        own = self.separation.get(pair, self.separation.get(pair[::-1], self.default))
        return Rule(own + padding, self.tolerance, self.initial)


def some_options(rng: np.random.Generator, pairs: list[Pair], robot: bool = True) -> Options:
    """Draw options; some pairs have separations of their own."""
    chosen = rng.permutation(len(pairs))[: rng.integers(1, 6)] if rng.random() < 0.3 else []
    return Options(
        {pairs[k]: float(rng.choice([0.0, 0.03, 0.08])) for k in chosen},
        float(rng.choice([0.0, 0.0, 0.01, 0.04])),
        float(rng.choice([1e-5, 1e-4, 1e-3, 5e-3])),
        str(rng.choice(["report", "resting", "ignore_separating"])),
        not robot or bool(rng.random() < 0.8),
    )


def budget_of(rng: np.random.Generator) -> dict[str, int]:
    """Return the option of a small budget, or none."""
    return {"budget": int(2.0 ** rng.uniform(0, 8))} if rng.random() < 0.15 else {}


def crowd_under(rules: dict[Pair, Rule], members: dict[str, Member]) -> Crowd:
    """Return bodies with the distances that their rules need."""
    most = max((rule.reach for rule in rules.values()), default=0.0)
    return Crowd(members, list(rules), far=1.1 * most + 1e-3)


@dataclass
class Story:
    """A robot, its world, and the options of its queries, which change with time."""

    rng: np.random.Generator
    robot: tc.Robot
    padding: dict[str, float]
    options: Options
    tree: PinocchioTree
    q: Floats
    """The configuration of the robot."""
    active: NDArray[np.bool_]
    """The numbers that the next motions change."""
    ignored: set[Pair]
    bodies: dict[str, tuple[Shape, Path]] = field(default_factory=dict)
    scene: tc.Scene = field(default_factory=tc.Scene)
    made: int = 0
    poses: Callable[[float], dict[str, Floats]] = field(init=False)

    @classmethod
    def of(cls, rng: np.random.Generator, robot: tc.Robot) -> Story:
        """Put a few bodies around a robot, some of whose links are padded."""
        padding: dict[str, float] = {}
        if rng.random() < 0.3:
            names = rng.choice(robot.link_names, 2)
            padding = {str(name): float(rng.uniform(0.005, 0.02)) for name in names}
            robot = robot.padded(padding)
        tree, options = PinocchioTree(robot), some_options(rng, [])
        q = robot.random_configurations(1, int(rng.integers(1 << 30)))[0]
        active, ignored = np.ones(len(q), dtype=bool), set(robot.ignored_pairs)
        story = cls(rng, robot, padding, options, tree, q, active, ignored)
        for _ in range(int(rng.integers(2, 6))):
            story.add_body()
        story.choose_active()
        story.choose_options()
        return story

    @cached_property
    def links(self) -> dict[str, Member]:
        """Return the links on the last motion of `crowd`; coal loads their triangles once."""
        meshes = {name: self.robot.links[name].mesh for name in self.robot.link_names}
        return {
            name: Member((own.vertices, own.faces), partial(self.link_pose, name))
            for name, own in meshes.items()
        }

    # Edits.

    def place(self, moves: float) -> Path:
        """Draw the path of a body close to a link, now or after one of the next motions."""
        poses = self.tree.poses(self.turned(self.q, float(self.rng.choice([0.0, 1.0]))))
        link = str(self.rng.choice(self.robot.link_names[-5:]))
        at = poses[link] @ (*self.links[link].shape[0].mean(axis=0), 1.0)
        return some_path(self.rng, at[:3] + self.rng.normal(size=3) * 0.1, moves)

    def add_body(self, moves: float = 0.1) -> None:
        name, self.made = f"body {self.made}", self.made + 1
        self.bodies[name] = some_shape(self.rng, 0.3), self.place(moves)
        shape, path = self.bodies[name]
        self.scene.add(name, mesh(shape), motion(path))

    def part(self, pair: Pair) -> None:
        """Ignore two links that touch, or remove a body that touches a link."""
        if pair[1] in self.bodies and self.rng.random() < 0.7:
            self.remove(pair[1])
        else:
            self.ignore(pair)

    def remove(self, name: str) -> None:
        self.scene.remove(name)
        del self.bodies[name]
        own = self.options.separation
        self.options.separation = {pair: own[pair] for pair in own if name not in pair}

    def ignore(self, pair: Pair) -> None:
        if not set(pair) <= {*self.robot.link_names, *self.bodies}:
            return
        self.robot.ignore(*pair)
        self.ignored = set(self.robot.ignored_pairs)
        own = self.options.separation
        self.options.separation = {p: own[p] for p in own if set(p) != set(pair)}

    def edit(self) -> str:
        """Change the world or the ignored pairs; return a word for it."""
        rng = self.rng
        kind = str(rng.choice(["add", "remove", "move", "motion", "ignore", "unignore"]))
        names = list(self.bodies)
        if kind == "add" and len(names) < 6:
            self.add_body()
        elif kind == "remove" and names:
            self.remove(str(rng.choice(names)))
        elif kind in ("move", "motion") and names:
            name = str(rng.choice(names))
            path = self.place(float(kind == "motion"))
            self.bodies[name] = self.bodies[name][0], path
            self.scene.move(name, motion(path))
        elif kind == "ignore" and self.pairs():
            pairs = self.pairs()
            self.ignore(pairs[int(rng.integers(len(pairs)))])
        elif kind == "unignore" and self.ignored:
            pair = sorted(self.robot.ignored_pairs)[int(rng.integers(len(self.ignored)))]
            if not self.robot.ignored_pairs[pair].startswith("adjacent"):
                self.robot.unignore(*pair)
                self.ignored.remove(pair)
        return kind

    def choose_options(self) -> None:
        """Draw options; the separation may be close to the present distance of a pair."""
        self.options = some_options(self.rng, self.pairs())
        if self.rng.random() < 0.4:
            return
        still = Move(lambda t: self.q, self.q, ())
        crowd = Crowd(self.crowd(still).members, list(self.rules()), far=0.15)
        near = sorted((gap, pair) for pair, gap in crowd.gaps(0.0).items() if 0 < gap < 0.15)
        if near:
            gap, pair = near[int(self.rng.integers(len(near))) if self.rng.random() < 0.3 else 0]
            self.options.default = gap * float(self.rng.uniform(0.95, 1.1))
            self.options.separation.pop(pair, None)

    def choose_active(self) -> None:
        """Choose the numbers that move: one, two, a quarter or all of them, or none."""
        dof = self.robot.dof
        count = int(self.rng.choice([0, 1, 1, 1, 2, 2, max(1, dof // 4), max(1, dof // 4), dof]))
        self.active = np.isin(np.arange(dof), self.rng.permutation(dof)[:count])

    # Knowledge of the oracle.

    def pairs(self) -> list[Pair]:
        """Return all tested pairs, whatever the options."""
        links = self.robot.link_names
        among = [
            (a, b)
            for a, b in combinations(links, 2)
            if self.tree.carriers[a][0] != self.tree.carriers[b][0]
        ]
        pairs = among + [(link, body) for link in links for body in self.bodies]
        return [p for p in pairs if p not in self.ignored and p[::-1] not in self.ignored]

    def rules(self) -> dict[Pair, Rule]:
        """Return the tested pairs, each with its rule."""
        pad = self.padding
        return {
            pair: self.options.rule(pair, sum(pad.get(name, 0.0) for name in pair))
            for pair in self.pairs()
            if self.options.self_contact or pair[1] in self.bodies
        }

    def crowd(self, move: Move) -> Crowd:
        """Return links and bodies on a motion; the crowds of earlier motions are void."""
        self.poses = cache(lambda t: self.tree.poses(move.at(t)))

        def follow(path: Path) -> Callable[[float], Floats]:
            known = path.pose()
            return lambda t: known(move.world(t))

        members = {name: Member(shape, follow(path)) for name, (shape, path) in self.bodies.items()}
        return crowd_under(self.rules(), self.links | members)

    def link_pose(self, link: str, t: float) -> Floats:
        return self.poses(t)[link]

    # Motions.

    def turned(self, q: Floats, size: float) -> Floats:
        """Change the active numbers; quaternions keep their length."""
        q = np.where(self.active, q + self.rng.normal(size=q.shape) * size, q)
        for name, start in self.tree.start.items():
            if self.tree.joints[name].kind == "floating":
                q[start + 3 : start + 7] /= np.linalg.norm(q[start + 3 : start + 7])
        return q

    def move(self) -> Move:
        """Draw a motion from the configuration: straight, a path or a spline."""
        rng, q = self.rng, self.q
        size = float(rng.choice([0.05, 0.4, 1.2]))
        floats = any(joint.kind == "floating" for joint in self.robot.joints)
        kind = rng.random()
        if kind < 0.6:
            end = self.turned(q, size)
            return Move(lambda t: self.tree.between(q, end, t), end, (q, end))
        rows = [q]
        for _ in range(int(rng.integers(1, 4))):
            rows.append(self.turned(rows[-1], size))
        Q = np.array(rows)
        ends = np.cumsum([0.0, *rng.uniform(0.1, 1.0, len(Q) - 1)])
        window = np.sort(rng.uniform(0, ends[-1], 2)) if rng.random() < 0.4 else ends[[0, -1]]
        how = {"times": ends, "world_times": window}
        fixed_times = {k: np.array(v) for k, v in how.items()}

        def world(t: float) -> float:
            return float(np.clip((t * ends[-1] - window[0]) / (window[1] - window[0]), 0, 1))

        if kind < 0.85 or floats:
            straight = self.on_pieces(Q, ends / ends[-1])
            return Move(straight, rows[-1], (Q,), fixed_times, world)
        curve = CubicSpline(ends / ends[-1], Q, bc_type="clamped")
        return Move(curve, rows[-1], (Q,), {**fixed_times, "spline": "cubic"}, world)

    def on_pieces(self, Q: Floats, ends: Floats) -> Callable[[float], Floats]:
        def at(t: float) -> Floats:
            k = min(int(np.searchsorted(ends, t, "right")), len(ends) - 1) - 1
            share = (t - ends[k]) / (ends[k + 1] - ends[k])
            return self.tree.between(Q[k], Q[k + 1], min(max(share, 0.0), 1.0))

        return at
