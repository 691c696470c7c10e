"""`toccata bench robots`: motions of robots, compared with samplers and HPP."""

import argparse

from toccata_bench.benchmark import Benchmark, choose
from toccata_bench.peers import missing_peer, optional
from toccata_bench.progress import progress
from toccata_bench.record import cores
from toccata_bench.robots import goals, studies, tables
from toccata_bench.robots.ask import STAGES
from toccata_bench.robots.calls import calls
from toccata_bench.robots.cases import CASES, SEQUENCES
from toccata_bench.robots.hpp_peer import libraries
from toccata_bench.robots.measure import Peers, measure_case
from toccata_bench.table import Table

MOTIONS, QUICK_MOTIONS = 200, 16
STAGED = {"puma-pipes": "Table 1", "puma-room": "Table 2"}
"""Cases measured with each stage on and off, and their table in Redon et al. 2004."""


class Robots(Benchmark):
    """Tables 1 and 2 of Redon et al. 2004, table 2 of Tang et al. 2013, and studies."""

    name = "robots"
    title = "Robots"
    summary = "robots and other articulated models"
    description = (
        "Measure tables 1 and 2 of Redon et al. 2004 and table 2 of Tang et al. 2013, compared with"
        " samplers and HPP."
    )
    sections = ("cases", "stages", "sequences", "batch", "chains", "calls", "loading")
    quick = "few motions, no machine room"
    peers = (("pinocchio", "pin"), ("coal", "coal"), ("ompl", "ompl"))
    judge = staticmethod(goals.goals)
    notes = (
        "Measurements use one thread, unless stated otherwise. Times are processor time per"
        " motion for single calls from Python. The best of three rounds counts. Exceptions: seven"
        " alternating rounds for our methods, one for the scan at 1 mm, fifty for the overhead of"
        " a batch, and seven for each motion of the stages.",
        "Motions start free of contact, and half of the motions of each level collide. The level"
        " is the largest angle of a joint. Directions are random.",
        "Sampling tests configurations so close that no point moves more than 10 mm between them."
        " It tests the last configuration first, then the middle, then the quarters, and stops at"
        " the first collision. The scan tests configurations in the order of time. Both are one"
        " compiled call of pinocchio and coal per motion. Computing the configurations is not"
        " timed.",
        "The discrete validator of OMPL samples at 0.5% of the extent of the joint space, which"
        " is the default of MoveIt.",
        "VAMP is quoted, not run. It samples, with spheres around the links as geometry, and"
        " proves nothing between the samples. The table shows a certified answer for the meshes"
        " beside it.",
        "HPP is the continuous validation of hpp-core by dichotomy, without penetration. It"
        " answers yes or no. Its paths are made before the clock starts.",
    )

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Declare cases and motions."""
        choose(parser, "cases", "cases and sequences")
        parser.add_argument(
            "--motions", type=int, metavar="N", help=f"motions of a level; default: {MOTIONS}"
        )

    def find_fault(self) -> str | None:
        """Return an error message if a case is unknown or has too few motions."""
        if self.args.motions is not None and self.args.motions < 2:
            return f"--motions: expected 2 or more, got {self.args.motions}"
        return self.find_unknown("cases", [*CASES, *SEQUENCES])

    @property
    def count(self) -> int:
        """Number of motions of a level."""
        return int(self.args.motions or (QUICK_MOTIONS if self.args.quick else MOTIONS))

    @property
    def has_sampler(self) -> bool:
        """True if pinocchio and coal, the independent reference, are installed and not left out."""
        return not self.args.no_peers and None not in (optional("pinocchio"), optional("coal"))

    def missing_peers(self) -> list[str]:
        """Return a note for each peer that is not installed, HPP included."""
        notes = super().missing_peers()
        if not self.args.no_peers and libraries() is None:
            notes.append(missing_peer("hpp-python"))
        if not self.has_sampler:
            notes.append("Without pinocchio and coal, methods were compared with each other only.")
        return notes

    def measure(self) -> None:
        """Measure section by section."""
        record, chosen = self.record, self.chosen
        self.note(*self.missing_peers())
        record |= {"cases": {}, "sequences": {}, "studies": {}}
        usual = [name for name in (*CASES, *SEQUENCES) if not (self.args.quick and "room" in name)]
        for name in self.listed("cases", usual):
            part = "cases" if name in CASES else "sequences"
            if part in chosen or (name in STAGED and {"stages", "batch"} & set(chosen)):
                self.measure_one(name, part)
        if "chains" in chosen:
            progress("chains")
            chains = studies.chains(max(2, self.count // 4), self.has_sampler)
            record["studies"]["chains"] = chains
        if "loading" in chosen:
            progress("loading")
            record["studies"]["loading"] = studies.loading()
        if "calls" in chosen:
            progress("calls")
            record["studies"]["calls"] = calls()

    def measure_one(self, name: str, part: str) -> None:
        """Measure a case: methods, peers and the studies that use it."""
        record, made = self.record, self.record["studies"]
        try:
            progress(f"making {name}")
            case = (CASES | SEQUENCES)[name](self.count)
        except ModuleNotFoundError as error:
            self.note(f"SKIPPED {name}: {error}")
            return
        if part in self.chosen:
            progress(name)
            record[part][name] = measure_case(
                case, Peers() if self.args.no_peers else Peers.of(case)
            )
            record["notes"] += record[part][name]["notes"]
        if "stages" in self.chosen and name in STAGED:
            progress(f"{name}, stages")
            made.setdefault("stages", {})[name] = studies.stages(case)
        if "batch" in self.chosen and name == "puma-pipes":
            progress(f"{name}, batch")
            one = studies.batch(case) if cores() > 1 else {}
            made["batch"] = one | {"overhead_us": studies.overhead()}

    def tables(self) -> list[Table]:
        """Return the tables of both papers, then of cases and studies."""
        record, found = self.record, []
        for name, levels in record["studies"].get("stages", {}).items():
            rows = ("1+2+3",) if name == "puma-pipes" else tuple(STAGES)
            title = f"{STAGED[name]} of Redon et al. 2004, {name}, interval, ms per motion"
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
        return found + tables.study_tables(record["studies"])
