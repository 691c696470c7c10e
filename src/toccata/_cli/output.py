"""Files that commands write: known to be writable before the work, and never half written."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from secrets import token_hex


class OutputFile(str):
    """The path of a file to write, as the type of an option.

    The command line calls `check` before it runs a command. Files are written beside the old one
    and take its place when they are whole: a run that fails leaves the old one as it was.
    """

    __slots__ = ()

    def check(self) -> None:
        """Raise OSError if the file cannot be written; nothing is changed."""
        if os.path.isdir(self):
            raise IsADirectoryError(0, "Is a directory")
        with suppress(FileNotFoundError):
            os.stat(self)  # some names cannot exist
            if not os.access(self, os.W_OK):
                raise PermissionError(0, "Permission denied")
        if not self._is_written_in_place():
            os.remove(self._new_file())

    @contextmanager
    def replaced(self) -> Iterator[str]:
        """Yield the path of a new file, and put it into the place of the old one at the end."""
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
        """Whether it is a device or a pipe, such as /dev/stdout."""
        return os.path.exists(self) and not os.path.isfile(self)

    def _new_file(self) -> str:
        """Create an empty file in the same folder, with the same extension.

        It is in lower case: numpy adds .npz to other names.
        """
        if not os.path.basename(self):
            raise IsADirectoryError(0, "Is a directory")
        name = f".toccata-{token_hex(8)}{os.path.splitext(self)[1].lower()}"
        path = os.path.join(os.path.dirname(os.path.realpath(self)), name)
        with open(path, "xb"):
            return path


def check_outputs(options: dict[str, object]) -> None:
    """Refuse files that cannot be written; `options` are those of a command, by name."""
    for name, value in options.items():
        if isinstance(value, OutputFile):
            try:
                value.check()
            except OSError as error:
                wanted = f"--{name.replace('_', '-')}: expected a file to write"
                raise ValueError(f"{wanted}, got {value} ({error.strerror or error})") from error
