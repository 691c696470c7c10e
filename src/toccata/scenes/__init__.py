"""Models and scenes made by code, for demos, tutorials and first programs.

The package `toccata-bench` has more models and scenes, for benchmarks and tests.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from . import demo, models, trials
from .scene import DemoScene, get, names
from .surface import MeshArrays

_LAZY = ("articulated", "deforming", "mounting", "pipes", "robots", "worlds")
"""Modules that are imported on first access, because most programs do not need them."""

__all__ = [
    "DemoScene",
    "MeshArrays",
    "articulated",
    "deforming",
    "demo",
    "get",
    "models",
    "mounting",
    "names",
    "pipes",
    "robots",
    "trials",
    "worlds",
]

if TYPE_CHECKING:
    from . import articulated, deforming, mounting, pipes, robots, worlds
else:

    def __getattr__(name: str) -> object:
        if name in _LAZY:
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
