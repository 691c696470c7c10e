"""Distances and proximities at poses of known distance, compared with distances by coal."""

from functools import partial
from typing import Any

import numpy as np

import toccata as tc
from toccata_bench.clock import best_in_turn
from toccata_bench.goal import Goal, at_least, at_most, share
from toccata_bench.peers import CoalPair
from toccata_bench.protocol import Case
from toccata_bench.record import Record
from toccata_bench.sweep import Array
from toccata_bench.table import Table
from toccata_bench.verify import WrongAnswer

SHARES = (1e-3, 1e-2, 1e-1, 1.0)
"""Distances of the poses, as fractions of the radius of a model."""
MOST_POSES = 25
SAME = 1e-9
"""Largest accepted difference from coal."""
WITHIN, LISTED = 1.2, 1e-2
"""Proximities are queried within `WITHIN` times the distance, up to the distance `LISTED`.

At larger distances, nearly all triangles would be listed.
"""
ROUNDS = 7


def measure_near(case: Case, pair: CoalPair) -> dict[str, Record]:
    """Verify answers, then return mean times per query in microseconds, by distance."""
    found = {str(share): measure_at(case, pair, share) for share in SHARES}
    return {share: record for share, record in found.items() if record}


def measure_at(case: Case, pair: CoalPair, share: float) -> Record:
    """Verify and time queries at poses of distance `share`; without poses, return no times."""
    poses = poses_at(case, share)[1][:MOST_POSES]
    if not poses:
        return {}
    matrices = np.array([matrix(*pose) for pose in poses])
    ask = partial(tc.distance_batch, case.a, case.b, matrices, threads=1)
    asked = matrices if share <= LISTED else matrices[:0]
    lists = [partial(tc.proximities, case.a, case.b, m, distance=WITHIN * share) for m in asked]
    check(f"{case.name} at {share:g}", ask(), [pair.distance(*pose) for pose in poses], lists)
    works = (
        lambda: [pair.distance(*pose) for pose in poses],
        ask,
        lambda: [work() for work in lists],
    )
    coal, own, near = (1e6 * took / len(poses) for took in best_in_turn(works, rounds=ROUNDS))
    record = {"coal_us": coal, "distance_us": own}
    if lists:
        rows = float(np.mean([len(work()) for work in lists]))
        record |= {"proximities_us": near, "rows": rows}
    return record


def poses_at(case: Case, share: float) -> tuple[Case, list[tuple[Array, Array]]]:
    """Return the motions on which the distance falls to `share`, and a pose there on each of them.

    Motions that start within this distance are left out.
    """
    near = tc.first_contact_batch(
        case.a, case.b, case.start, case.end, separation=share, tolerance=share / 10, threads=1
    )
    keep = (near.status == tc.Status.CONTACT) & (near.toc > 0.0)
    falling = case.subset(keep)
    times = zip(falling.sweeps(), near.toc[keep], strict=True)
    return falling, [sweep.at(time) for sweep, time in times]


def matrix(rotation: Array, translation: Array) -> Array:
    """Return a pose as a matrix."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, translation
    return pose


def check(label: str, found: tc.Distances, wanted: list[float], lists: list[Any]) -> None:
    """Raise WrongAnswer unless bounds contain coal's distances and lists begin with the least."""
    reference = np.array(wanted)
    if (found.lower > reference + SAME).any() or (found.upper < reference - SAME).any():
        raise WrongAnswer(f"{label}: coal's distance is not between the bounds")
    least = np.array([work().distance[0] for work in lists])
    if lists and np.abs(least - found.distance).max() > SAME:
        raise WrongAnswer(f"{label}: the first proximity is not at the least distance")


def goals(models: dict[str, Record]) -> list[Goal]:
    """Return the goals for distances and proximities."""
    distances = at_least("coal distance / distance", 5.0, "x")
    proximities = at_most("proximities / coal distance", 3.0, "x")
    for name, model in models.items():
        for apart, one in model.get("near", {}).items():
            distances.add(f"{name} at {apart}", share(one["coal_us"], one["distance_us"]))
        nearest = model.get("near", {}).get(str(SHARES[0]), {})
        proximities.add(name, share(nearest.get("proximities_us"), nearest.get("coal_us")))
    return [distances, proximities]


def near_table(models: dict[str, Record]) -> Table:
    """Return a table of times and ratios, with a row for each model and distance."""
    rows: list[list[object]] = []
    for name, model in models.items():
        for apart, r in model.get("near", {}).items():
            near = r.get("proximities_us")
            ratios = r["coal_us"] / r["distance_us"], near and near / r["coal_us"]
            times = r["coal_us"], r["distance_us"], near
            rows.append([f"{name} at {apart}", *times, r.get("rows"), *ratios])
    header = ["", "coal distance", "distance", "proximities", "rows"]
    ratios_of = ["coal / distance", "proximities / coal"]
    return Table("Distances and proximities, microseconds per query", [*header, *ratios_of], rows)
