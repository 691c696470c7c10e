"""Arguments become arrays of the right shape, or a message says which one is wrong and where."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._arrays import (
    MOST_THREADS,
    as_array,
    as_faces,
    as_floats,
    as_indices,
    as_number,
    as_shape,
    as_threads,
    as_whole,
    with_rows,
)


def test_floats_of_any_kind_become_contiguous_float64() -> None:
    for values in ([[1, 2], [3, 4]], np.array([[1, 2], [3, 4]], dtype=np.float32, order="F")):
        array = as_shape("x", values, -1, 2)
        assert array.dtype == np.float64 and array.flags.c_contiguous
        assert np.array_equal(array, [[1, 2], [3, 4]])
    assert as_shape("x", [Fraction(1, 4), True], 2).tolist() == [0.25, 1.0]


def test_an_array_that_fits_is_not_copied() -> None:
    array = np.zeros((5, 3))
    assert np.shares_memory(as_shape("x", array, -1, 3), array)


def test_faces_are_copied_once_by_the_core() -> None:
    faces = np.arange(15, dtype=np.int32).reshape(5, 3)
    assert np.shares_memory(as_faces("x", faces), faces)
    vertices = np.random.default_rng(1).normal(size=(15, 3))
    for owner in (tc.Mesh(vertices, faces), tc.DeformingMesh(vertices, faces)):
        assert np.array_equal(owner.faces, faces) and not np.shares_memory(owner.faces, faces)
        assert not owner.faces.flags.writeable


def test_a_number_keeps_its_shape() -> None:
    assert as_floats("x", 0.5).shape == ()


@pytest.mark.parametrize(
    ("values", "shape", "message"),
    [
        ([[1, 2]], (-1, 3), r"^x: expected shape \(n, 3\), got \(1, 2\)$"),
        ([1, 2], (3,), r"^x: expected shape \(3,\), got \(2,\)$"),
        (1.0, (3,), r"^x: expected shape \(3,\), got \(\)$"),
        (np.eye(4), (-1, 4, 4), r"^x: expected shape \(n, 4, 4\), got \(4, 4\)$"),
        ([[0, 1], [2, nan]], (-1, 2), r"^x: expected finite numbers, got nan \(row 1 is not\)$"),
        ([0, -inf], (-1,), r"^x: expected finite numbers, got -inf \(a value is not\)$"),
        ([[1, 2], [3]], (-1, 2), r"^x: .* in rows of equal length, got \[\[1, 2\], \[3\]\]$"),
        ([10**400], (1,), r"^x: expected finite numbers, got inf"),
    ],
)
def test_floats_are_refused(values: Any, shape: tuple[int, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        as_shape("x", values, *shape)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ("text", "'text'"),
        (b"text", "b'text'"),
        (1j, "1j"),
        (None, "None"),
        (["1", "2", "3"], "strings"),
        ([b"1"], "bytes"),
        (np.ones(3) * 1j, "complex128"),
        (np.zeros(3, "datetime64[s]"), r"datetime64\[s\]"),
        ([object()], "<object object at .*> in row 0"),
        ([1, None, 3], "None in row 1"),
        ([[1, 2], [3, "x"]], "strings"),
        (np.array([[1, 2], [3, "x"]], dtype=object), "'x' in row 1"),
        ({"x": 1}, r"\{'x': 1\}"),
    ],
)
def test_values_that_are_no_numbers_are_of_a_wrong_type(values: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^x: expected numbers, got {message}$"):
        as_floats("x", values)


def test_objects_that_convert_to_numbers_are_numbers() -> None:
    values = np.array([Fraction(1, 2), Decimal("0.25"), np.float32(3), 7], dtype=object)
    assert as_floats("x", values).tolist() == [0.5, 0.25, 3.0, 7.0]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int64, np.uint64, ">i4", ">i8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_faces_of_any_integer_type_become_int32(dtype: Any, order: Any) -> None:
    faces = as_faces("faces", np.array([[0, 1, 2], [3, 4, 5]], dtype=dtype, order=order))
    assert faces.dtype == np.int32 and faces.tolist() == [[0, 1, 2], [3, 4, 5]]


@pytest.mark.parametrize("dtype", [np.int32, np.int64])
def test_an_index_outside_is_found_wherever_it_is(dtype: Any) -> None:
    for row in range(21):
        for bad in (-1, 100):
            ids = np.full((21, 3), 99, dtype=dtype)
            ids[row, row % 3] = bad
            with pytest.raises(ValueError, match=rf"^n: row {row} has index {bad}, "):
                as_indices("n", ids, 3, most=99)


def test_a_number_that_is_not_finite_is_found_wherever_it_is() -> None:
    for row in range(21):
        for bad in (nan, inf, -inf):
            array = np.full((21, 3), np.finfo(float).max)
            array[row, row % 3] = bad
            with pytest.raises(ValueError, match=rf"^x: expected finite numbers.*row {row} is not"):
                as_shape("x", array, -1, 3)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([0, 1, 2], r"^faces: expected shape \(n, 3\), got \(3,\)$"),
        ([[0, 1, 2, 3]], r"^faces: expected shape \(n, 3\), got \(1, 4\)$"),
        ([[0, 1, 2], [3, 4]], r"^faces: expected integers in rows of equal length, got"),
        ([[0, 1, 2], [3, -4, 5]], r"^faces: row 1 has index -4, expected 0\.\."),
        ([[0, 1, 2**31]], r"^faces: row 0 has index 2147483648, expected 0\.\."),
        ([[0, 1, 2**32]], r"^faces: row 0 has index 4294967296, expected 0\.\."),
        (
            np.array([[0, 1, 2**63]], dtype=np.uint64),
            r"^faces: row 0 has index 9223372036854775808",
        ),
    ],
)
def test_faces_are_refused(values: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        as_faces("faces", values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ([[0.0, 1.0, 2.0]], "float64"),
        ([[True, False, True]], "bool"),
        ([["0", "1", "2"]], "strings"),
        ([[0, None, 2]], "objects"),
        (None, "None"),
        ("012", "'012'"),
    ],
)
def test_faces_of_wrong_types_are_refused(values: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^faces: expected integers, got {message}$"):
        as_faces("faces", values)


def test_numbers_have_a_least_value() -> None:
    assert as_number("x", 0, least=0) == 0.0
    assert as_number("x", np.float32(0.5), least=0, open_end=True) == 0.5
    with pytest.raises(ValueError, match=r"^x: expected a finite number of at least 1, got 0$"):
        as_number("x", 0, least=1)
    with pytest.raises(ValueError, match=r"^x: expected a finite number of more than 0, got 0$"):
        as_number("x", 0, least=0, open_end=True)


@pytest.mark.parametrize("value", [nan, inf, -inf, 10**400])
def test_numbers_that_are_not_finite_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match=r"^x: expected a finite number of at least 0, got"):
        as_number("x", value, least=0)


@pytest.mark.parametrize("value", [None, "text", "1", b"1", [1.0, 2.0], 1j, {}])
def test_values_that_are_no_number_are_of_a_wrong_type(value: Any) -> None:
    with pytest.raises(TypeError, match=r"^x: expected a number, got "):
        as_number("x", value, least=0)


def test_whole_numbers_are_not_cut() -> None:
    for value in (2, 2.0, np.int64(2), np.float32(2)):
        assert as_whole("n", value) == 2 and as_threads(value) == 2
    assert as_threads(10**6) == MOST_THREADS
    with pytest.raises(ValueError, match=r"^n: expected a whole number, got 2\.7$"):
        as_whole("n", 2.7)


@pytest.mark.parametrize("most", [-1, 7])
def test_no_indices_are_inside_of_any_limit(most: int) -> None:
    assert as_indices("n", with_rows("n", [], 2), 2, most=most).shape == (0, 2)
    with pytest.raises(ValueError, match=rf"^n: row 0 has index 8, expected 0\.\.{most}$"):
        as_indices("n", [[8, 0]], 2, most=most)


# Arrays of other libraries


class ByDlpack:
    """An array that speaks DLPack alone, on a device of one's choice."""

    def __init__(self, values: Any, device: int = 1) -> None:
        self._values, self._device = np.asarray(values), device

    def __dlpack__(self, **options: Any) -> Any:
        return self._values.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device, 0


class ByNumpy:
    """An array that has `numpy()` alone."""

    def __init__(self, values: Any) -> None:
        self._values = np.asarray(values)

    def numpy(self) -> Any:
        return self._values


class OnCuda:
    """An array that tells where it is by the older protocol alone."""

    __cuda_array_interface__: dict[str, Any] = {}  # noqa: RUF012


class Refusing(ByNumpy):
    """An array whose library has a reason not to give it away, as torch has for gradients."""

    def numpy(self) -> Any:
        raise RuntimeError("call detach first")


@pytest.mark.parametrize("kind", [ByDlpack, ByNumpy])
def test_arrays_of_other_libraries_are_arrays_everywhere(kind: Any) -> None:
    vertices, faces = np.eye(3), np.array([[0, 1, 2]])
    ours, theirs = tc.Mesh(vertices, faces), tc.Mesh(kind(vertices), kind(faces))
    assert np.array_equal(ours.vertices, theirs.vertices)
    start, end = tc.pose((0, 0, 3)), tc.pose((0, 0, -3))
    expected = tc.first_contact(ours, ours, tc.Motion.linear(start, end))
    found = tc.first_contact(theirs, ours, tc.Motion.linear(kind(start), kind(end)))
    assert found.toc == expected.toc and expected
    rows = [kind(start), kind(start)], [kind(end), kind(end)]
    assert (tc.first_contact_batch(theirs, ours, *rows).toc == expected.toc).all()
    two, both = np.concatenate([vertices, vertices + 1]), np.array([[0, 1, 2], [3, 4, 5]])
    frames = [tc.Frame(kind(v), kind(both)) for v in (two, two[[3, 4, 5, 0, 1, 2]])]
    assert [bool(step) for _, step in tc.sequence_contacts(frames)] == [True]
    groups = {"groups": kind([0, 0, 0, 1, 1, 1]), "ignored_groups": [(0, 1)]}
    assert not tc.deforming_contacts(kind(two), kind(two[::-1].copy()), kind(both), **groups)
    arm = tc.Robot([tc.Link("a"), tc.Link("b", ours)], [tc.Joint("j", "revolute", "a", "b")])
    assert arm.interpolate(kind([0.0]), kind([1.0]), 0.5).tolist() == [0.5]
    assert not arm.first_contact(kind([0.0]), kind([1.0]))


def test_an_array_that_fits_is_shared_with_another_library() -> None:
    array = np.zeros((5, 3))
    for kind in (ByDlpack, ByNumpy):
        assert np.shares_memory(as_shape("x", kind(array), -1, 3), array)


@pytest.mark.parametrize("values", [ByDlpack(np.zeros(3), 2), ByDlpack(np.zeros(3), 8), OnCuda()])
@pytest.mark.parametrize("wrap", [lambda values: values, lambda values: [values]])
def test_an_array_on_a_gpu_is_told_so(values: Any, wrap: Any) -> None:
    message = r"^x: expected an array in main memory, got a \w+ on a GPU; copy it first, by \.cpu"
    for convert in (as_floats, as_faces, as_array):
        with pytest.raises(ValueError, match=message):
            convert("x", wrap(values))


def test_what_another_library_says_is_passed_on() -> None:
    with pytest.raises(ValueError, match=r"^x: expected numbers, got Refusing \(call detach first"):
        as_floats("x", Refusing(np.zeros(3)))
