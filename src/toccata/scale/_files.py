"""Files wherever pyarrow finds them: a path here, or an address like s3://bucket/folder."""

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
"""What a folder means: everything below."""
TEMPORARY = "_writing-"
"""What temporary names start with: no reader of datasets takes them for data."""
AT_ONCE = 32
"""Files whose ends are looked at side by side: those of an address take long to answer."""
Place = str | os.PathLike[str]
"""Of a file or folder: a path, or an address."""


def arrow(name: str = "pyarrow") -> Any:
    """Import pyarrow or one of its modules; the error says what to install."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("datasets need pyarrow: pip install 'toccata[scale]'") from error


def as_list(places: Place | Sequence[Place]) -> list[Place]:
    """Return one place or several as a list."""
    return [places] if isinstance(places, str | os.PathLike) else list(places)


def locate(place: Place) -> tuple[Any, str]:
    """Return the filesystem of a place, and its path there."""
    fs, name = arrow("pyarrow.fs"), os.fspath(place)
    if "://" in name:
        found, path = fs.FileSystem.from_uri(name)
        return found, path
    return fs.LocalFileSystem(), os.path.abspath(name)


def find(fs: Any, path: str) -> tuple[str, list[str]]:
    """Return a folder and the files in it that a path means, in the order of their names.

    A folder means all its *.parquet, in folders below too, and a pattern what matches it, with "**"
    for any folders; names that start with "_" or "." are left out, as everywhere.
    """
    kinds = arrow("pyarrow.fs")
    found = fs.get_file_info(path)
    if found.type == kinds.FileType.File:
        return str(PurePosixPath(path).parent), [path]
    folder, pattern = _pattern(path) if found.type == kinds.FileType.NotFound else (path, ANYWHERE)
    return folder, [name for name in _below(fs, folder) if _is_meant(folder, pattern, name)]


def would_find(fs: Any, path: str, new: str) -> bool:
    """Whether a path would mean a new file as well."""
    kind, kinds = fs.get_file_info(path).type, arrow("pyarrow.fs").FileType
    if kind == kinds.File:
        return False
    return _is_meant(*(_pattern(path) if kind == kinds.NotFound else (path, ANYWHERE)), new)


def _pattern(path: str) -> tuple[str, tuple[str, ...]]:
    """Return the folder that a pattern starts at, and the pattern of names below it."""
    if not has_magic(path):
        raise FileNotFoundError(f"{path}: no such file or folder")
    parts = PurePosixPath(path).parts
    plain = next(i for i, part in enumerate(parts) if has_magic(part))
    return str(PurePosixPath(*parts[:plain])), parts[plain:]


def _is_meant(folder: str, pattern: tuple[str, ...], name: str) -> bool:
    below = PurePosixPath(name)
    return below.is_relative_to(folder) and _matches(below.relative_to(folder).parts, pattern)


def _matches(names: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    if not names or not pattern:
        return not names and all(part == "**" for part in pattern)
    (name, *others), (wanted, *rest) = names, pattern
    if name[0] in "._" and wanted[0] != name[0]:
        return wanted == "**" and _matches(names, tuple(rest))
    if wanted == "**" and (_matches(names, tuple(rest)) or _matches(tuple(others), pattern)):
        return True
    return fnmatchcase(name, wanted) and _matches(tuple(others), tuple(rest))


def _below(fs: Any, folder: str) -> list[str]:
    selector = arrow("pyarrow.fs").FileSelector(folder, recursive=True, allow_not_found=True)
    return sorted(info.path for info in fs.get_file_info(selector) if info.is_file)


@contextmanager
def replacing(fs: Any, path: str) -> Iterator[Any]:
    """Yield a file to write; it takes its name when all of it is on the disk, and not before.

    Whoever looks sees a whole file or none.
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
