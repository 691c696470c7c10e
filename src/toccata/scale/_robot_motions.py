"""Motions of a robot, straight in joint space, one in each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._robot import Robot
from toccata._robot.internal import queries_of
from toccata._scene import World
from toccata.scale._columns import Mask, check_numbers, numbers
from toccata.scale._plan import Part
from toccata.scale._question import (
    Found,
    Named,
    Question,
    check_ids,
    status_of,
    verdicts,
    without_times,
)
from toccata.scale._source import Source


@dataclass(frozen=True, slots=True, eq=False)
class RobotMotions(Question):
    """From q0 to q1, in a world."""

    robot: Robot
    world: World

    @property
    def model(self) -> Any:
        """The robot and its world."""
        return self.robot, self.world

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Links, and behind them bodies of the world."""
        if self.ask == "free":
            return {}
        names = (*self.robot.link_names, *self.world.names)
        return {"link_a": names, "link_b": names}

    def check(self, schema: Any) -> list[str]:
        """Ask about no rows, which checks the options and tells the columns."""
        dof = self.robot.dof
        notes = [check_numbers(schema, name, [dof]) for name in self.columns.values()]
        check_ids(schema, list(self.columns.values()), list(self._ask(*np.empty((2, 0, dof)))))
        return [note for note in notes if note]

    def answer(self, source: Source, part: Part) -> Any:
        """Answer rows; those that are no motions are told apart."""
        table = source.read(part.start, part.stop)
        ends = [numbers(table[name], self.robot.dof) for name in self.columns.values()]
        (starts, first), (stops, second) = ends
        valid = first & second & np.isfinite(starts).all(axis=1) & np.isfinite(stops).all(axis=1)
        try:
            found = self._ask(starts[valid], stops[valid])
        except ValueError:  # rare, so that rows are not looked at one by one before
            rows = np.flatnonzero(valid)
            valid[rows] = [self._takes(starts[[row]], stops[[row]]) for row in rows]
            found = self._ask(starts[valid], stops[valid])
        ids = [name for name in table.column_names if name not in self.columns.values()]
        return verdicts(table.select(ids), valid, found)

    def _takes(self, *rows: Floats) -> bool:
        """Whether the core takes these configurations: a quaternion may be zero, say."""
        try:
            for configurations in rows:
                self.robot.forward_kinematics(configurations)
        except ValueError:
            return False
        return True

    def _ask(self, starts: Floats, ends: Floats) -> Found:
        if self.ask == "clearance":
            return self._clearances(starts, ends)
        queries = queries_of(self.robot)
        if self.ask == "free":
            return without_times(queries.are_free(starts, ends, self.world, self.options, 1))
        batch = queries.contacts(starts, ends, self.world, self.options, 1)
        found = {
            "status": batch.status.astype(np.int8),
            "toc": batch.toc,
            "safe_until": batch.safe_until,
            "link_a": self._named("link_a", batch.link_a, batch.link_a < 0),
            "link_b": self._named("link_b", batch.link_b, batch.link_a < 0),
        }
        points = {"point_a": batch.point_a, "point_b": batch.point_b, "normal": batch.normal}
        return found | self._extras(batch.q, points, batch.distance)

    def _clearances(self, starts: Floats, ends: Floats) -> Found:
        every = queries_of(self.robot).clearances(starts, ends, self.world, self.options)
        number = {name: i for i, name in enumerate((*self.robot.link_names, *self.world.names))}

        def column(name: str) -> Floats:
            return np.array([getattr(one, name) for one in every], dtype=np.float64)

        def vector(name: str, width: int = 3) -> Floats:
            return np.array([getattr(one, name) for one in every]).reshape(-1, width)

        lower, distance = column("lower"), column("distance")
        found = without_times(status_of(lower, distance <= column("tolerance")))
        found |= {"lower": lower, "upper": column("upper"), "time": column("time")}
        for name in ("link_a", "link_b"):
            codes = np.array([number.get(getattr(one, name), -1) for one in every], dtype=np.int32)
            found[name] = self._named(name, codes, codes < 0)
        points = {"point_a": vector("point_a"), "point_b": vector("point_b")}
        return found | self._extras(vector("q", self.robot.dof), points, distance)

    def _named(self, column: str, codes: Any, nobody: Mask) -> Named:
        return Named(np.where(nobody, -1, codes), self.names[column])

    def _extras(self, q: Floats, points: dict[str, Floats], distance: Floats) -> Found:
        found: Found = {"q": q} if "q" in self.extras else {}
        found |= points if "points" in self.extras else {}
        return found | ({"distance": distance} if "distance" in self.extras else {})
