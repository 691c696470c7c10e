"""Queries scaled by a power of two have the same answers, bit by bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from oracles.shapes import box, random_rotation, sphere, tetrahedron, wedge

import toccata as tc
from toccata._deforming import deforming_contacts
from toccata._options import Method

from .asking import METHODS, HitRate, naming

Array = NDArray[np.float64]
SHAPES = (box(), tetrahedron(), wedge(), sphere(3, 4))
# Scales at which squares and higher powers vanish, in single and in double precision.
EXPONENTS = (-900, -700, -538, -300, -182, -130, -90, -40, -33, -31, -12, 13, 40)


def scales(rng: np.random.Generator) -> Iterator[tuple[str, float]]:
    """Draw powers of two, with their names."""
    for e in (*rng.choice(EXPONENTS, 3, replace=False), rng.integers(-900, 41)):
        yield f"2^{e}", 2.0 ** int(e)


def placed(rng: np.random.Generator, far: float) -> Array:
    """Draw a pose."""
    pose = np.eye(4)
    pose[:3, :3], pose[:3, 3] = random_rotation(rng), rng.normal(size=3) * far
    return pose


def moved(pose: Array, scale: float) -> Array:
    """Scale the translations of one or more poses."""
    result = pose.copy()
    result[..., :3, 3] *= scale
    return result


def motion(rng: np.random.Generator, kind: int) -> Callable[[float], tc.Motion]:
    """Draw a motion that can be scaled."""
    start, middle, end = (placed(rng, far) for far in (2.0, 0.5, 2.0))
    linear = middle[:3, 3] - start[:3, 3]
    angular = rng.normal(size=3) * rng.choice((0.5, 8))
    return (
        lambda k: tc.Motion.twist(moved(start, k), linear * 2 * k, angular),
        lambda k: tc.Motion.linear(moved(start, k), moved(middle, k), pivot=linear * k),
        lambda k: tc.Motion.screw(moved(start, k), moved(middle, k)),
        lambda k: tc.Motion.spline((0, 0.4, 1), [moved(p, k) for p in (start, middle, end)]),
        lambda k: tc.Motion.fixed(moved(middle, k)),
    )[kind]


def exact(numbers: Any, lengths: Any, scale: float) -> bytes:
    """Return numbers, and lengths divided by the scale, bit by bit."""
    return np.concatenate(
        [np.ravel(np.asarray(x, dtype=np.float64)) for x in numbers]
        + [np.ravel(np.asarray(x, dtype=np.float64)) / scale for x in lengths]
    ).tobytes()


def said(c: Any, scale: float) -> tuple[Any, ...]:
    """Return the fields of an answer with lengths divided by the scale."""
    lengths = (c.distance, c.tolerance, c.point_a, c.point_b)
    names = (c.status.name, c.feature, c.triangle_a, c.triangle_b)
    work = (c.stats.bv_tests, c.stats.elementary_tests, c.stats.subdivisions)
    return (exact((c.toc, c.safe_until, c.normal), lengths, scale), *names, *work)


def said_by_batch(c: Any, scale: float) -> tuple[Any, ...]:
    """Return the fields of a batch with lengths divided by the scale."""
    lengths = (c.distance, c.point_a, c.point_b)
    return exact((c.toc, c.safe_until, c.normal), lengths, scale), c.status.tobytes()


@pytest.mark.parametrize("method", METHODS)
def test_scaled_bodies_have_the_same_answers(method: Method) -> None:
    """Bodies with all kinds of motion, with default and explicit tolerances."""
    rng, rate = np.random.default_rng(31), HitRate()
    for n in range(60):
        shapes = [SHAPES[rng.integers(4)] for _ in range(2)]
        motions = [motion(rng, kind) for kind in (n % 4, rng.integers(5))]
        lengths = {"separation": (0.0, 0.1)[n % 2]} | ({"tolerance": 1e-5} if n % 3 == 0 else {})
        initial = ("report", "ignore_separating")[n % 2]

        def ask(k: float, shapes=shapes, motions=motions, lengths=lengths, initial=initial) -> Any:
            a, b = (tc.Mesh(v * k, f) for v, f in shapes)
            scaled = {name: length * k for name, length in lengths.items()}
            how = {"method": method, "initial": initial, **scaled}
            return tc.first_contact(a, b, *(m(k) for m in motions), **how)

        whole = ask(1.0)
        rate.add(bool(whole))
        for name, k in scales(rng):
            with naming(f"case {n}, {name}"):
                assert said(ask(k), k) == said(whole, 1.0)
    rate.check()


def test_scaled_batches_and_manifolds_are_the_same() -> None:
    rng = np.random.default_rng(32)
    (v, f), (w, g) = SHAPES[0], SHAPES[3]
    starts, ends = (np.array([placed(rng, far) for _ in range(40)]) for far in (2.5, 0.5))

    def ask(k: float) -> Any:
        a, b = tc.Mesh(v * k, f), tc.Mesh(w * k, g)
        many = tc.first_contact_batch(a, b, moved(starts, k), moved(ends, k))
        path = tc.Motion.linear(moved(starts[0], k), moved(ends[0], k))
        one = tc.first_contact(a, b, path, contacts="all")
        return said_by_batch(many, k), [said(c, k)[:-3] for c in one.contacts]

    whole = ask(1.0)
    for name, k in scales(rng):
        with naming(name):
            assert ask(k) == whole


def test_scaled_scenes_have_the_same_answers() -> None:
    rng = np.random.default_rng(33)
    for n in range(8):
        motions = [motion(rng, int(kind)) for kind in rng.integers(5, size=4)]

        def ask(k: float, n=n, motions=motions) -> Any:
            scene = tc.Scene()
            for i, (v, f) in enumerate(SHAPES):
                far = np.array([3.0 * i, 0, 0]) * (n % 3)
                scene.add(f"{i}", tc.Mesh((v + far) * k, f), motions[i](k))
            c = scene.first_contact()
            lengths = (c.distance, c.point_a, c.point_b)
            return exact((c.toc, c.safe_until), lengths, k), c.status, c.body_a, c.body_b

        whole = ask(1.0)
        for name, k in scales(rng):
            with naming(f"case {n}, {name}"):
                assert ask(k) == whole


@pytest.mark.parametrize("test", [tc.elementary.vertex_face, tc.elementary.edge_edge])
@pytest.mark.parametrize("separation", [0.0, 0.2])
def test_scaled_elementary_tests_have_the_same_answers(
    test: Callable[..., Any], separation: float
) -> None:
    rng = np.random.default_rng(34)
    start, end = rng.normal(size=(2, 400, 4, 3))
    start[::7, :, 2] = end[::7, :, 2] = 0.5  # in a plane
    whole = test(start, end, separation=separation)
    assert 0.1 < np.mean(whole.collides) < 0.9
    for name, k in scales(rng):
        with naming(name):
            c = test(start * k, end * k, separation=separation * k, tolerance=1e-6 * k)
            assert c.toc.tobytes() == whole.toc.tobytes()
            assert c.status.tobytes() == whole.status.tobytes()
    # Rows of all sizes side by side.
    each = 2.0 ** rng.integers(-900, 41, size=400)
    for k, row, toc in zip(each, range(400), whole.toc, strict=True):
        ends = start[row, None] * k, end[row, None] * k
        c = test(*ends, separation=separation * k, tolerance=1e-6 * k)
        assert c.toc[0] == toc, (row, k)


@pytest.mark.parametrize("method", ["auto", "bvh", "clusters"])
@pytest.mark.parametrize("separation", [0.0, 0.01])
def test_scaled_steps_have_the_same_answers(method: str, separation: float) -> None:
    rng = np.random.default_rng(35)
    (v, f), (w, g) = sphere(8, 12), sphere(6, 8)
    for n in range(4):
        start = np.vstack([v, w + (2.3 + 0.1 * n, 0.1, 0.3)])
        end = np.vstack([v, w + (1.6 + 0.3 * n, 0, 0)]) + rng.normal(size=start.shape) * 0.02
        faces = np.vstack([f, g + len(v)])
        extra = {"tolerance": 1e-5} if n % 2 else {}

        def ask(k: float, start=start, end=end, faces=faces, extra=extra) -> Any:
            lengths = {x: k * e for x, e in (extra | {"separation": separation}).items()}
            frames = start * k, end * k, faces
            c = deforming_contacts(*frames, method=method, contacts="all", **lengths)
            times = (c.toc, c.safe_until, c.vertex_face_toc, c.edge_edge_toc)
            pairs = (c.vertex_face.tobytes(), c.edge_edge.tobytes())
            points = () if c.pair is None else (c.point_a, c.point_b)
            work = (c.stats.bv_tests, c.stats.elementary_tests)
            return exact(times, (*points, c.tolerance), k), c.status, *pairs, *work

        whole = ask(1.0)
        for name, k in scales(rng):
            with naming(f"step {n}, {name}"):
                assert ask(k) == whole


def test_scaled_sequences_have_the_same_answers() -> None:
    """Data kept from step to step does not depend on the size either."""
    rng = np.random.default_rng(37)
    v, f = sphere(8, 12)
    frames = v + np.cumsum(rng.normal(size=(5, *v.shape)) * 0.02, axis=0)

    def run(k: float) -> list[Any]:
        model = tc.DeformingMesh(v * k, f)
        steps = [model.step(frame * k, method="auto") for frame in frames]
        return [(c.status, c.toc, c.stats.elementary_tests, c.tolerance / k) for c in steps]

    whole = run(1.0)
    for name, k in scales(rng):
        with naming(name):
            assert run(k) == whole


def jointed(k: float) -> tc.Robot:
    """Return a robot with every kind of joint, scaled."""
    v, f = box()
    cube, origin = (
        tc.Mesh(v * 0.15 * k, f),
        moved(tc.pose((0.5, 0.2, 0), rotvec=(0.3, -0.5, 0.2)), k),
    )
    joints = [
        tc.Joint("float", "floating", "base", "a", origin),
        tc.Joint("plane", "planar", "a", "b", origin, axis=(1.0, 2.0, -0.5)),
        tc.Joint("turn", "revolute", "b", "c", origin, axis=(0.0, 1.0, 1.0)),
        tc.Joint("slide", "prismatic", "a", "d", origin, axis=(1.0, 0.0, 0.0)),
        tc.Joint("push", "prismatic", "d", "e", origin, mimic=tc.Mimic("slide", 0.5, 0.1 * k)),
    ]
    return tc.Robot([tc.Link(name, cube) for name in ("base", *"abcde")], joints)


@pytest.mark.parametrize("method", ["auto", "hca", "interval"])
def test_scaled_robots_have_the_same_answers(method: Any) -> None:
    rng = np.random.default_rng(36)
    starts, ends = rng.normal(size=(2, 12, 12)) * 0.5
    lengths = np.array([1, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1], dtype=bool)
    v, f = box()
    seen = set()
    for n in range(12):
        pose, go, spin = placed(rng, 1.0), rng.normal(size=3), rng.normal(size=3)
        extra = {"tolerance": 1e-5} if n % 3 == 0 else {}

        def ask(k: float, n=n, pose=pose, go=go, spin=spin, extra=extra) -> Any:
            robot, world, unit = jointed(k), tc.Scene(), np.where(lengths, k, 1.0)
            world.add(
                "moving", tc.Mesh(v * 0.2 * k, f), tc.Motion.twist(moved(pose, k), go * k, spin)
            )
            world.add("wall", tc.Mesh(v * (0.1, 5, 5) * k, f), moved(tc.pose((1.5, 0, 0)), k))
            scaled = {x: k * e for x, e in (extra | {"separation": 0.05 * (n % 2)}).items()}
            q0, q1 = starts[n] * unit, ends[n] * unit
            c = robot.first_contact(q0, q1, world, method=method, **scaled)
            seen.add(c.status)
            many = robot.first_contact_batch(q0[None], q1[None], world, method=method, **scaled)
            near = robot.clearance(q0, q1, world)
            points = () if c.status == tc.Status.FREE else (c.point_a, c.point_b)
            rows = (many.toc, many.safe_until, near.time)
            times = exact((c.toc, c.safe_until, *rows), (*points, near.lower, near.upper), k)
            return times, c.status, c.link_a, c.link_b

        whole = ask(1.0)
        for name, k in scales(rng):
            with naming(f"case {n}, {name}"):
                assert ask(k) == whole
    assert {tc.Status.FREE, tc.Status.CONTACT} <= seen
