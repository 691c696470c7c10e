"""Datasets of robot motions, straight in joint space, one in each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._robot import Robot
from toccata._robot.internal import queries_of
from toccata._scene import PreparedWorld
from toccata.scale._columns import check_numbers, numbers
from toccata.scale._plan import Part
from toccata.scale._question import (
    Found,
    Named,
    Question,
    answer_valid,
    check_ids,
    clearance_columns,
    contact_columns,
    free_columns,
    rows_of,
    verdicts,
)
from toccata.scale._source import Source


@dataclass(frozen=True, slots=True, eq=False)
class RobotMotions(Question):
    """Motions from q0 to q1 in a world."""

    robot: Robot
    world: PreparedWorld

    @property
    def model(self) -> Any:
        """The robot and its world."""
        return self.robot, self.world

    @property
    def names(self) -> dict[str, tuple[str, ...]]:
        """Links, then bodies of the world."""
        if self.ask == "free":
            return {}
        names = (*self.robot.link_names, *self.world.names)
        return {"link_a": names, "link_b": names}

    def check(self, schema: Any) -> list[str]:
        """Query no rows, which checks the options and gives the columns of verdicts."""
        dof = self.robot.dof
        notes = [check_numbers(schema, name, [dof]) for name in self.columns.values()]
        check_ids(schema, list(self.columns.values()), list(self._ask(*np.empty((2, 0, dof)))))
        return [note for note in notes if note]

    def answer(self, source: Source, part: Part) -> Any:
        """Return the verdicts of a part; rows that are not valid motions are INVALID."""
        table = source.read(part.start, part.stop)
        ends = [numbers(table[name], self.robot.dof) for name in self.columns.values()]
        (starts, first), (stops, second) = ends
        finite = np.isfinite(starts).all(axis=1) & np.isfinite(stops).all(axis=1)
        found, valid = answer_valid(
            first & second & finite,
            lambda rows: self._ask(starts[rows], stops[rows]),
            lambda row: self._is_valid(starts[[row]], stops[[row]]),
        )
        ids = [name for name in table.column_names if name not in self.columns.values()]
        return verdicts(table.select(ids), valid, found)

    def _is_valid(self, *ends: Floats) -> bool:
        """Return whether the core accepts both ends: a quaternion may be zero, for example."""
        try:
            for configurations in ends:
                self.robot.forward_kinematics(configurations)
        except ValueError:
            return False
        return True

    def _ask(self, starts: Floats, ends: Floats) -> Found:
        if self.ask == "clearance":
            return self._clearances(starts, ends)
        queries = queries_of(self.robot)
        if self.ask == "free":
            return free_columns(queries.are_free(starts, ends, self.world, self.options, 1))
        batch = queries.contacts(starts, ends, self.world, self.options, 1)
        extras = ("q", "point_a", "point_b", "normal", "distance")
        return (
            contact_columns(batch)
            | {name: self._named(getattr(batch, name)) for name in ("link_a", "link_b")}
            | self.extra_columns({name: getattr(batch, name) for name in extras})
        )

    def _clearances(self, starts: Floats, ends: Floats) -> Found:
        answers = queries_of(self.robot).clearances(starts, ends, self.world, self.options)
        index = {name: i for i, name in enumerate((*self.robot.link_names, *self.world.names))}
        found = clearance_columns(answers)
        for name in ("link_a", "link_b"):
            codes = [index.get(getattr(one, name), -1) for one in answers]
            found[name] = self._named(np.array(codes, dtype=np.int32))
        points = {name: rows_of(answers, name, 3) for name in ("point_a", "point_b")}
        q, distance = rows_of(answers, "q", self.robot.dof), rows_of(answers, "distance")
        return found | self.extra_columns({"q": q, **points, "distance": distance})

    def _named(self, codes: Any) -> Named:
        return Named(codes, self.names["link_a"])
