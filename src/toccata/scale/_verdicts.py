"""Verdicts as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toccata._text import indented, numbers
from toccata.scale._columns import codes_of
from toccata.scale._columns import numbers as numbers_of
from toccata.scale._files import Location, arrow
from toccata.scale._plan import Part
from toccata.scale._summary import Counts
from toccata.scale._target import Target


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Verdicts(Mapping[str, NDArray[Any]]):
    """Columns of verdicts as arrays by name, in the order of the source's rows.

    `status` contains codes of `toccata.Status`, and -1 (`scale.INVALID`) for rows that are not
    valid motions. `toc` is inf for free rows. Every row is free of contact before `safe_until`,
    which is 0 for INVALID rows. Columns of names, such as `link_a` and `feature`, contain codes
    that index `names[column]`; -1 stands for no name. Unknown numbers are NaN.
    """

    columns: Mapping[str, NDArray[Any]]
    names: Mapping[str, tuple[str, ...]]
    """Names that the codes of a column index."""
    about: Mapping[str, Any]
    """The query: version, hash of the model, options."""

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a column."""
        return self.columns[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __len__(self) -> int:
        """Return the number of columns."""
        return len(self.columns)

    def __str__(self) -> str:
        rows = len(next(iter(self.columns.values()))) if self.columns else 0
        counts = f": {Counts.of(self['status'])}" if "status" in self.columns else ""
        return f"{rows:,} verdicts{counts}"

    def __repr__(self) -> str:
        columns = []
        for name, values in self.columns.items():
            shown = f", {numbers(values[:3].ravel())}" if values.dtype.kind in "biuf" else ""
            columns.append(f"{name}: {values.dtype} {values.shape}{shown}")
        return indented(f"Verdicts: {self}", columns)


def load(
    target: Location, columns: Sequence[str] | None = None, *, partial: bool = False
) -> Verdicts:
    """Read the verdicts of a target as arrays.

    Args:
        target: folder of the verdicts.
        columns: names of the columns to read. Default: all.
        partial: if True, missing parts are left out. Otherwise a missing part is an error.

    """
    folder = Target.at(target)
    plan = folder.plan()
    written = folder.look_at(plan.parts)
    parts = [part for part in plan.parts if part in written]
    if len(parts) < len(plan.parts) and not partial:
        missing = len(plan.parts) - len(parts)
        raise ValueError(f"target: {missing} of {len(plan.parts)} parts are missing")
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
    if names is not None:
        return codes_of(column, names)
    if arrow().types.is_fixed_size_list(column.type):
        return numbers_of(column, column.type.list_size)[0]
    return np.asarray(column.to_numpy())
