"""Work in a child process, which can be stopped and whose memory can be measured."""

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import NDArray

from toccata_bench.deforming.sources import Step
from toccata_bench.process import failure
from toccata_bench.record import Record

SPENT: Record = {"job": "spent"}
# Seconds for a child to load, and factor by which its elapsed time may exceed its processor time.
LOADING, BUSY = 30.0, 3.0


def run(module: str, words: Sequence[str], limit: float) -> list[Record]:
    """Run a module of this package, and return the records that it prints within `limit` seconds.

    A child that the system kills, for example for its use of memory, counts as too slow. If the
    child used up the processor time that it set itself (`peer.arm`), the last record is `SPENT`.
    """
    command = [sys.executable, "-m", f"toccata_bench.deforming.{module}", *words]
    try:
        done = subprocess.run(command, capture_output=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired as late:
        return lines(late.stdout)
    except subprocess.CalledProcessError as error:
        if error.returncode < 0:
            spent = -error.returncode == getattr(signal, "SIGPROF", None)
            return lines(error.stdout) + ([SPENT] if spent else [])
        raise failure(module, error) from error
    return lines(done.stdout)


def lines(text: bytes | None) -> list[Record]:
    """Parse one JSON object per line."""
    return [json.loads(line) for line in (text or b"").decode().splitlines() if line]


def save(step: Step, folder: str) -> str:
    """Write a step for a child and return the path."""
    path = Path(folder) / "step.npz"
    arrays: Record = {"v0": step.v0, "v1": step.v1, "faces": step.faces}
    if step.roots is not None:
        arrays["roots"] = step.roots
    np.savez(path, **arrays)
    return str(path)


def load(path: str) -> Step:
    """Read a step in a child."""
    with np.load(path) as data:
        arrays = data["v0"], data["v1"], data["faces"]
        return Step("child", *arrays, roots=data.get("roots"))


def peer_times(step: Step, jobs: Sequence[str], limit: float) -> dict[str, Record]:
    """Return ipctk's answer to each job, which may take `limit` seconds of processor time.

    If a job takes longer, its record is `at_least` this limit. Each job has its own process, and
    its clock starts when the mesh exists. A job that ends without an answer is left out.
    """
    answers: dict[str, Record] = {}
    with TemporaryDirectory() as folder:
        path = save(step, folder)
        for job in jobs:
            for found in run("peer", [path, f"limit={limit}", job], LOADING + BUSY * limit):
                answers[job] = {"at_least": limit} if found is SPENT else found
    return answers


def peer_pairs(step: Step, limit: float) -> dict[str, NDArray[np.int64]] | None:
    """Return the candidates of ipctk's broad phase as vertex ids; None if it takes too long."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pairs.npz"
        if not run("peer", [save(step, folder), f"pairs={path}"], limit):
            return None
        with np.load(path) as data:
            return {kind: data[kind] for kind in ("vertex-face", "edge-edge")}


def peak_memory(step: Step, everything: bool, limit: float) -> Record | None:
    """Return the peak memory of one step in a process without other work, None if it fails."""
    with TemporaryDirectory() as folder:
        mode = "all" if everything else "first"
        found = run("memory", [save(step, folder), mode], limit)
    return found[0] if found else None
