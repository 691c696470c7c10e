"""Files wherever pyarrow finds them: a path here, or an address like s3://bucket/folder."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import has_magic
from importlib import import_module
from pathlib import PurePosixPath
from typing import Any
from uuid import uuid4

Place = str | os.PathLike[str]
"""Of a file or folder: a path, or an address."""


def arrow(name: str = "pyarrow") -> Any:
    """Import pyarrow or one of its modules; the error says what to install."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("datasets need pyarrow: pip install 'toccata[scale]'") from error


def locate(place: Place) -> tuple[Any, str]:
    """Return the filesystem of a place, and its path there."""
    fs, name = arrow("pyarrow.fs"), os.fspath(place)
    if "://" in name:
        found, path = fs.FileSystem.from_uri(name)
        return found, path
    return fs.LocalFileSystem(), os.path.abspath(name)


def find(fs: Any, path: str) -> tuple[str, list[str]]:
    """Return a folder and the files in it that a path means, in the order of their names.

    A folder means all its *.parquet, in folders below too; names that start with "_" or "." are
    left out, as everywhere. A pattern means what matches it.
    """
    kinds = arrow("pyarrow.fs")
    if has_magic(path):
        return _matching(fs, path)
    found = fs.get_file_info(path)
    if found.type == kinds.FileType.File:
        return str(PurePosixPath(path).parent), [path]
    if found.type == kinds.FileType.NotFound:
        raise FileNotFoundError(f"{path}: no such file or folder")
    inside = _below(fs, path)
    return path, [name for name in inside if name.endswith(".parquet") and _is_plain(path, name)]


def _matching(fs: Any, pattern: str) -> tuple[str, list[str]]:
    parts = PurePosixPath(pattern).parts
    plain = next(i for i, part in enumerate(parts) if has_magic(part))
    folder = str(PurePosixPath(*parts[:plain]))
    names = [
        name
        for name in _below(fs, folder)
        if len(PurePosixPath(name).parts) == len(parts) and PurePosixPath(name).match(pattern)
    ]
    return folder, names


def _below(fs: Any, folder: str) -> list[str]:
    selector = arrow("pyarrow.fs").FileSelector(folder, recursive=True, allow_not_found=True)
    return sorted(info.path for info in fs.get_file_info(selector) if info.is_file)


def _is_plain(folder: str, name: str) -> bool:
    return not any(part[0] in "._" for part in PurePosixPath(name).relative_to(folder).parts)


@contextmanager
def replacing(fs: Any, path: str) -> Iterator[Any]:
    """Yield a file to write; it takes its name when all of it is on the disk, and not before.

    Whoever looks sees a whole file or none. Temporary names start with "_": no reader of datasets
    takes them for data.
    """
    folder, name = path.rsplit("/", 1)
    temporary = f"{folder}/{temporary_prefix(name)}{uuid4().hex}"
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


def temporary_prefix(name: str) -> str:
    """Return what all temporary names of a file start with."""
    return f"_writing-{name}-"
