"""Robots: is this motion free, and if not, when and where is the first contact?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape, as_threads
from toccata._options import (
    ClearanceOptions,
    ClearancePathOptions,
    RobotOptions,
    RobotPathOptions,
    Which,
)
from toccata._proximity import Proximities
from toccata._robot.clearance import RobotClearance
from toccata._robot.contact import RobotBatch, RobotContact
from toccata._robot.distances import RobotDistances
from toccata._robot.model import RobotModel
from toccata._robot.options import (
    FREE_OPTIONS,
    INTERVAL_OPTIONS,
    clearance_options_in,
    options_in,
)
from toccata._robot.path import check_method, curve_through
from toccata._scene import as_world

Waypoints = ArrayLike | Mapping[str, tuple[ArrayLike, ArrayLike]]
"""Configurations in rows, or times and configurations of each robot by name."""


class Robot(RobotModel):
    """A tree of rigid links and joints; configurations are (dof,) arrays.

    A configuration holds the numbers of all joints that move and mimic no other, in the order of
    `joints` (see `Joint` for what they mean). Motions are straight in these numbers: every joint
    turns or shifts at a constant rate; a difference of 2 pi is a full turn.

    Links with geometry that a joint (or links without geometry) connects are not tested against
    each other, nor are links that fixed joints connect; `ignored_pairs` says why, and `ignore` and
    `infer_ignored_pairs` add more. All links are tested against all bodies of the world, the base
    too: `ignore` what it stands on.
    """

    def first_contact(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: Any = None,
        *,
        contacts: Which = "first",
        **options: Unpack[RobotOptions],
    ) -> RobotContact:
        """Return the first contact on the straight way from q0 to q1 in joint space.

        Args:
            q0: (dof,) configuration at t = 0.
            q1: (dof,) configuration at t = 1.
            world: toccata.Scene, trimesh.Scene, a mesh, or None for a robot alone.
            self_contact: whether links are tested against each other.
            method: "auto" is the fastest; "interval", "hca" and "adaptive" follow the papers
                (docs/methods.md).
            contacts: "all" adds every pair of triangles of all pairs of bodies that is in contact
                at that time as `.contacts`.
            tolerance, separation, initial, budget, stages: see `toccata._options.RobotOptions`.

        """
        bodies = as_world(world)
        how = options_in(bodies, self._pairs, options)
        kept = self, bodies, np.array(q0), np.array(q1)
        return self._queries.contact(q0, q1, bodies, how, contacts=contacts, kept=kept)

    def first_contact_batch(
        self,
        Q0: ArrayLike,
        Q1: ArrayLike,
        world: Any = None,
        *,
        threads: int | None = None,
        **options: Unpack[RobotOptions],
    ) -> RobotBatch:
        """Answer `first_contact` for (n, dof) configurations at both ends.

        The answers do not depend on the number of threads, by default one per core.
        """
        starts = as_shape("Q0", Q0, -1, self.dof)
        ends = as_shape("Q1", Q1, len(starts), self.dof)
        bodies = as_world(world)
        how = options_in(bodies, self._pairs, options)
        return self._queries.contacts(starts, ends, bodies, how, as_threads(threads))

    def motion_is_free(
        self, q0: ArrayLike, q1: ArrayLike, world: Any = None, **options: Unpack[RobotOptions]
    ) -> bool:
        """Whether the straight way from q0 to q1 is proven free; arguments as `first_contact`.

        Stops at the first proof either way, so that there is no `initial` and there are no
        `stages`. A budget that runs out gives False.
        """
        bodies = as_world(world)
        how = options_in(bodies, self._pairs, options, FREE_OPTIONS)
        return self._queries.is_free(q0, q1, bodies, how)

    def first_contact_path(
        self,
        Q: Waypoints,
        world: Any = None,
        *,
        contacts: Which = "first",
        **options: Unpack[RobotPathOptions],
    ) -> RobotContact:
        """Return the first contact on the way through the (n, dof) configurations Q.

        Of combined robots, Q may be {name: (times, configurations)}, a clock for each: time runs
        over the union of their ranges, and a robot stands still outside of its own.
        Bodies of the world that move do so over the whole path, unless `world_times` say when.
        `toccata._options.PathOptions` says what the way is; other options are those of
        `first_contact`, the budget is for each piece. Splines have no "hca". Waypoints outside of
        the limits are warned of.
        """
        bodies = as_world(world)
        curve, how = curve_through(self._space, Q, self.members, options)
        check_method(curve, how.get("method"))
        ready = options_in(bodies, self._pairs, how)
        answer = self._queries.contact_on(curve, bodies, ready, contacts=contacts)
        return answer._keeping(self, bodies, replace(curve, rows=curve.rows.copy()))

    def contact_intervals(
        self,
        q0: ArrayLike,
        q1: ArrayLike,
        world: Any = None,
        *,
        resolution: float = 1e-3,
        **options: Unpack[RobotOptions],
    ) -> Floats:
        """Return (k, 2) times between which anything may be in contact from q0 to q1.

        Arguments as for `first_contact`, without method, initial and stages; `resolution` and the
        meaning are those of `toccata.contact_intervals`, for all pairs together.
        """
        ends = as_shape("q0", q0, self.dof), as_shape("q1", q1, self.dof)
        return self.contact_intervals_path(ends, world, resolution=resolution, **options)

    def contact_intervals_path(
        self,
        Q: Waypoints,
        world: Any = None,
        *,
        resolution: float = 1e-3,
        **options: Unpack[RobotPathOptions],
    ) -> Floats:
        """Return the same in times of the way of `first_contact_path`; a budget for each piece."""
        bodies = as_world(world)
        curve, rest = curve_through(self._space, Q, self.members, options)
        how = options_in(bodies, self._pairs, rest, INTERVAL_OPTIONS)
        return self._queries.contact_intervals(curve, bodies, how, resolution)

    def clearance(
        self, q0: ArrayLike, q1: ArrayLike, world: Any = None, **options: Unpack[ClearanceOptions]
    ) -> RobotClearance:
        """Return how near anything comes on the straight way from q0 to q1 in joint space.

        Args:
            q0: (dof,) configuration at t = 0.
            q1: (dof,) configuration at t = 1.
            world: toccata.Scene, a mesh, or None for a robot alone.
            options: see `toccata._options.ClearanceOptions`.

        """
        bodies = as_world(world)
        how = clearance_options_in(bodies, self._pairs, options)
        answer = self._queries.clearance(q0, q1, bodies, how)
        return answer._keeping(self, bodies, np.array(q0), np.array(q1))

    def clearance_path(
        self, Q: Waypoints, world: Any = None, **options: Unpack[ClearancePathOptions]
    ) -> RobotClearance:
        """Return how near anything comes on the way through the (n, dof) configurations Q.

        The way is that of `first_contact_path`; other options are those of `clearance`, and the
        budget is for each piece.
        """
        bodies = as_world(world)
        curve, rest = curve_through(self._space, Q, self.members, options)
        how = clearance_options_in(bodies, self._pairs, rest)
        answer = self._queries.clearance_on(curve, bodies, how)
        return answer._keeping(self, bodies, replace(curve, rows=curve.rows.copy()))

    def distances(
        self, Q: ArrayLike, world: Any = None, *, limit: float = inf, threads: int | None = None
    ) -> RobotDistances:
        """Return the distances of all tested pairs at (n, dof) configurations, for optimizers."""
        rows = as_shape("Q", Q, -1, self.dof)
        return self._queries.distances(rows, as_world(world), limit, as_threads(threads))

    def proximities(self, q: ArrayLike, world: Any = None, *, distance: float) -> Proximities:
        """Return what `toccata.proximities` lists, of all tested pairs at a configuration."""
        return self._queries.proximities(as_shape("q", q, self.dof), as_world(world), distance)
