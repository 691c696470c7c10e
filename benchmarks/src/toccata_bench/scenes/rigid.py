"""Scenes of two rigid bodies whose first contact is known in closed form.

Lengths are sums of powers of two wherever possible, so that the models and most poses are exact.
"""

from __future__ import annotations

from math import asin, atan2, cos, hypot, pi, sqrt
from typing import TYPE_CHECKING

import numpy as np

from toccata.scenes.primitives import bar, box, cylinder, icosphere, plate, sheet, torus
from toccata.scenes.scene import DemoScene, scene
from toccata.scenes.surface import MeshArrays, as_mesh, extrude, patch_faces, shifted, union

if TYPE_CHECKING:
    from toccata import Motion

FAR = (2.0**20, -(2.0**20), 2.0**20)


def _fall(height: float, drop: float, turn: float = 0.0) -> Motion:
    """Return a straight fall from z = height by `drop` with a rotation about z by `turn`."""
    import toccata as tc

    start = tc.pose(translation=(0.0, 0.0, height))
    end = tc.pose(translation=(0.0, 0.0, height - drop), rotvec=(0.0, 0.0, turn))
    return tc.Motion.linear(start, end)


def _spin(
    angular: tuple[float, float, float],
    linear: tuple[float, float, float] = (0.0, 0.0, 0.0),
    start: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Motion:
    import toccata as tc

    return tc.Motion.twist(tc.pose(translation=start), linear=linear, angular=angular)


@scene("rigid/falling-box", expected=0.5)
def falling_box() -> DemoScene:
    """A box falls flat onto a plate. Whole faces meet at once, so any of their points is right."""
    return DemoScene(a=box((0.5, 0.5, 0.5)), b=plate(), motion_a=_fall(1.25, 2.0), closing=2.0)


@scene("rigid/vertex-first", expected=0.25)
def vertex_first() -> DemoScene:
    """A faceted ball drops on its lowest vertex and spins about it without delaying the contact."""
    return DemoScene(
        a=icosphere(0.5, 3), b=plate(), motion_a=_fall(1.5, 4.0, turn=2.0), closing=4.0
    )


# A bar of half width w turns about z. Its leading side meets the post's edge at polar coordinates
# (radius, angle) when the edge is at distance w from the bar's axis: radius * sin(angle - turned)
# = w.
_POST_RADIUS, _POST_ANGLE = hypot(0.625, 0.375), atan2(0.375, 0.625)
_BAR_MEETS_POST = _POST_ANGLE - asin(0.0625 / _POST_RADIUS)
_BAR_CLOSES = _POST_RADIUS * cos(_POST_ANGLE - _BAR_MEETS_POST)
_POST_AT = (0.5, 0.5, 0.0)


@scene("rigid/half-turn", expected=_BAR_MEETS_POST / pi)
def half_turn() -> DemoScene:
    """A bar swings half a turn through a post: both end poses are free, the path is not."""
    return DemoScene(
        a=bar(length=2.0, width=0.125),
        b=shifted(box((0.25, 0.25, 2.0)), _POST_AT),
        motion_a=_spin((0.0, 0.0, pi)),
        closing=0.99 * pi * _BAR_CLOSES,
    )


# The tilted box reaches z = 0.5 sin(turned) + 0.25 cos(turned) and the plates are at z = +-0.5.
_SLOT_TURN = asin(0.5 / hypot(0.5, 0.25)) - atan2(0.25, 0.5)


@scene("rigid/turn-in-slot", expected=_SLOT_TURN / (pi / 2))
def turn_in_slot() -> DemoScene:
    """A box turns in place between two plates: its center rests, and two edges touch at once."""
    return DemoScene(
        a=box((1.0, 0.5, 0.5)),
        b=union(shifted(plate(), (0.0, 0.0, -0.5)), shifted(plate(), (0.0, 0.0, 0.625))),
        motion_a=_spin((0.0, pi / 2, 0.0)),
        closing=pi / 2 * sqrt(0.3125 - 0.25),
    )


@scene("rigid/crossed-edges", expected=0.25)
def crossed_edges() -> DemoScene:
    """Two bars on edge cross: the middles of two edges meet, far from any vertex."""
    return DemoScene(
        a=cylinder(0.125, 2.0, segments=4, axis="x"),
        b=cylinder(0.125, 2.0, segments=4, axis="y"),
        motion_a=_fall(1.25, 4.0, turn=1.0),
        closing=4.0,
    )


@scene("rigid/bullet", expected=0.5 - (2.0**-5 + 2.0**-11) / 128)
def bullet() -> DemoScene:
    """A small box crosses a thin sheet at speed 128; samples in time would miss the sheet."""
    return DemoScene(a=box((0.0625,) * 3), b=sheet(), motion_a=_fall(64.0, 128.0), closing=128.0)


@scene("rigid/last-turn", expected=(3 + _BAR_MEETS_POST / (2 * pi)) / 3.25)
def last_turn() -> DemoScene:
    """A hand makes 3.25 turns, climbing like a screw, and meets a post only in the last turn.

    The end poses do not show how many turns lie between them.
    """
    return DemoScene(
        a=shifted(bar(length=1.0, width=0.125), (0.5, 0.0, 0.0)),
        b=shifted(box((0.25, 0.25, 0.75)), (0.5, 0.5, 3.1875)),
        motion_a=_spin((0.0, 0.0, 6.5 * pi), linear=(0.0, 0.0, 3.25)),
        closing=0.99 * 6.5 * pi * _BAR_CLOSES,
    )


@scene("rigid/touch-at-start", expected=0.0, status="INITIAL_OVERLAP")
def touch_at_start() -> DemoScene:
    """A box rests on the plate and is pushed down: contact at t = 0, exactly."""
    return DemoScene(a=box((0.5, 0.5, 0.5)), b=plate(), motion_a=_fall(0.25, 1.0))


@scene("rigid/lift-off", expected=None)
def lift_off() -> DemoScene:
    """A resting box is lifted: free, because contacts that only separate are ignored."""
    motion = _fall(0.25, -1.0)
    return DemoScene(
        a=box((0.5, 0.5, 0.5)), b=plate(), motion_a=motion, initial="ignore_separating"
    )


@scene("rigid/touch-at-end", expected=1.0)
def touch_at_end() -> DemoScene:
    """A box comes to rest on the plate: contact exactly at t = 1 is reported."""
    return DemoScene(a=box((0.5, 0.5, 0.5)), b=plate(), motion_a=_fall(1.25, 1.0))


@scene("rigid/separation", expected=0.375)
def separation() -> DemoScene:
    """A box falls onto a plate with a separation of 0.25: contact is at this distance."""
    motion = _fall(1.25, 2.0)
    return DemoScene(a=box((0.5,) * 3), b=plate(), motion_a=motion, separation=0.25, closing=2.0)


@scene("rigid/near-miss", expected=None)
def near_miss() -> DemoScene:
    """A bar spins a full turn, and its corners pass a wall at 1e-4, so loose bounds would fail."""
    wall = shifted(box((0.25, 4.0, 1.0)), (hypot(1.0, 0.0625) + 1e-4 + 0.125, 0.0, 0.0))
    motion = _spin((0.0, 0.0, 2 * pi))
    return DemoScene(a=bar(length=2.0, width=0.125), b=wall, motion_a=motion, tolerance=1e-5)


@scene("rigid/hovering", expected=None)
def hovering() -> DemoScene:
    """A box slides and turns 2**-10 above the plate: whole faces are close all the time."""
    import toccata as tc

    height = 0.25 + 2.0**-10
    start = tc.pose(translation=(-0.5, 0.0, height))
    end = tc.pose(translation=(0.5, 0.0, height), rotvec=(0.0, 0.0, 2.0))
    motion = tc.Motion.linear(start, end)
    return DemoScene(a=box((0.5, 0.5, 0.5)), b=plate(), motion_a=motion, tolerance=1e-4)


@scene("rigid/through-ring", expected=None)
def through_ring() -> DemoScene:
    """A bar turns and passes through a ring: free, although it crosses the hull of the ring."""
    motion = _fall(3.0, 6.0, turn=3.0)
    return DemoScene(a=bar(2.0, 0.5, axis="z"), b=torus(), motion_a=motion, tolerance=1e-3)


@scene("rigid/slivers", expected=0.25)
def slivers() -> DemoScene:
    """A vertex lands among triangles 1e-7 wide and 1 long, whose cross products are inaccurate."""
    motion = _fall(1.5, 4.0, turn=2.0)
    return DemoScene(a=icosphere(0.5, 2), b=sliver_plate(), motion_a=motion, closing=4.0)


def sliver_plate() -> MeshArrays:
    """Return the plate, cut into strips 1e-7 wide beside x = 0."""
    x, y = np.meshgrid([-1.0, -2e-7, -1e-7, 0.0, 1e-7, 2e-7, 1.0], [-1.0, 0.0, 1.0])
    points = np.stack([x.ravel(), y.ravel(), np.zeros(21)], axis=1)
    flat = as_mesh(points, patch_faces(np.arange(21).reshape(3, 7)))
    return shifted(extrude(flat, 0.0625), (0.0, 0.0, -0.0625))


@scene("rigid/far-away", expected=0.5)
def far_away() -> DemoScene:
    """The falling box with coordinates of a million, where an ulp is 1e-10; tolerance 1e-6."""
    motion = _fall(1.25, 2.0)
    a, b = shifted(box((0.5, 0.5, 0.5)), FAR), shifted(plate(), FAR)
    return DemoScene(a=a, b=b, motion_a=motion, closing=2.0, accuracy=1e-8)


@scene("rigid/far-half-turn", expected=_BAR_MEETS_POST / pi)
def far_half_turn() -> DemoScene:
    """The swinging bar with poses a million away, where rounding must not affect the turn."""
    import toccata as tc

    return DemoScene(
        a=bar(length=2.0, width=0.125),
        b=shifted(box((0.25, 0.25, 2.0)), _POST_AT),
        motion_a=_spin((0.0, 0.0, pi), start=FAR),
        motion_b=tc.Motion.fixed(tc.pose(translation=FAR)),
        closing=0.99 * pi * _BAR_CLOSES,
        accuracy=1e-8,
    )
