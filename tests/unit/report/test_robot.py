"""Pictures of robots."""

from __future__ import annotations

import numpy as np

from toccata.report import robot_picture
from toccata.scenes.primitives import box
from toccata.scenes.robots import planar_arm
from toccata.scenes.surface import shifted


def dominant(image: np.ndarray) -> list[int]:
    """Count the pixels in which red, green or blue is clearly the strongest channel."""
    channels = image.astype(int)
    return [
        int((channels[..., i] > 25 + np.delete(channels, i, axis=2).max(axis=2)).sum())
        for i in range(3)
    ]


def test_first_configuration_is_orange_the_last_green_and_the_world_blue() -> None:
    robot = planar_arm((1.0,))
    post = shifted(box((0.2, 0.2, 0.2)), (-1.0, 0.0, 0.0))
    alone = dominant(robot_picture(robot, [[0.0]], size=(80, 60)))
    assert alone[0] > 100 and alone[1:] == [0, 0]
    image = robot_picture(robot, [[0.0], [0.8], [1.6]], [post], size=(80, 60))
    assert image.shape == (60, 80, 3) and image.dtype == np.uint8
    assert min(dominant(image)) > 20
