"""Verdicts read back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata.scale._columns import numbers
from toccata.scale._files import Place, arrow
from toccata.scale._plan import Part
from toccata.scale._target import Target


@dataclass(frozen=True, slots=True, eq=False)
class Verdicts(Mapping[str, NDArray[Any]]):
    """Columns as arrays by name, in the order of the source's rows."""

    columns: Mapping[str, NDArray[Any]]
    names: Mapping[str, tuple[str, ...]]
    """What the codes in columns like `link_a` stand for; -1 is nobody."""
    about: Mapping[str, Any]
    """Version, hash of the model, options."""

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column."""
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        return len(self.columns)


def load(target: Place, columns: Sequence[str] | None = None, *, partial: bool = False) -> Verdicts:
    """Read the verdicts of a target, all of them or some columns.

    Lists of numbers become rows of an array, names become codes. With `partial`, parts that are
    not there are left out; otherwise they are an error.
    """
    folder = Target.at(target)
    plan = folder.plan()
    there = folder.look_at(plan.parts)
    parts = [part for part in plan.parts if part in there]
    if len(parts) < len(plan.parts) and not partial:
        missing = len(plan.parts) - len(parts)
        raise ValueError(f"target: expected all {len(plan.parts)} parts, got {missing} less")
    names = {column: tuple(own) for column, own in plan.about["names"].items()}
    tables = [_read(folder, part, columns) for part in parts]
    found = arrow().concat_tables(tables) if tables else arrow().table({})
    arrays = {name: _array(found[name], names.get(name)) for name in found.column_names}
    return Verdicts(arrays, names, plan.about)


def _read(folder: Target, part: Part, columns: Sequence[str] | None) -> Any:
    wanted = None if columns is None else list(columns)
    with folder.fs.open_input_file(f"{folder.path}/{part.name}") as stream:
        table = arrow("pyarrow.parquet").read_table(
            stream, columns=wanted, page_checksum_verification=True
        )
    return table.replace_schema_metadata()


def _array(column: Any, names: tuple[str, ...] | None) -> NDArray[Any]:
    types = arrow().types
    if names is not None:
        codes = arrow("pyarrow.compute").index_in(
            column.cast(arrow().string()), arrow().array(names, arrow().string())
        )
        return np.asarray(codes.fill_null(-1).to_numpy(), dtype=np.int32)
    if types.is_fixed_size_list(column.type):
        return numbers(column, column.type.list_size)[0]
    return np.asarray(column.to_numpy())
