"""Peers for rigid bodies: coal and python-fcl.

coal has no continuous query. It is therefore measured by two loops of conservative advancement on
its distances, as a careful user may write them. python-fcl samples the motion, so it may miss
contacts, and its linear motion rotates about a point that is never set. Only its time counts.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from math import inf
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from toccata_bench.sweep import Array, Sweep

# Fraction of the upper bound that a query has to prove. Half of the distance costs one more step,
# but the query of each step prunes nearly all node pairs.
CONTROL = 0.5


class Surface(Protocol):
    """Attributes of a mesh that peers need."""

    @property
    def vertices(self) -> NDArray[np.float64]:
        """Vertices (n, 3)."""

    @property
    def faces(self) -> NDArray[np.int32]:
        """Vertex indices of triangles (m, 3)."""


@dataclass(frozen=True, slots=True)
class Advance:
    """Result of a loop: the bodies are apart before `time`; inf for the whole motion."""

    time: float
    distance: float
    iterations: int


def optional(name: str) -> Any:
    """Import a peer, or return None; all peers are optional."""
    try:
        return import_module(name)
    except ImportError:
        return None


def missing_peer(package: str) -> str:
    """Return a note about a package that is not installed."""
    return f"{package}: not installed, its rows are left out (pip install {package})"


def coal_mesh(vertices: NDArray[np.float64], faces: NDArray[np.int32]) -> Any:
    """Return a mesh with coal's fastest hierarchy for collision checks and distances."""
    model = import_module("coal").BVHModelOBBRSS()
    model.beginModel(len(faces), len(vertices))
    model.addVertices(np.ascontiguousarray(vertices))
    model.addTriangles(np.ascontiguousarray(faces, dtype=np.int64))
    model.endModel()
    return model


class CoalPair:
    """Two meshes in coal, b at rest; request, result and transform are reused."""

    def __init__(self, a: Surface, b: Surface) -> None:
        self._coal = import_module("coal")
        self._a, self._b = coal_mesh(a.vertices, a.faces), coal_mesh(b.vertices, b.faces)
        self.radius = float(np.linalg.norm(a.vertices, axis=1).max())
        self._request = self._coal.DistanceRequest()
        self._request.enable_signed_distance = False
        self._result = self._coal.DistanceResult()
        self._ask, self._hits = self._coal.CollisionRequest(), self._coal.CollisionResult()
        self._pose, self._rest = self._coal.Transform3s(), self._coal.Transform3s.Identity()

    def distance(self, rotation: Array, translation: Array, bound: float | None = None) -> float:
        """Return min(bound, distance); a bound prunes the search."""
        self._pose.setTransform(rotation, translation)
        self._result.clear()
        if bound is not None:
            self._result.min_distance = bound
        measure = self._coal.distance
        return float(measure(self._a, self._pose, self._b, self._rest, self._request, self._result))

    def collides(self, rotation: Array, translation: Array) -> bool:
        """Return whether the bodies touch at one pose: a discrete check."""
        self._pose.setTransform(rotation, translation)
        self._hits.clear()
        check = self._coal.collide
        return bool(check(self._a, self._pose, self._b, self._rest, self._ask, self._hits))

    def witness(self) -> tuple[Array, Array] | None:
        """Return the closest points of the last query in world coordinates, None if pruned."""
        if self._result.b1 < 0:
            return None
        return np.array(self._result.getNearestPoint1()), np.array(self._result.getNearestPoint2())


def advance(pair: CoalPair, sweep: Sweep, tolerance: float, start: float = 0.0) -> Advance:
    """Advance by distance / speed bound until within `tolerance`, as in textbooks.

    The speed bound holds for every point of the body. A tighter bound along the direction of the
    witness would be wrong, because another pair of points of a concave shape may approach faster.
    """
    speed, t, steps = sweep.speed(pair.radius), start, 0
    while t <= 1.0:
        steps += 1
        gap = pair.distance(*sweep.at(t))
        if gap <= tolerance:
            return Advance(t, gap, steps)
        t = step(t, gap, speed)
    return Advance(inf, gap, steps)


def step(t: float, gap: float, speed: float) -> float:
    """Return the time before which a gap cannot close; inf for a body that does not move."""
    return t + gap / speed if speed > 0.0 else inf


def advance_tuned(pair: CoalPair, sweep: Sweep, tolerance: float) -> Advance:
    """Advance with pruned queries: the last witness, moved with the body, bounds the next distance.

    Far from contact, a query only has to prove a fraction of this bound. Close to contact, the
    distance is exact.
    """
    speed, t, steps = sweep.speed(pair.radius), 0.0, 0
    held: tuple[Array, Array] | None = None  # on a in body axes, on b in world axes
    while t <= 1.0:
        steps += 1
        rotation, translation = sweep.at(t)
        bound = None
        if held is not None:
            upper = float(np.linalg.norm(rotation @ held[0] + translation - held[1]))
            # The factor keeps the distance of the witness strictly below the bound.
            bound = CONTROL * upper if CONTROL * upper > tolerance else upper * (1.0 + 1e-9)
        gap = pair.distance(rotation, translation, bound)
        if gap <= tolerance:
            return Advance(t, gap, steps)
        if (points := pair.witness()) is not None:
            held = (points[0] - translation) @ rotation, points[1]
        t = step(t, gap, speed)
    return Advance(inf, gap, steps)


class FclSampler:
    """Continuous collision by sampling in python-fcl; transforms are made before timing."""

    def __init__(self, a: Surface, b: Surface, samples: int) -> None:
        self._fcl = import_module("fcl")
        self._a = self._model(a)
        self._rest = self._fcl.Transform()
        self._b = self._fcl.CollisionObject(self._model(b), self._rest)
        self._request = self._fcl.ContinuousCollisionRequest(
            num_max_iterations=samples,
            toc_err=1.0 / samples,  # the solver uses the smaller of the two counts
            ccd_motion_type=self._fcl.CCDMotionType.CCDM_LINEAR,
            ccd_solver_type=self._fcl.CCDSolverType.CCDC_NAIVE,
        )

    def _model(self, mesh: Surface) -> Any:
        model = self._fcl.BVHModel()
        model.beginModel(len(mesh.vertices), len(mesh.faces))
        model.addSubModel(mesh.vertices, mesh.faces)
        model.endModel()
        return model

    def prepare(self, starts: Array, ends: Array) -> Sequence[tuple[Any, Any]]:
        """Return a collision object at each start and a transform for each end."""
        bodies = [self._fcl.CollisionObject(self._a, self._transform(pose)) for pose in starts]
        return list(zip(bodies, map(self._transform, ends), strict=True))

    def _transform(self, pose: Array) -> Any:
        return self._fcl.Transform(pose[:3, :3], pose[:3, 3])

    def first(self, prepared: tuple[Any, Any]) -> float:
        """Return the time of the first sample in collision, inf for none."""
        body, end = prepared
        result = self._fcl.ContinuousCollisionResult()
        self._fcl.continuousCollide(body, end, self._b, self._rest, self._request, result)
        return float(result.time_of_contact) if result.is_collide else inf

    def first_of_all(self, prepared: Sequence[tuple[Any, Any]]) -> list[float]:
        """Return the time of the first sample in collision for each prepared trial."""
        return [self.first(one) for one in prepared]
