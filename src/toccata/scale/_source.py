"""Sources of datasets: rows of Parquet files as one long table."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import accumulate
from pathlib import PurePosixPath
from threading import local
from typing import Any

from toccata.scale._files import AT_ONCE, Location, arrow, as_locations, find, locate
from toccata.scale._fingerprint import SIZE

_BYTES_PER_READ = 1 << 22
"""Number of bytes per read for a hash."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file, with the layout of its rows."""

    path: str
    name: str
    """Path relative to the given folder, so that the name stays valid if the folder moves."""
    rows: tuple[int, ...]
    """Number of rows of each row group."""
    extents: tuple[tuple[int, int], ...]
    """First byte of each row group, and the byte after its last byte."""
    stamp: tuple[int, int]
    """Size, and time of the last modification."""


@dataclass(frozen=True, eq=False)
class Source:
    """Files sorted by name. Rows are numbered across all files."""

    fs: Any
    files: tuple[SourceFile, ...]
    schema: Any
    """The schema of all files."""
    starts: tuple[int, ...]
    """First row of each row group that is not empty, and the total number of rows."""
    row_groups: tuple[tuple[int, int], ...]
    """File of each of these row groups, and its index in the file."""
    _read: local = field(default_factory=local)
    """The last row group that each thread read, because several parts may share a large one."""

    @classmethod
    def open(cls, given: Location | Sequence[Location]) -> Source:
        """Read the metadata of all files, from the ends of the files."""
        locations = as_locations("source", given)
        found = [(fs, *find(fs, path)) for fs, path in map(locate, locations)]
        if not found:
            raise ValueError("source: expected files or folders, got none")
        fs = found[0][0]
        if any(not fs.equals(other) for other, *_ in found):
            raise ValueError(f"source: expected files of one filesystem, got {given}")
        paths = [(folder, path) for _, folder, names in found for path in names]
        if not paths:
            raise ValueError(f"source: there are no *.parquet files in {given}")
        with ThreadPoolExecutor(AT_ONCE) as threads:
            files, schemas = zip(*threads.map(lambda pair: _look(fs, *pair), paths), strict=True)
        for file, schema in zip(files, schemas, strict=True):
            if not schema.equals(schemas[0]):
                wanted = f"the columns of {files[0].name}, {_columns(schemas[0])}"
                raise ValueError(f"{file.name}: expected {wanted}, got {_columns(schema)}")
        groups = [(i, g, n) for i, file in enumerate(files) for g, n in enumerate(file.rows) if n]
        starts = (0, *accumulate(rows for *_, rows in groups))
        row_groups = tuple((file, group) for file, group, _ in groups)
        return cls(fs, files, schemas[0].remove_metadata(), starts, row_groups)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle without rows in memory."""
        return Source, (self.fs, self.files, self.schema, self.starts, self.row_groups)

    def __len__(self) -> int:
        return self.starts[-1]

    def where(self, row: int) -> tuple[str, int]:
        """Return the name of the file of a row, and the index of the row in the file."""
        at = self._row_group(row)
        file, group = self.row_groups[at]
        return self.files[file].name, row - self.starts[at] + sum(self.files[file].rows[:group])

    def read(self, start: int, stop: int, columns: Sequence[str] | None = None) -> Any:
        """Return a table of the rows from `start` to before `stop`."""
        groups = self.row_groups_of(start, stop)
        tables = [self._slice(group, start, stop, columns) for group in groups]
        if not tables:
            names = self.schema.names if columns is None else list(columns)
            return self.schema.empty_table().select(names)
        return arrow().concat_tables(tables)

    def each(self, start: int, stop: int, columns: Sequence[str]) -> Iterator[Any]:
        """Yield tables with one row each. Only one row group is in memory at a time."""
        for group in self.row_groups_of(start, stop):
            table = self._slice(group, start, stop, columns)
            for row in range(len(table)):
                yield table.slice(row, 1)

    def row_groups_of(self, start: int, stop: int) -> range:
        """Return the indices of the row groups that contain the rows from `start` to `stop`."""
        if not stop > start:
            return range(0)
        return range(self._row_group(start), self._row_group(stop - 1) + 1)

    def hashes(self) -> list[bytes]:
        """Return a hash of the bytes of each row group."""
        with ThreadPoolExecutor(8) as threads:
            return list(threads.map(self._hash, range(len(self.row_groups))))

    def _row_group(self, row: int) -> int:
        return bisect_right(self.starts, row) - 1

    def _slice(self, group: int, start: int, stop: int, columns: Sequence[str] | None) -> Any:
        first = self.starts[group]
        table = self._whole(group, None if columns is None else tuple(columns))
        low, high = max(start - first, 0), min(stop - first, len(table))
        return table.slice(low, high - low)

    def _whole(self, group: int, columns: tuple[str, ...] | None) -> Any:
        if getattr(self._read, "key", None) != (group, columns):
            file, number = self.row_groups[group]
            own = self.files[file]
            with self.fs.open_input_file(own.path) as stream:
                opened = arrow("pyarrow.parquet").ParquetFile(stream)
                names = None if columns is None else list(columns)
                table = opened.read_row_group(number, columns=names, use_threads=False)
            if _stamp(self.fs, own.path) != own.stamp:  # names of parts depend on the content
                raise RuntimeError(f"{own.name}: the file was modified during the run")
            self._read.key, self._read.table = (group, columns), table.replace_schema_metadata()
        return self._read.table

    def _hash(self, group: int) -> bytes:
        file, number = self.row_groups[group]
        own = self.files[file]
        digest = sha256()  # twice as fast as blake2b on processors with SHA instructions
        with self.fs.open_input_file(own.path) as stream:
            for piece in _pieces(stream, *own.extents[number]):
                digest.update(piece)
        return digest.digest()[:SIZE]


def _pieces(stream: Any, first: int, end: int) -> Iterator[Any]:
    stream.seek(first)
    while (left := end - stream.tell()) > 0:
        piece = stream.read_buffer(min(left, _BYTES_PER_READ))
        if not piece.size:
            raise OSError("the file was truncated during the run")
        yield piece


def _look(fs: Any, folder: str, path: str) -> tuple[SourceFile, Any]:
    """Return the layout of a file, and its schema."""
    stamp = _stamp(fs, path)
    try:
        with fs.open_input_file(path) as stream:
            opened = arrow("pyarrow.parquet").ParquetFile(stream)
            meta, schema = opened.metadata, opened.schema_arrow
    except arrow().ArrowInvalid as error:
        raise ValueError(f"{path}: expected a Parquet file ({error})") from error
    groups = [meta.row_group(i) for i in range(meta.num_row_groups)]
    name = str(PurePosixPath(path).relative_to(folder))
    counts, extents = tuple(group.num_rows for group in groups), tuple(map(_extent, groups))
    return SourceFile(path, name, counts, extents, stamp), schema


def _stamp(fs: Any, path: str) -> tuple[int, int]:
    info = fs.get_file_info(path)
    return info.size, info.mtime_ns


def _extent(group: Any) -> tuple[int, int]:
    """Return the range of bytes of a row group, whose columns are contiguous."""
    ends = []
    for i in range(group.num_columns):
        column = group.column(i)
        first = column.data_page_offset
        if column.has_dictionary_page and column.dictionary_page_offset is not None:
            first = min(first, column.dictionary_page_offset)
        ends.append((first, first + column.total_compressed_size))
    return min(first for first, _ in ends), max(end for _, end in ends)


def _columns(schema: Any) -> str:
    return ", ".join(f"{column.name} {column.type}" for column in schema)
