"""Datasets of robot motions, straight in joint space, one in each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._robot import Robot
from toccata._robot.internal import queries_of
from toccata._scene import PreparedWorld
from toccata.scale._columns import Mask, check_numbers, numbers
from toccata.scale._question import (
    Found,
    MotionQuestion,
    Named,
    clearance_columns,
    contact_columns,
    free_columns,
)


@dataclass(frozen=True, slots=True, eq=False)
class RobotMotions(MotionQuestion):
    """A query about motions of a robot from q0 to q1 in a world."""

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
        """Check columns, and check options by a query without rows."""
        dof = self.robot.dof
        notes = [check_numbers(schema, name, [dof]) for name in self.columns.values()]
        self.check_copied(schema, self._ask(*np.empty((2, 0, dof))))
        return [note for note in notes if note]

    def _arrays(self, table: Any) -> tuple[list[NDArray[Any]], Mask]:
        """Return the starts and the ends."""
        ends = [numbers(table[name], self.robot.dof) for name in self.columns.values()]
        valid = [fits & np.isfinite(rows).all(axis=1) for rows, fits in ends]
        return [rows for rows, _ in ends], valid[0] & valid[1]

    def _check_motion(self, *ends: Any) -> None:
        """Raise ValueError unless both ends are valid. A quaternion may be zero, for example."""
        for configurations in ends:
            self.robot.forward_kinematics(configurations)

    def _ask(self, *ends: Any) -> Found:
        """Return the answers to motions between starts and ends, (n, dof) each."""
        start, end = ends
        queries, links = queries_of(self.robot), ("link_a", "link_b")
        if self.ask == "free":
            return free_columns(queries.are_free(start, end, self.world, self.options, 1))
        if self.ask == "clearance":
            answers = queries.clearances(start, end, self.world, self.options)
            index = {name: i for i, name in enumerate(self.names["link_a"])}
            codes = {name: [index.get(getattr(a, name), -1) for a in answers] for name in links}
            found = clearance_columns(answers)
            extras = self.clearance_extras(answers, self.robot.dof)
        else:
            batch = queries.contacts(start, end, self.world, self.options, 1)
            codes = {name: getattr(batch, name) for name in links}
            found, extras = contact_columns(batch), self.contact_extras(batch)
        names = self.names["link_a"]
        found |= {name: Named(np.array(codes[name], dtype=np.int32), names) for name in links}
        return found | extras
