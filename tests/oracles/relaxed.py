"""Moving meshes and their distances by coal: judges of options that relax a query.

This module does not use the package: scipy interpolates poses, coal measures distances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from . import sampling
from .shapes import Points, Shape, box, random_rotation, sphere, tetrahedron, triangle, wedge

TIMES = np.concatenate([np.geomspace(1e-4, 0.08, 5), np.linspace(0.0, 1.0, 14)])

# Segments are left out: coal measures them wrongly.
SHAPES: tuple[Shape, ...] = (
    box(),
    tetrahedron(),
    wedge(),
    sphere(3, 4),
    triangle((0, 0, 0), (1, 0, 0), (0, 1, 0)),
    triangle((-0.5, 0, 0), (0.5, 0, 0), (0.5, 1e-4, 0)),  # a sliver
    box((1, 1, 0.01)),
)


@dataclass(frozen=True)
class Model:
    """A mesh of some size, loaded into coal from the same triangles.

    Coal's triangle test has absolute errors, so meshes are scaled to unit size: `scale` is a power
    of two, which is exact.
    """

    shape: Shape
    loaded: Any
    scale: float

    @classmethod
    def of(cls, shape: Shape, scale: float = 1.0) -> Model:
        """Load a shape, enlarged by `scale`."""
        return cls((shape[0] * scale, shape[1]), sampling.model(*shape), scale)


def nearest(a: Model, b: Model, at_a: Points, at_b: Points) -> tuple[float, Points]:
    """Return the distance of two meshes, and the unit vector from b to a; zero in contact."""
    coal = sampling.coal
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.enable_signed_distance = False
    transforms = [
        coal.Transform3s(np.array(p[:3, :3]), np.array(p[:3, 3]) / a.scale) for p in (at_a, at_b)
    ]
    found = float(coal.distance(a.loaded, transforms[0], b.loaded, transforms[1], request, result))
    line = np.array(result.getNearestPoint1()) - np.array(result.getNearestPoint2())
    length = float(np.linalg.norm(line))
    return max(0.0, found) * a.scale, line / length if length > 0 else np.zeros(3)


def between(start: Points, end: Points, times: NDArray[np.float64]) -> Points:
    """Return the poses of a straight motion with a constant angular velocity."""
    turn = Rotation.from_matrix(end[:3, :3] @ start[:3, :3].T).as_rotvec()
    poses = np.tile(np.eye(4), (len(times), 1, 1))
    poses[:, :3, :3] = Rotation.from_rotvec(times[:, None] * turn).as_matrix() @ start[:3, :3]
    poses[:, :3, 3] = start[:3, 3] + times[:, None] * (end[:3, 3] - start[:3, 3])
    return poses


def distances_on(
    a: Model, b: Model, poses_a: Points, poses_b: Points | None = None
) -> NDArray[np.float64]:
    """Return the distances at many poses; b stays if it has none."""
    stays = np.eye(4)
    return np.array(
        [
            nearest(a, b, pose, stays if poses_b is None else poses_b[k])[0]
            for k, pose in enumerate(poses_a)
        ]
    )


def sampled(
    distances: Callable[[NDArray[np.float64]], NDArray[np.float64]], until: float
) -> NDArray[np.float64]:
    """Return distances at times before `until`, in order; more of them about the least one."""
    times = np.sort(TIMES * min(until, 1.0))
    times = times[times < until]
    values = distances(times)
    for _ in range(2):
        k = int(values.argmin())
        more = np.linspace(times[max(k - 1, 0)], times[min(k + 1, len(times) - 1)], 6)[1:-1]
        times = np.concatenate([times, more])
        values = np.concatenate([values, distances(more)])
        order = np.argsort(times, kind="stable")
        times, values = times[order], values[order]
    return values


def start_at(
    rng: np.random.Generator, a: Model, b: Model, size: float, wanted: float
) -> tuple[Points, float, Points]:
    """Place a at about the wanted distance from b; return the distance by coal, and the normal."""
    at_b, at_a = np.eye(4), np.eye(4)
    direction = rng.normal(size=3)
    if rng.random() < 0.3:  # parallel faces and edges, coplanar ones among them
        direction = np.eye(3)[rng.integers(3)] * rng.choice([-1.0, 1.0])
        direction = direction + rng.choice([0.0, 0.1, 0.3]) * rng.normal(size=3)
    else:
        at_a[:3, :3] = random_rotation(rng)
    at_a[:3, 3] = direction / np.linalg.norm(direction) * 3 * size
    for _ in range(3):
        found, normal = nearest(a, b, at_a, at_b)
        at_a[:3, 3] -= normal * (found - wanted)
    found, normal = nearest(a, b, at_a, at_b)
    return at_a, found, normal


def ratio_near_edge(rng: np.random.Generator) -> float:
    """Draw a start distance relative to separation + tolerance; half are close to 1."""
    kind = rng.random()
    if kind < 0.4:
        return float(rng.uniform(0.98, 1.02))
    if kind < 0.6:
        return float(rng.uniform(1.01, 2.0))
    return float(rng.uniform(0.02, 1.0))


def end_of(
    rng: np.random.Generator, start: Points, normal: Points, reach: float, size: float
) -> tuple[Points, bool]:
    """Draw the end of a motion; also return whether it leads straight away from the other body."""
    end, kind = start.copy(), rng.integers(8)
    across = np.cross(normal, rng.normal(size=3))
    if kind == 0:  # apart, straight
        end[:3, 3] += normal * reach * 10 ** rng.uniform(-2, 2)
        return end, True
    if kind == 1:  # apart, at an angle
        end[:3, 3] += (normal * rng.uniform(0.01, 1) + across) * reach * 10 ** rng.uniform(-1, 1.5)
    elif kind == 2:  # nearer, by less than the distance
        end[:3, 3] -= normal * reach * rng.uniform(0.0, 1.2)
    elif kind == 3:  # along the other body, hardly nearer or farther
        end[:3, 3] += across * reach * 10 ** rng.uniform(-1, 2) + normal * reach * rng.normal() / 20
    elif kind == 4:  # not at all
        pass
    elif kind == 5:  # a little turn
        turn = Rotation.from_rotvec(rng.normal(size=3) * reach / size).as_matrix()
        end[:3, :3] = turn @ end[:3, :3]
        end[:3, 3] += rng.normal(size=3) * reach
    else:
        end[:3, :3] = random_rotation(rng)
        end[:3, 3] += rng.normal(size=3) * size * rng.choice([0.1, 1.0])
    return end, False
