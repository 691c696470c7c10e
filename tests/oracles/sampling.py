"""First contact by dense sampling with another library's distance query, then bisection.

The distance of two moving bodies changes no faster than the sum of their fastest points, so a
sample at distance d clears (d - level) / speed of the time line. This sets the density of
sampling: no contact deeper than the resolution lies between two samples.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from .body import Body
from .bracket import Bracket
from .triangles import closest
from .truth import Truth
from .vectors import vec

coal = pytest.importorskip("coal", reason="the sampling oracle needs the distance query of coal")

MAX_SAMPLES = 20_000


class SampledPair:
    """Two bodies, loaded into coal once."""

    def __init__(self, a: Body, b: Body) -> None:
        self.a, self.b = a, b
        self.models = (model(a.vertices, a.faces), model(b.vertices, b.faces))
        self.speed = a.speed + b.speed

    def distance(self, t: float) -> float:
        """Return the distance at time t; overlapping surfaces have distance zero."""
        at_a, at_b = (_transform(body.motion.quick_pose(t)) for body in (self.a, self.b))
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        found = coal.distance(self.models[0], at_a, self.models[1], at_b, request, result)
        self.nearest = (int(result.b1), int(result.b2))
        return max(0.0, float(found))

    def exact_distance_of_nearest(self, t: float) -> Any:
        """Return in 80 digits the distance of the two triangles that coal calls nearest at t."""
        self.distance(t)
        rows = (self.a.faces[self.nearest[0]], self.b.faces[self.nearest[1]])
        corners = [
            body.motion.place([vec(body.vertices[k]) for k in row], t)
            for body, row in zip((self.a, self.b), rows, strict=True)
        ]
        return closest(tuple(corners[0]), tuple(corners[1])).distance  # type: ignore[arg-type]

    @cached_property
    def accuracy(self) -> float:
        """Bound of errors of distances, well above all measured against 80 digits."""
        reach = max(float(np.abs(body.vertices).max()) for body in (self.a, self.b))
        poses = [body.motion.quick_pose(t) for body in (self.a, self.b) for t in (0.0, 0.5, 1.0)]
        return 1e-13 * (reach + max(float(np.abs(pose[:3, 3]).max()) for pose in poses))

    def first_time_within(self, level: float, resolution: float, start: float = 0.0) -> Bracket:
        """Bracket the first time after `start` with distance at most `level`.

        `lo` allows for the accuracy of the samples, `hi` is confirmed in 80 digits; `resolution`
        is a length.
        """
        lo, samples, d = start, 0, self.distance(start)
        while d - level > resolution and samples < MAX_SAMPLES:
            lo += (d - level - self.accuracy) / max(self.speed, 1e-300)
            if lo > 1:
                return Bracket(1.0, None, True)
            d, samples = self.distance(lo), samples + 1
        return Bracket(lo, self._contact_after(lo, level, resolution), False)

    def _contact_after(self, lo: float, level: float, resolution: float) -> float | None:
        """Return the first time from lo on at which a sample is within the level."""
        before, now = lo, lo
        for _ in range(MAX_SAMPLES):
            d = self.distance(now)
            if d <= level:
                return self._proven(self._bisect(before, now, level), level)
            if now >= 1:
                return None
            before, now = now, min(1.0, now + max(d - level, resolution) / max(self.speed, 1e-300))
        return None

    def _bisect(self, before: float, after: float, level: float) -> float:
        while after - before > 1e-15:
            middle = (before + after) / 2
            if middle in (before, after):
                break
            if self.distance(middle) <= level:
                after = middle
            else:
                before = middle
        return after

    def _proven(self, after: float, level: float) -> float | None:
        """Return the first time from `after` on at which 80 digits confirm the sample."""
        for k in range(20):
            t = min(1.0, after + 1e-16 * float(4**k - 1))
            if self.exact_distance_of_nearest(t) <= level:
                return float(t)
        return None


def model(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> Any:
    """Load a triangle mesh into coal."""
    result = coal.BVHModelOBBRSS()
    result.beginModel(len(faces), len(vertices))
    points, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for vertex in vertices:
        points.append(np.asarray(vertex, dtype=np.float64))
    for i, j, k in faces:
        triangles.append(coal.Triangle(int(i), int(j), int(k)))
    result.addSubModel(points, triangles)
    result.endModel()
    return result


def distance(model_a: Any, model_b: Any, at_a: Any, at_b: Any) -> float:
    """Return the distance of two loaded meshes at two poses."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    found = coal.distance(model_a, _transform(at_a), model_b, _transform(at_b), request, result)
    return max(0.0, float(found))


def _transform(pose: NDArray[np.float64]) -> Any:
    return coal.Transform3s(np.ascontiguousarray(pose[:3, :3]), np.ascontiguousarray(pose[:3, 3]))


def sampled_truth(pair: SampledPair, separation: float, tolerance: float) -> Truth:
    """Return brackets by sampling; the bodies may be large."""
    near = pair.first_time_within(separation + tolerance, tolerance / 50)
    touch = near
    if not near.free:
        touch = pair.first_time_within(separation, tolerance / 50, start=near.lo)
    return Truth(pair.a, pair.b, separation, tolerance, touch, near)
