"""Many parts of few rows: overhead per part, and parts per second."""

from __future__ import annotations

from pathlib import Path

from toccata_bench.progress import progress
from toccata_bench.record import Record
from toccata_bench.scale.runs import Experiment, hashes
from toccata_bench.scale.speed import WORKERS, opened, start_seconds
from toccata_bench.verify import WrongAnswer

PARTS, QUICK_PARTS = 1_000, 30
ROWS = 10
"""Rows of each part."""


def measure_parts(folder: Path, parts: int) -> tuple[Record, list[str]]:
    """Return the seconds of a run by each executor, and notes."""
    experiment = Experiment.make(folder, parts * ROWS, ROWS)
    notes: list[str] = []
    found: Record = {"parts": parts, "start_s": start_seconds(experiment, WORKERS)}
    batch = len(hashes(experiment.target))
    if batch != parts:
        raise WrongAnswer(f"expected {parts} parts, got {batch}")
    with opened(notes) as clusters:
        for name, executor in clusters.items():
            progress(f"{parts} small parts, {name}")
            found[name] = experiment.run(WORKERS, executor).took.seconds
    return found, notes
