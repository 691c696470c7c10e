"""Times of ipctk's narrow phases per query, less the cost of the Python call.

Tight Inclusion is called by its own functions, which return the time of contact. AdditiveCCD is not
certified in floating point.
"""

from collections.abc import Callable, Sequence
from functools import partial
from time import perf_counter, process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata_bench.clock import best
from toccata_bench.deforming.distance import Array, Kind
from toccata_bench.deforming.peer import quiet
from toccata_bench.deforming.sources import QuerySet
from toccata_bench.record import Record

Ask = Callable[..., Any]
Call = tuple[Any, ...]

PEERS = ("TightInclusion", "AdditiveCCD")
# Seconds after which a set is cut short. Tight Inclusion takes seconds for a degenerate query.
PATIENCE, QUICK_PATIENCE = 10.0, 1.0
# Seconds up to which sets are timed again as a whole, without a clock between queries.
SOON = 1.0
IDLE_CALLS = 2000
# A query takes less time than the call around it, so both have to be measured well.
LOOP_ROUNDS = 15


def time_peers(queries: QuerySet, exact: Array | None, patience: float | None) -> dict[str, Record]:
    """Time both peers for about `patience` seconds each; None leaves them out."""
    if patience is None or not len(queries.start):
        return {}
    return {name: time_peer(name, queries, exact, patience) for name in PEERS}


def time_peer(name: str, queries: QuerySet, exact: Array | None, patience: float) -> Record:
    """Return microseconds per query, numbers of wrong answers, and mean errors of times."""
    ask, calls = narrow_phase(name, queries.kind), arguments(queries)
    times, hits, tocs = run(ask, calls, patience)
    done, idle = len(times), idle_call(name, queries.kind)
    truth = queries.collides[:done]
    whole = done == len(calls) and times.sum() < SOON
    record: Record = {"done": done, "worst_us": 1e6 * max(0.0, float(times.max()) - idle)}
    for label, rows in {"all_us": np.arange(done), "colliding_us": np.flatnonzero(truth)}.items():
        mean_of = loop_mean(ask, [calls[k] for k in rows]) if whole else mean(times[rows])
        record[label] = None if mean_of is None else 1e6 * max(0.0, mean_of - idle)
    record["missed"] = int((truth & ~hits).sum())
    record["false_positives"] = int((hits & ~truth).sum())
    if exact is not None:
        known = truth & hits & np.isfinite(exact[:done])
        first = exact[:done][known]
        record["early"] = mean(first - tocs[known])
        record["early_share"] = mean(1.0 - tocs[known] / np.maximum(first, 1e-300))
    return record


def narrow_phase(name: str, kind: Kind) -> Ask:
    """Return the function of the peer for one kind of query."""
    ipctk = quiet()
    owner = ipctk.tight_inclusion if name == "TightInclusion" else ipctk.AdditiveCCD()
    ask: Ask = owner.point_triangle_ccd if kind == "vertex-face" else owner.edge_edge_ccd
    return ask


def arguments(queries: QuerySet) -> list[Call]:
    """Return the eight points of each query, made before the clock starts."""
    return [tuple(row) for row in np.concatenate([queries.start, queries.end], axis=1)]


def run(ask: Ask, calls: Sequence[Call], patience: float) -> tuple[Array, NDArray[np.bool_], Array]:
    """Query one by one until the patience is used up; return seconds, answers and times."""
    times, hits, tocs, begin = [], [], [], perf_counter()
    for call in calls:
        before = process_time()
        answer = ask(*call)
        times.append(process_time() - before)
        hits.append(bool(answer[0]))
        tocs.append(float(answer[1]))
        if perf_counter() - begin > patience:
            break
    return np.array(times), np.array(hits, dtype=bool), np.array(tocs)


def loop_mean(ask: Ask, calls: Sequence[Call]) -> float | None:
    """Return the mean time of calls in a plain loop in seconds, None without calls."""
    return best(partial(_loop, ask, calls), LOOP_ROUNDS) / len(calls) if calls else None


def _loop(ask: Ask, calls: Sequence[Call]) -> None:
    for call in calls:
        ask(*call)


def idle_call(name: str, kind: Kind) -> float:
    """Return the seconds of a call with eight points and nearly no work.

    For AdditiveCCD, this is a test of two boxes, which has the same arguments. Tight Inclusion has
    more arguments, so its query for resting points far apart is timed.
    """
    points = np.random.default_rng(1).normal(size=(4, 3))
    points[:2] += 1e3
    call: Call = (*points, *points)
    ask = narrow_phase(name, kind)
    if name == "AdditiveCCD":
        ipctk = quiet()
        boxes = ipctk.point_triangle_aabb_ccd, ipctk.edge_edge_aabb_ccd
        ask, call = boxes[kind == "edge-edge"], (*call, 0.0)
    return loop_mean(ask, [call] * IDLE_CALLS) or 0.0


def mean(values: Array) -> float | None:
    """Return the mean, None without values."""
    return float(values.mean()) if len(values) else None
