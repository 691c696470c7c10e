"""`toccata bench robots`: motions of robots, answers first, beside samplers and HPP."""

from __future__ import annotations

import argparse
from pathlib import Path

from toccata.scenes.robots import planar_arm
from toccata_bench.goal import summary_table
from toccata_bench.peers import optional
from toccata_bench.record import cores, provenance
from toccata_bench.robots import goals, studies, tables
from toccata_bench.robots.ask import METHODS, STAGES, is_known, known_methods
from toccata_bench.robots.calls import calls
from toccata_bench.robots.cases import CASES, SEQUENCES, Case
from toccata_bench.robots.hpp_peer import libraries
from toccata_bench.robots.measure import Peers, measure_case
from toccata_bench.running import Record, find_unknown, print_report, progress, run_benchmark

SECTIONS = ("cases", "stages", "sequences", "batch", "chains", "calls", "loading")
MOTIONS, QUICK_MOTIONS = 200, 16
STAGED = {"puma-pipes": "Table 1", "puma-room": "Table 2"}
"""Cases whose stages are switched on and off, and the table of Redon et al. 2004 they stand for."""
NOTES = (
    "One thread, unless said otherwise. Times are processor time per motion, the best of three"
    " rounds (our methods: seven, in turn; the scan at 1 mm: one; the overhead of a batch: fifty;"
    " stages: of each motion, the best of seven), of single calls from Python.",
    "Motions start free of contact; half of each level collides. The largest angle of a joint is"
    " the level; directions are random.",
    "Sampling tests configurations so close that no point moves more than 10 mm between them, the"
    " last first, then the middle, then the quarters, and stops at the first that collides; the"
    " scan goes in order of time. Both are one compiled call of pinocchio and coal per motion;"
    " making the configurations is not timed.",
    "OMPL's discrete validator samples at 0.5% of the extent of the joint space, MoveIt's default.",
    "VAMP is quoted, not run here: it samples spheres around the links, another geometry, and"
    " proves nothing between the samples; beside it stands a certified answer for the meshes.",
    "HPP is hpp-core's continuous validation by dichotomy, no penetration allowed, which says yes"
    " or no; its paths are made ahead of the clock.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("--only", metavar="A,B", help=f"only these of {', '.join(SECTIONS)}")
    parser.add_argument("--cases", metavar="A,B", help="only these cases and sequences")
    parser.add_argument("--motions", type=int, metavar="N", help="motions a level, half colliding")
    parser.add_argument("--quick", action="store_true", help="few motions, no machine room")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--no-peers", action="store_true", help="leave the peers out")
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    return run_benchmark(args, find_fault, measure, report)


def find_fault(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options before anything long begins."""
    if args.motions is not None and args.motions < 2:
        return f"--motions: expected at least 2, got {args.motions}"
    return find_unknown("--only", sections(args), SECTIONS) or find_unknown(
        "--cases", wanted(args), [*CASES, *SEQUENCES]
    )


def sections(args: argparse.Namespace) -> list[str]:
    """Return the sections asked for; without any, all of them."""
    return str(args.only).split(",") if args.only else list(SECTIONS)


def wanted(args: argparse.Namespace) -> list[str]:
    """Return the names of the cases asked for; a quick run leaves the machine room out."""
    if args.cases:
        return str(args.cases).split(",")
    return [name for name in (*CASES, *SEQUENCES) if not (args.quick and name == "puma-room")]


def measure(args: argparse.Namespace) -> Record:
    """Measure what was asked for, section by section."""
    chosen = sections(args)
    record: Record = provenance()
    record["notes"] = missing(args.no_peers)
    record |= {"cases": {}, "sequences": {}, "studies": {}}
    for name in wanted(args):
        part = "cases" if name in CASES else "sequences"
        if part in chosen or (name in STAGED and {"stages", "batch"} & set(chosen)):
            measure_one(args, name, record)
    if "chains" in chosen:
        progress("chains")
        record["studies"]["chains"] = studies.chains(max(2, count(args) // 4), has_sampler(args))
    if "loading" in chosen:
        progress("loading")
        record["studies"]["loading"] = studies.loading()
    if "calls" in chosen:
        progress("calls")
        record["studies"]["calls"] = calls()
    record["goals"] = {goal.figure: goal.record() for goal in goals.goals(record)}
    return record


def count(args: argparse.Namespace) -> int:
    """Return the number of motions a level."""
    return int(args.motions or (QUICK_MOTIONS if args.quick else MOTIONS))


def has_sampler(args: argparse.Namespace) -> bool:
    """Whether the independent reference takes part."""
    return not args.no_peers and None not in (optional("pinocchio"), optional("coal"))


def missing(no_peers: bool) -> list[str]:
    """Return a note for all that is not at hand, and say it at once."""
    notes = []
    wanted = {"pinocchio": "pin", "coal": "coal", "ompl": "ompl"}
    for name, package in wanted.items():
        if not no_peers and optional(name) is None:
            notes.append(f"{package}: not installed, its rows are left out (pip install {package})")
    if not no_peers and libraries() is None:
        notes.append("hpp-python: not installed, its rows are left out (pip install hpp-python)")
    if no_peers or optional("pinocchio") is None or optional("coal") is None:
        notes.append("Without pinocchio and coal the methods were held against each other only.")
    arm = planar_arm()
    unknown = [method for method in METHODS if method not in known_methods(arm)]
    notes += [f"{method}: not a method for robots yet, its rows are empty" for method in unknown]
    if not is_known(arm, {"method": "interval", "stages": STAGES["3"]}):
        notes.append("interval: stages cannot be switched yet, tables 1 and 2 are left out")
    for note in notes:
        progress(note)
    return notes


def load(name: str, motions: int) -> Case:
    """Build a case or a sequence."""
    progress(f"making {name}")
    return (CASES | SEQUENCES)[name](motions)


def measure_one(args: argparse.Namespace, name: str, record: Record) -> None:
    """Measure a case: methods and peers, and the studies that are made on it."""
    try:
        case = load(name, count(args))
    except ModuleNotFoundError as error:
        note = f"SKIPPED {name}: {error}"
        progress(note)
        record["notes"].append(note)
        return
    chosen = sections(args)
    part = "cases" if name in CASES else "sequences"
    if part in chosen:
        progress(name)
        record[part][name] = measure_case(case, Peers() if args.no_peers else Peers.of(case))
        record["notes"] += record[part][name]["notes"]
    if "stages" in chosen and name in STAGED:
        progress(f"{name}, stages")
        if found := studies.stages(case):
            record["studies"].setdefault("stages", {})[name] = found
    if "batch" in chosen and name == "puma-pipes":
        progress(f"{name}, batch")
        one = studies.batch(case) if cores() > 1 else {}
        record["studies"]["batch"] = one | {"overhead_us": studies.overhead()}


def report(record: Record, args: argparse.Namespace) -> None:
    """Print the tables and what has to be known to read them."""
    found = []
    for name, levels in record["studies"].get("stages", {}).items():
        rows = ("1+2+3",) if name == "puma-pipes" else tuple(STAGES)
        title = f"{STAGED[name]} of Redon et al. 2004, {name}, interval, milliseconds per motion"
        found.append(tables.stage_table(title, levels, rows))
    for name in (name for name in STAGED if name in record["cases"]):
        title = f"{name}, all methods, milliseconds per motion"
        found.append(tables.method_table(title, record["cases"][name]))
    if record["sequences"]:
        cases = dict(record["sequences"])
        if puma := record["cases"].get("puma-pipes"):
            cases["Puma, 15 deg"] = {"levels": {"15 deg": puma["levels"]["15 deg"]}}
        found.append(tables.tang_table(cases))
    found += [tables.case_table(name, case) for name, case in record["cases"].items()]
    found += tables.study_tables(record["studies"])
    asked = [goal for goal in goals.goals(record) if goal.found or not args.only]
    if asked:
        found.append(summary_table(asked))
    print_report(record, found, NOTES, args.markdown)
