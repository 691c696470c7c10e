"""Deforming models: five of the kinds and sizes of He et al. 2015, section 5, and two more.

The shapes are our own. Each is a short sequence of steps: some without contact, some with few, some
in which an over-long proposal makes many. Nidus, shell and crash change their mesh on the way. Rods
and the crumpled ball are near contact all over, and touch early in the step.
"""

from collections.abc import Callable
from itertools import islice

from .airbag import airbag
from .cloth import cloth_ball
from .crash import crash
from .crumple import crumpled_ball
from .nidus import nidus
from .rods import rods
from .shell import shell
from .steps import DeformingScene, Step

__all__ = ["NAMES", "DeformingScene", "Step", "scene", "step"]

_MODELS: dict[str, tuple[Callable[[int], DeformingScene], int]] = {
    "cloth-ball": (cloth_ball, 92_230),
    "airbag": (airbag, 9_076),
    "nidus": (nidus, 32_798),
    "shell": (shell, 250_000),
    "crash": (crash, 1_100_000),
    "rods": (rods, 80_000),
    "crumpled-ball": (crumpled_ball, 80_000),
}
NAMES = tuple(_MODELS)
"""Names of the models."""


def scene(name: str, triangles: int | None = None) -> DeformingScene:
    """Build the model of that name, with about `triangles` triangles or in its full size.

    The full size is that of the paper, if it has such a model. Each model has a smallest size, at
    most 7296, that it does not go below.
    """
    if name not in _MODELS:
        raise ValueError(f"name: expected one of {', '.join(NAMES)}, got {name!r}")
    build, size = _MODELS[name]
    count = size if triangles is None else triangles
    if count < 1_000:
        raise ValueError(f"triangles: expected at least 1000, got {count}")
    return build(count)


def step(name: str, index: int, triangles: int | None = None) -> Step:
    """Return one step of a model; the ones before it are made and dropped."""
    steps = scene(name, triangles).steps()
    found = next(islice(steps, index, None), None) if index >= 0 else None
    if found is None:
        raise ValueError(f"index: expected a step of {name}, got {index}")
    return found
