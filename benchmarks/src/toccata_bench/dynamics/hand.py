"""Sessions in which a body is moved by hand: their certified frames are timed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import pi
from time import thread_time

import numpy as np

import toccata as tc
from toccata import dynamics
from toccata.scenes._machine import hammer, workpiece
from toccata.scenes.mounting import door_mounting
from toccata.scenes.surface import MeshArrays, as_mesh, patch_faces
from toccata_bench.dynamics.frames import Floats
from toccata_bench.record import Record
from toccata_bench.scenes.motor import motor_removal
from toccata_bench.verify import WrongAnswer

SUBSTEPS, MANY = 8, 200
"""Most substeps per frame in a session, and in the reference run for its end."""


@dataclass(frozen=True, slots=True, eq=False)
class Session:
    """A body, the bodies around it, and the target pose of each frame."""

    body: tc.Mesh
    scene: tc.Scene
    start: Floats
    targets: list[Floats]

    @property
    def triangles(self) -> list[int]:
        """Number of triangles of the body, and of all others."""
        others = sum(len(self.scene[name].mesh.faces) for name in self.scene.names)
        return [len(self.body.faces), others]


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Times and end of a session that was played."""

    seconds: Floats
    """Thread times (k,) of the frames."""
    substeps: int
    truncated: int
    pose: Floats
    hand: dynamics.Manipulator


def play(session: Session, most: int = SUBSTEPS) -> Played:
    """Play all frames of a session."""
    hand = dynamics.Manipulator(session.body, session.scene, session.start)
    seconds, substeps, truncated = [], 0, 0
    for target in session.targets:
        begin = thread_time()
        move = hand.move(target, max_substeps=most)
        seconds.append(thread_time() - begin)
        substeps, truncated = substeps + move.substeps, truncated + move.truncated
    return Played(np.array(seconds), substeps, truncated, hand.pose, hand)


def measure_session(name: str, session: Session, rounds: int = 3) -> Record:
    """Verify the path of a session; return its times and the distance of its end from a reference.

    The shortest time of each frame counts.
    """
    first = play(session)
    if (found := first.hand.path.check(session.body, session.scene)) is not None:
        raise WrongAnswer(f"{name}: a motion of the path is not free: {found.status.name}")
    long = play(session, MANY)
    runs = [first.seconds, *(play(session).seconds for _ in range(rounds - 1))]
    frames = np.min(runs, axis=0)
    return {
        "triangles": session.triangles,
        "frames": len(frames),
        "substeps": first.substeps,
        "truncated": first.truncated,
        "mean_ms": 1e3 * float(frames.mean()),
        "p99_ms": 1e3 * float(np.percentile(frames, 99)),
        "substep_ms": 1e3 * float(frames.sum()) / max(first.substeps, 1),
        "end_by_shells": apart(session.body, first.pose, long.pose) / first.hand.shell,
    }


def apart(body: tc.Mesh, a: Floats, b: Floats) -> float:
    """Return the largest distance of a vertex between two poses."""
    points = body.vertices
    ends = [points @ pose[:3, :3].T + pose[:3, 3] for pose in (a, b)]
    return float(np.linalg.norm(ends[0] - ends[1], axis=1).max())


def between(start: Floats, end: Floats, frames: int) -> list[Floats]:
    """Return evenly spaced poses from one pose to another, without the first."""
    motion = tc.Motion.linear(start, end)
    return [motion.pose(t) for t in np.linspace(0.0, 1.0, frames + 1)[1:]]


def moved(pose: Floats, x: float, y: float, z: float) -> Floats:
    """Return a pose translated in world axes."""
    return np.asarray(tc.pose((x, y, z)) @ pose)


def car_door() -> Session:
    """Bring the door to its opening with a shaking hand, push it in, and move it in a circle."""
    given = door_mounting()
    before, seat = given.via[0], given.target
    shaky = [
        moved(pose, 0.015 * np.sin(0.35 * k), 0.0, 0.012 * np.cos(0.23 * k))
        for k, pose in enumerate(between(before, seat, 90))
    ]
    pushed = between(seat, moved(seat, 0.0, -0.05, 0.0), 30)
    angle = np.linspace(0.0, 2 * pi, 61)[1:]
    round_about = [moved(pushed[-1], 0.03 * np.sin(a), 0.0, 0.03 * np.cos(a) - 0.03) for a in angle]
    targets = [*between(given.start, before, 50), *shaky, *pushed, *round_about, *10 * [seat]]
    return Session(tc.Mesh(*given.part), given.scene(), given.start, targets)


def door_motor() -> Session:
    """Pull the motor straight out, which the panel prevents; then along the panel, and out."""
    given = motor_removal()
    via = given.via[0]
    pulled = moved(given.start, 0.0, -0.03, 0.0)
    targets = [*between(given.start, pulled, 30), *between(pulled, moved(via, 0, -0.03, 0), 60)]
    targets += between(targets[-1], given.target, 60)
    return Session(tc.Mesh(*given.part), given.scene(), given.start, targets)


def small_parts() -> Session:
    """Drag a hammer over a workpiece, each of about 1,000 triangles."""
    body, scene = tc.Mesh(*hammer(1_000)), tc.Scene()
    scene.add("workpiece", tc.Mesh(*workpiece(1_000)), tc.pose())
    start = tc.pose((-1.25, 0.2, 0.6), rotvec=(0.0, pi / 2, 0.0))
    down = tc.pose((-1.25, 0.1, -0.2), rotvec=(0.0, pi / 2, 0.3))
    over = tc.pose((-0.6, -0.1, -0.2), rotvec=(0.3, pi / 2, -0.3))
    return Session(body, scene, start, [*between(start, down, 40), *between(down, over, 60)])


def sleeve(radius: float, length: float, around: int, rows: int) -> MeshArrays:
    """Return a cylinder about z without caps."""
    angle = 2 * pi * np.arange(around) / around
    z = np.repeat(np.linspace(-length / 2, length / 2, rows + 1), around)
    turn = np.tile(angle, rows + 1)
    points = np.stack([radius * np.cos(turn), radius * np.sin(turn), z], axis=1)
    ids = np.arange((rows + 1) * around).reshape(rows + 1, around)
    return as_mesh(points, patch_faces(np.column_stack([ids, ids[:, 0]])))


def shaft_in_bore(target: str) -> Session:
    """Move a shaft of 8,192 triangles in a bore of 16,384; the gap is 1 % of the shaft's radius."""
    sides = 128
    body, scene = tc.Mesh(*sleeve(0.2, 0.5, sides, 32)), tc.Scene()
    outer = tc.Mesh(*sleeve(0.202 / np.cos(pi / sides), 1.0, sides, 64))
    scene.add("bore", outer, tc.pose((0, 0, 0), rotvec=(0, 0, 0.01)))
    ends = {
        "press": tc.pose((0.02, 0.005, 0.0)),
        "turn": tc.pose((0.01, 0.0, 0.0), rotvec=(0.0, 0.0, 1.0)),
        "slide": tc.pose((0.01, 0.0, 0.2)),
    }
    return Session(body, scene, np.eye(4), between(np.eye(4), ends[target], 40))


SESSIONS: dict[str, Callable[[], Session]] = {
    "car door": car_door,
    "motor of the door": door_motor,
    "parts of 1,000": small_parts,
    "shaft in bore, press": lambda: shaft_in_bore("press"),
    "shaft in bore, turn": lambda: shaft_in_bore("turn"),
    "shaft in bore, slide": lambda: shaft_in_bore("slide"),
}
"""Functions that make the sessions, by name."""
