"""A thick star-shaped shell that breaks into pieces, which fly apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toccata.scenes._steps import Ids
from toccata.scenes.surface import Faces, MeshArrays, Points, boundary
from toccata_bench.scenes.cracks import cracked

_INNER = 0.95


@dataclass(frozen=True, slots=True)
class Debris:
    """Pieces of a shell, with a row for each vertex of its outer surface.

    `outer` is the surface before the pieces moved. `away` is the direction in which the piece of a
    vertex moves, `shift` is its displacement so far, and `origin` is as in a step.
    """

    outer: MeshArrays
    piece: Ids
    origin: Ids
    away: Points
    shift: Points

    @classmethod
    def whole(cls, outer: MeshArrays) -> Debris:
        """Return the whole shell as one piece at rest."""
        ids, zeros = np.arange(len(outer[0])), np.zeros_like(outer[0])
        return cls(outer, np.zeros_like(ids), ids, zeros, zeros)

    def broken(self, sites: Points, distance: float) -> Debris:
        """Move pieces by `distance`, then break them where the nearest site changes."""
        parts = cracked(self.outer, sites)
        names = self.piece[parts.source] * len(sites) + parts.piece
        _, piece = np.unique(names, return_inverse=True)
        shift = (self.shift + distance * self.away)[parts.source]
        return Debris(parts.mesh, piece, parts.origin, sites[parts.piece], shift)

    def points(self, distance: float) -> Points:
        """Return vertices of the outer and the inner surface after pieces moved by `distance`."""
        outer, shift = self.outer[0], self.shift + distance * self.away
        return np.concatenate([outer + shift, _INNER * outer + shift])

    def spin(self, seed: int) -> Points:
        """Return velocities up to 1 of these vertices as pieces rotate about their centers."""
        count = np.bincount(self.piece)
        sums = np.stack([np.bincount(self.piece, x) for x in self.outer[0].T], axis=1)
        turns = np.random.default_rng(seed).standard_normal((len(count), 3))
        center = (sums / count[:, None])[self.piece]
        arms = np.concatenate([self.outer[0] - center, _INNER * self.outer[0] - center])
        velocities = np.cross(np.tile(turns[self.piece], (2, 1)), arms)
        velocities /= np.linalg.norm(velocities, axis=1).max()
        return velocities

    def faces(self) -> Faces:
        """Return outer and inner surface, and walls along the cracks; each piece is closed."""
        outer, count = self.outer[1], len(self.outer[0])
        a, b = boundary(outer).T
        walls = np.stack([b, a, a + count, b, a + count, b + count], axis=1).reshape(-1, 3)
        return np.concatenate([outer, outer[:, ::-1] + count, walls]).astype(np.int32)
