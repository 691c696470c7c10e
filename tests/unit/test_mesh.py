"""Meshes keep what they were given, refuse what is no mesh, and read files."""

from __future__ import annotations

import builtins
import gc
import pickle
from math import nan
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata.scenes import models

VERTICES, FACES = models.box((1.0, 2.0, 3.0))


def test_a_mesh_keeps_its_arrays() -> None:
    mesh = tc.Mesh(VERTICES, FACES)
    assert np.array_equal(mesh.vertices, VERTICES) and mesh.vertices.dtype == np.float64
    assert np.array_equal(mesh.faces, FACES) and mesh.faces.dtype == np.int32
    assert not mesh.solid and tc.Mesh(VERTICES, FACES, solid=True).solid


def test_a_mesh_knows_which_faces_bound_a_solid() -> None:
    plain, solid = tc.Mesh(VERTICES, FACES), tc.Mesh(VERTICES, FACES, solid=True)
    assert not plain.solid_faces.any() and (solid.solid_faces == 1).all()
    for numbers in (np.full(12, 3), [True] * 12, np.zeros(12, dtype=bool), [0] * 12):
        mesh = tc.Mesh(VERTICES, FACES, solid=numbers)
        assert mesh.solid == bool(np.any(numbers))
        assert mesh.solid_faces.shape == (12,) and mesh.solid_faces.dtype == np.int32
        assert np.array_equal(mesh.solid_faces, np.asarray(numbers).astype(int))
        assert not mesh.solid_faces.flags.writeable


@pytest.mark.parametrize(
    ("faces", "solid", "message"),
    [
        (FACES[1:], True, r"^solid: expected a closed mesh, got 3 edges with an odd number of "
                          r"faces, the first between vertices \d and \d$"),
        (FACES, [1] * 11 + [0], r"^solid: expected a closed mesh, got 3 edges"),
        (FACES, [1] * 6 + [2] * 6, r"^solid: expected a closed mesh, got \d+ edges"),
        (FACES, [1] * 11, r"^solid: expected shape \(12,\), got \(11,\)"),
        (FACES, [1] * 11 + [-1], r"^solid: row 11 is -1, expected 0\.\."),
        (FACES, "yes", r"^solid: expected True, False or 'auto', got 'yes'"),
    ],
)  # fmt: skip
def test_what_bounds_no_solid_is_refused(faces: Any, solid: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        tc.Mesh(VERTICES, faces, solid=solid)


def test_a_mesh_copies_what_it_was_given() -> None:
    vertices, faces = VERTICES.copy(), FACES.copy()
    mesh = tc.Mesh(vertices, faces)
    vertices[:], faces[:] = 7.0, 0
    assert np.array_equal(mesh.vertices, VERTICES) and np.array_equal(mesh.faces, FACES)


def test_a_mesh_cannot_be_changed() -> None:
    mesh = tc.Mesh(VERTICES, FACES)
    for view in (mesh.vertices, mesh.faces):
        assert not view.flags.writeable and not view.flags.owndata
        with pytest.raises(ValueError, match="read-only"):
            view[0] = 1
    for name in ("vertices", "faces", "solid", "radius"):
        with pytest.raises(AttributeError):
            setattr(mesh, name, None)


def test_views_outlive_the_mesh() -> None:
    mesh = tc.Mesh(VERTICES, FACES)
    vertices, faces = mesh.vertices, mesh.faces
    del mesh
    gc.collect()
    assert np.array_equal(vertices, VERTICES) and np.array_equal(faces, FACES)


def test_radius_and_repr() -> None:
    mesh = tc.Mesh(VERTICES + 100.0, FACES)
    half_diagonal = np.sqrt(1 + 4 + 9) / 2
    assert half_diagonal <= mesh.radius <= half_diagonal * (1 + 1e-9)
    assert repr(mesh) == "Mesh(8 vertices, 12 triangles)"
    assert repr(tc.Mesh(VERTICES, FACES, solid=True)) == "Mesh(8 vertices, 12 triangles, solid)"


def test_memory_is_linear_in_the_triangles() -> None:
    vertices, faces = models.torus(1.0, 0.25, 100, 50)
    assert len(faces) == 10_000
    mesh = tc.Mesh(vertices, faces)
    assert vertices.nbytes + faces.nbytes <= mesh.nbytes <= 300 * len(faces)


def test_degenerate_triangles_are_geometry() -> None:
    """A segment and a point are hit like any triangle."""
    plate = tc.Mesh(*models.box((4.0, 4.0, 0.2)))
    for face in ([0, 1, 1], [0, 0, 0]):
        needle = tc.Mesh([[0, 0, 0], [0, 0, 1]], [face])
        motion = tc.Motion.linear(tc.pose((0, 0, 1.1)), tc.pose((0, 0, -0.9)))
        assert tc.first_contact(needle, plate, motion).toc == pytest.approx(0.5, abs=1e-5)


def test_vertices_without_a_triangle_are_no_part_of_the_body() -> None:
    vertices = np.vstack([VERTICES, [[50.0, 0.0, 0.0]]])
    mesh = tc.Mesh(vertices, FACES)
    assert mesh.radius < 2.0
    assert not tc.first_contact(mesh, tc.Mesh(VERTICES, FACES), tc.pose((-50.0, 0.0, 0.0)))


@pytest.mark.parametrize(
    ("vertices", "message"),
    [
        (np.where(np.arange(24).reshape(8, 3) == 16, nan, VERTICES), r"vertices: .*row 5"),
        (np.where(np.arange(24).reshape(8, 3) == 16, np.inf, VERTICES), r"vertices: .*row 5"),
        (
            np.where(np.arange(24).reshape(8, 3) == 16, 1e16, VERTICES),
            r"vertices: row 5 .*1e15, expected",
        ),
        (np.empty((0, 3)), r"vertices: expected at least one row"),
        (VERTICES[:, :2], r"vertices: expected shape \(n, 3\), got \(8, 2\)"),
        (VERTICES.ravel(), r"vertices: expected shape \(n, 3\), got \(24,\)"),
        ([(0, 0, 0), (1, 0)], r"vertices: expected numbers in rows of equal length, got"),
    ],
)
def test_vertices_are_refused(vertices: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        tc.Mesh(vertices, FACES)


@pytest.mark.parametrize(
    ("vertices", "faces", "solid", "message"),
    [
        ("box", FACES, False, r"vertices: expected numbers, got 'box'"),
        (None, FACES, False, r"vertices: expected numbers, got None"),
        (VERTICES * 1j, FACES, False, r"vertices: expected numbers, got complex128"),
        (VERTICES, None, False, r"faces: expected integers, got None"),
        (VERTICES, FACES.astype(float), False, r"faces: expected integers, got float64"),
        (VERTICES, FACES, [1.0] * 12, r"solid: expected integers, got float64"),
        (VERTICES, FACES, None, r"solid: expected integers, got None"),
    ],
)
def test_wrong_types_are_refused(vertices: Any, faces: Any, solid: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^{message}$"):
        tc.Mesh(vertices, faces, solid)


@pytest.mark.parametrize(
    ("faces", "message"),
    [
        ([[0, 1, 2], [0, 1, 8]], r"faces: row 1 has index 8, expected 0\.\.7"),
        ([[0, 1, 2], [0, -1, 2]], r"faces: row 1 has index -1, expected 0\.\."),
        ([[0, 1, 2], [0, 2**33, 2]], r"faces: row 1 has index 8589934592, expected 0\.\."),
        (np.empty((0, 3), dtype=int), r"faces: expected at least one row"),
        ([], r"faces: expected shape \(n, 3\), got \(0,\)"),
        ([[0, 1, 2], [3, 4]], r"faces: expected integers in rows of equal length, got"),
    ],
)
def test_faces_are_refused(faces: Any, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{message}"):
        tc.Mesh(VERTICES, faces)


def test_trimesh_objects_are_accepted_everywhere() -> None:
    trimesh = pytest.importorskip("trimesh")
    other = trimesh.Trimesh(VERTICES, FACES, process=False)
    own = tc.Mesh(VERTICES, FACES)
    start, end = tc.pose((3, 0, 0)), tc.pose((0, 0, 0))
    motion = tc.Motion.linear(start, end)
    expected = tc.first_contact(own, own, motion).toc
    assert tc.first_contact(other, other, motion).toc == expected
    assert tc.first_contact_batch(other, own, [start], [end]).toc[0] == expected
    assert tc.ContactSequence(own, other).first_contact(motion).toc == pytest.approx(expected)
    scene = tc.Scene()
    scene.add("moving", other, motion)
    scene.add("fixed", other)
    assert scene.first_contact().toc == pytest.approx(expected)


@pytest.mark.parametrize("value", [None, 3, "box.obj", np.eye(3), (VERTICES, FACES)])
def test_what_is_no_mesh_is_refused_by_name(value: Any) -> None:
    mesh = tc.Mesh(VERTICES, FACES)
    with pytest.raises(TypeError, match=r"^a: expected a toccata\.Mesh or trimesh\.Trimesh, got"):
        tc.first_contact(value, mesh, np.eye(4))
    with pytest.raises(TypeError, match=r"^b: expected a toccata\.Mesh"):
        tc.first_contact_batch(mesh, value, [np.eye(4)], [np.eye(4)])
    with pytest.raises(TypeError, match=r"^mesh: expected a toccata\.Mesh"):
        tc.Scene().add("body", value)


def together(*parts: Any) -> tuple[Any, Any]:
    """Return the arrays of several meshes as one, without common vertices."""
    starts = np.cumsum([0] + [len(vertices) for vertices, _ in parts])
    faces = [np.asarray(f) + at for (_, f), at in zip(parts, starts, strict=False)]
    return np.concatenate([vertices for vertices, _ in parts]), np.concatenate(faces)


FLAT = VERTICES[FACES].reshape(-1, 3), np.arange(36).reshape(-1, 3)
"""A box as an STL has it: each face with its own vertices."""
SHEET = [(5, 0, 0), (6, 0, 0), (5, 1, 0)], [(0, 1, 2)]
BESIDE = VERTICES + [np.ptp(VERTICES[:, 0]), 0, 0], FACES


@pytest.mark.parametrize(
    ("arrays", "solid"),
    [
        ((VERTICES, FACES), [1] * 12),
        ((VERTICES, FACES[:, ::-1]), [1] * 12),
        (FLAT, [1] * 12),
        ((FLAT[0], FLAT[1][:-1]), [0] * 11),
        (together(SHEET, FLAT), [0] + [1] * 12),
        (together(FLAT, SHEET, (VERTICES * 0.1, FACES)), [1] * 12 + [0] + [1] * 12),
        # Faces with two equal corners follow the rest.
        ((VERTICES, np.concatenate([FACES, [(0, 1, 1)]])), [1] * 13),
        ((VERTICES, [(0, 1, 1), (0, 1, 2)]), [0, 0]),
        ((VERTICES, [(0, 1, 1)]), [0]),
        # All faces twice, one face twice, and a sheet with a front and a back.
        (together((VERTICES, FACES), (VERTICES, FACES[:, ::-1])), [1] * 24),
        ((VERTICES, np.concatenate([FACES, FACES[:1]])), [1] * 13),
        (together((VERTICES, FACES[:-1]), (VERTICES, FACES[:-1, ::-1])), [0] * 22),
        (together(SHEET, SHEET), [0, 0]),
        # Two boxes with a common wall, and a box with a fin.
        (together((VERTICES, FACES), BESIDE), [1] * 24),
        (
            (np.append(VERTICES, [(9, 9, 9)], axis=0), np.append(FACES, [(0, 1, 8)], axis=0)),
            [0] * 13,
        ),
    ],
)
def test_closed_parts_are_solid_by_themselves(arrays: Any, solid: list[int]) -> None:
    mesh = tc.Mesh(*arrays, solid="auto")
    np.testing.assert_array_equal(mesh.solid_faces, solid)
    assert mesh.solid == any(solid)
    again = pickle.loads(pickle.dumps(mesh))
    np.testing.assert_array_equal(again.solid_faces, solid)


def test_invalid_arrays_are_refused_before_parts_are_looked_for() -> None:
    with pytest.raises(ValueError, match=r"^faces: row 0 has index 8, expected 0\.\.7"):
        tc.Mesh(VERTICES, [(0, 1, 8)], solid="auto")
    with pytest.raises(ValueError, match=r"^vertices: expected finite numbers"):
        tc.Mesh(np.where(VERTICES > 0, np.nan, 0.0), FACES, solid="auto")
    with pytest.raises(ValueError, match=r"^faces: expected at least one row"):
        tc.Mesh(VERTICES, np.zeros((0, 3), dtype=int), solid="auto")


def test_files_are_solid_where_they_are_closed(tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    for name, faces in (("closed", FACES), ("open", FACES[1:])):
        trimesh.Trimesh(VERTICES, faces, process=False).export(tmp_path / f"{name}.stl")
    assert tc.Mesh.load(tmp_path / "closed.stl").solid
    assert not tc.Mesh.load(tmp_path / "closed.stl", solid=False).solid
    assert not tc.Mesh.load(tmp_path / "open.stl").solid
    with pytest.raises(ValueError, match=r"open\.stl: solid: expected a closed mesh"):
        tc.Mesh.load(tmp_path / "open.stl", solid=True)


@pytest.mark.parametrize("kind", ["obj", "stl", "ply"])
def test_files_are_read(kind: str, tmp_path: Path) -> None:
    trimesh = pytest.importorskip("trimesh")
    path = tmp_path / f"box.{kind}"
    trimesh.Trimesh(VERTICES, FACES, process=False).export(path)
    for place in (path, str(path)):
        mesh = tc.Mesh.load(place, solid=True)
        assert mesh.solid and len(mesh.faces) == 12
        found, written = mesh.vertices[mesh.faces], VERTICES[FACES]
        assert np.allclose(found, written, atol=1e-6), "other triangles, or in another order"


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    pytest.importorskip("trimesh")
    with pytest.raises(FileNotFoundError, match=r"nothing\.obj: no such file"):
        tc.Mesh.load(tmp_path / "nothing.obj")
    (tmp_path / "text.obj").write_text("hello")
    with pytest.raises(ValueError, match=r"text\.obj: expected a file with faces, got none"):
        tc.Mesh.load(tmp_path / "text.obj")
    for name in ("text.ply", "text.stl", "text.unknown"):
        path = tmp_path / name
        path.write_text("hello")
        with pytest.raises(ValueError, match=rf"{name}: expected a file that trimesh reads"):
            tc.Mesh.load(path)


def test_loading_without_trimesh_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "box.stl").write_text("solid box")
    (tmp_path / "face.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    real = builtins.__import__

    def without(name: str, *args: Any, **kwargs: Any) -> Any:
        if name == "trimesh":
            raise ModuleNotFoundError("No module named 'trimesh'")
        return real(name, *args, **kwargs)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'toccata\[io\]'"):
        tc.Mesh.load(tmp_path / "box.stl")
    assert len(tc.Mesh.load(tmp_path / "face.obj").faces) == 1, "an OBJ needs nothing else"
