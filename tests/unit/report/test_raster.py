"""The rasterizer, its camera, normals and PNG files."""

from __future__ import annotations

import struct
import zlib

import numpy as np
import pytest

import toccata as tc
from toccata.report._normals import corner_normals
from toccata.report._picture import Shape, render
from toccata.report._png import encode_png
from toccata.report._projection import Projection, fit_camera, view_direction
from toccata.report._raster import rasterize
from toccata.view import Camera, _numbers

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


# Camera, clipping, normals


@pytest.mark.parametrize("azimuth", [-60.0, 10.0, 150.0])
def test_fitted_points_are_inside_and_reach_the_margin(azimuth: float) -> None:
    points = np.random.default_rng(2).normal(size=(300, 3)) * [5.0, 1.0, 2.0] + 30.0
    camera = fit_camera(points, view_direction(azimuth, 25.0), (480, 360))
    x, y, inverse = camera.project(points).T
    assert (inverse > 0).all()
    left, top = 0.055 * 480, 0.055 * 360
    slack = [x.min() - left, 480 - left - x.max(), y.min() - top, 360 - top - y.max()]
    assert min(slack) == pytest.approx(0.0, abs=1e-6)


def test_projection_keeps_right_and_up() -> None:
    camera = fit_camera(cube()[0], np.array([0.0, -1.0, 0.0]), (100, 100))
    center, right, up = camera.project(np.array([[0.0, 0, 0], [0.3, 0, 0], [0, 0, 0.3]]))
    assert right[0] > center[0] == pytest.approx(50.0)
    assert up[1] < center[1]


def test_narrow_pictures_show_as_much_of_the_width() -> None:
    camera = Camera(np.array([0.0, -5.0, 0.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]))
    wide, narrow = (Projection.of(camera, size) for size in ((400, 300), (400, 800)))
    assert wide.focal == narrow.focal


def test_a_floor_that_reaches_behind_the_eye_is_drawn() -> None:
    """Its two triangles are cut just before the eye."""
    floor = np.array([[-50.0, -50, 0], [50, -50, 0], [50, 50, 0], [-50, 50, 0]])
    shape = Shape.of((floor, np.array([[0, 1, 2], [0, 2, 3]])), np.array([1.0, 0.0, 0.0]))
    camera = Camera(np.array([0.0, -3.0, 1.0]), np.zeros(3), np.array([0.0, 0.0, 1.0]))
    seen = render([(shape, tc.pose())], Projection.of(camera, (40, 30))).view
    assert (seen.triangle[-20:] >= 0).all() and (seen.inverse_depth >= 0).all()


def test_a_veil_colors_what_is_behind_it_and_not_what_is_before() -> None:
    mesh = cube()
    red, blue = (Shape.of(mesh, np.array(color)) for color in ((1.0, 0, 0), (0, 0, 1.0)))
    camera = fit_camera(3 * mesh[0], np.array([0.0, -1.0, 0.0]), (40, 30))
    near, far = tc.pose((0, -1.2, 0)), tc.pose((0, 1.2, 0))
    pictures = [
        render([(red, tc.pose())], camera, 0.0, [([(blue, pose)], 0.5)]).colors[15, 20]
        for pose in (near, far)
    ]
    assert pictures[0][2] > 0.4 > 0.2 > pictures[1][2]


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


# PNG


@pytest.mark.parametrize("shape", [(1, 1), (7, 5), (40, 33)])
def test_png_round_trip(shape: tuple[int, int]) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (*shape, 3)).astype(np.uint8)
    ramp = np.broadcast_to(np.arange(shape[0], dtype=np.uint8)[:, None, None], noise.shape)
    for image in (noise, np.ascontiguousarray(ramp)):
        assert np.array_equal(decode_png(encode_png(image)), image)


def test_png_refuses_other_arrays() -> None:
    with pytest.raises(ValueError, match=r"image: expected nonempty \(h, w, 3\) uint8"):
        encode_png(np.zeros((4, 4, 3)))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (_numbers.length(0.0), "0"),
        (_numbers.length(0.25), "0.25"),
        (_numbers.length(3.24e-7), "3.2 \xd7 10⁻⁷"),
        (_numbers.length(float("nan")), "—"),
        (f"{_numbers.rounded_down(0.3)}", "0.300000"),
        (f"{_numbers.rounded_down(0.1234567)}", "0.123456"),
        (f"{_numbers.rounded_down(1e-9)}", "0.000000"),
        (_numbers.count(104800), "104,800"),
        (_numbers.milliseconds(0.0423), "0.042"),
        (_numbers.milliseconds(42.34), "42.3"),
        (_numbers.milliseconds(1234.5), "1,234"),
        (_numbers.vector(np.array([-0.0, 1.0, -0.5])), "(0.0000, 1.0000, \u22120.5000)"),
    ],
)
def test_numbers(shown: str, expected: str) -> None:
    assert shown == expected
