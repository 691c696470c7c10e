"""`toccata bench view`: latency of a door that is dragged in a page."""

import argparse
from importlib.util import find_spec

from toccata_bench.benchmark import Benchmark
from toccata_bench.progress import progress
from toccata_bench.table import Table
from toccata_bench.view import dragging, goals

SECONDS, QUICK_SECONDS = 8.0, 2.0
ROUNDS = 3


class LiveViews(Benchmark):
    """Latency of the door of a car while a page drags it."""

    name = "view"
    title = "Live views"
    summary = "live views: latency of a dragged part"
    description = "Drag a part in a page, and measure the rate and the latency of its poses."
    quick = "one short drag for each rate"
    positive = ("seconds", "rounds")
    judge = staticmethod(goals.goals)
    notes = (
        "A client without a picture runs in its own process. It drags a car door into its opening"
        " through the protocol of the viewer, and presses the door against the car.",
        "Latency is the time from sending a pointer position until a pose arrives that follows"
        " this position or a later one.",
        "After each drag, the path is certified again. The last pose that was sent equals the"
        " pose of the door.",
    )

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Declare duration and number of drags."""
        seconds = f"duration of a drag; default: {SECONDS}"
        parser.add_argument("--seconds", type=float, metavar="S", help=seconds)
        rounds = f"drags for each rate; default: {ROUNDS}"
        parser.add_argument("--rounds", type=int, metavar="N", help=rounds)

    def find_fault(self) -> str | None:
        """Return an error message if the viewer is not installed."""
        if find_spec("viser") is None and not self.args.record:
            return "expected the package viser: pip install 'toccata[view]'"
        return None

    def measure(self) -> None:
        """Drag the door some times at each rate."""
        self.record["drag"] = {}
        seconds = self.args.seconds or (QUICK_SECONDS if self.args.quick else SECONDS)
        rounds = self.args.rounds or (1 if self.args.quick else ROUNDS)
        for rate in dragging.RATES:
            for number in range(1, rounds + 1):
                name = f"{rate:g} pointers a second, round {number}"
                progress(name)
                self.record["drag"][name] = dragging.measure_drag(rate, seconds)

    def tables(self) -> list[Table]:
        """Return a row for each drag."""
        header = ["drag", "pointers", "poses per second", "median latency, ms", "95 %", "worst"]
        header += ["motions, all certified"]
        keys = ("pointers", "poses_per_second", "median_ms", "p95_ms", "worst_ms", "motions")
        drags = self.record["drag"].items()
        rows = [[name, *(one[key] for key in keys)] for name, one in drags]
        return [Table("The car door, dragged by a page", header, rows)]
