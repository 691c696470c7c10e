"""A robot that users pose joint by joint, or that plays a path. It stops before contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import Floats, as_shape
from toccata._robot.answers import RobotClearance, RobotContact
from toccata._robot.ignored import Pair
from toccata._robot.internal import home, meshes_of, reason_ignored
from toccata._robot.robot import Robot
from toccata._scene import as_world
from toccata.view._colors import DARK, GRAY, GREEN, RED, YELLOW, Color
from toccata.view._items import Arrows, Body, Item, Label, Points
from toccata.view._live.player import PathPlayer
from toccata.view._live.session import RATE, Newest, Session, ordered
from toccata.view._parts import mesh_arrays
from toccata.view._robot import link_color

PICKED: Color = (120, 81, 169)
"""Color of clicked bodies."""
SHELL = 1e-3
"""Distance at which the robot stops before a contact, as a fraction of its size."""


@dataclass(frozen=True, slots=True, eq=False)
class ArmState:
    """A configuration of the robot with its contacts. The session never changes an old state."""

    q: Floats
    """The configuration, (dof,)."""
    touching: tuple[Pair, ...] = ()
    """Pairs in contact, and the pair that would have touched in a rejected motion."""
    clearance: float = np.inf
    """Certified lower bound of the distance of all tested pairs."""
    nearest: Pair | None = None
    """The tested pair with the least distance."""
    points: Floats = field(default_factory=lambda: np.empty((0, 3)))
    """Closest points of the nearest pair, (2, 3), or empty."""
    rejected: Floats | None = None
    """End of a motion that the robot did not complete because of a contact, (dof,)."""
    contact: RobotContact | None = None
    """The contact that stopped this motion."""


class ArmSession(Session):
    """A robot, or several combined robots, among fixed bodies.

    Any thread may call `want`, which only stores the newest target configuration. If `stops` is
    true, the robot moves straight toward the target, as far as this motion is certified free.
    Otherwise it passes through bodies, and links in contact are highlighted. Moving bodies of the
    world are drawn at their start poses.

    Args:
        robot: the robot.
        world: the bodies around the robot, as for `Robot.first_contact`.
        q: start configuration, (dof,). Default: the first waypoint, or without a path the
            configuration within the limits that is nearest to zero.
        path: waypoints to play, (n, dof).

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
        meshes = meshes_of(robot)
        self._links = {name: mesh_arrays(mesh) for name, mesh in meshes.items()}
        self._colors = {name: link_color(robot, name)[0] for name in meshes}
        self._fixed = {
            name: (*mesh_arrays(mesh), motion.pose(0.0))
            for name, (mesh, motion) in as_world(world).bodies.items()
        }
        self.size = sum(mesh.radius for mesh in meshes.values()) or 1.0
        """Approximate reach of the robot."""
        self.shell = SHELL * self.size
        self._wishes: Newest[Floats] = Newest()
        self.picked: tuple[str, ...] = ()
        """The last one or two bodies that a user clicked."""
        self.state = self._look(start.copy())

    @ordered
    def play(self) -> None:
        """Start or resume the path."""
        if self.player is not None:
            self.player.play()

    @ordered
    def pause(self) -> None:
        """Pause the path."""
        if self.player is not None:
            self.player.playing = False

    @ordered
    def seek(self, time: float) -> None:
        """Set the time of the path, from 0 to 1, and pause."""
        if self.player is not None:
            self.player.seek(time)
            self.state = self._on_path(self.player)

    def want(self, q: ArrayLike) -> None:
        """Set the target configuration."""
        self._wishes.put(as_shape("q", q, self.robot.dof).copy())

    @ordered
    def pick(self, name: str) -> None:
        """Pick a body as the first or the second body of a pair."""
        again = len(self.picked) == 2 or name in self.picked
        self.picked = (name,) if again else (*self.picked, name)

    def advance(self) -> bool:
        """Advance along the path, or toward the newest target configuration."""
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
        """Return the state at the end of the certified part of the motion to a target.

        If the next motion could not start there, the robot does not move.
        """
        here = self.state
        least = self.shell / 4
        if here.clearance < least:  # already in contact: any motion may end the contact
            return self._look(wanted)
        options: Any = {"separation": self.shell, "tolerance": least, "initial": "resting"}
        found = self.robot.first_contact(here.q, wanted, self.world, **options)
        if not found:
            return self._look(wanted)
        reached = self._look(self.robot.interpolate(here.q, wanted, found.safe_until))
        if reached.clearance < least:
            reached = self._look(here.q)
        return replace(reached, touching=_pairs(found), rejected=wanted, contact=found)

    def _on_path(self, player: PathPlayer) -> ArmState:
        """Return the state on the path. From the contact on, the end of the path is rejected."""
        state, found = self._look(player.at(player.time)), player.contact
        if not found or player.time < min(found.safe_until, 1.0):
            return state
        touching = tuple(dict.fromkeys((*_pairs(found), *state.touching)))
        return replace(state, touching=touching, rejected=player.waypoints[-1], contact=found)

    def _look(self, q: Floats) -> ArmState:
        """Return the state at a configuration: the nearest pair, and the pairs in contact."""
        near = self.robot.distances(q[None], self.world, limit=self.shell)
        lower = zip(near.pairs, near.lower[0], strict=True)
        touching = tuple(pair for pair, distance in lower if distance <= 0)
        least = self.robot.clearance(q, q, self.world)
        if not (nearest := _pairs(least)):
            return ArmState(q, touching, least.lower)
        points = np.array((least.point_a, least.point_b))
        return ArmState(q, touching, least.lower, nearest[0], points)

    def why(self) -> str:
        """Return whether the two clicked bodies are tested, and the reason if they are not."""
        if len(self.picked) < 2:
            return f"Click a body other than {self.picked[0]}" if self.picked else "Click two links"
        a, b = self.picked
        links = self.robot.link_names
        if a not in links:
            a, b = b, a
        skipped = f"{a} and {b} are not tested: "
        if a not in links:
            return skipped + "both belong to the world"
        if (reason := reason_ignored(self.robot, a, b)) is not None:
            return skipped + reason
        if not self.robot.tests(a, b):
            return skipped + "they never move relative to each other"
        found = self.robot.distances(self.state.q[None], self.world)
        row = next(i for i, pair in enumerate(found.pairs) if {*pair} == {a, b})
        return f"{a} and {b} are tested, and their distance is at least {found.lower[0, row]:.4g}"

    def items(self) -> Sequence[Item]:
        """Return the links, the world, the closest points and the ghost of a rejected end."""
        state = self.state
        items: list[Item] = []
        poses = self.robot.forward_kinematics(state.q)
        red = {name for pair in state.touching for name in pair}
        for name, mesh in self._links.items():
            marked = PICKED if name in self.picked else RED if name in red else None
            color = marked or self._colors[name]
            items.append(Body(f"robot/{name}", color, *mesh, poses[name]))
        for name, body in self._fixed.items():
            # A body of the world may be a whole hall. Therefore only points mark its contacts.
            color = PICKED if name in self.picked else GRAY
            items.append(Body(f"world/{name}", color, *body))
        if state.rejected is not None:
            ends = self.robot.forward_kinematics(state.rejected)
            for name, mesh in self._links.items():
                color = self._colors[name]
                items.append(Body(f"rejected/{name}", color, *mesh, ends[name], opacity=0.25))
        if state.nearest is not None and state.clearance > 0:
            a, b, size = state.points[:1], state.points[1:], self.size
            items.append(Points("clearance/points", YELLOW, state.points, 0.012 * size))
            items.append(Arrows("clearance/line", GREEN, a, b, 0.003 * size, heads=False))
        for name in sorted(red & self._links.keys()):
            middle = self._links[name][0].mean(axis=0)
            position = poses[name][:3, :3] @ middle + poses[name][:3, 3]
            items.append(Label(f"names/{name}", DARK, name, position))
        return items

    @property
    def notes(self) -> Sequence[str]:
        """Lines about contacts, the clearance, missing geometry, and the clicked pair."""
        state = self.state
        lines = []
        if state.contact is not None:
            pair = " and ".join(state.touching[0]) if state.touching else "undecided"
            lines.append(f"Stopped at {state.contact.safe_until:.4f} of the motion: {pair}")
        elif state.touching:
            lines += [f"{a} touches {b}" for a, b in state.touching]
        if state.nearest is not None:
            lines.append(f"Clearance {state.clearance:.4g}: {' and '.join(state.nearest)}")
        for link, files in self.robot.missing.items():
            lines.append(f"Mesh files of {link} are missing: {', '.join(files)}")
        return [*lines, self.why()]


def _pairs(answer: RobotContact | RobotClearance) -> tuple[Pair, ...]:
    """Return the pair of an answer, if it names one."""
    return () if answer.link_a is None else ((answer.link_a, str(answer.link_b)),)
