"""The window motor in the door of the car, and its removal."""

from collections.abc import Sequence
from math import pi

import numpy as np

from toccata.scenes._door import ORIGIN, car_door
from toccata.scenes._refine import refined
from toccata.scenes._tube import turned_part
from toccata.scenes.mounting import Mounting
from toccata.scenes.primitives import box, cylinder
from toccata.scenes.surface import MeshArrays, along, shifted, turned, union

MOTOR_POSITION = (-0.07, 0.788, 0.675)
"""Position of the mounted motor, half behind the inner panel, in the frame of the car."""


def motor_removal() -> Mounting:
    """Return a motor of 4,000 triangles in a door of 16,000, and a target outside of the door.

    The motor starts half behind the inner panel, and the hole is just larger than the motor. It has
    to be moved along the panel first (Redon, Kheddar, Coquillart 2002, figure 6: 20,000 triangles).
    """
    from toccata import pose

    position = np.asarray(MOTOR_POSITION) - ORIGIN
    before = position + (0.1575, 0.0, 0.0)
    out = before - (0.0, 0.30, 0.0)
    return Mounting(
        window_motor(), {"door": car_door()}, pose(position), pose(out), (pose(before),)
    )


def window_motor(count: int = 4_000) -> MeshArrays:
    """Return motor, gear and drum with exactly `count` triangles (even): 0.19 x 0.05 x 0.09."""
    shell = [
        (0, -0.072), (0.014, -0.072), (0.019, -0.066), (0.021, -0.06), (0.021, 0.03),
        (0.017, 0.04), (0, 0.04),
    ]  # fmt: skip
    gear = [
        (0, -0.020), (0.036, -0.020), (0.040, -0.016), (0.040, 0.006), (0.030, 0.012),
        (0, 0.012),
    ]  # fmt: skip
    drum = [
        (0, 0.0), (0.024, 0.0), (0.024, 0.014), (0.020, 0.017), (0.020, 0.021), (0.024, 0.024),
        (0, 0.024),
    ]  # fmt: skip
    parts = [
        shifted(along(turned_part(shell, 40), "x"), (-0.022, 0.0, 0.022)),
        shifted(_upright(gear, 48), (0.052, 0.0, 0.0)),
        shifted(_upright(drum, 40), (0.052, 0.0, 0.0)),
        shifted(box((0.03, 0.022, 0.024)), (-0.005, 0.004, -0.008)),
        *_lugs(),
        *_ribs(),
    ]
    return refined(union(*parts), count)


def _upright(profile: Sequence[tuple[float, float]], sides: int) -> MeshArrays:
    """Return the surface of revolution of a profile about y."""
    return along(turned_part(profile, sides), "y")


def _lugs() -> list[MeshArrays]:
    """Return three eyes for screws around the gear."""
    eye = along(cylinder(0.007, 0.010, 16), "y")
    angles = [2 * pi * (k + 0.5) / 3 for k in range(3)]
    return [shifted(eye, (0.052 + 0.037 * np.cos(a), -0.012, 0.037 * np.sin(a))) for a in angles]


def _ribs() -> list[MeshArrays]:
    """Return ribs on the lid of the gear."""
    rib = shifted(box((0.024, 0.006, 0.003)), (0.022, -0.021, 0.0))
    return [shifted(turned(rib, "y", 2 * pi * k / 6), (0.052, 0.0, 0.0)) for k in range(6)]
