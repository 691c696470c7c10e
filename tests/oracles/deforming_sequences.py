"""Seeded sequences of frames: proofs of one step hold or fail in the next step.

A motion takes a step of a small mesh, and returns the frames of a sequence that starts there: some
creep, so that all patches hold; some break one patch or move one vertex through another; some leave
nothing as it was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from .brute_force import Array, Step
from .deforming_meshes import deforming_mesh, sheet
from .shapes import random_rotation

Motion = Callable[[np.random.Generator, Step], list[Array]]


@dataclass(frozen=True)
class Sequence:
    """A mesh, and the frames through which it goes."""

    name: str
    mesh: Step
    frames: list[Array]

    @property
    def steps(self) -> list[Step]:
        """The steps between the frames."""
        return [self.mesh.moved(a, b) for a, b in pairwise(self.frames)]

    @property
    def gentle(self) -> list[bool]:
        """For each step, whether no side of a face changes by more than a tenth of its length."""
        return [_stretch(step) < 0.1 for step in self.steps]


def _stretch(step: Step) -> float:
    edges = step.edges[step.edges[:, 0] != step.edges[:, 1]]
    if not len(edges):
        return 0.0
    before, after = (x[edges[:, 1]] - x[edges[:, 0]] for x in (step.v0, step.v1))
    change = np.linalg.norm(after - before, axis=1)
    length = np.linalg.norm(before, axis=1)
    return float((change / np.maximum(length, 1e-300)).max())


def size_of(points: Array) -> float:
    """Return the largest extent of a frame."""
    return float(np.ptp(points, axis=0).max(initial=0.0))


def between(step: Step, *shares: float) -> list[Array]:
    """Return frames of the step and of what comes before and after it."""
    return [step.v0 + share * (step.v1 - step.v0) for share in shares]


def onward(_: np.random.Generator, step: Step) -> list[Array]:
    """The step in three parts, and further on."""
    return between(step, 0, 0.3, 0.6, 1, 1.25)


def back_and_forth(_: np.random.Generator, step: Step) -> list[Array]:
    """Through the step, back, and through it again, by halves and at once."""
    return between(step, 0, 0.5, 0, 1, 0, 1)


def creeping(rng: np.random.Generator, step: Step) -> list[Array]:
    """Return hundredths of the step from a random time on, with a little noise."""
    begin = float(rng.choice([0.0, 0.4, 0.9]))
    frames = between(step, *(begin + 0.01 * np.arange(6)))
    noise = 1e-4 * size_of(step.v0)
    return [frame + noise * rng.normal(size=frame.shape) for frame in frames]


def resting(_: np.random.Generator, step: Step) -> list[Array]:
    """Nothing moves before and after the step; what touches at its end goes on touching."""
    return between(step, 0, 0, 1, 1)


def turning(rng: np.random.Generator, step: Step) -> list[Array]:
    """The whole turns, ever farther; half a turn takes every vertex through the axis."""
    middle = step.v0.mean(axis=0)
    basis = random_rotation(rng)
    frames = []
    for degrees, share in ((0, 0), (3, 0.05), (30, 0.1), (130, 0.15), (310, 0.2)):
        c, s = np.cos(np.deg2rad(degrees)), np.sin(np.deg2rad(degrees))
        turn = basis @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ basis.T
        frames.append((between(step, share)[0] - middle) @ turn.T + middle)
    return frames


def spiking(rng: np.random.Generator, step: Step) -> list[Array]:
    """All but one or two vertices hardly move; those fly to where others are, and back."""
    n, frames = len(step.v0), [step.v0]
    for k in range(4):
        frame = between(step, 0.01 * k)[0]
        if k % 2 == 0:
            who, where = rng.integers(n, size=(2, 2))
            shift = 1.2 * (step.v0[where] - step.v0[who])
            frame[who] += shift + 0.01 * size_of(step.v0) * rng.normal(size=(2, 3))
        frames.append(frame)
    return frames


def tearing(rng: np.random.Generator, step: Step) -> list[Array]:
    """A region around one vertex is thrown about, the rest creeps."""
    center = step.v0[int(rng.integers(len(step.v0)))]
    radius = rng.choice([0.08, 0.15, 0.3]) * size_of(step.v0)
    reach = np.linalg.norm(step.v0 - center, axis=1) < radius
    frames = between(step, 0, 0.02, 0.04, 0.06, 0.08)
    for frame in frames[2:]:
        frame[reach] += 0.1 * size_of(step.v0) * rng.normal(size=(int(reach.sum()), 3))
    return frames


def bursting(rng: np.random.Generator, step: Step) -> list[Array]:
    """Every vertex is thrown about, then all is as it was: no patch survives."""
    thrown = step.v0 + 0.1 * size_of(step.v0) * rng.normal(size=step.v0.shape)
    return [step.v0, between(step, 0.01)[0], thrown, step.v0, between(step, 0.01)[0]]


def mirrored(rng: np.random.Generator, step: Step) -> list[Array]:
    """Pressed flat and turned inside out, halfway at first."""
    axis = random_rotation(rng)[0]
    heights = (step.v0 - step.v0.mean(axis=0)) @ axis
    shares = (0.0, 0.02, 0.6, 1.7)
    return [step.v0 - share * heights[:, None] * axis for share in shares]


def breathing(_: np.random.Generator, step: Step) -> list[Array]:
    """Grows and shrinks by powers of ten while the step goes on: scales change, shapes do not."""
    middle = step.v0.mean(axis=0)
    shares, scales = (0, 0.1, 0.2, 0.3, 0.4), (1, 10, 0.01, 0.02, 1)
    frames = between(step, *shares)
    return [middle + scale * (x - middle) for x, scale in zip(frames, scales, strict=True)]


def tiny(rng: np.random.Generator, step: Step) -> list[Array]:
    """The same at a millionth of the size."""
    return [1e-6 * frame for frame in _varied(rng, step)]


def huge(rng: np.random.Generator, step: Step) -> list[Array]:
    """The same at a million times the size."""
    return [1e6 * frame for frame in _varied(rng, step)]


def jumping(rng: np.random.Generator, step: Step) -> list[Array]:
    """Return frames between which the whole mesh jumps far away and back."""
    frames = _varied(rng, step)[:4]
    far = 1000 * size_of(step.v0) * np.array([1.0, -0.3, 0.5])
    return [frames[0], frames[1], frames[1] + far, frames[2] + far, frames[2], frames[3]]


def _varied(rng: np.random.Generator, step: Step) -> list[Array]:
    return (onward, creeping, tearing)[int(rng.integers(3))](rng, step)


MOTIONS: dict[str, Motion] = {
    motion.__name__: motion
    for motion in (
        onward,
        back_and_forth,
        creeping,
        resting,
        turning,
        spiking,
        tearing,
        bursting,
        mirrored,
        breathing,
        tiny,
        huge,
        jumping,
    )
}


def deforming_sequence(name: str, motion: str, seed: int, fine: int = 1) -> Sequence:
    """Draw a mesh by the name of its maker, and move it by a named motion."""
    mesh = deforming_mesh(name, seed, fine)
    rng = np.random.default_rng((seed, [*MOTIONS].index(motion)))
    return Sequence(f"{name} {motion} {seed}", mesh, MOTIONS[motion](rng, mesh))


# --- one patch that finally touches itself ----------------------------------------------------


def rolling_up(fine: int = 1) -> Sequence:
    """A flat sheet is rolled up until its layers touch: one patch, that no longer is one."""
    n, rows, turns = 12 * fine, 3, 2.0
    along, across = np.linspace(0, 2 * np.pi * turns, n), np.linspace(0, 1, rows)[:, None]

    def rolled(share: float, pitch: float) -> Array:
        """Bend a sheet of one length: an arc about the origin, of `share` of all turns."""
        angle = share * along
        radius = (1 + pitch * along / (2 * np.pi)) / max(share, 1e-3)
        x, y = radius * np.sin(angle), radius * (1 - np.cos(angle))
        rows_of = (x + 0 * across, y + 0 * across, across + 0 * x)
        return np.stack(rows_of, axis=-1).reshape(-1, 3)

    frames = [rolled(share, 0.2) for share in (1e-3, 0.1, 0.3, 0.6, 1.0)]
    frames.append(rolled(1.0, -0.1))
    return Sequence("rolling up", Step(frames[0], frames[1], sheet(rows, n)), frames)


def closing(fine: int = 1) -> Sequence:
    """A flat ring with a gap that closes: it never turns its back, and its rims meet."""
    n, rows = 14 * fine, 3
    share, radius = np.linspace(0, 1, n), np.linspace(1, 1.5, rows)[:, None]

    def ring(arc: float) -> Array:
        angle = arc * share
        x, y = radius * np.cos(angle), radius * np.sin(angle)
        return np.stack([x, y, 0.05 * radius**2 + 0 * x], axis=-1).reshape(-1, 3)

    frames = [ring(arc) for arc in (5.6, 5.8, 6.0, 6.2, 6.4, 6.3)]
    return Sequence("closing", Step(frames[0], frames[1], sheet(rows, n)), frames)


def pinched(fine: int = 1) -> Sequence:
    """A flat sheet stays as it is, but for one corner that is drawn through its middle."""
    n = 6 * fine
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    flat = np.stack([x.ravel(), y.ravel(), 0.1 * x.ravel() * y.ravel()], axis=1)
    frames = [flat]
    for corner in ((-1, -1, 0.1), (-1, -1, 0.8), (0.1, 0.05, 0.6), (0.1, 0.05, -0.6), (0, 0, -2)):
        frame = flat.copy()
        frame[0] = corner
        frames.append(frame)
    return Sequence("pinched", Step(frames[0], frames[1], sheet(n, n)), frames)


SELF_TOUCHING = (rolling_up, closing, pinched)
