"""`toccata bench dynamics`: worlds, and bodies moved by hand; answers first, beside others."""

from __future__ import annotations

import argparse
from pathlib import Path

from toccata_bench import plots as drawing
from toccata_bench.dynamics import flight, goals, hand, peers, plots, simulate, tables
from toccata_bench.goal import summary_table
from toccata_bench.record import provenance
from toccata_bench.running import Record, find_unknown, print_report, progress, run_benchmark
from toccata_bench.scenes import worlds

SECTIONS = ("hand", "worlds", "growth", "flight")
QUICK_STEPS, QUICK_SIZES = 40, (20, 40)
RIGID = [name for name in worlds.names() if name not in worlds.ARTICULATED]
NOTES = (
    "One thread, nothing sleeps, processor time. A world is simulated with a log first, which is"
    " audited: each motion of each body, between rows too. The audit found no contact. A second run"
    " without a log, which ends at the same bits, is timed.",
    "Energy drift is the largest gain of energy in a step, as a share of that at the start, beyond"
    " the lift that pushing bodies out to the shell has reported.",
    "Other engines get the same meshes, masses, velocities and friction, and keep their default"
    " contact parameters. Two triangle meshes that move do not collide in pybullet, and MuJoCo"
    " takes convex shapes only: a body is its hull, or, as 'pieces', the convex pieces that a scene"
    " gives; a box is a box. What they do is audited in the triangles of the scene. Depths and"
    " contacts deeper than 1 mm are their own account, in 30 samples.",
    "MuJoCo looks for contacts ahead (its speculative flag), takes four steps of its own for each,"
    " since at 1/120 s the heap gains energy, and has no restitution. Its sheet is 0.2 mm thick.",
    "Of a frame of the hand the least thread time of three runs counts; the percentile is that over"
    " frames.",
    "In the table of the flight each pair of bunnies is asked in each step when it first touches if"
    " both keep their velocities. The paper's figures are those of its machine and simulation.",
    "Rigid-IPC, the other simulator without penetration, is not on PyPI and was not run.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("--only", metavar="A,B", help=f"only these of {', '.join(SECTIONS)}")
    parser.add_argument("--scenes", metavar="A,B", help="only these worlds")
    parser.add_argument("--sessions", metavar="A,B", help="only these, by parts of their names")
    parser.add_argument("--steps", type=int, metavar="N", help="of each world")
    parser.add_argument("--limit", type=float, default=60.0, metavar="S", help="seconds a world")
    parser.add_argument("--quick", action="store_true", help="few steps, small heaps")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="draw the bounce and the heap")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--no-peers", action="store_true", help="leave the other engines out")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    return run_benchmark(args, find_fault, measure, report)


def find_fault(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options before anything long begins."""
    if args.steps is not None and args.steps < 1:
        return f"--steps: expected a positive number, got {args.steps}"
    if not args.limit > 0:
        return f"--limit: expected a positive number, got {args.limit}"
    if args.plots and (fault := drawing.check_available()):
        return fault
    return find_unknown("--only", sections(args), SECTIONS) or find_unknown(
        "--scenes", wanted(args), RIGID
    )


def sections(args: argparse.Namespace) -> list[str]:
    """Return the sections asked for; without any, all of them."""
    return str(args.only).split(",") if args.only else list(SECTIONS)


def wanted(args: argparse.Namespace) -> list[str]:
    """Return the names of the worlds asked for; without any, all of them."""
    return str(args.scenes).split(",") if args.scenes else RIGID


def measure(args: argparse.Namespace) -> Record:
    """Measure what was asked for, section by section."""
    chosen = sections(args)
    record: Record = provenance()
    beside = "worlds" in chosen and not args.no_peers
    record |= {"notes": peers.missing() if beside else [], "hand": {}, "worlds": {}}
    if "hand" in chosen:
        measure_hand(args, record)
    if "worlds" in chosen:
        for name in wanted(args):
            measure_world(args, name, record)
    if "growth" in chosen:
        progress("growth")
        sizes = QUICK_SIZES if args.quick else simulate.SIZES
        record["growth"] = simulate.measure_growth(sizes, steps_of(args, simulate.FALL))
    if "flight" in chosen:
        progress("flight")
        record["flight"] = flight.measure_flight(steps_of(args, flight.STEPS))
    record["goals"] = {goal.figure: goal.record() for goal in goals.goals(record)}
    return record


def measure_hand(args: argparse.Namespace, record: Record) -> None:
    """Play the sessions."""
    words = str(args.sessions).split(",") if args.sessions else [""]
    for name, make in hand.SESSIONS.items():
        if any(word in name for word in words):
            progress(name)
            record["hand"][name] = hand.measure_session(name, make(), 1 if args.quick else 3)


def measure_world(args: argparse.Namespace, name: str, record: Record) -> None:
    """Simulate one scene, here and in the other engines, for as many steps."""
    progress(name)
    small = args.quick and "bodies" in worlds.options(name)
    scene = worlds.get(name, **({"bodies": 2} if small else {}))
    own = simulate.measure_world(scene, steps_of(args, scene.steps), args.limit)
    others = {} if args.no_peers else peers.measure_peers(scene, own["steps"])
    record["worlds"][name] = {"own": own, "peers": others}
    if own["steps"] < steps_of(args, scene.steps):
        record["notes"].append(f"{name}: cut short after {own['steps']} steps (--limit)")


def steps_of(args: argparse.Namespace, usual: int) -> int:
    """Return how many steps to take."""
    return int(args.steps or (min(QUICK_STEPS, usual) if args.quick else usual))


def report(record: Record, args: argparse.Namespace) -> None:
    """Print the tables and what has to be known to read them, and draw."""
    found = []
    if record["hand"]:
        found.append(tables.hand_table(record["hand"]))
    if record["worlds"]:
        found.append(tables.world_table(record["worlds"]))
    if any(one["peers"] for one in record["worlds"].values()):
        found.append(tables.peer_table(record["worlds"]))
    if record["worlds"].get("heap", {}).get("peers"):
        found.append(tables.fall_table(record["worlds"]["heap"]))
    if record.get("growth"):
        found.append(tables.growth_table(record["growth"]))
    if record.get("flight"):
        found.append(flight.flight_table(record["flight"]))
    asked = [goal for goal in goals.goals(record) if goal.found or not args.only]
    if asked:
        found.append(summary_table(asked))
    print_report(record, found, NOTES, args.markdown)
    if args.plots:
        for path in plots.draw(record["worlds"], args.plots):
            progress(str(path))
    for one in record["worlds"].values():
        del one["own"]["heights"]  # for the plots alone
