"""All deforming models: the models of `toccata.scenes.deforming`, and models for benchmarks only.

Shell and crash change their mesh between steps. Rods and the crumpled ball are close to themselves
everywhere, and touch early in a step.
"""

from toccata.scenes import deforming
from toccata.scenes.deforming import DeformingScene, Step
from toccata_bench.scenes.airbag import airbag
from toccata_bench.scenes.crash import crash
from toccata_bench.scenes.crumple import crumpled_ball
from toccata_bench.scenes.fragments import fragments, shatter
from toccata_bench.scenes.rods import rods
from toccata_bench.scenes.shell import shell

__all__ = ["NAMES", "DeformingScene", "Step", "scene"]

_MODELS: dict[str, tuple[deforming.Builder, int]] = {
    "cloth-ball": deforming.MODELS["cloth-ball"],
    "airbag": (airbag, 9_076),
    "nidus": deforming.MODELS["nidus"],
    "shell": (shell, 250_000),
    "crash": (crash, 1_100_000),
    "fragments": (fragments, 60_000),
    "shatter": (shatter, 264_000),
    "rods": (rods, 80_000),
    "crumpled-ball": (crumpled_ball, 80_000),
}
NAMES = tuple(_MODELS)
"""Names of the models, in the order of the tables."""


def scene(name: str, triangles: int | None = None) -> DeformingScene:
    """Build a model as `toccata.scenes.deforming.scene` does."""
    return deforming.scene(name, triangles, _MODELS)
