"""Elementary tests: verification, then time per query and error of the time of contact."""

from collections.abc import Callable
from typing import Any

import numpy as np

import toccata as tc
from toccata_bench.clock import best
from toccata_bench.deforming import child, reference
from toccata_bench.deforming.distance import Array, Kind, distance
from toccata_bench.deforming.ipc_queries import time_peers
from toccata_bench.deforming.sources import KINDS, Model, QuerySet
from toccata_bench.record import Record
from toccata_bench.verify import WrongAnswer

TOLERANCE = 1e-6
# Rows to which shorter batches are repeated, so that their fixed cost hardly counts.
BATCH = 20_000
# Number of candidates, evenly spaced, in a sample of a broad phase.
SAMPLE = 100_000
SINGLES = 400


def solve(queries: QuerySet, threads: int = 1) -> Any:
    """Return the answers to all queries in one call."""
    work: dict[Kind, Callable[..., Any]] = {
        "vertex-face": tc.elementary.vertex_face,
        "edge-edge": tc.elementary.edge_edge,
    }
    found = work[queries.kind](queries.start, queries.end, tolerance=TOLERANCE, threads=threads)
    return found


def measure_set(queries: QuerySet, patience: float | None) -> Record:
    """Verify one set, then return microseconds per query and errors."""
    answer = solve(queries)
    exact = check(queries, answer)
    known = np.isfinite(exact) & queries.collides
    early = exact[known] - answer.toc[known]
    record: Record = {
        "kind": queries.kind,
        "simulated": queries.simulated,
        "queries": len(queries.start),
        "colliding": int(queries.collides.sum()),
        "false_positives": int((answer.collides & ~queries.collides).sum()),
        "all_us": time_batch(queries),
        "colliding_us": time_batch(queries.subset(queries.collides)),
        "worst_us": worst_single(queries),
        "early": summarize(early),
        "peers": time_peers(queries, exact, patience),
    }
    return record


def check(queries: QuerySet, answer: Any) -> Array:
    """Raise WrongAnswer for a miss or a late time; return exact times, NaN where unknown.

    Times of the reference are exact: they are roots at which a pair touches. If the reference
    contradicts the known status, the pair stays nearly coplanar, and its time is unknown.
    """
    if (answer.status == tc.Status.UNDECIDED).any():
        raise WrongAnswer(f"{queries.name}: undecided without a budget")
    missed = queries.collides & ~answer.collides
    if missed.any():
        raise WrongAnswer(f"{queries.name}: query {int(np.flatnonzero(missed)[0])} missed")
    exact = reference.touch_times(queries.kind, queries.start, queries.end)
    exact[np.isfinite(exact) != queries.collides] = np.nan
    volumes, error = reference.coplanarity(queries.kind, queries.start, queries.end)
    stays_coplanar = (np.abs(volumes) <= error[:, None]).all(axis=1)
    late = queries.collides & (answer.toc > exact * (1.0 + 1e-9) + 1e-12)
    if late.any():
        k = int(np.flatnonzero(late)[0])
        raise WrongAnswer(f"{queries.name}: query {k} at {answer.toc[k]}, exact {exact[k]}")
    _check_near(queries, answer)
    exact[stays_coplanar] = np.nan  # there the reference is only an upper bound
    return exact


def _check_near(queries: QuerySet, answer: Any) -> None:
    """Raise WrongAnswer unless every reported pair is within the tolerance at its time."""
    hit = np.flatnonzero(answer.collides)
    start, end = queries.start[hit], queries.end[hit]
    gaps = distance(queries.kind, reference.at(start, end, answer.toc[hit]))
    far = gaps > TOLERANCE + 1e-9 * reference.size(start, end)
    if far.any():
        k = int(hit[np.flatnonzero(far)[0]])
        raise WrongAnswer(f"{queries.name}: query {k} at {answer.toc[k]} is {gaps[far][0]} apart")


def summarize(early: Array) -> Record | None:
    """Return the differences between exact and reported times, relative to the step."""
    if not len(early):
        return None
    within = float((early <= 1e-4).mean())
    return {
        "mean": float(early.mean()),
        "median": float(np.median(early)),
        "worst": float(early.max()),
        "within_1e-4": within,
    }


def time_batch(queries: QuerySet) -> float | None:
    """Return microseconds per query of a batch on one thread, None without queries."""
    count = len(queries.start)
    if not count:
        return None
    filled = queries.subset(np.arange(max(BATCH, count)) % count)
    return 1e6 * best(lambda: solve(filled)) / len(filled.start)


def worst_single(queries: QuerySet) -> float:
    """Return the time of the slowest query in microseconds, less the time of an empty call.

    Large sets are first timed in groups, and only the slowest groups are divided.
    """
    count = len(queries.start)
    group = max(1, count // SINGLES)
    starts = range(0, count, group)
    times = [_net(queries, low, min(low + group, count)) for low in starts]
    if group == 1:
        return max(times)
    slowest = [starts[int(k)] for k in np.argsort(times)[-20:]]
    return max(
        _net(queries, k, k + 1) for low in slowest for k in range(low, min(low + group, count))
    )


def _net(queries: QuerySet, low: int, high: int) -> float:
    """Return the time of some queries in microseconds, less the time of an empty call."""
    rows = np.arange(low, high)
    some, none = queries.subset(rows), queries.subset(rows[:0])
    return max(0.0, 1e6 * (best(lambda: solve(some), 5) - best(lambda: solve(none), 5)))


def candidates(models: list[Model], limit: float) -> list[QuerySet]:
    """Return samples of the candidates of a broad phase, with the answers of the reference."""
    found = []
    for model in models:
        step = model.steps[-1]
        pairs = child.peer_pairs(step, limit)
        for short, kind in KINDS.items() if pairs else ():
            ids = pairs[kind] if pairs else np.empty((0, 4), dtype=np.int64)
            ids = ids[:: max(1, len(ids) // SAMPLE)]
            start, end = step.v0[ids], step.v1[ids]
            touches = np.isfinite(reference.touch_times(kind, start, end))
            found.append(QuerySet(f"{model.name}_{short}", kind, start, end, touches))
    return found


def measure_candidates(queries: QuerySet, patience: float | None) -> Record:
    """Time a sample of candidates, and its candidates that the two cheap filters decide."""
    if (queries.collides & ~solve(queries).collides).any():
        raise WrongAnswer(f"{queries.name}: a candidate that touches was missed")
    decided = reference.apart(queries.kind, queries.start, queries.end)
    record: Record = {
        "queries": len(queries.start),
        "decided": float(decided.mean()) if len(decided) else 0.0,
        "all_us": time_batch(queries),
        "decided_us": time_batch(queries.subset(decided)),
        "peers": {},
    }
    if patience is not None:
        some = queries.subset(
            np.arange(0, len(queries.start), max(1, len(queries.start) // 10_000))
        )
        record["peers"] = time_peers(some, None, patience)
    return record
