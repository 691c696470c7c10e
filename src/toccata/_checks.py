"""Checks of arguments that have to be of one type."""

from __future__ import annotations

from typing import Any, TypeVar

Kind = TypeVar("Kind")


def as_type(name: str, value: Any, kind: type[Kind]) -> Kind:
    """Return `value`, or raise TypeError if it is not of a type."""
    if isinstance(value, kind):
        return value
    wanted = "str" if kind is str else f"toccata.{kind.__name__}"
    raise TypeError(f"{name}: expected {wanted}, got {type(value).__name__}")
