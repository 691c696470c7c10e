"""Goals of the benchmark of adaptive bodies."""

from __future__ import annotations

from toccata_bench.adaptive.chains import ACTIVE, LENGTHS, LOCATIONS
from toccata_bench.adaptive.scenes import EXPERIMENTS
from toccata_bench.goal import Goal, at_least, at_most, share
from toccata_bench.record import Record


def goals(record: Record) -> list[Goal]:
    """Return all goals of a record."""
    return [
        *figure_goals(record["figure"]),
        *instruction_goals(record["instructions"]),
        *chain_goals(record["chains"]),
        *dynamics_goals(record["dynamics"]),
        *frame_goals(record["frames"]),
    ]


def figure_goals(found: Record) -> list[Goal]:
    """Return the goals for the time of a query by its active joints."""
    quarter = at_most("update and culling, a quarter active / all", 0.4, "x")
    one = at_most("update and culling, one active / all", 0.15, "x")
    whole_quarter = at_most("whole query, a quarter active / all", 0.7, "x")
    whole_one = at_most("whole query, one active / all", 0.5, "x")
    auto = at_most("all active: adaptive / auto", 1.1, "x")
    for name, scene in found.items():
        levels = scene["levels"]
        every = levels.get(str(EXPERIMENTS[name].joints))
        if every is None:
            continue
        auto.add(name, share(every["adaptive"]["whole_us"], every["auto"]["whole_us"]))
        quarters = str(EXPERIMENTS[name].quarter)
        for level, key, goal in (
            (quarters, "front_us", quarter),
            ("1", "front_us", one),
            (quarters, "whole_us", whole_quarter),
            ("1", "whole_us", whole_one),
        ):
            if level in levels:
                few, all_active = (some["adaptive"][key] for some in (levels[level], every))
                goal.add(name, share(few, all_active))
    return [quarter, one, whole_quarter, whole_one, auto]


def instruction_goals(found: Record) -> list[Goal]:
    """Return the goals for instructions, compared with no groups and no coherence."""
    whole = at_most("instructions, adaptive / no groups, no coherence", 1.02, "x")
    one = at_most("the same, update and culling, one active", 0.3, "x")
    for name, row in found.items():
        own, plain = row["adaptive"], row["plain"]
        whole.add(name, share(own["whole"], plain["whole"]))
        if name.endswith(", 1"):
            one.add(name, share(own["front"], plain["front"]))
    return [whole, one]


def chain_goals(found: Record) -> list[Goal]:
    """Return the goals for chains with ten active joints."""
    short, long = LENGTHS
    times = f"chain of {long:,} / of {short} links, {ACTIVE} active"
    grows = at_most(f"{times}: update and culling", 2.0, "x")
    steps = at_most(f"{times}: step of the dynamics", 2.0, "x")
    worlds = at_most(f"{times}: step of a world", 2.0, "x")
    each = at_most(f"chain of {long:,} links, per active joint", 1.5, " us")
    for location in LOCATIONS:
        few, many = (found.get(f"{count}, {location}") for count in LENGTHS)
        if few is None or many is None:
            continue
        grows.add(location, share(many["adaptive"]["front_us"], few["adaptive"]["front_us"]))
        steps.add(location, share(many["step_us"], few["step_us"]))
        worlds.add(location, share(many["world_us"], few["world_us"]))
        each.add(f"update and culling, {location}", many["adaptive"]["front_us"] / ACTIVE)
        each.add(f"step of the dynamics, {location}", many["step_us"] / ACTIVE)
    return [grows, steps, worlds, each]


def dynamics_goals(found: Record) -> list[Goal]:
    """Return the goals for dynamics with all joints active."""
    aba = at_most("all joints active: dynamics / pinocchio's ABA", 3.0, "x")
    long = at_least("all joints active: joints of the longest chain", 10_000)
    for count, one in found.items():
        aba.add(f"{count} joints", share(one["acceleration_us"], one["pinocchio_us"]))
    if found:
        long.add("a step", float(max(int(count) for count in found)))
    return [aba, long]


def frame_goals(found: Record) -> list[Goal]:
    """Return the goal for the frame rate of two men."""
    goal = at_least("two men, 15 active: frames per second, with contacts", 60.0)
    for name, one in found.items():
        goal.add(name, one["per_second"])
    return [goal]
