"""Many bodies on any motions, judged by distances of another library at many times.

The contract is checked at sampled times, for all pairs together. No sample before the certified
time may be within the separation; at the time of contact the named pair must be within separation +
tolerance. More samples find more faults, and every fault found is real. Samples are dense just
before the answer, because a slightly late answer is within the separation there.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import sampling
from .inside import is_inside
from .shapes import Shape

ACCURACY = 1e-9  # error of coal, generously, for coordinates of a few units
TIMES = np.linspace(0.0, 1.0, 49)
BEFORE = 2.0 ** -np.arange(4.0, 30.0, 2.0)

Pair = tuple[str, str]


@dataclass(frozen=True)
class Member:
    """A shape, its pose as a function of time, and whether it is solid."""

    shape: Shape
    pose: Callable[[float], NDArray[np.float64]]
    solid: bool = False

    @cached_property
    def model(self) -> Any:
        """Load the shape into coal once."""
        return sampling.model(*self.shape)

    @cached_property
    def center(self) -> NDArray[np.float64]:
        """Return the center of the box around the shape."""
        points = self.shape[0]
        return np.asarray(points.min(axis=0) + points.max(axis=0)) / 2

    @cached_property
    def radius(self) -> float:
        """Return the radius of the ball about the center that contains the shape."""
        return float(np.linalg.norm(self.shape[0] - self.center, axis=1).max())


@dataclass
class Crowd:
    """Bodies by name, and the tested pairs."""

    members: dict[str, Member]
    pairs: Collection[Pair]
    far: float = inf
    """Distances beyond it may be lower bounds."""
    known: dict[float, dict[Pair, float]] = field(default_factory=dict)

    def gaps(self, t: float) -> dict[Pair, float]:
        """Return the distances of all pairs at a time; 0 for surfaces that cross."""
        if t not in self.known:
            at = {name: member.pose(t) for name, member in self.members.items()}
            bounds = self._bounds(at) if self.far < inf else np.zeros(len(self.pairs))
            models = {name: member.model for name, member in self.members.items()}
            self.known[t] = {
                (a, b): float(bound)
                if bound > self.far
                else sampling.distance(models[a], models[b], at[a], at[b])
                for (a, b), bound in zip(self.pairs, bounds, strict=True)
            }
        return self.known[t]

    def _bounds(self, at: dict[str, NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return lower bounds of the distances of all pairs, by the balls around the bodies."""
        members = self.members.items()
        centers = np.array([at[name][:3, :3] @ m.center + at[name][:3, 3] for name, m in members])
        radii = np.array([m.radius for _, m in members])
        a, b = self._rows
        apart = np.linalg.norm(centers[a] - centers[b], axis=1)
        return np.asarray(apart - radii[a] - radii[b] - ACCURACY)

    @cached_property
    def _rows(self) -> NDArray[np.intp]:
        """Indices of the members of each pair, (2, n)."""
        row = {name: k for k, name in enumerate(self.members)}
        return np.array([(row[a], row[b]) for a, b in self.pairs], dtype=np.intp).reshape(-1, 2).T

    def gap(self, t: float) -> float:
        """Return the least distance of all pairs at a time."""
        return min(self.gaps(t).values(), default=inf)

    def touches(self, separation: float) -> bool:
        """Return whether a sample is within the separation."""
        return any(self.gap(float(t)) <= separation for t in TIMES)

    @cached_property
    def insiders(self) -> set[Pair]:
        """Return pairs that start apart with one body inside the other, which is solid."""
        at = {name: member.pose(0.0) for name, member in self.members.items()}
        found = set()
        for (a, b), gap in self.gaps(0.0).items():
            for inner, outer in ((a, b), (b, a)):
                if self.members[outer].solid and gap > ACCURACY:
                    world = at[inner] @ np.append(self.members[inner].shape[0][0], 1.0)
                    point = np.linalg.inv(at[outer]) @ world
                    vertices, faces = self.members[outer].shape
                    if is_inside(vertices, faces.astype(np.int64), point[:3].tolist()):
                        found.add((a, b))
        return found


def assert_certified(contact: Any, crowd: Crowd, separation: float) -> None:
    """Assert that no pair is within the separation before `safe_until`."""
    safe = contact.safe_until
    for t in sorted({*TIMES.tolist(), *(safe - BEFORE).tolist()}):
        # The end belongs to a motion that is free.
        if 0 <= t < safe or (t == 1.0 and not contact):
            gap, pair = min((gap, pair) for pair, gap in crowd.gaps(t).items())
            assert gap > separation - ACCURACY, f"{pair} are within {gap} at {t}: {contact}"
            assert gap > 0 or separation > 0, f"{pair} cross at {t}: {contact}"


def assert_of_crowd(contact: Any, crowd: Crowd, separation: float, names: Pair | None) -> None:
    """Assert the contract of an answer without a budget for all pairs; `names` are in contact."""
    assert contact.status.name != "UNDECIDED", "undecided without a budget"
    assert bool(contact) == (contact.status.name != "FREE")
    if not contact:
        assert contact.toc == inf and contact.safe_until >= 1.0
        assert not crowd.insiders, f"{crowd.insiders} start inside each other"
    elif crowd.insiders:
        assert contact.status.name == "INITIAL_OVERLAP" and contact.toc == 0
    if crowd.pairs:
        assert_certified(contact, crowd, separation)
    if contact and names not in crowd.insiders:
        assert names in crowd.pairs, "not a pair that was asked about"
        reach = separation + contact.tolerance + ACCURACY
        gap = crowd.gaps(contact.toc)[names]
        assert gap <= reach, f"{names} are {gap} apart at {contact.toc}: {contact}"
        assert (contact.toc == 0) == (contact.status.name == "INITIAL_OVERLAP")
