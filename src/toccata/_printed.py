"""Text of answers: `str` gives one readable line, `repr` one line with all fields, abbreviated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

import numpy as np

from toccata._text import MOST_NUMBERS, listed, numbers, visible


class Printed:
    """Base of answers, which are dataclasses; subclasses override `__str__`."""

    __slots__ = ()

    def __init_subclass__(cls, **given: Any) -> None:
        """Keep the inherited `repr`, which a dataclass replaces unless its body defines one."""
        super().__init_subclass__(**given)
        if "__repr__" not in vars(cls):
            cls.__repr__ = cls.__repr__  # type: ignore[method-assign]

    def __repr__(self) -> str:
        """Return one line with all fields; long fields are abbreviated."""
        own: Any = self
        shown = (f"{field.name}={short(getattr(self, field.name))}" for field in fields(own))
        return f"{type(self).__name__}({', '.join(shown)})"


def short(value: Any) -> str:
    """Return a short text for a value of any size."""
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, float):
        return f"{value:.9g}"
    if isinstance(value, np.ndarray):
        few = value.ndim == 1 and value.size <= MOST_NUMBERS
        return numbers(value) if few else f"<{value.dtype} {value.shape}>"
    if isinstance(value, tuple) and value:
        if all(isinstance(part, str) for part in value):
            return f"({listed(value)})"
        few = len(value) <= MOST_NUMBERS and all(isinstance(part, int) for part in value)
        return repr(value) if few else f"<{len(value)} {type(value[0]).__name__}>"
    if is_dataclass(value):
        return f"<{type(value).__name__}>"
    return visible(repr(value))


def details(feature: str | None, triangle_a: int, triangle_b: int) -> list[str]:
    """Return texts with the feature and the triangles, as far as they are known."""
    known = triangle_a >= 0 and triangle_b >= 0
    triangles = [f"triangles {triangle_a} and {triangle_b}"] if known else []
    return ([feature] if feature else []) + triangles


def between(body_a: str | None, body_b: str | None, word: str) -> str:
    """Return the names of two bodies after a preposition, or an empty text without names."""
    if body_a is None or body_b is None:
        return ""
    return f" {word} {visible(repr(body_a))} and {visible(repr(body_b))}"


def counted(kinds: Iterable[str]) -> str:
    """Return a text with the number of each kind, the most frequent first."""
    return ", ".join(f"{count} {kind}" for kind, count in Counter(kinds).most_common())
