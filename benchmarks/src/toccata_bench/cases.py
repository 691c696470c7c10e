"""Cases of the benchmark of rigid bodies, with the same models as in tests and docs."""

from collections.abc import Iterable

import toccata as tc
from toccata.scenes.models import BENCHMARK_PAIRS, torus_knot
from toccata.scenes.surface import MeshArrays, unit
from toccata.scenes.trials import trials
from toccata_bench.protocol import Case
from toccata_bench.scenes.hare import bunny

BUNNY = "bunny-bunny"
KNOT = "knot-knot"


def available() -> list[str]:
    """Return the names of all cases, including the bunny if its file is found."""
    return [*BENCHMARK_PAIRS, *([BUNNY] if bunny() is not None else [])]


def resolve(name: str) -> str | None:
    """Return the case whose full name or first model is `name`, None if there is no such case."""
    return next((full for full in available() if name in (full, full.partition("-")[0])), None)


def load_case(name: str, count: int, seed: int) -> Case:
    """Build the models of a case at unit bounding radius and draw its trials."""
    pair: str | tuple[MeshArrays, MeshArrays] = name
    if name == BUNNY:
        rabbit = bunny()
        assert rabbit is not None, "the caller asks for available cases only"
        pair = rabbit, rabbit
    drawn = trials(pair, count=count, seed=seed)
    return Case(name, tc.Mesh(*drawn.a), tc.Mesh(*drawn.b), drawn.start, drawn.end)


def knot(count: int) -> MeshArrays:
    """Return the torus knot with about `count` triangles at unit bounding radius."""
    return unit(*torus_knot(count))


def knots(sizes: Iterable[int]) -> dict[int, tc.Mesh]:
    """Return torus knots by their exact number of triangles."""
    meshes = (tc.Mesh(*knot(size)) for size in sizes)
    return {len(mesh.faces): mesh for mesh in meshes}
