"""Scenes of two bodies for `toccata demo` and the docs.

Their answers have no closed form. The expected times were measured by sampling the motion with an
independent library and are accurate to 1e-3.
"""

from __future__ import annotations

from math import pi

import toccata as tc

from ._machine import gear, hammer, workpiece
from ._organic import club, torus_knot
from .primitives import bar, box, plate
from .scene import DemoScene, scene
from .surface import shifted, union, unit

_MEASURED = 1e-3


@scene("demo/gear-gear", expected=0.5415)
def gear_gear() -> DemoScene:
    """A gear rolls toward another gear and meets it tooth to tooth."""
    start = tc.pose(translation=(2.6, 0.9, 0.05))
    end = tc.pose(translation=(1.2, -0.2, 0.05), rotvec=(0.0, 0.0, -1.2))
    return DemoScene(
        a=gear(),
        b=gear(),
        motion_a=tc.Motion.linear(start, end),
        tolerance=1e-4,
        accuracy=_MEASURED,
    )


@scene("demo/knot-knot", expected=0.3125)
def knot_knot() -> DemoScene:
    """A knot enters the convex hull of another knot by a tenth of its size before they touch."""
    model = unit(*torus_knot())
    start = tc.pose(translation=(-0.4, 0.0, 2.0), rotvec=(-1.3, -1.4, 1.2))
    end = tc.pose(translation=(0.2, 0.0, -1.2), rotvec=(-1.4, -1.4, 1.5))
    motion = tc.Motion.linear(start, end)
    return DemoScene(a=model, b=model, motion_a=motion, tolerance=1e-4, accuracy=_MEASURED)


@scene("demo/hammer-workpiece", expected=0.8760)
def hammer_workpiece() -> DemoScene:
    """A hammer swings about the end of its handle and hits the base of a bracket."""
    start = tc.pose(translation=(-1.25, 0.3, 0.1), rotvec=(0.0, -0.6, 0.0))
    motion = tc.Motion.twist(start, linear=(0.0, 0.0, 0.0), angular=(0.0, 2.2, 0.0))
    return DemoScene(a=hammer(), b=workpiece(), motion_a=motion, tolerance=1e-4, accuracy=_MEASURED)


@scene("demo/club-club", expected=0.7425)
def club_club() -> DemoScene:
    """Two clubs are swung at each other; both of them move and turn."""
    ours = tc.pose(translation=(-0.9, 0.0, 0.0), rotvec=(0.0, -0.7, 0.0))
    theirs = tc.pose(translation=(0.9, 0.1, 0.1), rotvec=(0.0, 0.8, 0.0))
    still = (0.0, 0.0, 0.0)
    return DemoScene(
        a=club(),
        b=club(),
        motion_a=tc.Motion.twist(ours, linear=still, angular=(0.0, 1.8, 0.1)),
        motion_b=tc.Motion.twist(theirs, linear=still, angular=(0.1, -1.5, 0.0)),
        tolerance=1e-4,
        accuracy=_MEASURED,
    )


@scene("demo/bar-posts", expected=None)
def bar_posts() -> DemoScene:
    """A long bar turns just in time to pass freely between two posts, with little room."""
    post = box((0.2, 0.2, 1.2))
    start = tc.pose(translation=(-2.2, 0.0, 0.0), rotvec=(0.0, 0.0, pi / 2))
    end = tc.pose(translation=(2.2, 0.0, 0.0), rotvec=(0.0, 0.0, -pi / 2))
    return DemoScene(
        a=bar(length=1.6, width=0.12),
        b=union(shifted(post, (0.0, 0.58, 0.0)), shifted(post, (0.0, -0.58, 0.0))),
        motion_a=tc.Motion.linear(start, end),
        tolerance=1e-4,
    )


@scene("demo/tumbling-box", expected=0.7216)
def tumbling_box() -> DemoScene:
    """A box falls, tumbles one and a half turns and lands on a corner."""
    start = tc.pose(translation=(-1.2, -0.2, 1.6), rotvec=(0.3, 0.0, 0.0))
    motion = tc.Motion.twist(start, linear=(1.8, 0.3, -1.7), angular=(2.0, 9.0, 1.0))
    return DemoScene(
        a=box((0.7, 0.5, 0.35)),
        b=plate(3.0, 2.0, 0.125),
        motion_a=motion,
        tolerance=1e-4,
        accuracy=_MEASURED,
    )
