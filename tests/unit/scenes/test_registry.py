"""The models are what they claim to be, and the answers of the scenes hold for an outsider.

Geometry is checked with trimesh and distances with coal, both independent of our core.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from toccata.scenes import deforming, models, worlds
from toccata.scenes._machine import gear, hammer, workpiece
from toccata.scenes._organic import club, torus_knot
from toccata.scenes._refine import refined
from toccata.scenes.scene import DemoScene, get, names
from toccata.scenes.surface import MeshArrays, ring_faces, unit
from toccata.scenes.trials import CLEARANCE, MARGIN, trials
from toccata_bench.scenes.hare import bunny
from toccata_bench.scenes.rigid import sliver_plate

Build = Callable[[], MeshArrays]

SOLIDS: dict[str, tuple[Build, float | None]] = {
    "box": (lambda: models.box((1.0, 2.0, 3.0)), 6.0),
    "plate": (models.plate, 0.5),
    "sheet": (models.sheet, 2.0**-8),
    "bar": (models.bar, 0.02),
    "cylinder": (lambda: models.cylinder(0.5, 2.0, segments=200), np.pi / 2),
    "capsule": (lambda: models.capsule(1.0, 0.5, segments=200), np.pi * (1 / 4 + 1 / 6)),
    "torus": (lambda: models.torus(1.0, 0.25, 200, 100), np.pi**2 / 8),
    "icosphere": (lambda: models.icosphere(1.0, 5), 4 / 3 * np.pi),
    "torus_knot": (models.torus_knot, None),
    "gear": (models.gear, None),
    "club": (models.club, None),
    "hammer": (models.hammer, None),
    "workpiece": (models.workpiece, None),
    "sliver_plate": (sliver_plate, 0.5),
}
COUNTS: dict[Build, int] = {
    torus_knot: 34_600,
    gear: 25_600,
    club: 104_800,
    hammer: 1_700,
    workpiece: 2_600,
}


@pytest.mark.parametrize("name", SOLIDS)
def test_model_is_closed_and_faces_outward(name: str) -> None:
    trimesh = pytest.importorskip("trimesh")
    build, volume = SOLIDS[name]
    vertices, faces = build()
    assert vertices.dtype == np.float64 and vertices.flags.c_contiguous
    assert faces.dtype == np.int32 and faces.flags.c_contiguous
    assert np.array_equal(np.unique(faces), np.arange(len(vertices))), "unused vertices"
    solid = trimesh.Trimesh(vertices, faces, process=False)
    assert solid.is_watertight and solid.is_winding_consistent
    assert all(part.volume > 0 for part in solid.split(only_watertight=False))
    assert solid.area_faces.min() > 0
    if volume is not None:
        assert solid.volume == pytest.approx(volume, rel=2e-3)


@pytest.mark.parametrize("build", COUNTS)
def test_benchmark_model_has_its_count(build: Build) -> None:
    assert len(build()[1]) == pytest.approx(COUNTS[build], rel=0.01)


@pytest.mark.parametrize("count", [4_000, 4_999, 7_777, 16_000, 32_003, 128_000, 512_000])
def test_knot_grows_to_any_count(count: int) -> None:
    assert len(torus_knot(count)[1]) == pytest.approx(count, rel=0.01)


@pytest.mark.parametrize("build", COUNTS)
def test_benchmark_model_is_the_same_every_time(build: Build) -> None:
    (vertices, faces), (again, faces_again) = build(), build()
    assert vertices.tobytes() == again.tobytes() and faces.tobytes() == faces_again.tobytes()


@pytest.mark.parametrize("build", [gear, club, torus_knot])
def test_fine_models_have_even_triangles(build: Build) -> None:
    vertices, faces = build()
    sides = np.linalg.norm(vertices[faces] - vertices[np.roll(faces, 1, axis=1)], axis=2)
    assert sides.max() < 4 * np.median(sides)
    shortest, longest = sides.min(axis=1), sides.max(axis=1)
    assert (longest / shortest).max() < 6


@pytest.mark.parametrize("name", models.BENCHMARK_PAIRS)
def test_unit_gives_bounding_radius_one(name: str) -> None:
    for model in models.BENCHMARK_PAIRS[name]():
        vertices, faces = unit(*model)
        radius = np.linalg.norm(vertices, axis=1)
        assert radius.max() == pytest.approx(1.0, abs=1e-12)
        # A bounding sphere that is nearly smallest has points all around, so none could be spared.
        far = vertices[radius > 0.9]
        assert all((far @ direction).max() > 0 for direction in np.vstack([np.eye(3), -np.eye(3)]))
        assert np.array_equal(faces, model[1])


def test_unit_keeps_the_exact_centre_of_a_box() -> None:
    vertices, _ = unit(*models.box((1.0, 2.0, 4.0)))
    assert np.array_equal(vertices, -vertices[::-1])


def test_rings_of_any_sizes_are_joined_without_gaps() -> None:
    for count_a, count_b in [(1, 6), (6, 1), (5, 5), (7, 3), (4, 19)]:
        faces = ring_faces(count_a, count_b)
        steps = (count_a if count_a > 1 else 0) + (count_b if count_b > 1 else 0)
        assert len(faces) == steps
        edges = {(int(f[k]), int(f[k - 2])) for f in faces for k in range(3)}
        open_edges = {edge for edge in edges if edge[::-1] not in edges}
        assert len(edges) == 3 * steps and len(open_edges) == steps


def test_refined_hits_the_count_and_keeps_the_volume() -> None:
    trimesh = pytest.importorskip("trimesh")
    solid = trimesh.Trimesh(*refined(models.box(), 1_000), process=False)
    assert len(solid.faces) == 1_000 and solid.is_watertight
    assert solid.volume == pytest.approx(1.0)


def test_bunny_is_found_by_the_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path.anchor)  # above a temporary folder there may be data
    monkeypatch.delenv("TOCCATA_DATA", raising=False)
    (tmp_path / "data" / "meshes").mkdir(parents=True)
    assert bunny() is None
    (tmp_path / "data" / "meshes" / "bunny.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
    monkeypatch.setenv("TOCCATA_DATA", str(tmp_path / "data"))
    found = bunny()
    assert found is not None and len(found[1]) == 1


class Outsider:
    """The two bodies of a scene, in the hands of coal."""

    def __init__(self, scene: DemoScene) -> None:
        self.coal: Any = pytest.importorskip("coal")
        self.scene = scene
        self.a, self.b = self._model(scene.a), self._model(scene.b)

    def _model(self, mesh: MeshArrays) -> Any:
        points, triangles = self.coal.StdVec_Vec3s(), self.coal.StdVec_Triangle()
        for vertex in mesh[0]:
            points.append(vertex)
        for i, j, k in mesh[1].tolist():
            triangles.append(self.coal.Triangle(i, j, k))
        model = self.coal.BVHModelOBBRSS()
        model.beginModel(len(mesh[1]), len(mesh[0]))
        model.addSubModel(points, triangles)
        model.endModel()
        return model

    def _place(self, motion: Any, t: float) -> Any:
        pose = np.eye(4) if motion is None else motion.pose(t)
        rotation, origin = np.ascontiguousarray(pose[:3, :3]), np.ascontiguousarray(pose[:3, 3])
        return self.coal.Transform3s(rotation, origin)

    def distance(self, t: float) -> float:
        request, result = self.coal.DistanceRequest(), self.coal.DistanceResult()
        place_a = self._place(self.scene.motion_a, t)
        place_b = self._place(self.scene.motion_b, t)
        return float(self.coal.distance(self.a, place_a, self.b, place_b, request, result))

    def distances(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.array([self.distance(float(t)) for t in times])


def need_core() -> Any:
    toccata = pytest.importorskip("toccata")
    if not hasattr(toccata, "Motion"):
        pytest.skip("the compiled core is not built")
    return toccata


def test_names_are_listed_without_building_anything() -> None:
    assert len(names("rigid/")) >= 12 and len(names("demo/")) == 6
    with pytest.raises(ValueError, match="name: expected one of"):
        get("rigid/nothing")


@pytest.mark.parametrize("name", [n for n in names("rigid/") if n != "rigid/touch-at-start"])
def test_closed_form_is_the_first_contact(name: str) -> None:
    need_core()
    scene = get(name)
    outsider, step = Outsider(scene), 1e-5
    if scene.expected is None:
        # A scene that starts in contact on purpose is free from there on.
        begin = step if scene.initial == "ignore_separating" else 0.0
        gaps = outsider.distances(np.linspace(begin, 1.0, 201)) - scene.separation
        assert gaps.min() > min(scene.tolerance, 0.9 * step)
        return
    before = outsider.distances(np.linspace(0.0, scene.expected - step, 401))
    assert before.min() - scene.separation >= 0.98 * step * scene.closing
    assert outsider.distance(scene.expected) == pytest.approx(scene.separation, abs=1e-8)


def test_touch_at_start_touches() -> None:
    need_core()
    scene = get("rigid/touch-at-start")
    assert Outsider(scene).distance(0.0) == 0.0 == scene.expected


@pytest.mark.parametrize("name", names("demo/"))
def test_demo_touches_when_it_says(name: str) -> None:
    need_core()
    scene = get(name)
    outsider = Outsider(scene)
    end = 1.0 if scene.expected is None else scene.expected - scene.accuracy
    assert outsider.distances(np.linspace(0.0, end, 60)).min() > scene.tolerance
    if scene.expected is not None:
        assert outsider.distance(scene.expected + scene.accuracy) <= 0.0


@pytest.mark.parametrize("name", names())
def test_core_gives_the_answer_of_every_scene(name: str) -> None:
    tc, scene = need_core(), get(name)
    a, b = tc.Mesh(*scene.a), tc.Mesh(*scene.b)
    contact = tc.first_contact(a, b, scene.motion_a, scene.motion_b, **scene.options())
    assert scene.accepts(contact), f"expected {scene.status} at {scene.expected}, got {contact}"


@pytest.mark.parametrize("pair", ["box-box", "hammer-workpiece"])
def test_trials_keep_their_promises(pair: str) -> None:
    tc = need_core()
    sample = trials(pair, count=30, seed=7)
    again = trials(pair, count=30, seed=7)
    assert sample.start.tobytes() == again.start.tobytes()
    assert sample.end.tobytes() == again.end.tobytes()
    assert sample.collides.sum() == 20 and not (np.diff(sample.collides.astype(int)) <= 0).all()
    for start, end, collides in zip(sample.start, sample.end, sample.collides, strict=True):
        turn = end[:3, :3] @ start[:3, :3].T
        assert np.allclose(turn @ turn.T, np.eye(3)) and np.linalg.det(turn) == pytest.approx(1.0)
        scene = DemoScene(a=sample.a, b=sample.b, motion_a=tc.Motion.linear(start, end))
        gaps = Outsider(scene).distances(np.linspace(0.0, 1.0, 201))
        assert min(gaps[0], gaps[-1]) > CLEARANCE
        assert gaps.min() < 0.02 if collides else gaps.min() > MARGIN


def test_trials_reject_an_unknown_pair() -> None:
    need_core()
    with pytest.raises(ValueError, match="pair: expected one of"):
        trials("cup-saucer")


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: get(3), "name: expected one of .*, got 3"),
        (lambda: trials(3), "pair: expected one of .*, got 3"),
        (lambda: trials("box-box", 1.5), "count: expected a whole number, got 1.5"),
        (lambda: worlds.get("heap", bodies=2.0), "bodies: expected a whole number, got 2.0"),
        (
            lambda: deforming.scene("nidus", "many"),
            "triangles: expected a whole number, got 'many'",
        ),
    ],
)
def test_wrong_types_are_type_errors(call: Callable[[], Any], said: str) -> None:
    with pytest.raises(TypeError, match=said):
        call()


def test_modules_of_scenes_are_there_when_asked_for_and_not_before() -> None:
    code = """
import sys
from toccata import scenes
later = ["articulated", "deforming", "mounting", "pipes", "robots", "worlds"]
assert not [name for name in later if f"toccata.scenes.{name}" in sys.modules]
assert set(later) <= set(dir(scenes)) and set(later) <= set(scenes.__all__)
for name in later:
    assert getattr(scenes, name).__name__ == f"toccata.scenes.{name}"
assert scenes.deforming.NAMES and scenes.robots.puma().dof == 6
try:
    scenes.nothing
except AttributeError as error:
    assert str(error) == "module 'toccata.scenes' has no attribute 'nothing'"
else:
    raise AssertionError
"""
    subprocess.run([sys.executable, "-c", code], check=True)
