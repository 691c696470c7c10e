"""Deforming models of the kinds and sizes of He et al. 2015, section 5; the shapes are our own.

Each model is a short sequence of steps without contact, with few contacts, or with many contacts
due to a proposal that is too long. The vessels of "nidus" are cut between two steps.
"""

from collections.abc import Callable, Mapping
from itertools import islice

from ._arguments import as_count, look_up
from ._cloth import cloth_ball
from ._nidus import nidus
from ._steps import DeformingScene, Step

__all__ = ["MODELS", "NAMES", "Builder", "DeformingScene", "Step", "scene", "step"]

Builder = Callable[[int], DeformingScene]
"""Function that builds a model with a number of triangles."""

MODELS: dict[str, tuple[Builder, int]] = {
    "cloth-ball": (cloth_ball, 92_230),
    "nidus": (nidus, 32_798),
}
"""Builder of each model and its full size in triangles, as in the paper."""
NAMES = tuple(MODELS)
"""Names of the models."""


def scene(
    name: str,
    triangles: int | None = None,
    models: Mapping[str, tuple[Builder, int]] | None = None,
) -> DeformingScene:
    """Build a model with about `triangles` triangles; None gives its full size.

    No model is built below its smallest size, which is at most 7,296 triangles. The table `models`
    of builders and sizes replaces `MODELS`.
    """
    build, size = look_up("name", name, MODELS if models is None else models)
    return build(size if triangles is None else as_count("triangles", triangles, 1_000))


def step(name: str, index: int, triangles: int | None = None) -> Step:
    """Return one step of a model; earlier steps are generated and dropped."""
    steps = scene(name, triangles).steps()
    found = next(islice(steps, as_count("index", index, 0), None), None)
    if found is None:
        raise ValueError(f"index: expected the index of a step of {name!r}, got {index}")
    return found
