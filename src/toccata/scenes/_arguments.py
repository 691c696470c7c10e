"""Checks of the arguments of scenes."""

from collections.abc import Mapping
from operator import index
from typing import TypeVar

T = TypeVar("T")


def look_up(argument: str, name: str, table: Mapping[str, T]) -> T:
    """Return the entry of a table by its name."""
    if not isinstance(name, str):
        raise TypeError(f"{argument}: expected a name, got {name!r}")
    if name not in table:
        raise ValueError(f"{argument}: expected one of {', '.join(table)}, got {name!r}")
    return table[name]


def as_count(argument: str, value: int, least: int) -> int:
    """Return `value` as an integer of at least `least`."""
    try:
        count = index(value)
    except TypeError as error:
        raise TypeError(f"{argument}: expected a whole number, got {value!r}") from error
    if count < least:
        raise ValueError(f"{argument}: expected {least} or more, got {value}")
    return count
