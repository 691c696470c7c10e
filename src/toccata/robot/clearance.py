"""How near a robot comes to its surroundings and to itself during a motion."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar, Unpack

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._native import core
from toccata.options import ClearanceOptions, check_known
from toccata.result import Stats
from toccata.robot.contact import names_of
from toccata.robot.tested import TestedPairs
from toccata.scene import World, as_world

T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class RobotClearance:
    """The least distance of all pairs of bodies at all times of a motion.

    It lies between `lower` and `upper`, which differ by at most `tolerance` unless the budget ran
    out; both are certified, rounding included. In contact, `lower` is 0 and `distance` at most
    the tolerance. If nothing comes nearer than the limit, `lower` is at least the limit, `upper`
    may be infinite, and then there is no time and no link.
    """

    lower: float
    upper: float
    tolerance: float
    distance: float
    """Measured at `time`, between the points below; `upper` exceeds it by the rounding error."""
    time: float
    link_a: str | None
    link_b: str | None
    """The other link, or the body of the world."""
    point_a: Floats
    point_b: Floats
    """In world coordinates at `time`."""
    q: Floats
    """The configuration at `time`; NaN if there is none."""
    stats: Stats
    piece: int | None = None
    """Of a path: the row of Q that was passed last."""


class ClearanceQueries(TestedPairs):
    """What a robot can be asked about distances."""

    def clearance(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: Any = None,
        **options: Unpack[ClearanceOptions],
    ) -> RobotClearance:
        """Return how near anything comes on the straight way from q0 to q1 in joint space.

        Args:
            q0: (dof,) configuration at t = 0.
            q1: (dof,) configuration at t = 1.
            world: toccata.Scene, a mesh, or None for a robot alone.
            self_contact: whether links are measured against each other; those that are never
                tested against each other are not.
            tolerance: how much the two bounds may differ; by default a ten-thousandth of the
                largest link's radius.
            limit: distances above it need not be told from each other: then `lower` is at least
                the limit.
            budget: units of work before the bounds may differ by more; a million by default.

        """
        bodies = as_world(world)
        how = self._clearance_options(bodies, options)
        start = time.perf_counter()
        found = self._ask(core.robot_clearance, q0, q1, bodies, how)
        seconds = time.perf_counter() - start
        q = self.interpolate(q0, q1, found.time)
        return self._clearance(found, bodies, q, seconds)

    def _ask(
        self, ask: Callable[..., T | None], q0: ArrayLike, q1: ArrayLike, bodies: World, *how: Any
    ) -> T:
        """Ask the core, which reads arrays of doubles itself and leaves all else to us."""
        found = ask(self._core, bodies.native, q0, q1, *how)
        if found is None:
            rows = as_shape("q0", q0, self.dof), as_shape("q1", q1, self.dof)
            found = ask(self._core, bodies.native, *rows, *how)
            assert found is not None
        return found

    def _clearance_options(self, bodies: World, given: ClearanceOptions) -> core.ClearanceOptions:
        check_known(given, ClearanceOptions.__optional_keys__)
        options = core.ClearanceOptions(**given)
        if self._body_reasons:
            options.set_untested(self._untested(bodies))
        return options

    def _clearance(
        self, found: core.RobotClearance, bodies: World, q: Floats, seconds: float
    ) -> RobotClearance:
        link_a, link_b = names_of(found, self.link_names, bodies.names)
        return RobotClearance(
            lower=found.lower,
            upper=found.upper,
            tolerance=found.tolerance,
            distance=found.distance,
            time=found.time,
            link_a=link_a,
            link_b=link_b,
            point_a=np.array(found.point_a),
            point_b=np.array(found.point_b),
            q=q,
            stats=Stats._of(found.stats, seconds, found.pairs_tested),
        )
