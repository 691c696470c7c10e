"""The deforming models are what they claim to be: sizes, clean meshes, frames that are free.

Intersections are sought by brute force over all pairs of an edge and a face, in small sizes. The
same search over the ends of steps tells that free steps stay free and the others do not.
"""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from toccata.scenes._pieces import split
from toccata.scenes._refine import refined
from toccata.scenes.deforming import Step
from toccata.scenes.deforming import step as build_step
from toccata.scenes.primitives import box, icosphere
from toccata.scenes.surface import Faces, Points, boundary
from toccata_bench.scenes import deforming
from toccata_bench.scenes.cracks import cracked, without

SMALL = {
    "cloth-ball": 3_000,
    "airbag": 2_500,
    "nidus": 7_296,
    "shell": 4_000,
    "crash": 6_000,
    "fragments": 4_000,
    "shatter": 8_000,
    "rods": 6_000,
    "crumpled-ball": 6_000,
}
COUNTS = {"shell": 6, "fragments": 3, "shatter": 3, "rods": 4, "crumpled-ball": 4}
STEPS = [(name, index) for name in SMALL for index in range(COUNTS.get(name, 5))]


@cache
def steps(name: str) -> list[Step]:
    return list(deforming.scene(name, SMALL[name]).steps())


def edges_of(faces: Faces) -> NDArray[np.int64]:
    sides = np.sort(faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2).astype(np.int64), axis=1)
    return np.unique(sides, axis=0)


def median_edge(points: Points, faces: Faces) -> float:
    ends = points[edges_of(faces)]
    return float(np.median(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)))


def pairs_that_may_meet(ends: Points, corners: Points) -> tuple[NDArray[np.int64], ...]:
    """Pairs of an edge (n, 2, 3) and a face (m, 3, 3) whose boxes overlap."""
    low, high = corners.min(axis=1).T.copy(), corners.max(axis=1).T.copy()
    found = []
    for start in range(0, len(ends), 512):
        chunk = ends[start : start + 512]
        below, above = chunk.min(axis=1), chunk.max(axis=1)
        overlap = np.ones((len(chunk), len(corners)), dtype=bool)
        for k in range(3):
            overlap &= (below[:, k, None] <= high[k]) & (low[k] <= above[:, k, None])
        i, j = np.nonzero(overlap)
        found.append((i + start, j))
    i, j = (np.concatenate(ids) for ids in zip(*found, strict=True))
    return i, j


def crossings(points: Points, faces: Faces) -> int:
    """Count the pairs of an edge and a face that meet and share no vertex."""
    edges = edges_of(faces)
    i, j = pairs_that_may_meet(points[edges], points[faces])
    apart = ~(edges[i][:, :, None] == faces[j][:, None, :]).any(axis=(1, 2))
    p, q = points[edges[i[apart]]].swapaxes(0, 1)
    a, b, c = points[faces[j[apart]]].swapaxes(0, 1)
    way, ab, ac, ap = q - p, b - a, c - a, p - a
    cross, other = np.cross(way, ac), np.cross(ap, ab)
    volume = dot(ab, cross)
    # An edge in the plane of a face pierces nothing; where such faces overlap, others do pierce.
    steep = np.abs(volume) > 1e-9 * np.sqrt(dot(way, way) * dot(ab, ab) * dot(ac, ac))
    volume = np.where(steep, volume, 1.0)
    u, v, t = dot(ap, cross) / volume, dot(way, other) / volume, dot(ac, other) / volume
    return int((steep & (u >= 0) & (v >= 0) & (u + v <= 1) & (t >= 0) & (t <= 1)).sum())


def dot(a: Points, b: Points) -> NDArray[np.float64]:
    products: NDArray[np.float64] = np.einsum("ij,ij->i", a, b)
    return products


def test_the_search_finds_what_crosses_and_nothing_else() -> None:
    points, faces = icosphere(1.0, 2)
    assert crossings(points, faces) == 0
    points[0] *= -1.5
    assert crossings(points, faces) > 0
    flat = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    upright = np.array([[0.2, 0.2, -1.0], [0.2, 0.2, 1.0], [3.0, 3.0, 0.0]])
    two = np.array([[0, 1, 2], [3, 4, 5]], dtype=np.int32)
    assert crossings(np.concatenate([flat, upright]), two) > 0
    assert crossings(np.concatenate([flat, upright + (2.0, 0.0, 0.0)]), two) == 0


@pytest.mark.parametrize(("name", "index"), STEPS)
def test_meshes_are_clean(name: str, index: int) -> None:
    step = steps(name)[index]
    assert step.v0.dtype == step.v1.dtype == np.float64 and step.faces.dtype == np.int32
    assert step.v0.shape == step.v1.shape == (len(step.v0), 3)
    assert np.isfinite(step.v0).all() and np.isfinite(step.v1).all()
    assert np.array_equal(np.unique(step.faces), np.arange(len(step.v0)))
    a, b, c = step.v0[step.faces].swapaxes(0, 1)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2
    assert area.min() > 1e-4 * median_edge(step.v0, step.faces) ** 2
    # Each directed edge once: no third triangle at an edge, and neighbours face the same way.
    directed = step.faces[:, [0, 1, 1, 2, 2, 0]].reshape(-1, 2)
    assert len(np.unique(directed, axis=0)) == len(directed)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "index"), STEPS)
def test_frames_are_free_and_ends_are_what_the_kind_says(name: str, index: int) -> None:
    step = steps(name)[index]
    assert crossings(step.v0, step.faces) == 0
    if step.kind == "free":
        assert crossings((step.v0 + step.v1) / 2, step.faces) == 0
    assert (crossings(step.v1, step.faces) == 0) == (step.kind == "free")


@pytest.mark.parametrize("name", SMALL)
def test_every_model_has_steps_of_every_kind(name: str) -> None:
    assert {step.kind for step in steps(name)} == {"free", "few", "many"}
    labels = [step.label for step in steps(name)]
    assert len(set(labels)) == len(labels) == sum(model == name for model, _ in STEPS)


@pytest.mark.parametrize("name", SMALL)
def test_motion_is_of_the_order_of_an_edge(name: str) -> None:
    for step in steps(name):
        motion = np.linalg.norm(step.v1 - step.v0, axis=1).max()
        assert 0.05 < motion / median_edge(step.v0, step.faces) < 10


@pytest.mark.parametrize("name", SMALL)
def test_origin_tells_where_a_new_mesh_comes_from(name: str) -> None:
    assert steps(name)[0].origin is None
    changes = 0
    for before, after in zip(steps(name), steps(name)[1:], strict=False):
        if after.origin is None:
            assert np.array_equal(before.faces, after.faces)
            continue
        changes += 1
        assert after.origin.shape == (len(after.v0),)
        assert after.origin.min() >= -1 and after.origin.max() < len(before.v0)
        # Most triangles are still there, with their corners in the same order.
        kept = after.origin[after.faces]
        old = {tuple(face) for face in np.sort(before.faces, axis=1).tolist()}
        still = sum(tuple(face) in old for face in np.sort(kept, axis=1).tolist())
        assert 0.6 * len(before.faces) < still
    assert changes == {"nidus": 1, "shell": 2, "crash": 1}.get(name, 0)


def test_vertices_stay_where_they_are_when_a_crack_opens() -> None:
    before, after = steps("shell")[1:3]
    assert after.origin is not None
    old = after.origin >= 0
    assert 0 < (~old).sum() < old.sum()
    assert np.abs(after.v0[old] - before.v0[after.origin[old]]).max() < 1e-12


@pytest.mark.parametrize(("name", "index"), STEPS)
def test_bag_vessels_and_pieces_are_closed_and_nothing_else_is(name: str, index: int) -> None:
    bodies = ("airbag", "shell", "fragments", "shatter", "rods")
    closed = name in bodies or (name == "nidus" and index < 3)
    assert (len(boundary(steps(name)[index].faces)) == 0) == closed


@pytest.mark.parametrize("name", SMALL)
def test_steps_are_the_same_each_time(name: str) -> None:
    for one, two in zip(steps(name), deforming.scene(name, SMALL[name]).steps(), strict=True):
        assert one.v0.tobytes() == two.v0.tobytes() and one.v1.tobytes() == two.v1.tobytes()
        assert one.faces.tobytes() == two.faces.tobytes()


PAPER = {"cloth-ball": 92_230, "airbag": 9_076, "nidus": 32_798, "shell": 250_000}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAPER)
def test_sizes_are_those_of_the_paper(name: str) -> None:
    scene = deforming.scene(name)
    sizes = [len(step.faces) for step in scene.steps()]
    assert scene.name == name and scene.triangles == sizes[0]
    assert sizes[0] == pytest.approx(PAPER[name], rel=0.01 if name == "cloth-ball" else 0)
    assert sizes == sorted(sizes)
    if name == "shell":
        assert 260_000 < sizes[-1] < 280_000


@pytest.mark.parametrize("count", [10_000, 100_000, 1_100_000])
def test_crash_grows_to_what_is_asked(count: int) -> None:
    scene = deforming.scene("crash", count)
    first = next(scene.steps())
    assert scene.triangles == len(first.faces) == pytest.approx(count, rel=0.02)


def test_single_steps_and_bad_arguments() -> None:
    assert tuple(SMALL) == deforming.NAMES
    assert build_step("cloth-ball", 4, 2_500).label == "wind"
    for index in (5, -1):
        with pytest.raises(ValueError, match="index: expected"):
            build_step("cloth-ball", index, 2_500)
    with pytest.raises(ValueError, match="name: expected one of cloth-ball"):
        deforming.scene("lion")
    with pytest.raises(ValueError, match="triangles: expected 1000 or more, got 999"):
        deforming.scene("crash", 999)


def test_split_gives_each_label_its_own_vertices() -> None:
    points, faces = refined(box(), 200)
    label = (points[faces].mean(axis=1)[:, 0] > 0).astype(int)
    cut = split((points, faces), label)
    assert np.array_equal(cut.origin[cut.mesh[1]], faces)
    assert np.array_equal(cut.piece[cut.mesh[1]], label[:, None].repeat(3, axis=1))
    assert np.array_equal(cut.mesh[0], points[cut.origin])


def test_cracked_takes_strips_out_and_leaves_the_rest() -> None:
    points, faces = icosphere(1.0, 3)
    sites = np.array([[1.0, 0.1, 0.0], [-0.6, 0.9, 0.1], [-0.5, -0.8, 0.3], [0.0, 0.2, 1.0]])
    cut = cracked((points, faces), sites)
    corners = cut.piece[cut.mesh[1]]
    assert (corners == corners[:, :1]).all() and set(cut.piece) == {0, 1, 2, 3}
    assert crossings(*cut.mesh) == 0
    assert len(np.unique(cut.mesh[1])) == len(cut.mesh[0])
    whole, left = (area(*mesh) for mesh in ((points, faces), cut.mesh))
    assert 0.8 * whole < left < 0.99 * whole
    assert (dot(*normals_and_middles(*cut.mesh)) > 0).all()


def area(points: Points, faces: Faces) -> float:
    return float(np.linalg.norm(normals_and_middles(points, faces)[0], axis=1).sum() / 2)


def normals_and_middles(points: Points, faces: Faces) -> tuple[Points, Points]:
    a, b, c = points[faces].swapaxes(0, 1)
    return np.cross(b - a, c - a), (a + b + c) / 3


def test_without_drops_faces_and_the_vertices_that_only_they_used() -> None:
    faces = np.array([[0, 1, 2], [2, 1, 3], [3, 4, 5]], dtype=np.int32)
    left, origin = without(faces, np.array([False, True, False]))
    assert np.array_equal(origin[left], faces[[0, 2]]) and len(origin) == 6
    left, origin = without(faces, np.array([True, False, False]))
    assert np.array_equal(origin, [1, 2, 3, 4, 5]) and np.array_equal(origin[left], faces[1:])
