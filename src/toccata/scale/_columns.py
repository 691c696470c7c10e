"""Columns of tables as arrays of numbers, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._arrays import Floats
from toccata.scale._files import arrow

Mask = NDArray[np.bool_]


def in_source(schema: Any, name: str) -> Any:
    """Return the type of a column, or raise if the source does not have it."""
    if name not in schema.names:
        raise ValueError(f"columns: the source has no {name!r}, only {', '.join(schema.names)}")
    return schema.field(name).type


def check_numbers(schema: Any, name: str, widths: Sequence[int] | None = None) -> str | None:
    """Raise unless a column contains lists of numbers. Return a note if they are converted.

    Lists of a fixed size must have one of the `widths`. Lists of variable size are tested row by
    row: a row of a wrong length is not a valid motion.
    """
    given, fixed, types = in_source(schema, name), 1, arrow().types
    kind = given
    while types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind):
        fixed *= kind.list_size if types.is_fixed_size_list(kind) else 0
        kind = kind.value_type
    is_number = types.is_floating(kind) or types.is_integer(kind)
    if not is_number or kind == given or (widths and fixed and fixed not in widths):
        length = f"{' or '.join(map(str, widths))} " if widths else ""
        raise ValueError(f"column {name!r}: expected lists of {length}numbers, got {given}")
    if types.is_float32(kind) or types.is_float16(kind):
        return f"column {name!r}: {kind} numbers were converted to float64"
    return None


def numbers(column: Any, width: int) -> tuple[Floats, Mask]:
    """Return the rows of a column of nested lists, and a mask of rows with `width` numbers.

    Other rows, and nulls, are NaN.
    """
    array = _joined(column)
    fits: Mask = _sizes(array) == width
    rows = np.full((len(array), width), np.nan)
    kept = array if fits.all() else array.filter(arrow().array(fits))
    rows[fits] = _flat(kept).reshape(-1, width)
    return rows, fits


def ragged(column: Any) -> list[NDArray[Any] | None]:
    """Return the numbers of each row, None for a null."""
    array = _joined(column)
    sizes, flat = _sizes(array), _flat(array.drop_null())
    ends = np.cumsum(np.maximum(sizes, 0))
    return [
        None if size < 0 else flat[end - size : end] for size, end in zip(sizes, ends, strict=True)
    ]


def _joined(column: Any) -> Any:
    array = column.combine_chunks()
    return array if not hasattr(array, "chunks") else arrow().concat_arrays(array.chunks)


def _sizes(array: Any) -> NDArray[np.int64]:
    """Return the count of numbers in each row, -1 for a null."""
    lengths, inside = _lengths(array), array.flatten()
    if not arrow().types.is_nested(inside.type):
        return lengths
    rows = arrow("pyarrow.compute").list_parent_indices(array).to_numpy()
    totals = np.bincount(rows, np.maximum(_sizes(inside), 0), len(array)).astype(np.int64)
    return np.where(lengths < 0, -1, totals)


def _lengths(array: Any) -> NDArray[np.int64]:
    """Return the length of each list, -1 for a null."""
    if array.null_count:
        compute = arrow("pyarrow.compute")  # only if needed, because the import takes long
        found = compute.fill_null(compute.list_value_length(array), -1).to_numpy()
    elif arrow().types.is_fixed_size_list(array.type):
        found = np.full(len(array), array.type.list_size)
    else:
        found = np.diff(array.offsets.to_numpy())
    return np.asarray(found, dtype=np.int64)


def _flat(array: Any) -> NDArray[Any]:
    while arrow().types.is_nested(array.type):
        array = array.flatten()
    values: NDArray[Any] = array.to_numpy(zero_copy_only=False)
    return values


def vectors(rows: Floats) -> Any:
    """Return (n, k) numbers as a column of lists."""
    flat = arrow().array(np.ascontiguousarray(rows).reshape(-1))
    return arrow().FixedSizeListArray.from_arrays(flat, rows.shape[1])


def named(codes: NDArray[Any], names: Sequence[str]) -> Any:
    """Return names as a dictionary column, null for codes below 0."""
    pa = arrow()
    indices = pa.array(codes.astype(np.int32), mask=codes < 0)
    return pa.DictionaryArray.from_arrays(indices, pa.array(list(names), pa.string()))


def codes_of(column: Any, names: Sequence[str]) -> NDArray[np.int32]:
    """Return the index of each name of a column in `names`, -1 for unknown names and nulls."""
    text = arrow().string()
    found = arrow("pyarrow.compute").index_in(column.cast(text), arrow().array(list(names), text))
    return np.asarray(found.fill_null(-1).to_numpy(), dtype=np.int32)


def spread(values: NDArray[Any], valid: Mask, missing: float) -> NDArray[Any]:
    """Return the answers in the valid rows, and `missing` in the others."""
    if valid.all():
        return values
    rows = np.full((len(valid), *values.shape[1:]), missing, dtype=values.dtype)
    rows[valid] = values
    return rows
