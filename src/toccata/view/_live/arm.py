"""A robot that is posed joint by joint, or plays a path, and stops where it would touch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._robot.answers import RobotContact
from toccata._robot.ignored import Pair
from toccata._robot.internal import home, reason_ignored
from toccata._robot.robot import Robot
from toccata._scene import as_world
from toccata.view._items import Item
from toccata.view._live.arm_items import ArmItems
from toccata.view._live.player import PathPlayer
from toccata.view._live.session import Session
from toccata.view._live.threads import RATE, Newest

SHELL = 1e-3
"""Distance at which the robot stops before a contact, as a fraction of its size."""


@dataclass(frozen=True, slots=True, eq=False)
class ArmState:
    """A configuration of the robot and its contacts; replaced as a whole."""

    q: Floats
    """(dof,) where it is."""
    touching: tuple[Pair, ...] = ()
    """Links that touch, or that would have touched during the rejected motion."""
    clearance: float = np.inf
    """Proven lower bound of the distance between the links and bodies of any tested pair."""
    nearest: Pair | None = None
    points: Floats = field(default_factory=lambda: np.empty((0, 3)))
    """(2, 3) of the nearest pair, or none."""
    rejected: Floats | None = None
    """(dof,) an end that was wanted, and is not reached without contact."""
    contact: RobotContact | None = None
    """The reason for the rejection."""


class ArmSession(Session):
    """A robot, or several that are combined, among bodies that stay.

    `want` may be called by any thread: it only stores the newest configuration. With `stops`, the
    robot goes straight towards it as far as that is proven free; otherwise it goes through
    everything, and what touches is seen. Bodies of the world that move are seen, and asked about,
    where they start.

    Args:
        robot: a Robot.
        world: a Scene, what else robots take for a world, or None.
        q: (dof,) where it starts; by default all joints at zero, or at the limit next to it.
        path: (n, dof) waypoints to play, or None.

    """

    title = "A robot"

    def __init__(
        self,
        robot: Robot,
        world: Any = None,
        q: ArrayLike | None = None,
        path: ArrayLike | None = None,
    ) -> None:
        super().__init__()
        self.robot, self.world = robot, world
        self.stops = True
        self.player = None if path is None else PathPlayer(robot, path, world)
        start = home(robot) if q is None else as_shape("q", q, robot.dof)
        if q is None and self.player is not None:
            start = self.player.at(0.0)
        self._items = ArmItems(robot, as_world(world))
        self.size = self._items.size
        """About the reach of the robot."""
        self.shell = SHELL * self.size
        self._wishes: Newest[Floats] = Newest()
        self.picked: tuple[str, ...] = ()
        """Up to two bodies that were clicked."""
        self.state = self._look(start.copy())

    def play(self) -> None:
        """Play the path from where it stands."""
        if (player := self.player) is not None:
            self.order(player.play)

    def pause(self) -> None:
        """Stay where the path stands."""
        if (player := self.player) is not None:
            self.order(player.pause)

    def seek(self, time: float) -> None:
        """Go to a time of the path, from 0 to 1, and stay there."""
        if self.player is not None:
            self.order(lambda: self._seek(time))

    def _seek(self, time: float) -> None:
        assert self.player is not None
        self.player.seek(time)
        self.state = self._on_path(self.player)

    def want(self, q: ArrayLike) -> None:
        """Want the robot at a configuration."""
        self._wishes.put(as_shape("q", q, self.robot.dof).copy())

    def pick(self, name: str) -> None:
        """Click a body: the first of two, or the second one."""
        self.order(lambda: self._pick(name))

    def _pick(self, name: str) -> None:
        again = len(self.picked) == 2 or name in self.picked
        self.picked = (name,) if again else (*self.picked, name)

    def advance(self) -> bool:
        """Advance along the path, or towards the newest wanted configuration."""
        if self.player is not None and self.player.advance(1 / RATE, self.stops):
            self._wishes.take()
            self.state = self._on_path(self.player)
            return True
        wanted = self._wishes.take()
        if wanted is None:
            return False
        self.state = self._go(wanted) if self.stops else self._look(wanted)
        return True

    def _go(self, wanted: Floats) -> ArmState:
        """Move as far as freedom is proven; the next motion has to start clear of contact too."""
        here = self.state
        if here.clearance < self.shell / 4:  # in contact already: any motion may lead out
            return self._look(wanted)
        found = self.robot.first_contact(
            here.q,
            wanted,
            self.world,
            separation=self.shell,
            tolerance=self.shell / 4,
            initial="resting",
        )
        if not found:
            return self._look(wanted)
        reached = self._look(self.robot.interpolate(here.q, wanted, found.safe_until))
        if reached.clearance < self.shell / 4:
            reached = self._look(here.q)
        pair = () if found.link_a is None else ((found.link_a, str(found.link_b)),)
        return replace(reached, touching=pair, rejected=wanted, contact=found)

    def _on_path(self, player: PathPlayer) -> ArmState:
        """Return the state on the path; at the contact, the end of the path is rejected."""
        state = self._look(player.at(player.time))
        found = player.contact
        if not found or player.time < min(found.safe_until, 1.0):
            return state
        pair = () if found.link_a is None else ((found.link_a, str(found.link_b)),)
        return replace(
            state,
            touching=tuple(dict.fromkeys((*pair, *state.touching))),
            rejected=player.waypoints[-1],
            contact=found,
        )

    def _look(self, q: Floats) -> ArmState:
        """Return the state at a configuration: the nearest pair and the contacts."""
        near = self.robot.distances(q[None], self.world, limit=self.shell)
        touching = tuple(
            pair for pair, apart in zip(near.pairs, near.lower[0], strict=True) if apart <= 0
        )
        least = self.robot.clearance(q, q, self.world)
        if least.link_a is None:
            return ArmState(q, touching, least.lower)
        points = np.array((least.point_a, least.point_b))
        return ArmState(q, touching, least.lower, (least.link_a, str(least.link_b)), points)

    def why(self) -> str:
        """Say whether the two bodies that were clicked are tested, and if not, why."""
        if len(self.picked) < 2:
            return f"Click a body besides {self.picked[0]}" if self.picked else "Click two links"
        a, b = self.picked
        links = self.robot.link_names
        if a not in links:
            a, b = b, a
        if a not in links:
            return f"{a} and {b} are not tested: both belong to the world"
        reason = reason_ignored(self.robot, a, b)
        if reason is not None:
            return f"{a} and {b} are not tested: {reason}"
        if not self.robot.tests(a, b):
            return f"{a} and {b} are not tested: they never move relative to each other"
        return f"{a} and {b} are tested, {self._apart(a, b)} apart"

    def _apart(self, a: str, b: str) -> str:
        found = self.robot.distances(self.state.q[None], self.world)
        pairs = list(found.pairs)
        row = pairs.index((a, b)) if (a, b) in pairs else pairs.index((b, a))
        return f"{found.lower[0, row]:.4g}"

    def items(self) -> Sequence[Item]:
        """Return links, bodies of the world, the nearest points and the ghost of a rejected end."""
        state = self.state
        red = {name for pair in state.touching for name in pair}
        return self._items.all(
            self.robot.forward_kinematics(state.q),
            red,
            self.picked,
            None if state.rejected is None else self.robot.forward_kinematics(state.rejected),
            state.points if state.nearest is not None and state.clearance > 0 else None,
        )

    @property
    def notes(self) -> Sequence[str]:
        """Contacts, the clearance, missing geometry, and the two clicked links."""
        state = self.state
        lines = []
        if state.contact is not None:
            pair = " and ".join(state.touching[0]) if state.touching else "what could not be proven"
            lines.append(f"Stopped at {state.contact.safe_until:.4f} of the motion: {pair}")
        elif state.touching:
            lines += [f"{a} touches {b}" for a, b in state.touching]
        if state.nearest is not None:
            lines.append(f"Clearance {state.clearance:.4g}: {' and '.join(state.nearest)}")
        for link, files in self.robot.missing.items():
            lines.append(f"{link} lacks {', '.join(files)}: contacts with these are missed")
        return [*lines, self.why()]
