"""What is near, at poses of known distance: one query each, held against coal's distance."""

from functools import partial
from typing import Any

import numpy as np

import toccata as tc
from toccata_bench.clock import best_in_turn
from toccata_bench.peers import CoalPair
from toccata_bench.protocol import Case
from toccata_bench.record import Record
from toccata_bench.sweep import Array, Sweep
from toccata_bench.table import Table, Target
from toccata_bench.verify import WrongAnswer

SHARES = (1e-3, 1e-2, 1e-1, 1.0)
"""Distances at which is asked, as shares of the radius of a model."""
MOST_POSES = 25
SAME = 1e-9
"""How much coal may differ."""
WITHIN, LISTED = 1.2, 1e-2
"""Proximities are asked for within this many times the distance, up to this share: farther away
nearly all triangles are near each other."""
ROUNDS = 7


def measure_near(case: Case, pair: CoalPair) -> dict[str, Record]:
    """Return means per query at each distance, in microseconds, after all answers were verified."""
    found = {str(share): measure_at(case, pair, share) for share in SHARES}
    return {share: record for share, record in found.items() if record}


def measure_at(case: Case, pair: CoalPair, share: float) -> Record:
    """Verify and time at poses at which the distance is `share`; nothing without such poses."""
    poses = poses_at(case, share)
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


def poses_at(case: Case, share: float) -> list[tuple[Array, Array]]:
    """Return poses on the motions of a case, each just when the distance has sunk to `share`."""
    near = tc.first_contact_batch(
        case.a, case.b, case.start, case.end, separation=share, tolerance=share / 10, threads=1
    )
    keep = (near.status == tc.Status.CONTACT) & (near.toc > 0.0)
    ends = zip(case.start[keep], case.end[keep], near.toc[keep], strict=True)
    return [Sweep(start, end).at(time) for start, end, time in ends][:MOST_POSES]


def matrix(rotation: Array, translation: Array) -> Array:
    """Return a pose as toccata takes it."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = rotation, translation
    return pose


def check(label: str, found: tc.Distances, wanted: list[float], lists: list[Any]) -> None:
    """Raise WrongAnswer unless bounds hold coal's distances, which the lists begin with."""
    reference = np.array(wanted)
    if (found.lower > reference + SAME).any() or (found.upper < reference - SAME).any():
        raise WrongAnswer(f"{label}: coal's distance is not between the bounds")
    least = np.array([work().distance[0] for work in lists])
    if lists and np.abs(least - found.distance).max() > SAME:
        raise WrongAnswer(f"{label}: the least distance is not among the proximities")


def near_targets(records: dict[str, Record]) -> dict[str, Target | None]:
    """Return the targets of one case."""
    shares = {share: record for share, record in records.items() if record}
    targets: dict[str, Target | None] = {
        f"coal distance / distance, at {share}": Target.ratio(
            record["coal_us"], record["distance_us"], 5.0, more=True
        )
        for share, record in shares.items()
    }
    nearest = shares.get(str(SHARES[0]), {})
    targets["proximities / coal distance"] = Target.ratio(
        nearest.get("proximities_us"), nearest.get("coal_us"), 3.0, more=False
    )
    return targets


def near_table(models: dict[str, Record]) -> Table:
    """Return a row for each model and distance, with the ratios."""
    rows: list[list[object]] = []
    for name, model in models.items():
        for share, r in model.get("near", {}).items():
            near = r.get("proximities_us")
            ratios = r["coal_us"] / r["distance_us"], near and near / r["coal_us"]
            times = r["coal_us"], r["distance_us"], near
            rows.append([f"{name} at {share}", *times, r.get("rows"), *ratios])
    header = ["", "coal distance", "distance", "proximities", "rows"]
    ratios_of = ["coal / distance", "proximities / coal"]
    return Table("What is near, microseconds per query", [*header, *ratios_of], rows)
