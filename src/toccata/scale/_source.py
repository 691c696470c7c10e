"""What a dataset asks: rows of Parquet files, seen as one long table."""

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

from toccata.scale._files import AT_ONCE, Place, arrow, as_list, find, locate
from toccata.scale._fingerprint import SIZE

CHUNK = 1 << 22  # bytes read at a time for a hash


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file, and how its rows lie in it."""

    path: str
    name: str
    """Below the folder that was named: what moves with it keeps it."""
    groups: tuple[int, ...]
    """Rows of each row group."""
    spans: tuple[tuple[int, int], ...]
    """First byte of each row group, and the one after its last."""
    stamp: tuple[int, int]
    """Size, and time of the last change."""

    @property
    def rows(self) -> int:
        """Number of rows."""
        return sum(self.groups)


@dataclass(frozen=True, eq=False)
class Source:
    """Files in the order of their names; rows are counted through all of them."""

    fs: Any
    files: tuple[SourceFile, ...]
    schema: Any
    """Of all files."""
    starts: tuple[int, ...]
    """First row of each row group that has rows, and the number of all rows."""
    places: tuple[tuple[int, int], ...]
    """File and number there of each of them."""
    _read: local = field(default_factory=local)
    """The row group that was read last, of each thread: parts may share a large one."""

    @classmethod
    def open(cls, places: Place | Sequence[Place]) -> Source:
        """Look at the ends of all files, where Parquet tells what is in them."""
        found = [(fs, *find(fs, path)) for fs, path in map(locate, as_list(places))]
        if not found:
            raise ValueError(f"source: expected files or folders, got {places}")
        fs = found[0][0]
        if any(not fs.equals(other) for other, *_ in found):
            raise ValueError(f"source: expected files of one filesystem, got {places}")
        paths = [(folder, path) for _, folder, names in found for path in names]
        if not paths:
            raise ValueError(f"source: expected *.parquet, got none in {places}")
        with ThreadPoolExecutor(AT_ONCE) as threads:
            looked = list(threads.map(lambda pair: _look(fs, *pair), paths))
        return cls._of(fs, [file for file, _ in looked], [schema for _, schema in looked])

    @classmethod
    def _of(cls, fs: Any, files: list[SourceFile], schemas: list[Any]) -> Source:
        for file, schema in zip(files, schemas, strict=True):
            if not schema.equals(schemas[0]):
                wanted = f"the columns of {files[0].name}, {_columns(schemas[0])}"
                raise ValueError(f"{file.name}: expected {wanted}, got {_columns(schema)}")
        groups = [(i, g, n) for i, file in enumerate(files) for g, n in enumerate(file.groups) if n]
        starts = (0, *accumulate(rows for *_, rows in groups))
        places = tuple((file, group) for file, group, _ in groups)
        return cls(fs, tuple(files), schemas[0].remove_metadata(), starts, places)

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Leave out what was read."""
        return Source, (self.fs, self.files, self.schema, self.starts, self.places)

    def __len__(self) -> int:
        return self.starts[-1]

    def where(self, row: int) -> tuple[str, int]:
        """Return the name of the file that has a row, and the row's number in it."""
        file, group = self.places[self._group(row)]
        own = self.files[file]
        return own.name, row - self.starts[self._group(row)] + sum(own.groups[:group])

    def read(self, start: int, stop: int, columns: Sequence[str] | None = None) -> Any:
        """Return a table of the rows from `start` to before `stop`."""
        tables = [self._part(g, start, stop, columns) for g in self.groups(start, stop)]
        if not tables:
            names = self.schema.names if columns is None else list(columns)
            return self.schema.empty_table().select(names)
        return arrow().concat_tables(tables)

    def each(self, start: int, stop: int, columns: Sequence[str]) -> Iterator[Any]:
        """Yield tables of one row each; one row group at a time is in memory."""
        for group in self.groups(start, stop):
            table = self._part(group, start, stop, columns)
            for row in range(len(table)):
                yield table.slice(row, 1)

    def groups(self, start: int, stop: int) -> range:
        """Return the numbers of the row groups that have these rows."""
        return range(self._group(start), self._group(stop - 1) + 1) if stop > start else range(0)

    def hashes(self) -> list[bytes]:
        """Return a hash of the bytes of each row group: whoever changes a value changes it."""
        with ThreadPoolExecutor(8) as threads:
            return list(threads.map(self._hash, range(len(self.places))))

    def _group(self, row: int) -> int:
        return bisect_right(self.starts, row) - 1

    def _part(self, group: int, start: int, stop: int, columns: Sequence[str] | None) -> Any:
        first = self.starts[group]
        table = self._whole(group, None if columns is None else tuple(columns))
        low, high = max(start - first, 0), min(stop - first, len(table))
        return table.slice(low, high - low)

    def _whole(self, group: int, columns: tuple[str, ...] | None) -> Any:
        if getattr(self._read, "key", None) != (group, columns):
            file, number = self.places[group]
            own = self.files[file]
            with self.fs.open_input_file(own.path) as stream:
                opened = arrow("pyarrow.parquet").ParquetFile(stream)
                names = None if columns is None else list(columns)
                table = opened.read_row_group(number, columns=names, use_threads=False)
            if _stamp(self.fs, own.path) != own.stamp:  # verdicts are named by what was there
                raise RuntimeError(f"{own.name}: expected a file that stays, got another one")
            self._read.key, self._read.table = (group, columns), table.replace_schema_metadata()
        return self._read.table

    def _hash(self, group: int) -> bytes:
        file, number = self.places[group]
        own = self.files[file]
        digest = sha256()  # twice as fast as blake2b where processors know it
        with self.fs.open_input_file(own.path) as stream:
            for piece in _pieces(stream, *own.spans[number]):
                digest.update(piece)
        return digest.digest()[:SIZE]


def _pieces(stream: Any, first: int, end: int) -> Iterator[Any]:
    stream.seek(first)
    while (left := end - stream.tell()) > 0:
        piece = stream.read_buffer(min(left, CHUNK))
        if not piece.size:
            raise OSError("expected more bytes: the file was cut short while it was read")
        yield piece


def _look(fs: Any, folder: str, path: str) -> tuple[SourceFile, Any]:
    """Return how a file is made, and its schema."""
    stamp = _stamp(fs, path)
    try:
        with fs.open_input_file(path) as stream:
            opened = arrow("pyarrow.parquet").ParquetFile(stream)
            meta, schema = opened.metadata, opened.schema_arrow
    except arrow().ArrowInvalid as error:
        raise ValueError(f"{path}: expected a Parquet file ({error})") from error
    groups = [meta.row_group(i) for i in range(meta.num_row_groups)]
    name = str(PurePosixPath(path).relative_to(folder))
    counts, spans = tuple(group.num_rows for group in groups), tuple(map(_span, groups))
    return SourceFile(path, name, counts, spans, stamp), schema


def _stamp(fs: Any, path: str) -> tuple[int, int]:
    info = fs.get_file_info(path)
    return info.size, info.mtime_ns


def _span(group: Any) -> tuple[int, int]:
    """Return where the bytes of a row group are; columns lie one behind the other."""
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
