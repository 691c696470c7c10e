"""Answers that keep the record of the core and compute a field when it is first read.

Building all names, arrays and counters would take longer than many queries.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from toccata._shown import ShownAnswer, set_source

Filler = Callable[[Any], None]
"""A function that sets some fields of an answer.

`_source` of the answer has the kept bodies and motions, then the arguments of `Lazy._lazy`.
"""


class Lazy(ShownAnswer):
    """Base of dataclasses with slots; reading an empty slot calls its entry in `_fillers`."""

    __slots__ = ()
    _fillers: ClassVar[dict[str, Filler]] = {}

    @classmethod
    def _lazy(cls, *source: Any, kept: tuple[Any, ...] = ()) -> Self:
        """Return an answer whose fields are all unset."""
        answer = new(cls)
        set_source(answer, (kept, *source))
        return answer

    if not TYPE_CHECKING:  # type checkers would accept every name

        def __getattr__(self, name: str) -> Any:
            # Called for empty slots, and for names that do not exist.
            try:
                fill = self._fillers[name]
            except KeyError:
                kind = type(self).__name__
                raise AttributeError(f"{kind!r} object has no attribute {name!r}") from None
            fill(self)
            return getattr(self, name)


new = object.__new__
"""First step of `Lazy._lazy`, for callers in which one more call would take too long."""


def fillers(*groups: tuple[str, Callable[..., Iterable[Any]]]) -> dict[str, Filler]:
    """Return the fillers of groups of fields.

    A group is the names of its fields, and a function that returns their values from the source.
    """
    return {name: _filler(names.split(), make) for names, make in groups for name in names.split()}


def _filler(names: list[str], make: Callable[..., Iterable[Any]]) -> Filler:
    def fill(answer: Lazy) -> None:
        for name, value in zip(names, make(*answer._source[1:]), strict=True):
            object.__setattr__(answer, name, value)  # the dataclass is frozen

    return fill
