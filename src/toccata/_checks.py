"""Checks of the types of arguments."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, TypeVar

Kind = TypeVar("Kind")


def as_type(name: str, value: Any, kind: type[Kind]) -> Kind:
    """Return `value` if it is an instance of `kind`, or raise TypeError."""
    if isinstance(value, kind):
        return value
    wanted = "str" if kind is str else f"toccata.{kind.__name__}"
    raise TypeError(f"{name}: expected {wanted}, got {type(value).__name__}")


def as_path(name: str, value: Any) -> Path:
    """Return a str or os.PathLike as a path, or raise TypeError."""
    if isinstance(value, str | os.PathLike):
        return Path(os.fspath(value))
    raise TypeError(f"{name}: expected a path, got {type(value).__name__}")
