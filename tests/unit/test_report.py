"""The report: what is drawn is what is there, and the page stands on its own."""

from __future__ import annotations

import re
import struct
import zlib
from dataclasses import replace
from html.parser import HTMLParser
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from toccata.report import Entry, figure, numbers, of_bodies, save_png, write_report
from toccata.report.camera import fit_camera, look_closely, view_direction
from toccata.report.html import report_html
from toccata.report.normals import corner_normals
from toccata.report.png import encode_png
from toccata.report.raster import rasterize
from toccata.report.sample import surface_points

CUBE_FACES = np.array(
    [
        [[0, 1, 3], [0, 3, 2]],
        [[4, 6, 7], [4, 7, 5]],
        [[0, 4, 5], [0, 5, 1]],
        [[2, 3, 7], [2, 7, 6]],
        [[0, 2, 6], [0, 6, 4]],
        [[1, 5, 7], [1, 7, 3]],
    ]
).reshape(-1, 3)


def cube(side: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    corners = [[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    return np.array(corners, dtype=float) * side / 2, CUBE_FACES


class Straight:
    """A motion along a straight line."""

    def __init__(self, start: tuple[float, ...], end: tuple[float, ...]) -> None:
        self.start, self.end = np.array(start), np.array(end)

    def pose(self, t: float) -> np.ndarray:
        pose = np.eye(4)
        pose[:3, 3] = self.start + t * (self.end - self.start)
        return pose


def answer(status: str, **changes: Any) -> SimpleNamespace:
    """A contact of the two cubes of `entry`, or whatever the changes make of it."""
    values: dict[str, Any] = {
        "status": SimpleNamespace(name=status),
        "toc": 0.625,
        "safe_until": 0.625,
        "distance": 3.2e-7,
        "point_a": np.array([-0.5, 0.0, 0.0]),
        "point_b": np.array([-0.5, 0.0, 0.0]),
        "normal": np.array([-1.0, 0.0, 0.0]),
        "triangle_a": 2,
        "triangle_b": 0,
        "feature": "vertex-face",
        "stats": SimpleNamespace(seconds=0.42e-3),
    }
    return SimpleNamespace(**(values | changes))


NO_CONTACT: dict[str, Any] = {
    "point_a": None,
    "point_b": np.full(3, np.nan),
    "normal": None,
    "feature": None,
    "triangle_a": -1,
    "triangle_b": -1,
}


def entry(name: str = "cubes", status: str = "CONTACT", **changes: Any) -> Entry:
    motion = changes.pop("motion", Straight((-2.0, 0.0, 0.0), (-0.4, 0.0, 0.0)))
    contact = answer(status, **changes)
    told = {"name": name, "description": "one cube meets another"}
    return of_bodies(cube(), cube(), (motion, None), contact, **told)


def decode_png(data: bytes) -> np.ndarray:
    """An independent reader of what `encode_png` may write: 8-bit color, filters 1 and 2."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, position = {}, 8
    while position < len(data):
        (size,) = struct.unpack_from(">I", data, position)
        kind, body = data[position + 4 : position + 8], data[position + 8 : position + 8 + size]
        (checksum,) = struct.unpack_from(">I", data, position + 8 + size)
        assert checksum == zlib.crc32(kind + body)
        chunks[kind] = body
        position += 12 + size
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert rest == [8, 2, 0, 0, 0]
    rows = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, -1)
    image = np.zeros((height, width, 3), dtype=np.uint8)
    for y, row in enumerate(rows):
        pixels = row[1:].reshape(width, 3)
        above = image[y - 1] if y else np.zeros_like(pixels)
        image[y] = np.cumsum(pixels, axis=0) if row[0] == 1 else pixels + above
    return image


# Rasterizer


def test_triangle_covers_the_pixels_whose_centers_it_holds() -> None:
    corners = np.array([[[0.0, 0.0, 1.0], [8.0, 0.0, 1.0], [0.0, 8.0, 1.0]]])
    seen = rasterize(corners, 10, 9).triangle >= 0
    y, x = np.indices(seen.shape) + 0.5
    assert np.array_equal(seen, x + y <= 8.0)


def test_nearer_triangle_wins_in_either_order() -> None:
    near = [[1.0, 1.0, 0.5], [9.0, 1.0, 0.5], [1.0, 9.0, 0.5]]
    far = [[0.0, 0.0, 0.2], [12.0, 0.0, 0.2], [0.0, 12.0, 0.2]]
    for order in ([near, far], [far, near]):
        view = rasterize(np.array(order), 12, 12)
        assert view.triangle[3, 3] == order.index(near)
        assert view.triangle[0, 0] == order.index(far)
        assert view.inverse_depth[3, 3] == pytest.approx(0.5, abs=1e-9)
        assert view.inverse_depth[11, 11] == 0.0


def test_agrees_with_testing_every_pixel_against_every_triangle() -> None:
    rng = np.random.default_rng(11)
    width, height, count = 24, 18, 40
    corners = rng.uniform(-5.0, 30.0, (count, 1, 3)) + rng.normal(0.0, 4.0, (count, 3, 3))
    corners[..., 2] = rng.uniform(0.1, 1.0, (count, 3))
    view = rasterize(corners, width, height)
    expected = [
        [brute_force(corners, x + 0.5, y + 0.5) for x in range(width)] for y in range(height)
    ]
    assert np.array_equal(view.triangle, expected)
    assert 0.1 < (view.triangle < 0).mean() < 0.9, "sample too one-sided to prove anything"


def brute_force(corners: np.ndarray, x: float, y: float) -> int:
    """Solve for the shares of the corners at one point, and keep the nearest triangle."""
    best, nearest = -1, 0.0
    for i, triangle in enumerate(corners):
        shares = np.linalg.solve(np.vstack([triangle[:, :2].T, np.ones(3)]), [x, y, 1.0])
        inverse = float(shares @ triangle[:, 2])
        if (shares >= 0).all() and inverse > nearest:
            best, nearest = i, inverse
    return best


def test_triangles_sharing_an_edge_leave_no_hole() -> None:
    rng = np.random.default_rng(5)
    for turn in rng.uniform(0.0, 2.0 * np.pi, 50):
        spokes = turn + np.arange(8) * np.pi / 4
        rim = np.stack([20 + 40 * np.cos(spokes), 20 + 40 * np.sin(spokes)], axis=1)
        rim = np.c_[rim, np.ones(8)]
        hub = np.broadcast_to([20.0, 20.0, 1.0], (8, 3))
        fan = np.stack([hub, rim, np.roll(rim, 1, axis=0)], axis=1)
        assert (rasterize(fan, 40, 40).triangle >= 0).all()


def test_degenerate_hidden_and_distant_triangles_are_harmless() -> None:
    line = [[1.0, 1.0, 1.0], [5.0, 5.0, 1.0], [9.0, 9.0, 1.0]]
    behind = [[0.0, 0.0, -1.0], [9.0, 0.0, 1.0], [0.0, 9.0, 1.0]]
    outside = [[1e30, 0.0, 1.0], [2e30, 0.0, 1.0], [1e30, 1e30, 1.0]]
    assert (rasterize(np.array([line, behind, outside]), 10, 10).triangle == -1).all()


def test_what_is_too_near_is_cut_away() -> None:
    near = [[0.0, 0.0, 0.5], [40.0, 0.0, 0.5], [0.0, 40.0, 0.5]]
    far = [[0.0, 0.0, 0.2], [40.0, 0.0, 0.2], [0.0, 40.0, 0.2]]
    assert rasterize(np.array([near, far]), 8, 8, inverse_limit=0.3).triangle[2, 2] == 1


# Camera, normals, samples


@pytest.mark.parametrize("azimuth", [-60.0, 10.0, 150.0])
def test_fitted_points_are_inside_and_reach_the_margin(azimuth: float) -> None:
    points = np.random.default_rng(2).normal(size=(300, 3)) * [5.0, 1.0, 2.0] + 30.0
    camera = fit_camera(points, view_direction(azimuth, 25.0), (480, 360), margin=0.1)
    x, y, inverse = camera.project(points).T
    assert (inverse > 0).all()
    slack = [x.min() - 48, 432 - x.max(), y.min() - 36, 324 - y.max()]
    assert min(slack) == pytest.approx(0.0, abs=1e-6)


def test_projection_keeps_right_and_up() -> None:
    camera = fit_camera(cube()[0], np.array([0.0, -1.0, 0.0]), (100, 100))
    center, right, up = camera.project(np.array([[0.0, 0, 0], [0.3, 0, 0], [0, 0, 0.3]]))
    assert right[0] > center[0] == pytest.approx(50.0)
    assert up[1] < center[1]


def test_close_up_spans_the_breadth() -> None:
    camera = look_closely(np.ones(3), np.array([0.0, -1.0, 0.0]), 0.2, 100)
    edge = camera.project(np.array([[1.1, 1.0, 1.0]]))[0]
    assert edge[:2] == pytest.approx([100.0, 50.0])


def test_normals_are_sharp_on_a_cube_even_if_vertices_are_shared() -> None:
    vertices, faces = cube()
    normals = corner_normals(vertices, faces)
    assert np.allclose(np.abs(normals).max(axis=2), 1.0)


def test_normals_are_smooth_on_a_soup_of_a_round_body() -> None:
    vertices, faces = sphere()
    soup = vertices[faces].reshape(-1, 3)
    normals = corner_normals(soup, np.arange(len(soup)).reshape(-1, 3))
    assert (normals * soup.reshape(-1, 3, 3)).sum(axis=2).min() > 0.97


def sphere(rings: int = 24, columns: int = 20) -> tuple[np.ndarray, np.ndarray]:
    tilt, turn = np.meshgrid(np.linspace(0, np.pi, rings), np.arange(columns) / columns * 2 * np.pi)
    vertices = np.stack(
        [np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)], -1
    )
    i, j = np.meshgrid(np.arange(columns), np.arange(rings - 1), indexing="ij")
    here, next_column = i * rings + j, (i + 1) % columns * rings + j
    lower = np.stack([here, here + 1, next_column + 1], axis=-1).reshape(-1, 3)
    upper = np.stack([here, next_column + 1, next_column], axis=-1).reshape(-1, 3)
    # At the poles one triangle of each quadrangle has no area.
    lower, upper = lower[j.ravel() < rings - 2], upper[j.ravel() > 0]
    return np.round(vertices.reshape(-1, 3), 12) + 0.0, np.concatenate([lower, upper])


def test_surface_points_lie_on_the_surface_and_spread_evenly() -> None:
    points = surface_points(*cube(2.0), 600)
    assert np.allclose(np.abs(points).max(axis=1), 1.0)
    assert np.abs(points.mean(axis=0)).max() < 0.05


# PNG


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (40, 33)])
def test_png_round_trip(shape: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (*shape, 3)).astype(np.uint8)
    ramp = np.broadcast_to(np.arange(shape[0], dtype=np.uint8)[:, None, None], noise.shape)
    for image in (noise, np.ascontiguousarray(ramp)):
        assert np.array_equal(decode_png(encode_png(image)), image)


def test_png_refuses_other_arrays() -> None:
    with pytest.raises(ValueError, match=r"image: expected \(h, w, 3\) uint8"):
        encode_png(np.zeros((4, 4, 3)))  # type: ignore[arg-type]


# Figure


def test_figure_shows_the_bodies_and_marks_the_contact(tmp_path: Any) -> None:
    image = figure(entry(), size=(160, 120))
    assert image.shape[0] == 120 and image.dtype == np.uint8
    panels = image[:, :160], image[:, 166:326], image[:, 332:]
    for panel in panels:
        red, _, blue = panel.reshape(-1, 3).astype(int).T
        assert (red - blue > 60).mean() > 0.02, "body a is not to be seen"
        assert (blue - red > 60).mean() > 0.02, "body b is not to be seen"
        assert panel[0].min() > 200, "the picture is clipped"
    bright = [((panel == (250, 222, 26)).all(axis=2)).sum() for panel in panels]
    assert bright[1] > 0 and bright[0] == bright[2] == 0
    save_png(tmp_path / "figure.png", image)
    assert np.array_equal(decode_png((tmp_path / "figure.png").read_bytes()), image)


def test_figures_are_deterministic() -> None:
    first, second = (figure(entry(), size=(80, 60)) for _ in range(2))
    assert np.array_equal(first, second)


def test_free_scene_shows_the_closest_approach() -> None:
    passing = Straight((-2.0, 1.5, 0.0), (2.0, 1.5, 0.0))
    free = {"toc": np.inf, "safe_until": 1.0} | NO_CONTACT
    scene = entry("pass", "FREE", motion=passing, **free)
    assert 0.2 < scene.focus.time < 0.8
    assert [moment.time for moment in scene.moments] == [0.0, scene.focus.time, 1.0]
    assert not any(moment.marks for moment in scene.moments)


@pytest.mark.parametrize("status", ["FREE", "UNDECIDED", "INITIAL_OVERLAP"])
def test_answers_without_a_point_are_drawn_too(status: str) -> None:
    scene = entry("no point", status, toc=0.0, safe_until=0.0, **NO_CONTACT)
    assert figure(scene, size=(64, 48)).shape == (48, 204, 3)


# Page


class Outline(HTMLParser):
    """Collects tags, what they refer to, and text; fails on tags closed in the wrong order."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.targets: list[str] = []
        self.text = ""
        self.feed(page)
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.targets += [value or "" for name, value in attrs if name in ("href", "src")]
        if tag not in ("meta", "img", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def page() -> str:
    free = {"toc": np.inf, "safe_until": 1.0, "distance": np.nan} | NO_CONTACT
    undecided = {"toc": 0.3, "safe_until": 0.3, "distance": np.nan} | NO_CONTACT
    scenes = [
        entry("plain"),
        entry("<script>alert('x')</script> & co"),
        entry("passes", "FREE", **free),
        entry("tired", "UNDECIDED", **undecided),
    ]
    return report_html(scenes, "Contacts of <four> pairs", (120, 90), frames=3)


def test_page_is_self_contained(page: str) -> None:
    outline = Outline(page)
    assert all(
        target.startswith(("data:image/png;base64,", "#entry-")) for target in outline.targets
    )
    assert "link" not in outline.tags and "iframe" not in outline.tags
    assert not re.search(r"https?:|url\(|@import|fetch\(|import\(", page)
    assert outline.tags.count("img") == 12 + 4


def test_page_names_all_scenes_and_escapes_them(page: str) -> None:
    text = Outline(page).text
    for name in ("plain", "<script>alert('x')</script> & co", "passes", "tired"):
        assert name in text
    assert "Contacts of <four> pairs" in text
    assert "<script>alert" not in page and "<four>" not in page


def test_no_words_of_a_clock_end_the_script_of_a_player() -> None:
    hostile = replace(entry("timed"), clock="</script><img src=x onerror=f()> {:.3f} s")
    outline = Outline(report_html([hostile], "t", (120, 90), frames=3))
    assert "</script><img src=x onerror=f()> 0.000 s" in outline.text
    assert outline.tags.count("img") == 3 + 1


def test_names_that_no_encoding_has_are_written(tmp_path: Any) -> None:
    write_report(tmp_path / "r.html", [entry("frame \udc80.ply")], size=(120, 90), frames=3)
    assert "frame &#56448;.ply" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_page_tells_the_answers(page: str) -> None:
    rows = re.findall(r"<tr>(<td>.*?)</tr>", page)
    cells = [[Outline(cell).text for cell in re.findall(r"<td.*?</td>", row)] for row in rows]
    assert cells[0] == ["two bodies", "plain", "contact", "t = 0.6250", "a and b", "0.420"]
    assert cells[2][2:5] == ["free", numbers.NONE, numbers.NONE]
    assert cells[3][2:5] == ["undecided", numbers.NONE, numbers.NONE]
    told = re.findall(r'role="img" aria-label="(certified.*?)"', page)
    assert told == [
        "certified free before t = 0.6250",
        "certified free before t = 0.6250",
        "certified free all the time",
        "certified free before t = 0.3000",
    ]


def test_write_report_writes_the_page(tmp_path: Any) -> None:
    path = tmp_path / "report.html"
    write_report(path, [entry("only")], title="One", size=(120, 90), frames=3)
    assert "<title>One</title>" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (numbers.length(0.0), "0"),
        (numbers.length(0.25), "0.25"),
        (numbers.length(3.24e-7), "3.2\u202f\xd7\u202f10⁻⁷"),
        (numbers.length(float("nan")), "—"),
        (numbers.time(float("inf")), "—"),
        (numbers.time(0.3), "0.300000"),
        (numbers.time(0.1234567), "0.123456"),
        (numbers.time(1e-9), "0.000000"),
        (numbers.count(104800), "104\u202f800"),
        (numbers.milliseconds(0.0423), "0.042"),
        (numbers.milliseconds(42.34), "42.3"),
        (numbers.milliseconds(1234.5), "1\u202f234"),
        (numbers.vector(np.array([-0.0, 1.0, -0.5])), "(0.0000, 1.0000, \u22120.5000)"),
    ],
)
def test_numbers(shown: str, expected: str) -> None:
    assert shown == expected
