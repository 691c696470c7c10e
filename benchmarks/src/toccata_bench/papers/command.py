"""`toccata bench papers`: every table and figure of the five papers that can be made."""

import argparse
from pathlib import Path
from time import perf_counter

from toccata._cli.output import OutputFile, check_outputs
from toccata_bench import plots
from toccata_bench.benchmark import Benchmark
from toccata_bench.papers.catalog import EXHIBITS
from toccata_bench.papers.exhibit import Exhibit, Setup
from toccata_bench.papers.listing import listing, tables
from toccata_bench.papers.page import write_page
from toccata_bench.papers.shown import Shown
from toccata_bench.progress import progress
from toccata_bench.table import Table

NAMES = [exhibit.name for exhibit in EXHIBITS]


class Papers(Benchmark):
    """Pictures and tables, and a page that shows ours beside theirs."""

    name = "papers"
    title = "Papers"
    summary = "tables and figures of the papers"
    description = (
        "Make every table and figure of the five papers that can be made, and a page that shows"
        " ours beside theirs. --markdown writes docs/papers.md."
    )
    quick = "fewer trials and smaller models"

    def __init__(self, args: argparse.Namespace) -> None:
        """Prepare a run."""
        super().__init__(args)
        self.shown: list[Shown] = []

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Declare the folder and the choice of exhibits."""
        parser.add_argument(
            "--out", type=Path, metavar="DIR", help="write pictures, index.html and tables.md"
        )
        only = "make only these, such as tang-2013/figure-7 or he-2015"
        parser.add_argument("--only", metavar="A,B", help=only)
        parser.add_argument("--list", action="store_true", help="print the names and end")

    def run(self) -> int:
        """List the exhibits, or make them."""
        if not self.args.list:
            return super().run()
        for exhibit in EXHIBITS:
            left_out = "" if exhibit.make else "  (not made)"
            print(f"{exhibit.name:<24}{exhibit.title}{left_out}")
        return 0

    def find_fault(self) -> str | None:
        """Return an error if the folder cannot be written or an exhibit is not known."""
        if self.args.record:
            return "--record: expected none, because pictures are not in records"
        if self.args.out is None:
            return "--out: expected a folder for pictures and index.html, got none"
        self.args.out.mkdir(parents=True, exist_ok=True)
        check_outputs({"out": OutputFile(self.args.out / "index.html")})
        return self.find_unknown("only", [*NAMES, *dict.fromkeys(e.paper for e in EXHIBITS)])

    def measure(self) -> None:
        """Make one exhibit after the other."""
        setup, chosen = Setup(self.args.quick), wanted(self.args.only)
        missing = plots.check_available()
        for number, exhibit in enumerate(chosen, start=1):
            progress(f"{number} of {len(chosen)}, {exhibit.name}: {exhibit.title}")
            self.shown.append(make(exhibit, setup, self.args.out, missing))
        self.record["notes"] = sorted({one.missing for one in self.shown if one.missing})
        self.record["exhibits"] = {one.exhibit.name: one.record() for one in self.shown}

    def tables(self) -> list[Table]:
        """Return the tables of all exhibits."""
        return [table for one in self.shown if one.made for table in one.made.tables]

    def about(self) -> str:
        """Return the machine, and whether the run was quick."""
        machine = self.record["machine"]
        quick = ", a quick run" if self.args.quick else ""
        return f"{machine['cpu']}, {machine['cores']} cores{quick}"

    def page(self) -> str:
        """Return docs/papers.md."""
        return listing(self.shown, self.about())

    def report(self) -> None:
        """Write the pages and print the tables."""
        target = self.args.out / "index.html"
        write_page(target, self.shown, self.about())
        page = tables(self.shown, self.about())
        (self.args.out / "tables.md").write_text(page, encoding="utf-8")
        super().report()
        made = sum(one.made is not None for one in self.shown)
        progress(f"{made} of {len(self.shown)} made: {target}")


def wanted(only: str | None) -> list[Exhibit]:
    """Return the exhibits chosen by name or by paper; all of them by default."""
    words = only.split(",") if only else []
    return [one for one in EXHIBITS if not words or one.name in words or one.paper in words]


def make(exhibit: Exhibit, setup: Setup, folder: Path, missing: str | None) -> Shown:
    """Make one exhibit and write its pictures, or note why it cannot be made."""
    one = Shown(exhibit)
    if exhibit.make is None:
        progress(f"not made: {exhibit.differs}")
        return one
    if exhibit.plots and missing:
        one.missing = missing
        progress(f"left out: {missing}")
        return one
    begin = perf_counter()
    try:
        one.keep(exhibit.make(setup), folder)
    except ModuleNotFoundError as error:
        one.missing = str(error)
        progress(f"left out: {error}")
    one.seconds = perf_counter() - begin
    return one
