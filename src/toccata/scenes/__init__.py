"""Named models and scenes: the one source for tests, benchmarks, pictures and docs."""

from importlib import import_module
from typing import TYPE_CHECKING

from . import demo, models, rigid, trials
from .scene import Scene, all_scenes, get, names
from .surface import MeshArrays

_LATER = (
    "articulated",
    "chess",
    "deforming",
    "hand",
    "installed",
    "machine_room",
    "mannequin",
    "mounting",
    "pipes",
    "robots",
    "worlds",
)
"""Modules that are imported when they are first asked for: most programs need none of them."""

__all__ = [
    "MeshArrays",
    "Scene",
    "all_scenes",
    "articulated",
    "chess",
    "deforming",
    "demo",
    "get",
    "hand",
    "installed",
    "machine_room",
    "mannequin",
    "models",
    "mounting",
    "names",
    "pipes",
    "rigid",
    "robots",
    "trials",
    "worlds",
]

if TYPE_CHECKING:
    from . import (
        articulated,
        chess,
        deforming,
        hand,
        installed,
        machine_room,
        mannequin,
        mounting,
        pipes,
        robots,
        worlds,
    )
else:

    def __getattr__(name: str) -> object:
        if name in _LATER:
            return import_module(f"{__name__}.{name}")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
