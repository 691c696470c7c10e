"""Checks of the arguments of scenes."""

from collections.abc import Mapping
from operator import index
from typing import TypeVar

from toccata._arrays import as_choice

T = TypeVar("T")


def look_up(argument: str, name: str, table: Mapping[str, T]) -> T:
    """Return the entry of a table by its name."""
    return table[as_choice(argument, name, table)]


def as_count(argument: str, value: int, least: int) -> int:
    """Return `value` as an integer of at least `least`."""
    try:
        count = index(value)
    except TypeError as error:
        raise TypeError(f"{argument}: expected a whole number, got {value!r}") from error
    if count < least:
        raise ValueError(f"{argument}: expected {least} or more, got {value}")
    return count
