"""The peer, ipctk: its broad phase alone, then its step size with each of its narrow phases.

It runs in its own process (`python -m toccata_bench.deforming.peer STEP.npz limit=S JOB...`), which
ends itself after S seconds of processor time, because some steps take minutes. Each line of output
is a JSON object. ipctk is limited to one thread. The output has both elapsed time and processor
time, so a use of more threads would be visible.
"""

import json
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata_bench.clock import enough, take_rounds

# Most candidates that are converted to Python objects of about 100 bytes.
MOST_PAIRS = 8_000_000
# Seconds after which a disarmed timer no longer affects the clock of processor time.
TICK = 0.05


class Peer:
    """One step in ipctk, on one thread."""

    def __init__(self, v0: NDArray[Any], v1: NDArray[Any], faces: NDArray[Any]) -> None:
        self._ipc = quiet()
        self._v0, self._v1 = np.asfortranarray(v0), np.asfortranarray(v1)
        corners = np.asfortranarray(faces, dtype=np.int32)
        self._mesh = self._ipc.CollisionMesh(self._v0, self._ipc.edges(corners), corners)

    def candidates(self) -> Any:
        """Run the broad phase alone."""
        found = self._ipc.Candidates()
        found.build(self._mesh, self._v0, self._v1, broad_phase=self._ipc.LBVH())
        return found

    def step_size(self, narrow: str) -> float:
        """Return the step size by one of its narrow phases."""
        work = self._ipc.compute_collision_free_stepsize
        phases = {"broad_phase": self._ipc.LBVH(), "narrow_phase_ccd": getattr(self._ipc, narrow)()}
        return float(work(self._mesh, self._v0, self._v1, **phases))

    def pairs(self) -> dict[str, NDArray[np.int64]] | None:
        """Return the candidates as the vertices of both features, None if there are too many."""
        found = self.candidates()
        if len(found) > MOST_PAIRS:
            return None
        faces, edges = np.asarray(self._mesh.faces), np.asarray(self._mesh.edges)
        vf = as_ids([(one.vertex_id, one.face_id) for one in found.fv_candidates])
        ee = as_ids([(one.edge0_id, one.edge1_id) for one in found.ee_candidates])
        return {
            "vertex-face": np.concatenate([vf[:, :1], faces[vf[:, 1]]], axis=1),
            "edge-edge": np.concatenate([edges[ee[:, 0]], edges[ee[:, 1]]], axis=1),
        }


def as_ids(pairs: list[tuple[int, int]]) -> NDArray[np.int64]:
    """Return pairs as an (n, 2) array, even if there are none."""
    return np.array(pairs, dtype=np.int64).reshape(-1, 2)


def quiet() -> Any:
    """Import ipctk, and limit it to one thread and to messages about errors."""
    ipctk = import_module("ipctk")
    ipctk.set_num_threads(1)
    ipctk.set_logger_level(ipctk.LoggerLevel.error)
    return ipctk


def arm(limit: float) -> None:
    """Make the system end this process after `limit` more seconds of processor time; 0 for never.

    Where the system has no such timer, the parent ends the process by its own clock.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_PROF, limit)


def timed(work: Callable[[], Any], limit: float) -> tuple[Any, float, float]:
    """Return the answer of the fastest round, its elapsed time, and its processor time."""
    found: list[tuple[Any, float, float]] = []

    def measured() -> float:
        wall, busy = perf_counter(), process_time()
        answer = work()
        found.append((answer, perf_counter() - wall, process_time() - busy))
        return found[-1][1]

    # While the timer is armed, the system counts processor time in ticks of some milliseconds, and
    # the shortest of several rounds would be too short. Only the first round is armed, and it
    # counts only if it is so long that no other round follows.
    arm(limit)
    took = measured()
    arm(0.0)
    if not enough(1, took):
        sleep(TICK)
        found.clear()
        take_rounds(measured)
    return min(found, key=itemgetter(2))


def run(peer: Peer, job: str, limit: float) -> dict[str, Any]:
    """Do one job: `broad`, or the name of a narrow phase."""
    if job == "broad":
        found, seconds, busy = timed(peer.candidates, limit)
        value: Any = len(found)
    else:
        value, seconds, busy = timed(lambda: peer.step_size(job), limit)
    return {"job": job, "value": value, "seconds": seconds, "cpu_seconds": busy}


def main(path: str, *jobs: str) -> None:
    """Load a step, then print a line for each job; `pairs=FILE` writes the candidates.

    `limit=S` applies to the jobs after it.
    """
    with np.load(path) as data:
        peer = Peer(data["v0"], data["v1"], data["faces"])
    limit = 0.0
    for job in jobs:
        if job.startswith("limit="):
            limit = float(job.removeprefix("limit="))
        elif job.startswith("pairs="):
            if (found := peer.pairs()) is not None:
                arrays: dict[str, Any] = dict(found)
                np.savez(Path(job.removeprefix("pairs=")), **arrays)
                print(json.dumps({"job": "pairs"}), flush=True)
        else:
            print(json.dumps(run(peer, job, limit)), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
