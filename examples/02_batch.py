"""Thousands of motions of the same two bodies: arrays in, arrays out, all cores."""

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata.scenes import models

COUNT = 2_000

rng = np.random.default_rng(2013)
knot = tc.Mesh(*models.unit(*models.torus_knot(4_000)))
ring = tc.Mesh(*models.unit(*models.torus()))


def random_poses(side: float) -> NDArray[np.float64]:
    """Poses to the left (-1) or to the right (1) of the ring, turned at random."""
    places = rng.uniform((2.0, -1.5, -1.5), (3.0, 1.5, 1.5), (COUNT, 3)) * (side, 1.0, 1.0)
    turns = rng.uniform(-2.0, 2.0, (COUNT, 3))
    poses = [tc.pose(place, rotvec=turn) for place, turn in zip(places, turns, strict=True)]
    return np.stack(poses)


start, end = random_poses(-1.0), random_poses(1.0)
result = tc.first_contact_batch(knot, ring, start, end, tolerance=1e-4)
for status in tc.Status:
    print(f"{status.name:<16} {np.count_nonzero(result.status == status):5}")

# toc is infinite for what is free, so plain comparisons do what they should.
first = int(np.argmin(result.toc))
print(f"{np.count_nonzero(result.toc < 0.5)} touch before t = 0.5")
print(f"earliest: motion {first} at t = {result.toc[first]:.6f}")

# The answers do not depend on the number of threads, to the last bit.
alone = tc.first_contact_batch(knot, ring, start, end, tolerance=1e-4, threads=1)
print("same bits with one thread:", alone.toc.tobytes() == result.toc.tobytes())
