"""Redon, Kheddar, Coquillart 2002: bodies that are moved by hand, bounce or are thrown."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata import dynamics
from toccata.report._png import Image
from toccata.scenes._door import car_door
from toccata.scenes._world_scene import WorldScene
from toccata.scenes.worlds import make_world
from toccata_bench.clock import best
from toccata_bench.dynamics import hand, plots, simulate
from toccata_bench.papers.drawing import (
    ORANGE,
    RED,
    STEEL,
    Placed,
    View,
    below_of,
    hue,
    marked,
    picture,
    put,
    side_by_side,
    stacked,
)
from toccata_bench.papers.exhibit import Made, Setup, three
from toccata_bench.plots import new_figure
from toccata_bench.record import Record
from toccata_bench.scenes import worlds
from toccata_bench.scenes.motor import motor_removal
from toccata_bench.table import Table
from toccata_bench.verify import WrongAnswer

Floats = NDArray[np.float64]

DOOR_VIEW, MOTOR_VIEW, CAR_VIEW = (62.0, 18.0), (-115.0, 25.0), (50.0, 14.0)
SMALL = (340, 270)
TOLERANCE = 1e-5
"""Tolerance in meters for the motions of the door."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """Pose and contacts of the part at a moment of a session."""

    number: int
    pose: Floats
    contacts: list[tuple[Floats, Floats]]


def played(session: hand.Session) -> list[Frame]:
    """Play a session, keep all of its frames, and check its path again."""
    held = dynamics.Manipulator(session.body, session.scene, session.start)
    frames = []
    for number, target in enumerate(session.targets):
        move = held.move(target, max_substeps=hand.SUBSTEPS)
        touching = zip(move.contacts.point_a, move.contacts.normal, strict=True)
        frames.append(Frame(number, held.pose, [(p, n) for p, n in touching]))
    if (found := held.path.check(session.body, session.scene)) is not None:
        raise WrongAnswer(f"a motion of the path is not free: {found.status.name}")
    return frames


def door_frames(setup: Setup) -> tuple[hand.Session, list[Frame]]:
    """Return the session of the car door, played once."""

    def work() -> tuple[hand.Session, list[Frame]]:
        session = hand.car_door()
        return session, played(session)

    found: tuple[hand.Session, list[Frame]] = setup.once("door", work)
    return found


def timed(setup: Setup, name: str) -> Record:
    """Return the times of the frames of a session; its path and its end are verified first."""
    found: Record = setup.once(
        f"session {name}",
        lambda: hand.measure_session(name, hand.SESSIONS[name](), setup.size(3, 1)),
    )
    return found


def _said(one: Record) -> str:
    return (
        f"{one['frames']} frames, mean {one['mean_ms']:.2f} ms, p99 {one['p99_ms']:.2f} ms;"
        " every motion is certified"
    )


def figure_1(setup: Setup) -> Made:
    """Draw the door in its opening, and its contacts."""
    session, frames = door_frames(setup)
    last = max(frames[-70:], key=lambda frame: len(frame.contacts))
    car = put(session.scene["car"].mesh, STEEL)
    door = put(session.body, RED, last.pose)
    whole = picture(car + door, DOOR_VIEW)
    near = marked(car + door, DOOR_VIEW, last.contacts, door)
    caption = (
        f"the door in its opening, and the same from nearer with {len(last.contacts)} contacts"
    )
    sizes = " and ".join(f"{n:,}" for n in session.triangles)
    said = f"{sizes} triangles; {_said(timed(setup, 'car door'))}"
    return Made(said, [], {caption: side_by_side(whole, near)})


def figure_5(setup: Setup) -> Made:
    """Draw the door in six frames on its path into the car."""
    session, frames = door_frames(setup)
    car = put(session.scene["car"].mesh, STEEL)
    seen = car + put(session.body, RED, session.start)
    chosen = [frames[k] for k in (0, 45, 95, 135, 165, len(frames) - 1)]
    images = [
        marked(car + put(session.body, RED, one.pose), DOOR_VIEW, one.contacts, seen)
        for one in chosen
    ]
    caption = "frames " + ", ".join(str(one.number) for one in chosen) + "; marks are contacts"
    whole = stacked(side_by_side(*images[:3]), side_by_side(*images[3:]))
    return Made(_said(timed(setup, "car door")), [], {caption: whole})


def figure_4(setup: Setup) -> Made:
    """Draw the door from both sides."""
    door = put(car_door(), ORANGE)
    images = [picture(door, view) for view in ((60, 15), (-120, 15))]
    said = f"{len(car_door()[1]):,} triangles: two sheets, and bars, a lock and hinges between them"
    return Made(said, [], {"outside and inside of the door": side_by_side(*images)})


def figure_6(setup: Setup) -> Made:
    """Draw the motor while it is taken out of the door."""
    given, session = motor_removal(), hand.door_motor()
    frames = played(session)
    door = put(given.fixed["door"], STEEL)
    seen = door + put(given.part, RED, frames[-1].pose)
    images = [
        picture(door + put(given.part, RED, frames[k].pose), MOTOR_VIEW, SMALL, seen)
        for k in (0, 60, 100, len(frames) - 1)
    ]
    one = timed(setup, "motor of the door")
    total = sum(one["triangles"])
    caption = "the motor behind the panel, along it, through the hole, and out"
    return Made(f"{total:,} triangles; {_said(one)}", [], {caption: side_by_side(*images)})


def snapshots(scene: WorldScene, steps: tuple[int, ...], view: View) -> Image:
    """Simulate a scene, audit the log, and draw moving bodies after some steps."""
    world = make_world(scene, sleeping=False)
    log = world.start_log()
    moments: list[Placed] = []
    for before, step in pairwise((0, *steps)):
        if step > before:
            world.step(step - before)
        moments.append([])
        for k, (name, pose) in enumerate(zip(world.names, world.poses, strict=True)):
            if scene.bodies[name].moves:
                moments[-1] += put(world.meshes[name], hue(k), pose)
    simulate.verify(scene.name, log.arrays())
    seen = [part for moment in moments for part in moment]
    floor = below_of(seen, 0.0)
    return side_by_side(*(picture(moment + floor, view, SMALL, seen) for moment in moments))


def figure_2(setup: Setup) -> Made:
    """Draw bunnies that fly, meet and fall."""
    scene = worlds.get("bunnies", bodies=5)
    image = snapshots(scene, (0, 24, 48, 96), (40, 20))
    caption = "five bunnies at the start, after 0.2, 0.4 and 0.8 seconds"
    each = len(next(body.mesh[1] for body in scene.bodies.values() if body.moves))
    said = f"five bunnies of {each:,} triangles are thrown; the log of 96 steps is audited"
    return Made(said, [], {caption: image})


def figure_3(setup: Setup) -> Made:
    """Draw a bouncing car."""
    scene = worlds.get("bouncing-car")
    image = snapshots(scene, (0, 60, 110, 170), CAR_VIEW)
    own = simulate.measure_world(scene, setup.size(scene.steps, 120), 60.0)
    pictures: Record = {"after 0, 0.5, 0.9 and 1.4 seconds": image}
    pictures["height of the center of mass"] = plots.figure("bouncing-car", own)
    said = (
        f"{own['triangles']:,} triangles; {own['per_second']:.0f} steps (of 1/120 s) computed per"
        f" second; least distance {1e3 * own['least_distance']:.2g} mm"
    )
    return Made(said, [], pictures)


def coherence(setup: Setup) -> Made:
    """Query the motions of the door, alone and as a sequence."""
    session, frames = door_frames(setup)
    poses = [session.start, *(frame.pose for frame in frames)]
    motions = [tc.Motion.linear(a, b) for a, b in pairwise(poses) if not np.array_equal(a, b)]
    asking = Asking(session.body, session.scene["car"].mesh, motions)
    found = {name: asking.answers(name) for name in ("alone", "in a row")}
    asking.check(found)
    times = {name: asking.seconds(name) for name in found}
    gain = float(times["alone"] / times["in a row"])
    rows: list[list[object]] = []
    for name, answers in found.items():
        counts = [float(np.mean([getattr(a.stats, key) for a in answers])) for key in _COUNTED]
        rows.append([name, *map(three, counts), three(1e6 * times[name] / len(motions))])
    header = ["interval", "front nodes", "BV tests", "elementary tests", "us per motion"]
    table = Table("Coherence: motions of the door in its opening", header, rows)
    said = f"the front of the last query makes {len(motions)} queries {gain:.2f} times as fast"
    return Made(said, [table], {"BV tests of each motion": _fronts(found)})


_COUNTED = ("front_nodes", "bv_tests", "elementary_tests")


@dataclass(frozen=True, slots=True, eq=False)
class Asking:
    """Motions of one body beside a fixed one."""

    body: tc.Mesh
    other: tc.Mesh
    motions: list[tc.Motion]

    def answers(self, name: str, method: Any = "interval") -> list[tc.Contact]:
        """Return the answers to all motions, each alone or as a sequence."""
        if name == "alone":
            how: Any = {"method": method, "tolerance": TOLERANCE}
            return [tc.first_contact(self.body, self.other, one, **how) for one in self.motions]
        sequence = tc.ContactSequence(self.body, self.other)
        return [sequence.first_contact(one, tolerance=TOLERANCE) for one in self.motions]

    def check(self, found: dict[str, list[tc.Contact]]) -> None:
        """Raise WrongAnswer unless all methods agree with auto about which motions are free."""
        auto = self.answers("alone", "auto")
        for name, answers in found.items():
            for k, (one, other) in enumerate(zip(answers, auto, strict=True)):
                if bool(one) != bool(other):
                    said = f"{one.status.name}, auto {other.status.name}"
                    raise WrongAnswer(f"door, motion {k}, {name}: {said}")

    def seconds(self, name: str) -> float:
        """Return the least processor time of a few rounds over all motions."""
        return best(lambda: self.answers(name), rounds=3)


def _fronts(found: dict[str, list[tc.Contact]]) -> Any:
    figure, axis = new_figure(7.0, 2.6)
    for name, color in (("alone", "tab:blue"), ("in a row", "tab:red")):
        counts = [max(1, answer.stats.bv_tests) for answer in found[name]]
        axis.plot(counts, color=color, label=name, linewidth=0.9)
    axis.set(xlabel="motion of the door", ylabel="BV tests", yscale="log")
    axis.legend(fontsize="small")
    return figure
