"""Conversion of arguments to arrays and numbers, with errors that name the argument.

A wrong type raises TypeError, a wrong value ValueError: `argument: expected X, got Y`.
"""

import math
import os
from collections.abc import Collection
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from toccata._native import core

Floats = NDArray[np.float64]

MOST_INDEX = np.iinfo(np.int32).max
MOST_THREADS = 1024
"""Most threads of a query: more than any machine has cores, fewer than operating systems refuse."""
MOST_LETTERS = 60

_MAIN_MEMORY = (1, 3, 11, 13)
"""DLPack devices in main memory: plain, pinned for CUDA or ROCm, and managed by CUDA."""


def came(value: object) -> str:
    """Return a short value as text, or the type of a long one, for error messages."""
    text = repr(value)
    return text if len(text) <= MOST_LETTERS and text.isprintable() else type(value).__name__


def as_array(name: str, values: Any, wanted: str = "numbers") -> NDArray[Any]:
    """Return `values` as an array of any type; arrays of other libraries are not copied."""
    if type(values) is np.ndarray:
        return values
    kind = type(values).__name__
    try:
        return np.asarray(_readable(name, values))
    except TypeError as error:
        raise TypeError(f"{name}: expected {wanted}, got {kind} ({error})") from error
    except (RuntimeError, BufferError) as error:  # raised by the library of the array
        raise ValueError(f"{name}: expected {wanted}, got {kind} ({error})") from error
    except _OnGpuError:
        raise
    except ValueError as error:
        wanted = f"{wanted} in rows of equal length"
        raise ValueError(f"{name}: expected {wanted}, got {came(values)}") from error


class _OnGpuError(ValueError):
    """An array is in the memory of a GPU."""


def _readable(name: str, values: Any) -> Any:
    """Return a value that numpy reads, converted by DLPack or `numpy()` if necessary."""
    if isinstance(values, list | tuple) and values and _is_foreign(values[0]):
        return [_readable(name, part) for part in values]
    if not _is_foreign(values):
        return values
    _check_main_memory(name, values)
    if hasattr(values, "__array__"):
        return np.asarray(values)
    return np.from_dlpack(values) if hasattr(values, "__dlpack__") else values.numpy()


def _is_foreign(values: Any) -> bool:
    if isinstance(values, np.ndarray | np.generic):
        return False
    return any(map(partial(hasattr, values), ("__dlpack__", "__cuda_array_interface__", "numpy")))


def _check_main_memory(name: str, values: Any) -> None:
    if hasattr(values, "__dlpack_device__"):
        on_gpu = values.__dlpack_device__()[0] not in _MAIN_MEMORY
    else:
        on_gpu = hasattr(values, "__cuda_array_interface__")
    if on_gpu:
        got = f"got a {type(values).__name__} on a GPU; copy it first, by .cpu() or .get()"
        raise _OnGpuError(f"{name}: expected an array in main memory, {got}")


def as_floats(name: str, values: ArrayLike) -> Floats:
    """Return `values` as a float64 array of any shape."""
    array = as_array(name, values, "numbers")
    if array.dtype.kind == "O":
        return _from_objects(name, array)
    if array.dtype.kind not in "biuf":  # numpy would drop imaginary parts and parse strings
        raise TypeError(f"{name}: expected numbers, got {_contents(array)}")
    return array.astype(np.float64, order="C", copy=False)


def _contents(array: NDArray[Any]) -> str:
    """Return the contents of an array of a wrong type as text, for error messages."""
    if array.ndim == 0:
        return came(array.item())
    return {"U": "strings", "S": "bytes", "O": "objects"}.get(array.dtype.kind, array.dtype.name)


def _from_objects(name: str, array: NDArray[Any]) -> Floats:
    """Convert objects such as fractions. Numpy would turn None into NaN and parse strings."""
    flat = np.empty(array.size)
    for i, value in enumerate(array.flat):
        try:
            flat[i] = _as_float(value)
        except (TypeError, ValueError) as error:
            row = f" in row {np.unravel_index(i, array.shape)[0]}" if array.ndim else ""
            raise TypeError(f"{name}: expected numbers, got {came(value)}{row}") from error
    return flat.reshape(array.shape)


def _as_float(value: Any) -> float:
    """Convert a number; integers that are too large become infinity."""
    if isinstance(value, str | bytes | bytearray):  # float() would parse them
        raise TypeError
    try:
        return float(value)
    except OverflowError:
        return math.inf


def as_shape(name: str, values: ArrayLike, *shape: int) -> Floats:
    """Return `values` as a finite C-contiguous float64 array; -1 in `shape` stands for any size."""
    array = as_unchecked(name, values, *shape)
    if not core.all_finite(array):
        bad = np.argwhere(~np.isfinite(array))[0]
        row = f" (row {bad[0]} is not)" if array.ndim > 1 else " (a value is not)"
        raise ValueError(f"{name}: expected finite numbers, got {array[tuple(bad)]}{row}")
    return array


def as_unchecked(name: str, values: ArrayLike, *shape: int) -> Floats:
    """Return `values` as `as_shape` does, but leave checks for NaN and infinity to the core."""
    array = as_floats(name, values)
    _check_shape(name, array, shape)
    return array


def as_many(name: str, values: ArrayLike, count: int, *row: int, like: str = "") -> Floats:
    """Return unchecked numbers with `count` rows, as many as the array named `like`."""
    rows = as_unchecked(name, values, -1, *row)
    if len(rows) != count:
        wanted = f"{count} rows, as many as {like}" if like else f"{count} rows"
        raise ValueError(f"{name}: expected {wanted}, got {len(rows)}")
    return rows


def _check_shape(name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    fits = array.ndim == len(shape) and all(
        wanted in (-1, size) for wanted, size in zip(shape, array.shape, strict=True)
    )
    if not fits:
        wanted = ", ".join("n" if size == -1 else str(size) for size in shape)
        wanted += "," if len(shape) == 1 else ""
        raise ValueError(f"{name}: expected shape ({wanted}), got {array.shape}")


def with_rows(name: str, values: ArrayLike, *row: int) -> NDArray[Any]:
    """Return `values` as an array; an empty list becomes an array of shape (0, *row)."""
    array = as_array(name, values, "numbers")
    return np.empty((0, *row), dtype=np.int32) if array.shape == (0,) else array


def as_faces(name: str, values: ArrayLike) -> NDArray[np.int32]:
    """Return `values` as an (n, 3) int32 array, copied only if necessary.

    Indices have to fit into 32 bits. The core checks that their vertices exist.
    """
    if type(values) is np.ndarray and values.dtype == np.int32 and values.shape[1:] == (3,):
        return np.ascontiguousarray(values)
    return as_indices(name, values, 3, most=MOST_INDEX)


def as_indices(name: str, values: ArrayLike, width: int, *, most: int) -> NDArray[np.int32]:
    """Return `values` as a new (n, width) int32 array of numbers from 0 to `most`."""
    array = _integers(name, values, -1, width)
    # Large unsigned 64-bit integers become negative, which is out of range, too.
    numbers = array if array.dtype == np.int32 else array.astype(np.int64, copy=False)
    ids: NDArray[np.int32] | None = core.indices(np.ascontiguousarray(numbers), most + 1)
    if ids is None:
        row, column = np.argwhere((array < 0) | (array > most))[0]
        raise ValueError(f"{name}: row {row} has index {array[row, column]}, expected 0..{most}")
    return ids


def as_rows(
    name: str, values: ArrayLike, count: int, *, least: int, most: int
) -> NDArray[np.int32]:
    """Return `values` as a (count,) int32 array of numbers between `least` and `most`."""
    array = _integers(name, values, count)
    outside = np.flatnonzero((array < least) | (array > most))
    if len(outside):
        row = outside[0]
        raise ValueError(f"{name}: row {row} is {array[row]}, expected {least}..{most}")
    return np.ascontiguousarray(array, dtype=np.int32)


def _integers(name: str, values: ArrayLike, *shape: int) -> NDArray[Any]:
    """Return `values` as an array of integers; -1 in `shape` stands for any size."""
    array = as_array(name, values, "integers")
    integers = np.issubdtype(array.dtype, np.integer)
    if not (integers or (array.size == 0 and array.dtype.kind == "f")):  # an empty list is float
        raise TypeError(f"{name}: expected integers, got {_contents(array)}")
    _check_shape(name, array, shape)
    return array


def as_number(name: str, value: float, *, least: float, open_end: bool = False) -> float:
    """Return `value` as a finite float of at least `least`, or above it with an open end."""
    try:
        number = _as_float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}: expected a number, got {came(value)}") from error
    if not math.isfinite(number) or number < least or (open_end and number == least):
        wanted = f"more than {least:g}" if open_end else f"at least {least:g}"
        raise ValueError(f"{name}: expected a finite number of {wanted}, got {came(value)}")
    return number


def as_whole(name: str, value: float) -> int:
    """Return `value` as an integer of at least 1; a float has to be whole."""
    number = as_number(name, value, least=1)
    if number != int(number):
        raise ValueError(f"{name}: expected a whole number, got {value!r}")
    return int(number)


def as_name(name: str, value: object) -> str:
    """Return `value` if it is a string."""
    if not isinstance(value, str):
        raise TypeError(f"{name}: expected a string, got {came(value)}")
    return value


def as_choice(name: str, value: object, choices: Collection[str]) -> str:
    """Return `value` if it is one of the choices."""
    if isinstance(value, str) and value in choices:
        return value
    error = ValueError if isinstance(value, str) else TypeError
    raise error(f"{name}: expected one of {', '.join(choices)}, got {came(value)}")


def as_threads(threads: int | None) -> int:
    """Return the number of threads; None means one per core."""
    if threads is None:
        return os.cpu_count() or 1
    return min(as_whole("threads", threads), MOST_THREADS)


def moved(points: Floats, pose: Floats) -> Floats:
    """Return points at a pose, (n, 3).

    Equal points stay equal, so that solids stay closed. Matrix products do not guarantee this.
    """
    x, y, z = (points[:, i, None] for i in range(3))
    return x * pose[:3, 0] + y * pose[:3, 1] + z * pose[:3, 2] + pose[:3, 3]
