"""Bases of what notebooks show as a table and a still picture."""

from __future__ import annotations

from typing import Any, Self


class Shown:
    """Base of scenes and robots, which are drawn as they are."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        """Return a table and a still picture for notebooks."""
        from toccata.view._notebook import html_of  # here: views import everything

        return html_of(self)


class ShownAnswer(Shown):
    """Base of answers, which keep references to the bodies and motions of a single query.

    Pickles hold fields only: an answer that was unpickled has a table, but no picture.
    """

    __slots__ = ("_source",)
    _source: tuple[Any, ...]
    """The first entry is what the answer keeps."""

    @property
    def _kept(self) -> tuple[Any, ...]:
        """The bodies and motions of the query; empty if they are not known."""
        return getattr(self, "_source", _NOTHING)[0]  # type: ignore[no-any-return]

    def __getstate__(self) -> dict[str, Any]:
        """Return the fields alone; dataclasses with slots have a method of their own."""
        return dict(vars(self))

    def _keeping(self, *kept: Any) -> Self:
        """Keep the bodies and motions of the query, and return the answer itself."""
        set_source(self, (kept, *getattr(self, "_source", _NOTHING)[1:]))
        return self


MOST_KEPT = 50_000
"""Vertices of a deforming mesh whose frames are kept: they have to be copied."""
_NOTHING: tuple[Any, ...] = ((),)
set_source = vars(ShownAnswer)["_source"].__set__
"""Fills in `_source` of an answer, which is frozen."""
