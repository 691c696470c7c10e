"""Shapes, and the pairs of models that the benchmarks measure.

The models have the triangle counts of Tang, Manocha, Kim 2013, figure 5 and table 1; the shapes are
our own. All models are closed and face outward. Hammer and workpiece are unions of closed parts.
"""

from collections.abc import Callable

from ._machine import gear, hammer, workpiece
from ._organic import club, torus_knot
from .primitives import bar, box, capsule, cylinder, icosphere, plate, sheet, torus
from .surface import MeshArrays, unit

__all__ = [
    "BENCHMARK_PAIRS",
    "MeshArrays",
    "bar",
    "box",
    "capsule",
    "club",
    "cylinder",
    "gear",
    "hammer",
    "icosphere",
    "plate",
    "sheet",
    "torus",
    "torus_knot",
    "unit",
    "workpiece",
]

BENCHMARK_PAIRS: dict[str, Callable[[], tuple[MeshArrays, MeshArrays]]] = {
    "knot-knot": lambda: (torus_knot(), torus_knot()),
    "gear-gear": lambda: (gear(), gear()),
    "club-club": lambda: (club(), club()),
    "hammer-workpiece": lambda: (hammer(), workpiece()),
    "box-box": lambda: (box(), box()),
}
"""Functions by name that build the models a and b of a pair, each in its own units."""
