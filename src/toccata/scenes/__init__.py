"""Named models and scenes: the one source for tests, benchmarks, pictures and docs."""

from . import demo, models, rigid, trials
from .scene import Scene, all_scenes, get, names
from .surface import MeshArrays

__all__ = [
    "MeshArrays",
    "Scene",
    "all_scenes",
    "demo",
    "get",
    "models",
    "names",
    "rigid",
    "trials",
]
