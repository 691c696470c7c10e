"""A thick, bumpy shell that a ball bursts from within, in two stages.

It is free of intersection by construction. Inner and outer surface are the same star-shaped graph
over the sphere at two scales, and a crack removes a strip of this graph. Each piece then moves in
the direction of its site, so the plane between two neighbors stays between them.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from toccata.scenes._refine import refined
from toccata.scenes._steps import DeformingScene, Ids, Kind, Step
from toccata.scenes.primitives import icosphere
from toccata.scenes.surface import Faces, MeshArrays, Points, as_mesh, union
from toccata_bench.scenes.debris import Debris

_COARSE, _FINE = 4, 6
_BALL = 0.4


def shell(triangles: int) -> DeformingScene:
    """Return a shell of radius 1 around a ball, with `triangles` triangles at first."""
    ball = icosphere(_BALL, max(1, int(log(triangles / 60, 4))))
    half = (triangles - len(ball[1])) // 4 * 2
    sphere, faces = refined(icosphere(1.0, max(1, int(log(half / 20, 4)))), half)
    model = _Shell(as_mesh(_bumpy(sphere), faces), ball, sqrt(16 * np.pi / sqrt(3) / half))
    return DeformingScene("shell", 2 * len(faces) + len(ball[1]), model.steps)


@dataclass(frozen=True, slots=True)
class _Shell:
    outer: MeshArrays
    ball: MeshArrays
    edge: float

    def steps(self) -> Iterator[Step]:
        edge, whole = self.edge, Debris.whole(self.outer)
        points = whole.points(0.0)
        shell, near = (points, points, whole.faces()), self.reach(points)
        yield self.step("swing", "free", shell, (near - 3 * edge, near - edge))
        yield self.step("hit", "few", shell, (near, near + 2 * edge))

        for label, then, debris in self.stages(whole):
            faces, ball = debris.faces(), (near, near + edge)
            tumbled = debris.points(0.3 * edge) + 3 * edge * debris.spin(seed=4)
            shell = debris.points(0.0), tumbled, faces
            yield self.step(label, "many", shell, ball, self.origin(debris))
            shell = debris.points(5 * edge), debris.points(8 * edge), faces
            yield self.step(then, "free", shell, ball)

    def stages(self, whole: Debris) -> Iterator[tuple[str, str, Debris]]:
        """Yield for each stage the labels of its two steps, breaking and flying, and its pieces."""
        coarse = whole.broken(_sites(_COARSE, 0.3, seed=1), 0.0)
        yield "crack", "fly", coarse
        yield "shatter", "scatter", coarse.broken(_sites(_FINE, 1.0, seed=2), 10 * self.edge)

    def origin(self, debris: Debris) -> Ids:
        """Return the original vertices of outer surface, inner surface and ball."""
        outer, old = debris.origin, int(debris.origin.max()) + 1
        inner = np.where(outer < 0, -1, outer + old)
        return np.concatenate([outer, inner, 2 * old + np.arange(len(self.ball[0]))])

    def step(
        self, label: str, kind: Kind, shell: tuple[Points, Points, Faces],
        ball: tuple[float, float], origin: Ids | None = None,
    ) -> Step:  # fmt: skip
        """Return a step of the shell and the ball at two positions on the x axis."""
        v0, v1, faces = shell
        body, moved = (self.ball[0] + (x, 0.0, 0.0) for x in ball)
        start, corners = union((v0, faces), (body, self.ball[1]))
        return Step(label, kind, start, np.concatenate([v1, moved]), corners, origin)

    def reach(self, shell: Points) -> float:
        """Return the position of the ball on the x axis at half an edge from the nearest vertex."""
        low, high = 0.0, 1.0
        for _ in range(30):
            x = (low + high) / 2
            gap = np.linalg.norm(shell - (x, 0.0, 0.0), axis=1).min() - _BALL
            low, high = (x, high) if gap > 0.5 * self.edge else (low, x)
        return low


def _bumpy(sphere: Points) -> Points:
    """Return a star-shaped surface with its own radius in every direction."""
    x, y, z = (sphere / np.linalg.norm(sphere, axis=1, keepdims=True)).T
    waves = np.sin(7 * x + 1) * np.sin(6 * y) + np.sin(5 * z + 2 * x) + np.sin(11 * y - 3 * z)
    bumpy: Points = (1 + 0.025 * waves)[:, None] * np.stack([x, y, z], axis=1)
    return bumpy


def _sites(count: int, bias: float, seed: int) -> Points:
    """Return random unit vectors, more of them towards x, where the ball hits."""
    vectors = np.random.default_rng(seed).standard_normal((count, 3)) + (bias, 0.0, 0.0)
    unit: Points = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return unit
