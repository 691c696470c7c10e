"""Shows a batch query: thousands of motions of the same two bodies, as arrays, on all cores."""

import numpy as np
import trimesh
from numpy.typing import NDArray

import toccata as tc

COUNT = 2_000

rng = np.random.default_rng(2013)
bar = trimesh.creation.box((0.8, 0.1, 0.1))
ring = trimesh.creation.torus(1.0, 0.2)


def random_poses(side: float) -> NDArray[np.float64]:
    """Return randomly turned poses to the left (-1) or to the right (1) of the ring."""
    points = rng.uniform((2.0, -1.5, -1.5), (3.0, 1.5, 1.5), (COUNT, 3)) * (side, 1.0, 1.0)
    turns = rng.uniform(-2.0, 2.0, (COUNT, 3))
    poses = [tc.pose(point, rotvec=turn) for point, turn in zip(points, turns, strict=True)]
    return np.stack(poses)


start, end = random_poses(-1.0), random_poses(1.0)
result = tc.first_contact_batch(bar, ring, start, end, tolerance=1e-4)
for status in tc.Status:
    print(f"{status.name:<16} {np.count_nonzero(result.status == status):5}")

# `toc` is infinite for free motions, so comparisons and minima need no special case.
first = int(np.argmin(result.toc))
print(f"{np.count_nonzero(result.toc < 0.5)} motions touch before t = 0.5")
print(f"earliest: motion {first} at t = {result.toc[first]:.6f}")

# Answers do not depend on the number of threads.
alone = tc.first_contact_batch(bar, ring, start, end, tolerance=1e-4, threads=1)
print("same bits with one thread:", alone.toc.tobytes() == result.toc.tobytes())
