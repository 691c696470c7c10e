"""Runs of `toccata.scale` over the same rows: verification and times."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from multiprocessing import active_children
from pathlib import Path
from shutil import rmtree
from typing import Any

import numpy as np

from toccata import scale
from toccata_bench.scale.batches import digest_of, save
from toccata_bench.scale.machine import Took, stopwatch
from toccata_bench.scale.motions import Motions, draw, write
from toccata_bench.verify import WrongAnswer

SAMPLE = 20_000
"""Number of rows of the first run that are compared with a batch."""


@dataclass(frozen=True, slots=True)
class Run:
    """Times and memory of one run."""

    took: Took
    memory: dict[int, list[float]]
    """Peak memory of each worker in MB, after each of its parts."""


@dataclass(slots=True)
class Experiment:
    """A dataset in a folder, and the verdicts that all runs must produce."""

    folder: Path
    motions: Motions
    rows_per_part: int
    source: Path = field(init=False)
    _files: dict[str, bytes] = field(default_factory=dict)
    """Hashes of the part files of the first run, which was compared with the batch."""
    _answers: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def make(cls, folder: Path, rows: int, rows_per_part: int) -> Experiment:
        """Draw motions and write them."""
        return cls(folder, draw(rows), rows_per_part)

    def __post_init__(self) -> None:
        """Write the dataset, and the same rows for the batches."""
        self.source = write(self.motions, self.folder / "motions")
        save(self.motions, self.folder)

    @property
    def target(self) -> Path:
        """Folder of complete verdicts, made by a run if there are none."""
        if not self._files:
            self.run(2)
        return self.folder / "verdicts"

    def run(self, workers: int, executor: Any = "processes", **options: Any) -> Run:
        """Check the whole dataset into a new folder; verdicts are compared afterwards, untimed."""
        target = self.folder / f"verdicts-{executor if isinstance(executor, str) else 'client'}"
        memory: dict[int, list[float]] = {}
        how = {"executor": executor, "workers": workers, "rows_per_part": self.rows_per_part}
        with stopwatch() as took:
            self.check(target, progress=lambda _: note_memory(memory), **how | options)
        self.compare(target)
        return Run(took(), memory)

    def check(self, target: Path, **how: Any) -> scale.Summary:
        """Check the dataset; parts in the target are not computed again."""
        robot, world = self.motions.robot, self.motions.world
        return scale.check_motions(self.source, target, robot=robot, world=world, **how)

    def compare(self, target: Path) -> None:
        """Compare part files with those of the first run, bit by bit."""
        found = hashes(target)
        if self._files:
            if found != self._files:
                raise WrongAnswer(f"{target.name}: part files differ from those of the first run")
            rmtree(target)
            return
        self._verify(target)
        self._files = found
        target.rename(self.folder / "verdicts")

    def _verify(self, target: Path) -> None:
        """Compare a sample of rows with the batch."""
        motions = self.motions
        verdicts = scale.load(target)
        rows = np.random.default_rng(0).permutation(len(motions))[:SAMPLE]
        batch = motions.robot.first_contact_batch(
            motions.start[rows], motions.end[rows], motions.world
        )
        names = np.array([*verdicts.names["link_b"], ""])
        told = names[verdicts["link_b"][rows]], names[batch.link_b]
        expected = digest_of(batch.status, batch.toc, batch.safe_until)
        columns = [verdicts[name] for name in ("status", "toc", "safe_until")]
        if (
            digest_of(*(column[rows] for column in columns)) != expected
            or (told[0] != told[1]).any()
        ):
            raise WrongAnswer(f"{target.name}: verdicts differ from those of first_contact_batch")
        self._answers = dict(zip(("status", "toc", "safe_until"), columns, strict=True))

    def verify_batch(self, first: int, stop: int, digest: bytes) -> None:
        """Compare the verdicts of a span of rows with a batch."""
        _ = self.target
        if digest_of(*(column[first:stop] for column in self._answers.values())) != digest:
            raise WrongAnswer(f"rows {first} to {stop}: verdicts differ from those of the batch")


def hashes(target: Path) -> dict[str, bytes]:
    """Return a hash of each part file."""
    return {
        path.name: blake2b(path.read_bytes(), digest_size=16).digest()
        for path in sorted(target.glob("*.parquet"))
    }


def note_memory(memory: dict[int, list[float]]) -> None:
    """Record the peak memory of each worker in MB, if the system reports it."""
    for process in active_children():
        path = Path(f"/proc/{process.pid}/status")
        lines = path.read_text().splitlines() if path.exists() else []
        for line in lines:
            if line.startswith("VmHWM:"):
                memory.setdefault(process.pid or 0, []).append(int(line.split()[1]) / 1e3)
