"""Deforming models of the kinds and sizes of He et al. 2015, section 5; the shapes are our own.

Each is a short sequence of steps: some without contact, some with few, some in which an over-long
proposal makes many. Nidus, shell and crash change their mesh on the way.
"""

from collections.abc import Callable
from itertools import islice

from .airbag import airbag
from .cloth import cloth_ball
from .crash import crash
from .nidus import nidus
from .shell import shell
from .steps import DeformingScene, Step

__all__ = ["NAMES", "DeformingScene", "Step", "scene", "step"]

_MODELS: dict[str, tuple[Callable[[int], DeformingScene], int]] = {
    "cloth-ball": (cloth_ball, 92_230),
    "airbag": (airbag, 9_076),
    "nidus": (nidus, 32_798),
    "shell": (shell, 250_000),
    "crash": (crash, 1_100_000),
}
NAMES = tuple(_MODELS)
"""Names of the models."""


def scene(name: str, triangles: int | None = None) -> DeformingScene:
    """Build the model of that name, in the paper's size or with about `triangles` triangles.

    Each model has a smallest size, at most 7296, that it does not go below.
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
