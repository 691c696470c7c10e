"""`toccata bench deforming`: whole steps and elementary tests, answers first, beside ipctk."""

import argparse
from pathlib import Path

from toccata_bench.deforming import elementary, goals, methods, sources, studies, tables
from toccata_bench.deforming.ipc_queries import PATIENCE, QUICK_PATIENCE
from toccata_bench.deforming.steps import measure_model
from toccata_bench.goal import summary_table
from toccata_bench.peers import optional
from toccata_bench.record import cores, provenance
from toccata_bench.running import Record, find_unknown, print_report, progress, run_benchmark

SECTIONS = ("first", "all", "methods", "elementary", "threads", "growth", "memory")
QUICK_SIZE = 20_000
NOTES = (
    "One thread, unless said otherwise. Totals are processor time, which on one thread of an idle"
    " machine is the time that passes, the best of three to two hundred rounds; stages are shares"
    " of it.",
    "Whole steps are asked with a tolerance of 1e-6, a length, which is Tight Inclusion's too. Its"
    " step size and AdditiveCCD's are shortened by design (0.8 and 0.9 of the distance).",
    "A model's row is the mean over its steps: one without contact, one with few, one with many.",
    "In a sequence: the model is there, as ipctk's mesh is before its clock starts, and has made a"
    " step to v0 from v0 - (v1 - v0), where the same motion would have come from.",
    "ipctk was cut short after --peer-limit seconds of processor time per question; figures with"
    " >= take it that it had been done just then.",
    "TI is Tight Inclusion in its raw form with tolerance 1e-6, ACCD is AdditiveCCD, which"
    " certifies nothing; both net of the call from Python. A set that takes TI too long is"
    " cut.",
    "Early: exact time less reported time, in parts of the step; ACCD early: in parts of the"
    " exact time.",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options of the command."""
    parser.add_argument("--only", metavar="A,B", help=f"only these of {', '.join(SECTIONS)}")
    parser.add_argument("--models", metavar="A,B", help="only these models")
    parser.add_argument("--quick", action="store_true", help="small models, no memory")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--no-peers", action="store_true", help="leave ipctk out")
    parser.add_argument(
        "--peer-limit", type=float, default=60.0, metavar="S", help="s per question for ipctk"
    )
    parser.add_argument("--markdown", action="store_true", help="print Markdown tables")


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    return run_benchmark(args, find_fault, measure, report)


def find_fault(args: argparse.Namespace) -> str | None:
    """Return what is wrong with the options before anything long begins."""
    return find_unknown("--only", sections(args), SECTIONS) or find_unknown(
        "--models", wanted(args), available()
    )


def sections(args: argparse.Namespace) -> list[str]:
    """Return the sections asked for; without any, all of them."""
    if args.only:
        return str(args.only).split(",")
    return [name for name in SECTIONS if not (args.quick and name == "memory")]


def available() -> list[str]:
    """Return the names of all models that are at hand."""
    return [*sources.frame_names(), *sources.model_names()]


def wanted(args: argparse.Namespace) -> list[str]:
    """Return the names of the models asked for; without any, all that are at hand."""
    return str(args.models).split(",") if args.models else available()


def load(name: str, quick: bool) -> sources.Model:
    """Load or build a model; a quick run asks for small ones."""
    progress(f"loading {name}")
    if name.startswith("frames/"):
        return sources.frame(name)
    return sources.model(name, QUICK_SIZE if quick else None)


def measure(args: argparse.Namespace) -> Record:
    """Measure what was asked for, section by section."""
    peers, chosen = not args.no_peers and optional("ipctk") is not None, sections(args)
    record: Record = provenance()
    record["notes"] = missing(args.no_peers)
    record["peer_limit"] = args.peer_limit if peers else None
    record |= {"models": {}, "elementary": {}, "candidates": {}, "studies": {}}
    if {"first", "all", "methods", "threads"} & set(chosen):
        measure_steps(args, record, peers)
    if "elementary" in chosen:
        measure_queries(args, record, peers)
    if "growth" in chosen:
        progress("growth")
        record["studies"]["growth"] = studies.growth(args.quick)
    if "memory" in chosen:
        progress("memory")
        record["studies"]["memory"] = studies.memory(10 * args.peer_limit)
    record["goals"] = {goal.figure: goal.record() for goal in goals.goals(record)}
    return record


def missing(no_peers: bool) -> list[str]:
    """Return a note for all that is not at hand, and say it at once."""
    notes = sources.missing()
    if not no_peers and optional("ipctk") is None:
        notes.append("ipctk: not installed, its rows are left out (pip install ipctk)")
    if no_peers or optional("ipctk") is None:
        notes.append("Without ipctk generated models were held against the other methods only.")
    for note in notes:
        progress(note)
    return notes


def measure_steps(args: argparse.Namespace, record: Record, peers: bool) -> None:
    """Measure model after model: methods, peer, threads; none stays in memory."""
    chosen = sections(args)
    modes = [mode for mode in ("first", "all") if mode in chosen]
    for name in wanted(args):
        model = load(name, args.quick)
        if modes:
            progress(name)
            steps = measure_model(model, modes, args.peer_limit if peers else None)
            record["models"][name] = steps
            record["notes"] += [note for step in steps for note in step.pop("notes")]
        if "methods" in chosen:
            progress(f"{name}, methods")
            record["studies"].setdefault("methods", {}).update(methods.compare([model]))
        if "threads" in chosen and cores() > 1:
            progress(f"{name}, threads")
            record["studies"].setdefault("threads", {}).update(studies.threads([model]))


def measure_queries(args: argparse.Namespace, record: Record, peers: bool) -> None:
    """Measure the sets of queries, and the candidates of the frames."""
    patience = (QUICK_PATIENCE if args.quick else PATIENCE) if peers else None
    for queries in sources.query_sets():
        progress(queries.name)
        record["elementary"][queries.name] = elementary.measure_set(queries, patience)
    frames = [name for name in wanted(args) if name.startswith("frames/")]
    for name in frames if peers else []:
        progress(f"{name}, candidates")
        for queries in elementary.candidates([sources.frame(name)], args.peer_limit):
            found = elementary.measure_candidates(queries, patience)
            record["candidates"][queries.name] = found


def report(record: Record, args: argparse.Namespace) -> None:
    """Print the tables and what has to be known to read them."""
    models, found = record["models"], []
    modes = [
        mode for mode in ("first", "all") if any(mode in s for m in models.values() for s in m)
    ]
    found += [tables.table_1(models, mode) for mode in modes]
    found += [tables.table_2(models, modes[-1]), tables.time_table(models)] if modes else []
    if record["elementary"]:
        found.append(tables.elementary_table(record["elementary"]))
    if record["candidates"]:
        found.append(tables.candidate_table(record["candidates"]))
    found += tables.study_tables(record["studies"])
    asked = [goal for goal in goals.goals(record) if goal.found or not args.only]
    found.append(summary_table(asked))
    print_report(record, found, NOTES, args.markdown)
