"""Answers that keep the plain record of the core, and make fields when they are first asked for.

Making all names, arrays and counters takes longer than many a query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, ClassVar, Self

Maker = tuple[tuple[str, ...], Callable[..., Iterable[Any]]]
"""Names of fields that are made together, and a function of the record and of whatever else was
given to `Lazy._lazy` that makes them."""


def makers(*groups: tuple[str, Callable[..., Iterable[Any]]]) -> dict[str, Maker]:
    """Return the maker of each field; a group names its fields in one text."""
    named = [(tuple(names.split()), make) for names, make in groups]
    return {name: maker for maker in named for name in maker[0]}


class Lazy:
    """Base of dataclasses with slots: a field whose slot is empty has a maker."""

    __slots__ = ("_source",)
    _makers: ClassVar[dict[str, Maker]]

    @classmethod
    def _lazy(cls, *source: Any) -> Self:
        """Return an answer without any fields yet."""
        answer = cls.__new__(cls)
        _set_source(answer, source)
        return answer

    if not TYPE_CHECKING:  # it would let every name pass

        def __getattr__(self, name: str) -> Any:
            # Python comes here for empty slots, and for names that do not exist.
            maker = self._makers.get(name)
            if maker is None:
                kind = type(self).__name__
                raise AttributeError(f"{kind!r} object has no attribute {name!r}")
            names, make = maker
            for field, value in zip(names, make(*self._source), strict=True):
                _set(self, field, value)  # the dataclass is frozen
            return getattr(self, name)


_set = object.__setattr__
_set_source = vars(Lazy)["_source"].__set__
