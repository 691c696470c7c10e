"""`toccata bench dynamics`: worlds and bodies moved by hand, compared with other engines."""

import argparse
from pathlib import Path

from toccata_bench.benchmark import Benchmark, choose
from toccata_bench.dynamics import flight, goals, hand, peers, plots, simulate, tables
from toccata_bench.progress import progress
from toccata_bench.record import Record
from toccata_bench.scenes import worlds
from toccata_bench.table import Table

QUICK_STEPS, QUICK_SIZES = 40, (20, 40)
RIGID = [name for name in worlds.names() if name not in worlds.ARTICULATED]


class Dynamics(Benchmark):
    """The experiments of Redon et al. 2002, and worlds of many bodies."""

    name = "dynamics"
    title = "Dynamics"
    summary = "simulations, and bodies moved by hand"
    description = (
        "Measure the experiments of Redon et al. 2002, and worlds of many bodies compared with"
        " pybullet and MuJoCo. Logs are audited first."
    )
    sections = ("hand", "worlds", "growth", "flight")
    quick = "few steps and small heaps"
    figures = "heights of the bouncing car and the heap"
    peers = (("pybullet", "pybullet"), ("mujoco", "mujoco"))
    positive = ("steps", "limit")
    judge = staticmethod(goals.goals)
    notes = (
        "Times are processor time on one thread, and no body sleeps. Each world is simulated with"
        " a log first. An audit of this log checks every motion of every body; it found no"
        " contact. Then a second run without a log is timed. Both runs end with the same bits.",
        "Energy drift is the largest gain of energy in a step beyond the reported lift, as a"
        " fraction of the energy at the start. The lift comes from pushing bodies out to the"
        " shell.",
        "Other engines get the same meshes, masses, velocities and friction, and keep their"
        " default contact parameters. In pybullet, two moving triangle meshes do not collide, and"
        " MuJoCo takes convex shapes only. A body is therefore represented by its hull or, in the"
        " rows 'pieces', by the convex pieces of the scene. A box stays a box. The motions of the"
        " other engines are audited with the triangles of the scene. The engines themselves report"
        " depths, and contacts deeper than 1 mm, in 30 samples.",
        "MuJoCo detects contacts ahead of time (its speculative flag) and has no restitution. It"
        " takes four steps for each of ours, because the heap gains energy at 1/120 s. Its sheet"
        " is 0.2 mm thick.",
        "For each frame of the hand, the smallest thread time of three runs counts. The"
        " percentile is over frames.",
        "In the table of the flight, each step queries each pair of bunnies for its first contact"
        " if both keep their velocities. The paper's numbers come from its own machine and"
        " simulation.",
        "Rigid-IPC, the other simulator without penetration, is not on PyPI and was not run.",
    )

    def __init__(self, args: argparse.Namespace) -> None:
        """Prepare a run."""
        super().__init__(args)
        self.heights: Record = {}

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Declare worlds, sessions and limits."""
        choose(parser, "scenes", "worlds")
        choose(parser, "sessions", "sessions, given by parts of their names")
        parser.add_argument("--steps", type=int, metavar="N", help="steps of each world")
        parser.add_argument(
            "--limit", type=float, default=60.0, metavar="S", help="seconds per world"
        )

    def find_fault(self) -> str | None:
        """Return an error message if a world is unknown."""
        return self.find_unknown("scenes", RIGID)

    def measure(self) -> None:
        """Measure section by section."""
        args, record = self.args, self.record
        record |= {"hand": {}, "worlds": {}}
        if "hand" in self.chosen:
            self.measure_hand()
        if "worlds" in self.chosen:
            self.note(*self.missing_peers())
            for name in self.listed("scenes", RIGID):
                self.measure_world(name)
        if "growth" in self.chosen:
            progress("growth")
            sizes = QUICK_SIZES if args.quick else simulate.SIZES
            record["growth"] = simulate.measure_growth(sizes, self.steps_of(simulate.FALL))
        if "flight" in self.chosen:
            progress("flight")
            record["flight"] = flight.measure_flight(self.steps_of(flight.STEPS))

    def measure_hand(self) -> None:
        """Play and measure the sessions."""
        rounds = 1 if self.args.quick else 3
        for name, make in hand.SESSIONS.items():
            if any(word in name for word in self.listed("sessions", [""])):
                progress(name)
                self.record["hand"][name] = hand.measure_session(name, make(), rounds)

    def measure_world(self, name: str) -> None:
        """Simulate one world, then as many steps in the other engines."""
        progress(name)
        small = self.args.quick and "bodies" in worlds.options(name)
        scene = worlds.get(name, **({"bodies": 2} if small else {}))
        steps = self.steps_of(scene.steps)
        own = simulate.measure_world(scene, steps, self.args.limit)
        self.heights[name] = own.pop("heights")
        others = {} if self.args.no_peers else peers.measure_peers(scene, own["steps"])
        self.record["worlds"][name] = {"own": own, "peers": others}
        if own["steps"] < steps:
            self.note(f"{name}: cut short after {own['steps']} steps (--limit)")

    def steps_of(self, usual: int) -> int:
        """Return the number of steps of a world, `usual` by default."""
        quick = min(QUICK_STEPS, usual) if self.args.quick else usual
        return int(self.args.steps or quick)

    def tables(self) -> list[Table]:
        """Return a table for each section, and the tables of the peers."""
        record = self.record
        found = [tables.hand_table(record["hand"])] if record["hand"] else []
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
        return found

    def draw(self, folder: Path) -> list[Path]:
        """Draw heights, which are not part of the record."""
        worlds = self.record["worlds"]
        found = {name: worlds[name]["own"] | {"heights": h} for name, h in self.heights.items()}
        return plots.draw(found, folder)
