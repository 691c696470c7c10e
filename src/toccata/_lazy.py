"""Answers that keep the plain record of the core, and make each field when it is first asked for.

Making all names, arrays and counters takes longer than many a query.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Self

Maker = Callable[..., Any]
"""A function of the record and of whatever else was given to `Lazy._lazy`."""


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
            make = self._makers.get(name)
            if make is None:
                kind = type(self).__name__
                raise AttributeError(f"{kind!r} object has no attribute {name!r}")
            value = make(*self._source)
            object.__setattr__(self, name, value)  # the dataclass is frozen
            return value


_set_source = vars(Lazy)["_source"].__set__
