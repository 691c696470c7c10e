"""Baseline of datasets: processes that have their rows in memory and call one batch."""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from itertools import pairwise
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from toccata_bench.scale.machine import Took, stopwatch
from toccata_bench.scale.motions import Motions

_WARM = 200


@dataclass(frozen=True, slots=True)
class Timed:
    """Times of one process for its batch, and a hash of its answers."""

    rows: int
    seconds: float
    processor: float
    digest: bytes
    """Hash of status, toc and safe_until of all its rows."""


def digest_of(status: Any, toc: Any, safe_until: Any) -> bytes:
    """Return a hash of answers, bit by bit."""
    found = blake2b(digest_size=16)
    for column, kind in ((status, np.int8), (toc, np.float64), (safe_until, np.float64)):
        found.update(np.asarray(column, dtype=kind).tobytes())
    return found.digest()


def save(motions: Motions, folder: Path) -> Path:
    """Write the input of the processes before the clock starts."""
    np.save(folder / "start.npy", motions.start)
    np.save(folder / "end.npy", motions.end)
    (folder / "models").write_bytes(pickle.dumps((motions.robot, motions.world)))
    return folder


def time_batches(folder: Path, cuts: list[int]) -> tuple[list[Timed], Took]:
    """Answer the rows between consecutive cuts, each span in its own process, at the same time."""
    spans = list(pairwise(cuts))
    with _processes(folder, spans) as pipes:
        for pipe in pipes:
            pipe.recv()  # the process is ready
        with stopwatch() as took:
            for pipe in pipes:
                pipe.send("go")
            timed = [pipe.recv() for pipe in pipes]
    return timed, took()


@contextmanager
def _processes(folder: Path, spans: list[tuple[int, int]]) -> Iterator[list[Any]]:
    context = get_context("spawn")
    pipes, processes = [], []
    for span in spans:
        here, there = context.Pipe()
        process = context.Process(target=_answer, args=(there, folder, *span), daemon=True)
        process.start()
        pipes.append(here)
        processes.append(process)
    try:
        yield pipes
    finally:
        for process in processes:
            process.join(10)
            process.kill()


def _answer(pipe: Any, folder: Path, first: int, stop: int) -> None:
    """Answer rows in a child process."""
    robot, world = pickle.loads((folder / "models").read_bytes())
    start, end = (np.load(folder / f"{name}.npy")[first:stop].copy() for name in ("start", "end"))
    robot.first_contact_batch(start[:_WARM], end[:_WARM], world, threads=1)
    pipe.send("ready")
    pipe.recv()
    began, worked = perf_counter(), process_time()
    found = robot.first_contact_batch(start, end, world, threads=1)
    took = perf_counter() - began, process_time() - worked
    pipe.send(Timed(stop - first, *took, digest_of(found.status, found.toc, found.safe_until)))
