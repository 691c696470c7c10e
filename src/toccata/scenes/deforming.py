"""Deforming models of the kinds and sizes of He et al. 2015, section 5; the shapes are our own.

Each model is a short sequence of steps: some without contact, some with few contacts, and some in
which a proposal that is too long makes many. The vessels of "nidus" are cut on the way.
"""

from collections.abc import Callable, Mapping
from itertools import islice

from .cloth import cloth_ball
from .nidus import nidus
from .steps import DeformingScene, Step

__all__ = ["MODELS", "NAMES", "Builder", "DeformingScene", "Step", "scene", "step"]

Builder = Callable[[int], DeformingScene]
"""A function that builds a model with a number of triangles."""

MODELS: dict[str, tuple[Builder, int]] = {
    "cloth-ball": (cloth_ball, 92_230),
    "nidus": (nidus, 32_798),
}
"""Builder and full size, in triangles, of each model; the sizes are those of the paper."""
NAMES = tuple(MODELS)
"""Names of the models."""


def scene(
    name: str, triangles: int | None = None, models: Mapping[str, tuple[Builder, int]] = MODELS
) -> DeformingScene:
    """Build a model with about `triangles` triangles; None gives its full size.

    Each model has a smallest size of at most 7,296 triangles and is never built below it.
    """
    if name not in models:
        raise ValueError(f"name: expected one of {', '.join(models)}, got {name!r}")
    build, size = models[name]
    count = size if triangles is None else triangles
    if count < 1_000:
        raise ValueError(f"triangles: expected 1000 or more, got {count}")
    return build(count)


def step(name: str, index: int, triangles: int | None = None) -> Step:
    """Return one step of a model; the steps before it are generated and dropped."""
    steps = scene(name, triangles).steps()
    found = next(islice(steps, index, None), None) if index >= 0 else None
    if found is None:
        raise ValueError(f"index: expected the index of a step of {name!r}, got {index}")
    return found
