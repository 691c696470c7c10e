"""The items of a robot that is posed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from toccata._arrays import Floats
from toccata._robot.internal import meshes_of
from toccata._robot.robot import Robot
from toccata._scene import PreparedWorld
from toccata.view._colors import DARK, GRAY, GREEN, RED, YELLOW, Color
from toccata.view._items import Arrows, Body, Item, Label, Points
from toccata.view._parts import mesh_arrays
from toccata.view._robot import link_color

PICKED: Color = (120, 81, 169)
"""Links that were clicked."""


class ArmItems:
    """Makes the list of items; the arrays of meshes are the same in each of them."""

    def __init__(self, robot: Robot, world: PreparedWorld) -> None:
        meshes = meshes_of(robot)
        self._links = {name: mesh_arrays(mesh) for name, mesh in meshes.items()}
        self._colors = {name: link_color(robot, name)[0] for name in robot.link_names}
        self._fixed = {
            name: (*mesh_arrays(mesh), motion.pose(0.0))
            for name, (mesh, motion) in world.bodies.items()
        }
        self.size = sum(mesh.radius for mesh in meshes.values()) or 1.0
        """About the reach of the robot."""

    def all(
        self,
        poses: Mapping[str, Floats],
        red: Collection[str],
        picked: Collection[str],
        rejected: Mapping[str, Floats] | None,
        points: Floats | None,
    ) -> tuple[Item, ...]:
        """Return all items for a state of the session; the nearest `points` are (2, 3)."""
        items: list[Item] = [*self._bodies(poses, red, picked)]
        if rejected is not None:
            items += self._ghost(rejected)
        if points is not None:
            items += self._nearest(points)
        return (*items, *self._names(poses, red))

    def _bodies(
        self, poses: Mapping[str, Floats], red: Collection[str], picked: Collection[str]
    ) -> Iterator[Item]:
        for name, mesh in self._links.items():
            marked = PICKED if name in picked else RED if name in red else None
            yield Body(f"robot/{name}", marked or self._colors[name], *mesh, poses[name])
        for name, body in self._fixed.items():
            # A body of the world may be all of a hall: where it touches, a point is marked.
            yield Body(f"world/{name}", PICKED if name in picked else GRAY, *body)

    def _ghost(self, poses: Mapping[str, Floats]) -> Iterator[Item]:
        for name, mesh in self._links.items():
            yield Body(f"rejected/{name}", self._colors[name], *mesh, poses[name], opacity=0.25)

    def _nearest(self, points: Floats) -> Iterator[Item]:
        yield Points("clearance/points", YELLOW, points, 0.012 * self.size)
        ends = points[:1], points[1:]
        yield Arrows("clearance/line", GREEN, *ends, 0.003 * self.size, heads=False)

    def _names(self, poses: Mapping[str, Floats], red: Collection[str]) -> Iterator[Item]:
        for name in sorted(set(red) & self._links.keys()):
            middle = self._links[name][0].mean(axis=0)
            position = poses[name][:3, :3] @ middle + poses[name][:3, 3]
            yield Label(f"names/{name}", DARK, name, position)
