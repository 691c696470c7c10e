"""`toccata bench scale`: datasets of motions, compared with batches of the same rows."""

import argparse
import json
from pathlib import Path
from tempfile import TemporaryDirectory

from toccata_bench.benchmark import Benchmark
from toccata_bench.peers import optional
from toccata_bench.progress import progress
from toccata_bench.record import Record
from toccata_bench.scale import goals, paper, small_parts, speed, stages, tables
from toccata_bench.scale.motions import FILES, TURNS
from toccata_bench.scale.runs import Experiment
from toccata_bench.table import Table

ROWS, QUICK_ROWS = 1_000_000, 20_000


class Scale(Benchmark):
    """Workers compared with batches, restarts, clusters, and an estimate for a hundred workers."""

    name = "scale"
    title = "Datasets"
    summary = "datasets of a million motions"
    description = (
        "Measure workers compared with batches of the same rows, restarts and clusters, and"
        " estimate the time of a hundred workers. With --only, the other sections of an existing"
        " --json file are kept."
    )
    sections = ("speed", "overhead", "stages", "restart", "clusters", "parts")
    quick = "fewer rows and one round"
    positive = ("rounds",)
    judge = staticmethod(goals.goals)
    notes = (
        "The motions are motions of the Puma among pipes and start at random configurations"
        f" without contact. In each motion, the joint that turns farthest turns by {TURNS[0]} to"
        f" {TURNS[1]} rad. The source has {FILES} files of equal size with one row group each. They"
        " are read from memory, because they were just written.",
        "A sample of rows is compared with first_contact_batch before the timing. All rows are"
        " compared with the timed batches afterwards. Part files of all runs are equal bit by bit.",
        "A batch is a process with one thread and its rows in memory. Only its calls are timed,"
        " and the rates of all batches are added. A run includes planning, the start of processes,"
        " models, reading, writing and the final check. 'models built' excludes the start of"
        " processes.",
        "Runs and batches take turns in an alternating order, and the best round of each counts."
        " 'others' is the fraction of the machine that other processes used in these rounds, for"
        " batches first. 'processor time' is the time of the batches / of the whole run, with"
        " start and planning.",
        "Clusters are up before the clock starts, but have not imported toccata. Processes start"
        " within their run. The summary has ratios to their run with and without the start.",
    )

    @classmethod
    def add_options(cls, parser: argparse.ArgumentParser) -> None:
        """Declare rows and rounds."""
        rows = f"motions of the dataset; default: {ROWS:,}"
        parser.add_argument("--rows", type=int, metavar="N", help=rows)
        rounds = f"rounds; default: {speed.ROUNDS}"
        parser.add_argument("--rounds", type=int, metavar="N", help=rounds)

    def find_fault(self) -> str | None:
        """Return an error message if there are too few rows or pyarrow is missing."""
        if self.args.rows is not None and self.args.rows < FILES:
            return f"--rows: expected {FILES} or more, got {self.args.rows}"
        if optional("pyarrow") is None:
            return "datasets need pyarrow: pip install 'toccata[scale]'"
        return None

    def measure(self) -> None:
        """Measure section by section on one set of files."""
        rows = self.args.rows or (QUICK_ROWS if self.args.quick else ROWS)
        self.record |= {section: {} for section in (*self.sections, "sizes")} | {"rows": rows}
        self.resume()
        with TemporaryDirectory() as folder:
            progress(f"drawing {rows:,} motions")
            rows_per_part = max(1, rows // FILES)
            experiment = Experiment.make(Path(folder), rows, min(rows_per_part, 100_000))
            for section in self.chosen:
                progress(section)
                self.record[section] = self.measure_section(section, experiment)
            self.record["sizes"] = paper.measure_sizes(experiment)
        self.record["paper"] = paper.estimate(self.record)

    def resume(self) -> None:
        """Take sections from an earlier record with the same machine, versions and rows."""
        if self.args.only and self.args.json and Path(self.args.json).exists():
            before = json.loads(Path(self.args.json).read_text(encoding="utf-8"))
            if all(before.get(key) == self.record[key] for key in ("machine", "versions", "rows")):
                self.record |= {section: before[section] for section in self.sections}

    def measure_section(self, section: str, experiment: Experiment) -> Record:
        """Measure one section."""
        quick = self.args.quick
        rounds = self.args.rounds or (speed.QUICK_ROUNDS if quick else speed.ROUNDS)
        if section in ("speed", "overhead"):
            workers = speed.WORKERS if section == "speed" else 1
            return speed.beside_batches(experiment, workers, rounds)
        if section == "stages":
            return stages.measure_stages(experiment)
        if section == "restart":
            return stages.measure_restart(experiment)
        if section == "clusters":
            found, notes = speed.beside_clusters(experiment, rounds)
        else:
            count = small_parts.QUICK_PARTS if quick else small_parts.PARTS
            found, notes = small_parts.measure_parts(experiment.folder / "small", count)
        self.note(*(text for text in notes if text not in self.record["notes"]))
        return found

    def tables(self) -> list[Table]:
        """Return a table for each section that was measured."""
        record = self.record
        beside = {"1": record["overhead"], "2": record["speed"]}
        beside = {workers: one for workers, one in beside.items() if one}
        found = [tables.batches_table(beside)] if beside else []
        if record["stages"]:
            found.append(tables.stage_table(record["stages"]))
        if record["restart"]:
            found.append(tables.restart_table(record["restart"]))
        if record["clusters"] or record["parts"]:
            found.append(tables.cluster_table(record["clusters"], record["parts"]))
        if record["paper"]:
            memory = (record["speed"] or record["overhead"])["memory_mb"]
            found.append(tables.paper_table(record["paper"], record["sizes"], memory))
        return found
