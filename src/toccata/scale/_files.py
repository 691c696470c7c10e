"""Files that pyarrow opens, by a local path or an address such as s3://bucket/folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from fnmatch import fnmatchcase
from glob import has_magic
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any
from uuid import uuid4

ANYWHERE = ("**", "*.parquet")
"""Pattern for all Parquet files below a folder."""
TEMPORARY = "_writing-"
"""Prefix of temporary names. Readers of datasets skip names that start with "_"."""
AT_ONCE = 32
"""Number of files whose metadata is read in parallel, because object stores are slow."""
Location = str | os.PathLike[str]
"""A path or an address of a file or folder."""


def arrow(name: str = "pyarrow") -> Any:
    """Import pyarrow or one of its modules."""
    return imported(name, "datasets need pyarrow", "scale")


def imported(name: str, need: str, extra: str) -> Any:
    """Import a module of an optional package. The error names the extra to install."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(f"{need}: pip install 'toccata[{extra}]'") from error


def as_locations(name: str, given: Location | Sequence[Location]) -> list[Location]:
    """Return one or several locations as a list. `name` is the argument, for errors."""
    several = list(given) if isinstance(given, Sequence) and not isinstance(given, str) else [given]
    return [as_location(name, one) for one in several]


def as_location(name: str, given: object) -> Location:
    """Return a location, or raise TypeError."""
    if isinstance(given, str | os.PathLike):
        return given
    raise TypeError(f"{name}: expected a path or an address, got {type(given).__name__}")


def locate(location: Location) -> tuple[Any, str]:
    """Return the filesystem of a location, and its path there."""
    fs, name = arrow("pyarrow.fs"), os.fspath(location)
    if "://" in name:
        found, path = fs.FileSystem.from_uri(name)
        return found, path
    return fs.LocalFileSystem(), os.path.abspath(name)


def find(fs: Any, path: str) -> tuple[str, list[str]]:
    """Return a folder, and the files in it that match a path, sorted by name.

    A folder matches all *.parquet files below it. In a pattern, "**" stands for any folders. Names
    that start with "_" or "." never match, as in other readers of datasets.
    """
    if (found := _pattern(fs, path)) is None:
        return str(PurePosixPath(path).parent), [path]
    folder, pattern = found
    selector = arrow("pyarrow.fs").FileSelector(folder, recursive=True, allow_not_found=True)
    below = sorted(info.path for info in fs.get_file_info(selector) if info.is_file)
    return folder, [name for name in below if _is_match(folder, pattern, name)]


def would_find(fs: Any, path: str, new: str) -> bool:
    """Return whether a path would also match a new file."""
    found = _pattern(fs, path)
    return found is not None and _is_match(*found, new)


def _pattern(fs: Any, path: str) -> tuple[str, tuple[str, ...]] | None:
    """Return a folder, and the names and patterns below it; None for a single file."""
    kind, kinds = fs.get_file_info(path).type, arrow("pyarrow.fs").FileType
    if kind == kinds.File:
        return None
    if kind != kinds.NotFound:
        return path, ANYWHERE
    if not has_magic(path):
        raise FileNotFoundError(f"{path}: no such file or folder")
    names = PurePosixPath(path).parts
    plain = next(i for i, name in enumerate(names) if has_magic(name))
    return str(PurePosixPath(*names[:plain])), names[plain:]


def _is_match(folder: str, pattern: tuple[str, ...], name: str) -> bool:
    below = PurePosixPath(name)
    return below.is_relative_to(folder) and _matches(below.relative_to(folder).parts, pattern)


def _matches(names: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    if not names or not pattern:
        return not names and all(wanted == "**" for wanted in pattern)
    (name, *others), (wanted, *rest) = names, pattern
    if name[0] in "._" and wanted[0] != name[0]:
        return wanted == "**" and _matches(names, tuple(rest))
    if wanted == "**" and (_matches(names, tuple(rest)) or _matches(tuple(others), pattern)):
        return True
    return fnmatchcase(name, wanted) and _matches(tuple(others), tuple(rest))


@contextmanager
def replacing(fs: Any, path: str) -> Iterator[Any]:
    """Yield a file to write, and rename it to `path` once it is on the disk.

    Readers see either the complete file or no file.
    """
    folder, name = path.rsplit("/", 1)
    temporary = f"{folder}/{TEMPORARY}{name}-{uuid4().hex}"
    try:
        if isinstance(fs, arrow("pyarrow.fs").LocalFileSystem):
            with open(temporary, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, path)
        else:
            with fs.open_output_stream(temporary) as stream:
                yield stream
            fs.move(temporary, path)
    except BaseException:
        with suppress(OSError):
            fs.delete_file(temporary)
        raise
