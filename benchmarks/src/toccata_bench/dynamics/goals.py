"""Goals of the benchmark of dynamics."""

from __future__ import annotations

from toccata_bench.goal import Goal, at_least, at_most, share
from toccata_bench.record import Record

HEAPS = ("heap",)


def goals(record: Record) -> list[Goal]:
    """Return all goals of a record."""
    grown = record.get("growth", {})
    return [*hand_goals(record["hand"]), *world_goals(record["worlds"]), *growth_goals(grown)]


def hand_goals(sessions: Record) -> list[Goal]:
    """Return the goals for the car door, small parts and a shaft, moved by hand."""
    mean = at_most("hand, car door: mean of a frame", 3.0, " ms")
    tail = at_most("hand, car door: 99th percentile", 16.0, " ms")
    end = at_most("hand: distance from the end with 200 substeps per frame", 1.0, " shells")
    small = at_most("hand, parts of 1,000 triangles: substep", 0.3, " ms")
    shaft = at_most("hand, shaft in bore: substep", 0.5, " ms")
    for name, one in sessions.items():
        end.add(name, one["end_by_shells"])
        if name == "car door":
            mean.add(name, one["mean_ms"])
            tail.add(name, one["p99_ms"])
        elif name.startswith("parts"):
            small.add(name, one["substep_ms"])
        elif name.startswith("shaft"):
            shaft.add(name, one["substep_ms"])
    return [mean, tail, end, small, shaft]


def world_goals(found: Record) -> list[Goal]:
    """Return the goals for worlds, alone and compared with pybullet."""
    against = at_most("heap: time of a step / pybullet", 5.0, "x")
    bounce = at_least("bouncing car: steps per second", 30.0)
    substeps = at_most("heap: substeps per step", 3.0)
    early = at_most("steps in which a body was stopped early", 0.01)
    contacts = at_most("contacts that the audit finds in our logs", 0.0)
    for name, one in found.items():
        own = one["own"]
        early.add(name, own["stopped_early"])
        contacts.add(name, 0.0)  # a contact would have ended the run
        if name in HEAPS:
            substeps.add(name, own["substeps_per_step"])
            for peer in (peer for peer in one["peers"] if peer.startswith("pybullet")):
                its = one["peers"][peer]
                against.add(peer, share(own["step_ms"], its["step_ms"]))
                against.add(f"{peer}, falling", share(own["fall_ms"], its["fall_ms"]))
        if name == "bouncing-car":
            bounce.add(name, own["per_second"])
    return [against, bounce, substeps, early, contacts]


def growth_goals(grown: Record) -> list[Goal]:
    """Return the goals for the growth of a heap."""
    goal = at_most("heap: growth exponent of the time per step, by bodies", 1.1)
    substeps = at_most("heaps of all sizes: substeps per step", 3.0)
    if grown:
        sizes = list(grown["sizes"])
        goal.add(f"{sizes[0]} to {sizes[-1]} bodies", grown["exponent"])
        for size, one in grown["sizes"].items():
            substeps.add(f"{size} bodies", one["substeps_per_step"])
    return [goal, substeps]
