"""Cameras for whole motions, and for close-ups of contacts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toccata._arrays import Floats, moved
from toccata.view._hidden import Placed, hiding_bodies, is_hidden
from toccata.view._items import Body, Camera, Item, View

FIELD_OF_VIEW = np.radians(26.0)
"""Vertical angle of view in radians. A small angle distorts shapes little."""
ASPECT = 4 / 3
"""Width by height of the pictures that cameras are fitted to."""
Focus = tuple[float, Floats, Floats]
"""Time, point and unit normal of the most important contact; a normal of zeros if unknown."""

_UP, _SIDEWAYS = np.array([0.0, 0.0, 1.0]), np.array([0.0, 1.0, 0.0])
_MARGIN = 0.055
"""Fraction of each side that is left free."""
# Not along the axes, because most models follow the axes, and faces seen edge-on look flat.
_AZIMUTHS = tuple(quarter + turn for quarter in (-90, 0, 90, 180) for turn in (35, 55))
_ELEVATIONS = (24.0, 38.0, 52.0)
_GLANCE = 0.25
"""Sine of the preferred angle between the line of sight and the surfaces in contact."""
_TIMES = 31
"""Number of times for which moving bodies are kept in sight."""
_MOST_POINTS = 3000
_SMALL = 1.0
"""Largest size of a fixed body that is kept in sight as a whole, relative to the motion."""
_NEAR, _PART = 0.4, 0.02
"""Distances, relative to the motion, within which fixed bodies are kept in sight: small bodies as a
whole, large bodies in part."""
_ROOM = 1.35
"""Distance of the camera of an overview, relative to the closest camera."""
_SEE_THROUGH = 0.3
"""Opacity of fixed bodies that hide the motion."""
_FEW = 80
"""Largest number of fixed bodies for which the slow test runs whether they hide the motion."""


@dataclass(frozen=True, slots=True, eq=False)
class Sight:
    """A camera, with the least and the largest distance that it shows."""

    camera: Camera
    near: float
    far: float


def view_direction(azimuth: float, elevation: float) -> Floats:
    """Return the unit vector from the scene to the eye, for angles in degrees; z is up."""
    turn, lift = np.radians(azimuth), np.radians(elevation)
    return np.array([np.cos(lift) * np.cos(turn), np.cos(lift) * np.sin(turn), np.sin(lift)])


OBLIQUE = view_direction(-55.0, 24.0)


def camera_axes(towards_eye: Floats) -> Floats:
    """Return the directions right, down and forward as the rows of a (3, 3) array."""
    forward = -towards_eye / np.linalg.norm(towards_eye)
    right = np.cross(forward, _up(towards_eye))
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward])


def fit(points: Floats, towards_eye: Floats, aspect: float = ASPECT) -> Camera:
    """Return the closest camera that has all points in sight."""
    axes = camera_axes(towards_eye)
    tan_y = np.tan(FIELD_OF_VIEW / 2) * (1.0 - 2.0 * _MARGIN)
    local = points @ axes.T
    eye = _closest_eye(local, tan_y * aspect, tan_y)
    depth = float(local[:, 2].max() + local[:, 2].min()) / 2 - eye[2]
    position = eye @ axes
    return Camera(position, position + depth * axes[2], _up(towards_eye))


def _closest_eye(local: Floats, tan_x: float, tan_y: float) -> Floats:
    """Return the eye, in camera axes, that sees all points and is farthest forward.

    A point is inside the right side plane if x - tan z <= eye_x - tan eye_z. The other three planes
    are analogous. Adding the inequalities of two opposite planes gives an upper bound of eye_z.
    """
    x, y, z = local.T
    right, left = np.max(x - tan_x * z), np.max(-x - tan_x * z)
    below, above = np.max(y - tan_y * z), np.max(-y - tan_y * z)
    depth = min(-(right + left) / (2 * tan_x), -(below + above) / (2 * tan_y))
    # A single point fits at any distance: step back by the scale of the coordinates.
    nearest = float(z.min())
    depth = min(depth, nearest - 1e-3 * max(1.0, abs(nearest)))
    return np.array([(right - left) / 2, (below - above) / 2, depth])


def framed(view: View, focus: Focus | None = None, direction: Floats | None = None) -> View:
    """Return the view with a camera that has the whole motion in sight.

    The camera looks across the path of the motion and shows the point of the focus, if possible.
    Fixed bodies that hide much of the motion become transparent.
    """
    if view.camera is not None:
        return view
    rows = np.unique(np.linspace(0, len(view.times) - 1, _TIMES).astype(int))
    moving, fixed = _split(view, rows)
    targets = [_outline(item) for item in view.of(Body) if item.group == "target"]
    points = np.concatenate([*moving.values(), *_shown(moving, fixed), *targets])
    if not len(points):
        return view
    if direction is None:
        direction = OBLIQUE if focus is None else _direction(view, focus, moving)
    camera = fit(points, direction)
    if not moving or len(fixed) > _FEW:
        return replace(view, camera=camera)
    bodies = [item for item in view.of(Body) if item.name in fixed]
    hiding = hiding_bodies(bodies, _until_contact(view, rows), camera)
    items = tuple(
        replace(item, opacity=min(item.opacity, _SEE_THROUGH))
        if isinstance(item, Body) and item.name in hiding
        else item
        for item in view.items
    )
    return replace(view, camera=camera, items=items)


def camera_of(view: View) -> Camera:
    """Return the camera of a view, or a camera that frames the view."""
    return framed(view).camera or fit(np.array([[-1.0, -1, -1], [1, 1, 1]]), OBLIQUE)


def overview(items: Iterable[Item], direction: Floats | None = None) -> Sight:
    """Return a camera that has all bodies in sight, with room for motions and controls.

    If there is a robot, only bodies near the robot are in sight.
    """
    bodies = [item for item in items if isinstance(item, Body) and len(item.faces)]
    found = {item.name: _outline(item) for item in bodies}
    robot = {item.name: found.pop(item.name) for item in bodies if item.group == "robot"}
    points = np.concatenate([*robot.values(), *_shown(robot, found)])
    every = np.concatenate([points, *found.values()])
    if not len(every):
        points = every = np.array([[-1.0, -1.0, -1.0], [1.0, 1.0, 1.0]])
    camera = fit(points, OBLIQUE if direction is None else direction)
    distance = float(np.linalg.norm(camera.target - camera.position))
    farther = replace(camera, position=camera.target + _ROOM * (camera.position - camera.target))
    return Sight(farther, 1e-3 * distance, 10 * _ROOM * (distance + _size(every)))


def close_up(placed: Sequence[Placed], point: Floats, normal: Floats, breadth: float) -> Camera:
    """Return a camera that looks at a contact along the surfaces in contact.

    `breadth` is the width of the picture in space. If possible, no body hides the point.
    """
    whole = breadth / (2 * np.tan(FIELD_OF_VIEW / 2))
    directions = _along(normal)
    tried = ((share * whole, towards) for share in (1.0, 0.7, 0.5) for towards in directions)
    free = (one for one in tried if not is_hidden(placed, point, one[1], (0.02 * one[0], one[0])))
    distance, towards = next(free, (whole, directions[0]))
    return Camera(point + distance * towards, point, _up(towards))


def _along(normal: Floats) -> list[Floats]:
    """Return directions to the eye across a normal, closest to `OBLIQUE` first.

    Slanted directions show sharp features. Between two round bodies, only directions in the tangent
    plane show the point.
    """
    if not normal.any():
        return [OBLIQUE, *(view_direction(turn, 38.0) for turn in _AZIMUTHS)]
    first, second = np.linalg.svd(normal[None])[2][1:]
    turns = np.linspace(0.0, 2.0 * np.pi, 16, endpoint=False)
    around = [np.cos(turn) * first + np.sin(turn) * second for turn in turns]
    around.sort(key=lambda direction: -float(direction @ OBLIQUE))
    slanted = [side + slant * normal for slant in (0.3, -0.3, 0.12, -0.12) for side in around[:6]]
    return [direction / np.linalg.norm(direction) for direction in [*slanted, *around]]


def _direction(view: View, focus: Focus, moving: dict[str, Floats]) -> Floats:
    """Return the best direction to the eye that shows the focus."""
    time, point, normal = focus
    heading = _heading(view)
    now = [item for item in view.at(view.row(time)) if isinstance(item, Body)]
    placed = [
        (moved(np.asarray(item.vertices), item.pose), item.faces)
        for item in now
        if item.opacity == 1 and item.group != "contact"
    ]
    size = _size(np.concatenate(list(moving.values()))) if moving else 1.0

    def cost(direction: Floats) -> float:
        across = abs(abs(float(direction @ normal)) - _GLANCE) if normal.any() else 0.0
        return across + 0.6 * abs(float(direction @ heading))

    candidates = [view_direction(turn, lift) for lift in _ELEVATIONS for turn in _AZIMUTHS]
    candidates.sort(key=cost)
    seen = (d for d in candidates if not is_hidden(placed, point, d, (0.01 * size, np.inf)))
    return next(seen, candidates[0])


def _heading(view: View) -> Floats:
    """Return the unit vector of the longest displacement; zeros for pure rotations."""
    moving = (item for item in view.of(Body) if item.pose.ndim == 3 and not item.is_ghost)
    shifts = (item.pose[-1, :3, 3] - item.pose[0, :3, 3] for item in moving)
    longest = max(shifts, key=lambda shift: float(shift @ shift), default=np.zeros(3))
    return np.asarray(longest / (float(np.linalg.norm(longest)) or 1.0))


def _split(view: View, rows: Any) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Return points of moving bodies at some rows, and points of fixed bodies."""
    moving: dict[str, Floats] = {}
    fixed: dict[str, Floats] = {}
    for item in view.of(Body):
        if item.is_ghost or item.group == "contact" or not len(item.faces):
            continue
        if not {"pose", "vertices"} & set(item.changing):
            fixed[item.name] = _outline(item)
            continue
        own = view.rows(item)
        some = [row - own.start for row in rows if row in own] or [0]
        moving[item.name] = np.concatenate([_outline(item.at(row)) for row in some])
    if not moving or sum(map(_size, moving.values())) == 0:
        return {}, fixed | moving
    return moving, fixed


def _until_contact(view: View, rows: Any) -> Floats:
    """Return points of the motion until the contact, because bodies overlap after it."""
    time = np.nan if view.outcome is None else view.outcome.time
    last = view.row(time) if np.isfinite(time) else len(view.times) - 1
    moving, _ = _split(view, rows[rows <= last])
    return np.concatenate([np.empty((0, 3)), *moving.values()])


def _shown(moving: dict[str, Floats], fixed: dict[str, Floats]) -> list[Floats]:
    """Return points of fixed bodies that have to be in sight, because they are near the motion."""
    if not moving:
        return [np.empty((0, 3)), *fixed.values()]
    points = np.concatenate(list(moving.values()))
    size = _size(points)
    found = [np.empty((0, 3))]
    for still in fixed.values():
        large = _size(still) > _SMALL * size
        slack = (_PART if large else _NEAR) * size
        near = (still >= points.min(axis=0) - slack) & (still <= points.max(axis=0) + slack)
        inside = near.all(axis=1)
        found.append(still[inside] if large or not inside.any() else still)
    return found


def _outline(item: Body) -> Floats:
    """Return at most `_MOST_POINTS` vertices of a body, in world coordinates."""
    used = np.unique(item.faces)
    return moved(np.asarray(item.vertices)[used[:: 1 + len(used) // _MOST_POINTS]], item.pose)


def _size(points: Floats) -> float:
    return float(np.linalg.norm(np.ptp(points, axis=0)))


def _up(towards: Floats) -> Floats:
    return _UP if abs(towards[2]) < 0.99 * np.linalg.norm(towards) else _SIDEWAYS
