"""`toccata bench adaptive`: articulated bodies with few active joints."""

import argparse
from pathlib import Path

from toccata_bench.adaptive import (
    chains,
    cost,
    enclosures,
    frames,
    goals,
    instructions,
    plots,
    runs,
    tables,
)
from toccata_bench.adaptive.scenes import EXPERIMENTS
from toccata_bench.benchmark import Benchmark, choose
from toccata_bench.progress import progress
from toccata_bench.table import Table

RUNS, QUICK_RUNS = 50, 2
QUICK_STEPS = 40


class Adaptive(Benchmark):
    """Figure 4 of Kim et al. 2008, chains, and the cost of the dynamics."""

    name = "adaptive"
    title = "Adaptive articulated bodies"
    summary = "articulated bodies with few active joints"
    description = (
        "Measure figure 4 of Kim et al. 2008 (time of collision detection by the number of active"
        " joints) and the cost of adaptive dynamics."
    )
    sections = ("figure", "instructions", "chains", "enclosures", "dynamics", "frames")
    quick = "fewer runs, levels and steps"
    figures = "figure 4"
    positive = ("runs", "steps")
    judge = staticmethod(goals.goals)
    notes = (
        "All methods answer every motion before it is timed. If they disagree, the certified"
        " distance decides.",
        'No groups, no coherence: the same motions as single queries by "auto", which neither'
        " group links nor keep anything.",
        "The motions are those that the dynamics proposes in each step during collisions. Joints"
        " are chosen every ten steps. Contacts activate no other joints; in a World they do by"
        " default.",
        "Times are measured by the core's own clock on one thread. The best of three rounds"
        " counts.",
        "Error of the motion: mean distance of links from their positions in a simulation with"
        " all joints active, over the first half second.",
        "The time of a step excludes the refresh of the active joints every ten steps.",
    )

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Declare scenes, runs and steps."""
        choose(parser, "scenes", f"scenes, some of {', '.join(EXPERIMENTS)}")
        runs = f"runs of each scene; default: {RUNS}"
        parser.add_argument("--runs", type=int, metavar="N", help=runs)
        parser.add_argument(
            "--steps", type=int, metavar="N", help="steps; the default depends on the scene"
        )

    def find_fault(self) -> str | None:
        """Return an error message if a scene is unknown."""
        return self.find_unknown("scenes", list(EXPERIMENTS))

    def measure(self) -> None:
        """Measure section by section."""
        args, record = self.args, self.record
        record |= {section: {} for section in self.sections}
        count = args.runs or (QUICK_RUNS if args.quick else RUNS)
        steps = args.steps or (QUICK_STEPS if args.quick else None)
        for section in self.chosen:
            if section == "figure":
                for name in self.listed("scenes", list(EXPERIMENTS)):
                    record["figure"][name] = runs.measure_scene(name, count, steps, args.quick)
                continue
            progress(section)
            if section == "instructions":
                if note := instructions.missing():
                    self.note(note)
                    continue
                names = self.listed("scenes", list(EXPERIMENTS))
                record[section] = instructions.measure(names, steps, args.quick)
            elif section == "chains":
                record["chains"] = chains.measure_chains()
            elif section == "enclosures":
                record["enclosures"] = enclosures.measure_enclosures()
            elif section == "dynamics":
                record["dynamics"], notes = cost.measure_all_active()
                self.note(*notes)
            else:
                record["frames"] = frames.measure_frames(count, steps)

    def tables(self) -> list[Table]:
        """Return a table for each scene of the figure and for each section."""
        record = self.record
        found = [tables.figure_table(name, one) for name, one in record["figure"].items()]
        by_section = {
            "instructions": tables.instruction_table,
            "chains": tables.chain_table,
            "enclosures": tables.enclosure_table,
            "dynamics": tables.dynamics_table,
            "frames": tables.frame_table,
        }
        return found + [
            table(record[section]) for section, table in by_section.items() if record[section]
        ]

    def draw(self, folder: Path) -> list[Path]:
        """Draw the figure."""
        return plots.draw(self.record["figure"], folder)
