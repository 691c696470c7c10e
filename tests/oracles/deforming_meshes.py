"""Seeded small meshes that deform into themselves, each hard for a cluster or a hierarchy."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from .brute_force import Ids, Step
from .shapes import random_rotation, sphere

Array = NDArray[np.float64]
Maker = Callable[..., Step]


def sheet(rows: int, columns: int) -> Ids:
    """Return the faces of a grid of rows x columns vertices."""
    faces = []
    for i in range(rows - 1):
        for j in range(columns - 1):
            a, b = i * columns + j, (i + 1) * columns + j
            faces += [(a, b, a + 1), (a + 1, b, b + 1)]
    return np.array(faces, dtype=np.int64)


def soup(rng: np.random.Generator) -> Step:
    """Return unconnected triangles."""
    n = int(rng.integers(4, 16))
    center = np.repeat(rng.uniform(-1, 1, size=(n, 1, 3)), 3, axis=1)
    v0 = (center + rng.normal(size=(n, 3, 3)) * 0.3).reshape(-1, 3)
    v1 = v0 + np.repeat(rng.normal(size=(n, 3)) * 0.4, 3, axis=0)
    return Step(v0, v1 + rng.normal(size=v0.shape) * 0.1, np.arange(3 * n).reshape(n, 3))


def lattice(rng: np.random.Generator) -> Step:
    """Triangles over few integer points: contacts of every degenerate kind, exactly."""
    n = int(rng.integers(6, 12))
    v0 = rng.integers(-2, 3, size=(n, 3)).astype(float)
    v1 = v0 + rng.integers(-1, 2, size=(n, 3)).astype(float)
    return Step(v0, v1, rng.integers(0, n, size=(int(rng.integers(3, 8)), 3)))


def spiral(rng: np.random.Generator, fine: int = 1) -> Step:
    """A strip that winds around a point more than once, seen from which it never turns back."""
    n, rows, turns = 18 * fine, 1 + fine, rng.uniform(1.5, 2.5)
    angle, height = np.linspace(0, 2 * np.pi * turns, n), np.linspace(0, 1, rows)
    squeeze = rng.choice([0.0, 0.4, 1.0])

    def wound(pitch: float) -> Array:
        radius = 1 + pitch * angle / (2 * np.pi)
        rim = np.stack([radius * np.cos(angle), radius * np.sin(angle), 0 * angle], axis=1)
        return np.concatenate([rim * (1 + 0.05 * h) + [0, 0, 0.5 * h] for h in height])

    v1 = wound(0.4 - 0.5 * squeeze) + rng.normal(size=(rows * n, 3)) * 0.02 / fine
    return _turned(rng, Step(wound(0.4), v1, sheet(rows, n)))


def rolled(rng: np.random.Generator, fine: int = 1) -> Step:
    """A wide smooth sheet, rolled up to three times around an axis, wound tighter or looser."""
    n, rows, turns = 16 * fine, 4 * fine, rng.uniform(0.8, 3.2)
    angle, height = np.linspace(0, 2 * np.pi * turns, n), np.linspace(0, 1, rows)[:, None]

    def roll(inner: float, pitch: float, tilt: float) -> Array:
        radius = (inner + pitch * angle / (2 * np.pi)) * (1 + tilt * height)
        around = (radius * np.cos(angle), radius * np.sin(angle), height + 0 * radius)
        return np.stack(around, axis=-1).reshape(-1, 3)

    pitch = rng.uniform(0.05, 0.3)
    v0 = roll(1.0, pitch, rng.uniform(-0.3, 0.3))
    tighter = pitch * rng.choice([1.0, 0.9, 0.2, -0.1])
    v1 = roll(rng.uniform(0.5, 1.2), tighter, rng.uniform(-0.3, 0.3))
    noise = rng.choice([0.0, 0.001, 0.01]) / fine
    return _turned(rng, Step(v0, v1 + rng.normal(size=v1.shape) * noise, sheet(rows, n)))


def fan(rng: np.random.Generator, fine: int = 1) -> Step:
    """A spiral staircase around an apex, up to twice, that is pressed flat or turned over."""
    n, rows, turns = 12 * fine, 4 * fine, rng.uniform(0.7, 2.2)
    angle, radius = np.linspace(0, 2 * np.pi * turns, n), np.linspace(0.1, 1, rows)[:, None]

    def stairs(climb: float, dish: float) -> Array:
        height = climb * radius * angle + dish * radius**2
        around = (radius * np.cos(angle), radius * np.sin(angle), height)
        return np.stack(around, axis=-1).reshape(-1, 3)

    climb = rng.uniform(0.05, 0.3)
    v0 = stairs(climb, rng.uniform(-1, 1))
    v1 = stairs(climb * rng.choice([1.0, 0.3, -0.2]), rng.uniform(-1, 1))
    noise = rng.choice([0.0, 0.001, 0.01]) / fine
    return _turned(rng, Step(v0, v1 + rng.normal(size=v1.shape) * noise, sheet(rows, n)))


def folded(rng: np.random.Generator, fine: int = 1) -> Step:
    """An accordion of flat panels that is pressed together, some of it through itself."""
    n, rows = 11 * fine + 1, 1 + 2 * fine
    along, across = np.meshgrid(np.linspace(0, 11, n), np.linspace(0, 1, rows), indexing="xy")
    wave = 1 - np.abs(along % 2 - 1)
    zigzag = np.stack([along * 0.3, across, wave], axis=-1).reshape(-1, 3)
    pressed = zigzag * [rng.choice([0.02, 0.5]), 1, 1]
    v1 = pressed + rng.normal(size=zigzag.shape) * [0.05, 0.02, 0.1] / fine
    return _turned(rng, Step(zigzag, v1, sheet(rows, n)))


def tube(rng: np.random.Generator, fine: int = 1) -> Step:
    """A tube that is squashed flat, or that bends until its ends meet."""
    rings, sides = 7 * fine, 5 * fine
    turn = 2 * np.pi * np.arange(sides) / sides
    faces = []
    for i in range(rings - 1):
        for j in range(sides):
            a, b = i * sides + j, i * sides + (j + 1) % sides
            faces += [(a, a + sides, b), (b, a + sides, b + sides)]
    bends = bool(rng.integers(2))
    frames = []
    for arc in (4.4, 4.4 + bends * rng.uniform(0, 3)):
        angle = np.repeat(np.linspace(0, arc, rings), sides)
        radius = 2 + 0.6 * np.tile(np.cos(turn), rings)
        height = 0.6 * np.tile(np.sin(turn), rings)
        frames.append(np.stack([radius * np.cos(angle), radius * np.sin(angle), height], axis=1))
    if not bends:
        frames[1][:, 2] *= rng.choice([-0.2, 0.3])
    frames[1] += rng.normal(size=frames[1].shape) * 0.02 / fine
    return _turned(rng, Step(frames[0], frames[1], np.array(faces, dtype=np.int64)))


def explosion(rng: np.random.Generator, fine: int = 1) -> Step:
    """Return a surface that breaks into spinning pieces, which start almost edge to edge."""
    points, faces = sphere(3 * fine, 5 * fine)
    corners = points[faces]
    middle = corners.mean(axis=1, keepdims=True)
    v0 = middle + (corners - middle) * 0.99
    out = middle / np.linalg.norm(middle, axis=2, keepdims=True) * rng.uniform(0, 0.5)
    spins = np.stack([random_rotation(rng) for _ in faces])
    mix = rng.uniform(0, 1)
    spun = np.einsum("nij,nkj->nki", spins, v0 - middle) * mix + (v0 - middle) * (1 - mix)
    ids = np.arange(3 * len(faces)).reshape(-1, 3)
    return Step(v0.reshape(-1, 3), (middle + spun + out).reshape(-1, 3), ids)


def cloth_on_a_ball(rng: np.random.Generator) -> Step:
    """Return a sheet that falls on a turning ball, with a group for each."""
    points, ball = sphere(4, 6)
    n = 5
    x, y = np.meshgrid(np.linspace(-0.8, 0.8, n), np.linspace(-0.8, 0.8, n))
    cloth = np.stack([x.ravel(), y.ravel(), 0.65 + 0 * x.ravel()], axis=1)
    cloth += rng.normal(size=cloth.shape) * 0.02
    fall = np.array([0, 0, -rng.choice([0.05, 0.3, 1.0])])
    turn = random_rotation(rng) if rng.random() < 0.5 else np.eye(3)
    v0 = np.concatenate([points, cloth])
    v1 = np.concatenate([points @ turn.T, cloth + fall + rng.normal(size=cloth.shape) * 0.05])
    faces = np.concatenate([ball.astype(np.int64), sheet(n, n) + len(points)])
    groups = np.repeat([0, 1], [len(points), n * n])
    ignored = [(), ((0, 0),), ((1, 0),), ((0, 0), (1, 1))][int(rng.integers(4))]
    return Step(v0, v1, faces, groups=groups, ignored=ignored)


def strands(rng: np.random.Generator) -> Step:
    """Threads (loose edges) and particles above and between a few triangles."""
    threads, length = 4, 5
    knots = np.cumsum(rng.normal(size=(threads, length, 3)) * 0.3, axis=1).reshape(-1, 3)
    dust = rng.uniform(-1, 1, size=(8, 3))
    base = soup(rng)
    v0 = np.concatenate([knots, dust, base.v0])
    v1 = v0 + rng.normal(size=v0.shape) * 0.25
    first = np.arange(threads * length).reshape(threads, length)
    loose = np.stack([first[:, :-1].ravel(), first[:, 1:].ravel()], axis=1)
    # The mesh has two of the dust particles as points; it does not use the others.
    points = threads * length + np.arange(6)
    faces = base.faces[:4] + len(knots) + len(dust)
    return Step(v0, v1, faces, loose[rng.permutation(len(loose))], points)


def grid_strands(rng: np.random.Generator) -> Step:
    """Loose edges and points only, on integers: no face at all."""
    n = 10
    v0 = rng.integers(-2, 3, size=(n, 3)).astype(float)
    v1 = v0 + rng.integers(-2, 3, size=(n, 3)).astype(float)
    loose = np.array([(2 * k, 2 * k + 1) for k in range(n // 2)], dtype=np.int64)
    return Step(v0, v1, np.empty((0, 3), dtype=np.int64), loose, np.arange(2))


def knotted(rng: np.random.Generator) -> Step:
    """A folded sheet with doubled, flat and repeated faces, fins on its edges, lost vertices."""
    base = folded(rng)
    n = len(base.v0)
    extra = rng.normal(size=(4, 3)) + base.v0.mean(axis=0)
    v0 = np.concatenate([base.v0, extra])
    v1 = np.concatenate([base.v1, extra + rng.normal(size=(4, 3)) * 0.5])
    twice = base.faces[rng.integers(len(base.faces), size=3)]
    edge = base.faces[rng.integers(len(base.faces), size=2)][:, :2]
    fins = np.concatenate([np.concatenate([edge, [[n], [n]]], axis=1), [[*edge[0], n + 1]]])
    points = np.array([[n + 1, n + 1, n + 2], [n, n, n]])
    faces = np.concatenate([base.faces[:24], twice, np.roll(twice, 1, axis=1), fins, points])
    return Step(v0, v1, faces)


def two_balls(rng: np.random.Generator, fine: int = 1) -> Step:
    """Two balls that pass through or beside each other."""
    points, faces = sphere(3 * fine, 5 * fine)
    aim = random_rotation(rng) @ np.array([0.0, 0.0, rng.uniform(0, 1.6)])
    shift = np.array([2.5, 0, 0])
    v0 = np.concatenate([points, points @ random_rotation(rng).T + shift + aim])
    v1 = np.concatenate([points, points @ random_rotation(rng).T - shift * 0.2 + aim])
    return Step(v0, v1, np.concatenate([faces, faces + len(points)]).astype(np.int64))


def piercing(rng: np.random.Generator) -> Step:
    """Two sheets that already go through each other, and move on."""
    n = 4
    x, y = np.meshgrid(np.linspace(-1, 1, n), np.linspace(-1, 1, n))
    flat = np.stack([x.ravel(), y.ravel(), 0 * x.ravel()], axis=1)
    flat += rng.normal(size=flat.shape) * 0.05
    other = flat @ random_rotation(rng).T + rng.normal(size=3) * 0.5
    v0 = np.concatenate([flat, other])
    v1 = v0 + rng.normal(size=v0.shape) * 0.1
    return Step(v0, v1, np.concatenate([sheet(n, n), sheet(n, n) + n * n]))


def _turned(rng: np.random.Generator, step: Step) -> Step:
    """Turn both frames, and move the second a little: no axis is special."""
    turn, shift = random_rotation(rng), rng.normal(size=3) * 0.1
    return step.moved(step.v0 @ turn.T, step.v1 @ turn.T + shift)


MAKERS: dict[str, Maker] = {
    maker.__name__: maker
    for maker in (
        soup,
        lattice,
        spiral,
        folded,
        tube,
        explosion,
        cloth_on_a_ball,
        strands,
        grid_strands,
        knotted,
        two_balls,
        piercing,
        rolled,
        fan,
    )
}


FINE = ("spiral", "rolled", "fan", "folded", "tube", "explosion", "two_balls")
"""Makers that also make meshes of some hundred or thousand faces."""


def deforming_mesh(name: str, seed: int, fine: int = 1) -> Step:
    """Draw one mesh by the name of its maker, with about fine^2 times as many faces."""
    rng = np.random.default_rng((seed, [*MAKERS].index(name)))
    return MAKERS[name](rng) if fine == 1 else MAKERS[name](rng, fine)
