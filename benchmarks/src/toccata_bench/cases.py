"""Cases of the benchmark of rigid bodies, with the same models as in tests and docs."""

from collections.abc import Iterable

import toccata as tc
from toccata.scenes.models import BENCHMARK_PAIRS, torus_knot
from toccata.scenes.surface import MeshArrays, unit
from toccata.scenes.trials import trials
from toccata_bench.protocol import Case
from toccata_bench.scenes.hare import scan

KNOT, BUNNY = "knot-knot", "bunny-bunny"
SCANS = ("bunny", "spot", "rocker-arm", "fandisk", "beetle")
"""Public meshes. Those whose files are found take part, each against itself."""


def available() -> list[str]:
    """Return the names of all cases, including the public meshes whose files are found."""
    return [*BENCHMARK_PAIRS, *(f"{name}-{name}" for name in SCANS if scan(name) is not None)]


def resolve(name: str) -> str | None:
    """Return the case with the full name or first model `name`, or None if no case matches."""
    return next((full for full in available() if name in (full, _first_model(full))), None)


def load_case(name: str, count: int, seed: int) -> Case:
    """Build the models of a case at unit bounding radius and draw its trials."""
    pair: str | tuple[MeshArrays, MeshArrays] = name
    if _first_model(name) in SCANS:
        mesh = scan(_first_model(name))
        assert mesh is not None, "the caller asks for available cases only"
        pair = mesh, mesh
    drawn = trials(pair, count=count, seed=seed)
    return Case(name, tc.Mesh(*drawn.a), tc.Mesh(*drawn.b), drawn.start, drawn.end)


def _first_model(name: str) -> str:
    """Return the name of the first model; in names of public meshes, both models are the same."""
    same = next((one for one in SCANS if name == f"{one}-{one}"), None)
    return same or name.partition("-")[0]


def knot(count: int) -> MeshArrays:
    """Return the torus knot with about `count` triangles at unit bounding radius."""
    return unit(*torus_knot(count))


def knots(sizes: Iterable[int]) -> dict[int, tc.Mesh]:
    """Return torus knots by their exact number of triangles."""
    meshes = (tc.Mesh(*knot(size)) for size in sizes)
    return {len(mesh.faces): mesh for mesh in meshes}
