"""Answers that keep the plain record of the core, and fill in fields that are asked for.

Making all names, arrays and counters takes longer than many a query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self

from toccata._shown import ShownAnswer, set_source

Filler = Callable[[Any], None]
"""A function of an answer. Its `_source` is `_kept`, then what was given to `Lazy._lazy`."""


class Lazy(ShownAnswer):
    """Base of dataclasses with slots: a field whose slot is empty has something that fills it."""

    __slots__ = ()
    _fillers: ClassVar[dict[str, Filler]] = {}

    @classmethod
    def _lazy(cls, *source: Any, kept: tuple[Any, ...] = ()) -> Self:
        """Return an answer without any fields yet."""
        answer = new(cls)
        set_source(answer, (kept, *source))
        return answer

    if not TYPE_CHECKING:  # it would let every name pass

        def __getattr__(self, name: str) -> Any:
            # Python comes here for empty slots, and for names that do not exist.
            try:
                fill = self._fillers[name]
            except KeyError:
                kind = type(self).__name__
                raise AttributeError(f"{kind!r} object has no attribute {name!r}") from None
            fill(self)
            return getattr(self, name)


new = object.__new__
"""With `set_source`, the two steps of `Lazy._lazy`, for a caller in haste."""


def fillers(*groups: tuple[str, Callable[..., Iterable[Any]]]) -> dict[str, Filler]:
    """Return what fills in fields: names of them, and a function of the source that makes all."""
    return {name: _filler(names.split(), make) for names, make in groups for name in names.split()}


def _filler(names: list[str], make: Callable[..., Iterable[Any]]) -> Filler:
    def fill(answer: Lazy) -> None:
        for name, value in zip(names, make(*answer._source[1:]), strict=True):
            object.__setattr__(answer, name, value)  # the dataclass is frozen

    return fill
