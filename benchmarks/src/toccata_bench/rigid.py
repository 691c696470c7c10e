"""`toccata bench rigid`: the rigid benchmarks, answers first, then times and targets."""

import argparse
from functools import partial
from pathlib import Path
from typing import Any

from toccata_bench import fits, plots, studies, summary
from toccata_bench.calls import single_calls
from toccata_bench.cases import KNOT, available, knot, knots, load_case, resolve
from toccata_bench.measure import measure_case
from toccata_bench.near import near_table, near_targets
from toccata_bench.peers import missing, optional
from toccata_bench.protocol import TOLERANCE, Case
from toccata_bench.record import provenance
from toccata_bench.running import Record, print_report, progress, run_benchmark


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("--trials", type=int, default=200, metavar="N", help="trials per model")
    parser.add_argument("--models", metavar="A,B", help="only these models")
    parser.add_argument("--seed", type=int, default=2013, help="seed of the trials")
    parser.add_argument("--plots", type=Path, metavar="DIR", help="draw figures 6 and 7 into DIR")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--no-peers", action="store_true", help="leave coal and python-fcl out")
    parser.add_argument("--no-studies", action="store_true", help="only the table of methods")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")


def main(**options: Any) -> int:
    """Run with keyword options named as on the command line; what is left out is the default."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    unknown = set(options) - set(vars(parser.parse_args([])))
    if unknown:
        raise TypeError(f"options: expected those of the command line, got {sorted(unknown)}")
    return run(argparse.Namespace(**(vars(parser.parse_args([])) | options)))


def run(args: argparse.Namespace) -> int:
    """Measure, print and draw."""
    cases: list[Case] = []
    code = run_benchmark(args, find_fault, partial(measure, cases=cases), report)
    if code == 0 and args.plots:
        progress("plots")
        for path in plots.draw(cases, args.plots):
            progress(str(path))
    return code


def find_fault(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options before anything long begins."""
    if args.trials < 1:
        return f"--trials: expected a positive number, got {args.trials}"
    unknown = [name for name in wanted(args) if resolve(name) is None]
    if unknown:
        return f"--models: expected some of {', '.join(available())}, got {', '.join(unknown)}"
    return plots.check_available() if args.plots else None


def wanted(args: argparse.Namespace) -> list[str]:
    """Return the names asked for; without any, all that are available."""
    return args.models.split(",") if args.models else available()


def measure(args: argparse.Namespace, cases: list[Case]) -> Record:
    """Measure all cases, then the studies; `cases` keeps what was measured."""
    peers = not args.no_peers
    record: Record = provenance()
    record["protocol"] = {"trials": args.trials, "tolerance": TOLERANCE, "seed": args.seed}
    record["notes"] = [verified(peers), *(missing() if peers else [])]
    record["models"] = {}
    for name in filter(None, map(resolve, wanted(args))):
        progress(name)
        cases.append(load_case(name, args.trials, args.seed))
        record["models"][name] = measure_case(cases[-1], peers)
    record["studies"] = {} if args.no_studies else make_studies(args, cases)
    add_targets(record)
    return record


def verified(peers: bool) -> str:
    """Say what the answers were held against."""
    if peers and optional("coal"):
        return "Every answer of every method was held against coal before it was timed."
    return "Without coal the methods were held against each other only."


def make_studies(args: argparse.Namespace, cases: list[Case]) -> Record:
    """Measure threads, overhead, bodies that fit, growth and building."""
    progress("batches")
    made: Record = {"scaling": studies.scaling(cases[0]), "overhead_us": studies.overhead()}
    made["calls"] = single_calls()
    progress("bodies that fit")
    made["fits"] = fits.measure()
    progress("growth")
    known = next((case for case in cases if case.name == KNOT), None)
    poses = known or load_case(KNOT, args.trials, args.seed)
    made["growth"] = studies.growth(knots(studies.SIZES), poses, not args.no_peers)
    progress("building")
    made["build"] = studies.build(*knot(100_000))
    return made


def add_targets(record: Record) -> None:
    """Put every target with its verdict into the record."""
    for name, model in record["models"].items():
        goals = summary.case_targets(name, model) | near_targets(model.get("near", {}))
        model["targets"] = {label: goal.record() for label, goal in goals.items() if goal}
    reached = studies.targets(record["studies"])
    record["studies"]["targets"] = {label: goal.record() for label, goal in reached.items()}


def report(record: Record, args: argparse.Namespace) -> None:
    """Print the tables and what has to be known to read them."""
    models = record["models"]
    tables = [summary.main_table(models), summary.spread_table(models)]
    if any(model.get("near") for model in models.values()):
        tables.append(near_table(models))
    if not args.no_studies:
        tables += summary.study_tables(record["studies"])
    print_report(record, tables, (*summary.NOTES, summary.fcl_note(models)), args.markdown)
