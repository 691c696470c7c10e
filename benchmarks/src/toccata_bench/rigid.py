"""`toccata bench rigid`: rigid bodies, compared with Coal and python-fcl."""

import argparse
from pathlib import Path

from toccata_bench import fits, goals, plots, studies
from toccata_bench.benchmark import Benchmark, choose
from toccata_bench.calls import single_calls
from toccata_bench.cases import KNOT, available, knot, knots, load_case, resolve
from toccata_bench.measure import measure_case
from toccata_bench.near import near_table
from toccata_bench.peers import optional
from toccata_bench.progress import progress
from toccata_bench.protocol import TOLERANCE, Case
from toccata_bench.record import Record
from toccata_bench.summary import (
    NOTES,
    fcl_note,
    main_table,
    spread_table,
    study_tables,
)
from toccata_bench.table import Table


class Rigid(Benchmark):
    """Table 1 of Tang et al. 2013: all methods on all models, then studies."""

    name = "rigid"
    title = "Rigid bodies"
    summary = "rigid bodies"
    description = "Measure table 1 of Tang et al. 2013, compared with Coal and python-fcl."
    figures = "figures 6 and 7 of the paper"
    peers = (("coal", "coal"), ("fcl", "python-fcl"))
    positive = ("trials",)
    judge = staticmethod(goals.goals)
    notes = NOTES

    def __init__(self, args: argparse.Namespace) -> None:
        """Prepare a run."""
        super().__init__(args)
        self.cases: list[Case] = []

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Declare models, trials and studies."""
        choose(parser, "models", "models")
        parser.add_argument("--trials", type=int, default=200, metavar="N", help="trials per model")
        parser.add_argument("--seed", type=int, default=2013, metavar="N", help="seed of trials")
        parser.add_argument("--no-studies", action="store_true", help="omit the studies")

    def find_fault(self) -> str | None:
        """Return an error message if a case is unknown; the name of its first model is enough."""
        unknown = [name for name in self.listed("models", ()) if resolve(name) is None]
        if unknown:
            return f"--models: expected some of {', '.join(available())}, got {', '.join(unknown)}"
        return None

    def measure(self) -> None:
        """Measure all cases, then the studies."""
        args, record = self.args, self.record
        record["protocol"] = {"trials": args.trials, "tolerance": TOLERANCE, "seed": args.seed}
        self.note(self.verified(), *self.missing_peers())
        record["models"] = {}
        for name in filter(None, map(resolve, self.listed("models", available()))):
            progress(name)
            case = load_case(name, args.trials, args.seed)
            self.cases.append(case)
            record["models"][name] = measure_case(case, not args.no_peers)
        record["studies"] = {} if args.no_studies else self.measure_studies()

    def verified(self) -> str:
        """Return a note about the reference of the answers."""
        if not self.args.no_peers and optional("coal"):
            return "Every answer of every method was compared with coal before it was timed."
        return "Without coal, the methods were compared with each other only."

    def measure_studies(self) -> Record:
        """Measure threads, overhead, bodies that fit, growth and building."""
        progress("batches")
        made: Record = {"scaling": studies.scaling(self.cases[0])}
        made |= {"overhead_us": studies.overhead(), "calls": single_calls()}
        progress("bodies that fit")
        made["fits"] = fits.measure()
        progress("growth")
        known = next((case for case in self.cases if case.name == KNOT), None)
        poses = known or load_case(KNOT, self.args.trials, self.args.seed)
        made["growth"] = studies.growth(knots(studies.SIZES), poses, not self.args.no_peers)
        progress("building")
        made["build"] = studies.build(*knot(100_000))
        return made

    def tables(self) -> list[Table]:
        """Return the table of the paper, spreads, distances and studies."""
        models = self.record["models"]
        tables = [main_table(models), spread_table(models)]
        if any(model.get("near") for model in models.values()):
            tables.append(near_table(models))
        if self.record["studies"]:
            tables += study_tables(self.record["studies"])
        return tables

    def extra_notes(self) -> list[str | None]:
        """Return the numbers of wrong statuses of python-fcl."""
        return [fcl_note(self.record["models"])]

    def draw(self, folder: Path) -> list[Path]:
        """Draw the work per trial."""
        return plots.draw(self.cases, folder)
