"""`toccata bench deforming`: whole steps and elementary tests, compared with ipctk."""

import argparse

from toccata_bench.benchmark import Benchmark, choose
from toccata_bench.deforming import elementary, goals, methods, sources, studies, tables
from toccata_bench.deforming.ipc_queries import PATIENCE, QUICK_PATIENCE
from toccata_bench.deforming.steps import measure_model
from toccata_bench.peers import optional
from toccata_bench.progress import progress
from toccata_bench.record import cores
from toccata_bench.table import Table

QUICK_SIZE = 20_000


class Deforming(Benchmark):
    """Tables 1 and 2 of He et al. 2015, elementary tests and studies."""

    name = "deforming"
    title = "Deforming meshes"
    summary = "deforming meshes"
    description = "Measure tables 1 and 2 of He et al. 2015, compared with ipctk."
    sections = ("first", "all", "methods", "elementary", "threads", "growth", "memory")
    quick = "small models, no memory"
    peers = (("ipctk", "ipctk"),)
    judge = staticmethod(goals.goals)
    notes = (
        "Measurements use one thread, unless stated otherwise. Totals are processor time, which"
        " equals the elapsed time of one thread on an idle machine. The best of 3 to 200 rounds"
        " counts. Stages are fractions of the total.",
        "Whole steps have a tolerance of 1e-6, a length, which Tight Inclusion uses too. The step"
        " sizes of Tight Inclusion and AdditiveCCD are shortened by design (0.8 and 0.9 of the"
        " distance).",
        "The row of a model is the mean over its steps: a step without contact, a step with few"
        " contacts, and a step with many contacts.",
        "In a sequence, the model exists before the clock starts, as ipctk's mesh does. It has"
        " already made a step from v0 - (v1 - v0) to v0, with the same motion.",
        "ipctk was stopped after --peer-limit seconds of processor time per query. Numbers with"
        " >= assume that it would have finished at that time.",
        "TI is Tight Inclusion in its raw form with tolerance 1e-6. ACCD is AdditiveCCD, which"
        " certifies nothing. Both times exclude the call from Python. A set of queries is cut"
        " short if it takes TI too long.",
        "'Early' is the exact time minus the reported time, as a fraction of the step. 'ACCD"
        " early' is a fraction of the exact time.",
    )

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Declare models and the limit of the peer."""
        choose(parser, "models", "models")
        parser.add_argument(
            "--peer-limit",
            type=float,
            default=60.0,
            metavar="S",
            help="processor time of ipctk per query, in seconds",
        )

    def find_fault(self) -> str | None:
        """Return an error message if a model is unknown."""
        return self.find_unknown("models", available())

    @property
    def chosen(self) -> tuple[str, ...]:
        """Sections to measure; a quick run omits the memory unless --only is given."""
        skipped = {"memory"} if self.args.quick and not self.args.only else set()
        return tuple(section for section in super().chosen if section not in skipped)

    @property
    def has_peer(self) -> bool:
        """True if ipctk is installed and not left out."""
        return not self.args.no_peers and optional("ipctk") is not None

    def models(self) -> list[str]:
        """Return the names of the models to measure."""
        return self.listed("models", available())

    def measure(self) -> None:
        """Measure section by section."""
        args, record, chosen = self.args, self.record, self.chosen
        self.note(*sources.missing(), *self.missing_peers())
        if not self.has_peer:
            self.note("Without ipctk, methods were compared with each other only.")
        record["peer_limit"] = args.peer_limit if self.has_peer else None
        record |= {"models": {}, "elementary": {}, "candidates": {}, "studies": {}}
        if {"first", "all", "methods", "threads"} & set(chosen):
            for name in self.models():
                self.measure_steps(name)
        if "elementary" in chosen:
            self.measure_queries()
        if "growth" in chosen:
            progress("growth")
            record["studies"]["growth"] = studies.growth(args.quick)
        if "memory" in chosen:
            progress("memory")
            record["studies"]["memory"] = studies.memory(10 * args.peer_limit)

    def measure_steps(self, name: str) -> None:
        """Measure methods, the peer and threads on one model, which is then released."""
        record, chosen = self.record, self.chosen
        model = load(name, self.args.quick)
        modes = [mode for mode in ("first", "all") if mode in chosen]
        if modes:
            progress(name)
            steps = measure_model(model, modes, self.args.peer_limit if self.has_peer else None)
            record["models"][name] = steps
            record["notes"] += [note for step in steps for note in step.pop("notes")]
        if "methods" in chosen:
            progress(f"{name}, methods")
            record["studies"].setdefault("methods", {}).update(methods.compare([model]))
        if "threads" in chosen and cores() > 1:
            progress(f"{name}, threads")
            record["studies"].setdefault("threads", {}).update(studies.threads([model]))

    def measure_queries(self) -> None:
        """Measure the sets of queries and the candidates of the frames."""
        limit = QUICK_PATIENCE if self.args.quick else PATIENCE
        patience = limit if self.has_peer else None
        for queries in sources.query_sets():
            progress(queries.name)
            self.record["elementary"][queries.name] = elementary.measure_set(queries, patience)
        frames = [name for name in self.models() if name.startswith("frames/")]
        for name in frames if self.has_peer else []:
            progress(f"{name}, candidates")
            for queries in elementary.candidates([sources.frame(name)], self.args.peer_limit):
                found = elementary.measure_candidates(queries, patience)
                self.record["candidates"][queries.name] = found

    def tables(self) -> list[Table]:
        """Return the tables of the paper, elementary tests and studies."""
        models, found = self.record["models"], []
        steps = [step for model in models.values() for step in model]
        modes = [mode for mode in ("first", "all") if any(mode in step for step in steps)]
        found += [tables.table_1(models, mode) for mode in modes]
        found += [tables.table_2(models, modes[-1]), tables.time_table(models)] if modes else []
        if self.record["elementary"]:
            found.append(tables.elementary_table(self.record["elementary"]))
        if self.record["candidates"]:
            found.append(tables.candidate_table(self.record["candidates"]))
        return found + tables.study_tables(self.record["studies"])


def available() -> list[str]:
    """Return the names of all models whose files are found."""
    return [*sources.frame_names(), *sources.model_names()]


def load(name: str, quick: bool) -> sources.Model:
    """Load or build a model; a quick run builds small ones."""
    progress(f"loading {name}")
    if name.startswith("frames/"):
        return sources.frame(name)
    return sources.model(name, QUICK_SIZE if quick else None)
