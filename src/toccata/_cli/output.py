"""Files that commands write: checked before the work, and replaced when they are complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from secrets import token_hex
from typing import Any, Self

STDOUT = "-"


class OutputFile(str):
    """The path of a file to write, as the type of an option.

    A command checks its output files before any long work. It writes a new file next to the old
    file and replaces the old file when the new file is complete. Therefore a failure leaves the old
    file unchanged.
    """

    endings: tuple[str, ...]
    """Endings that the name may have. If empty, the name may have any ending."""

    def __new__(cls, path: str | os.PathLike[str], endings: tuple[str, ...] = ()) -> Self:
        file = super().__new__(cls, os.fspath(path))
        file.endings = endings
        return file

    def check(self) -> None:
        """Raise OSError if the file cannot be written; nothing is changed."""
        if os.path.isdir(self):
            raise IsADirectoryError(0, "Is a directory")
        with suppress(FileNotFoundError):
            os.stat(self)  # raises another OSError if no such file can exist
            if not os.access(self, os.W_OK):
                raise PermissionError(0, "Permission denied")
        if not self._is_written_in_place():
            os.remove(self._new_file())

    @contextmanager
    def replaced(self) -> Iterator[str]:
        """Yield the path of a new file, which replaces the old file at the end."""
        if self._is_written_in_place():
            yield str(self)
            return
        new = self._new_file()
        try:
            yield new
            if os.path.exists(self):
                shutil.copymode(self, new)
            os.replace(new, os.path.realpath(self))
        finally:
            with suppress(FileNotFoundError):
                os.remove(new)

    def _is_written_in_place(self) -> bool:
        """Return whether the path is a device or a pipe, such as /dev/stdout."""
        return os.path.exists(self) and not os.path.isfile(self)

    def _new_file(self) -> str:
        """Create an empty file in the same folder, with the same ending.

        The ending is in lower case, because NumPy adds .npz to names without this ending.
        """
        if not os.path.basename(self):
            raise IsADirectoryError(0, "Is a directory")
        name = f".toccata-{token_hex(8)}{os.path.splitext(self)[1].lower()}"
        path = os.path.join(os.path.dirname(os.path.realpath(self)), name)
        with open(path, "xb"):
            return path


def ending_in(*endings: str) -> Any:
    """Return the type of an option that names a file with one of these endings, or "-" for stdout.

    Required endings prevent that an input file is overwritten because it follows an option.
    """
    names = tuple(ending for ending in endings if ending != STDOUT)
    return lambda path: path if path == STDOUT in endings else OutputFile(path, names)


def check_outputs(options: Mapping[str, object]) -> None:
    """Raise ValueError if an output file cannot be written. `options` are values by name."""
    seen: dict[str, str] = {}
    for name, file in options.items():
        if not isinstance(file, OutputFile):
            continue
        option = f"--{name.replace('_', '-')}"
        if file.endings and os.path.splitext(file)[1].lower() not in file.endings:
            wanted = " or ".join(filter(None, file.endings))
            raise ValueError(f"{option}: expected a name that ends in {wanted}, got {file}")
        try:
            file.check()
        except OSError as error:
            why = error.strerror or error
            raise ValueError(f"{option}: {file} cannot be written ({why})") from error
        path = os.path.realpath(file)
        if os.path.isfile(path) or not os.path.exists(path):  # a device may take several
            if path in seen:
                raise ValueError(f"{option}: {file} is also the file of {seen[path]}")
            seen[path] = option
