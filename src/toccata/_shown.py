"""Base classes of objects that notebooks show as a table and a still picture."""

from __future__ import annotations

from typing import Any, Self


class Shown:
    """Base of scenes, robots and answers."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return a table and a still picture for notebooks."""
        from toccata.view._notebook import html_of  # imported late: views import everything

        return html_of(self)


class ShownAnswer(Shown):
    """Base of answers, which keep references to the bodies and motions of their query.

    Pickles have only the fields: an unpickled answer has a table, but no picture.
    """

    __slots__ = ("_source",)
    _source: tuple[Any, ...]
    """The kept bodies and motions, then the data of `Lazy`."""

    @property
    def _kept(self) -> tuple[Any, ...]:
        """The bodies and motions of the query; empty if unknown."""
        return getattr(self, "_source", _NOTHING)[0]  # type: ignore[no-any-return]

    def __getstate__(self) -> dict[str, Any]:
        """Return only the fields. Dataclasses with slots have their own method."""
        return dict(vars(self))

    def _keeping(self, *kept: Any) -> Self:
        """Keep the bodies and motions of the query, and return the answer itself."""
        set_source(self, (kept, *getattr(self, "_source", _NOTHING)[1:]))
        return self


MOST_KEPT = 50_000
"""Largest number of vertices for which answers keep both frames of a deforming mesh."""
_NOTHING: tuple[Any, ...] = ((),)
set_source = vars(ShownAnswer)["_source"].__set__
"""Sets `_source` of an answer, although answers are frozen."""
