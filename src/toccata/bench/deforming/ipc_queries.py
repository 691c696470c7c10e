"""The narrow phases of ipctk query by query, net of what a call from Python costs.

Tight Inclusion is asked in its raw form, which returns the time it found; AdditiveCCD, which
certifies nothing in floating point, as it comes.
"""

from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata.bench.deforming.distance import Array, Kind
from toccata.bench.deforming.peer import quiet
from toccata.bench.deforming.sources import QuerySet

Record = dict[str, Any]
Ask = Callable[..., tuple[Any, ...]]

PEERS = ("TightInclusion", "AdditiveCCD")
# Degenerate queries take Tight Inclusion seconds each: a set gets this long, then it is cut.
PATIENCE = 10.0
# A set that is done soon is asked again: the best of a few rounds was the least disturbed.
ROUNDS, SOON = 3, 1.0
IDLE_CALLS = 2000


def narrow_phase(name: str, kind: Kind) -> Ask:
    """Return the peer's function for one kind of query."""
    ipctk = quiet()
    owner = ipctk.tight_inclusion if name == "TightInclusion" else ipctk.AdditiveCCD()
    ask: Ask = owner.point_triangle_ccd if kind == "vertex-face" else owner.edge_edge_ccd
    return ask


def time_peer(name: str, queries: QuerySet, exact: Array | None) -> Record:
    """Return times in microseconds per query, wrong answers, and by how much times are early."""
    ask, calls = narrow_phase(name, queries.kind), arguments(queries)
    times, hits, tocs = run(ask, calls)
    for _ in range(ROUNDS - 1 if times.sum() < SOON else 0):
        times = np.minimum(times, run(ask, calls)[0])
    done, idle = len(times), idle_call(ask)
    net = np.maximum(0.0, 1e6 * (times - idle))
    truth = queries.collides[:done]
    record: Record = {
        "done": done,
        "all_us": mean(net),
        "colliding_us": mean(net[truth]),
        "worst_us": float(net.max(initial=0.0)),
        "missed": int((truth & ~hits).sum()),
        "false_positives": int((hits & ~truth).sum()),
    }
    if exact is not None:
        known = truth & hits & np.isfinite(exact[:done])
        first = exact[:done][known]
        gap = first - tocs[known]
        record["early"] = mean(gap)
        record["early_share"] = mean(gap / np.maximum(first, 1e-300))
    return record


def arguments(queries: QuerySet) -> list[tuple[Array, ...]]:
    """Return the eight points of each query, made ahead of the clock."""
    both = np.concatenate([queries.start, queries.end], axis=1)
    return [tuple(row) for row in both]


def run(ask: Ask, calls: list[tuple[Array, ...]]) -> tuple[Array, NDArray[np.bool_], Array]:
    """Ask query by query until the patience is used up: times, answers, times of contact."""
    times, hits, tocs, begin = [], [], [], perf_counter()
    for call in calls:
        before = perf_counter()
        answer = ask(*call)
        after = perf_counter()
        times.append(after - before)
        hits.append(bool(answer[0]))
        tocs.append(float(answer[1]))
        if after - begin > PATIENCE:
            break
    return np.array(times), np.array(hits, dtype=bool), np.array(tocs)


def idle_call(ask: Ask) -> float:
    """Return the typical time of a query whose points rest far apart, so that nothing is done."""
    points = tuple(np.array(p) for p in np.random.default_rng(1).normal(size=(4, 3)))
    points = (points[0] + 1e3, points[1] + 1e3, *points[2:])
    times = run(ask, [points + points] * IDLE_CALLS)[0]
    return float(np.median(times))


def mean(values: Array) -> float | None:
    """Return the mean, None without values."""
    return float(values.mean()) if len(values) else None
