"""How near counts as touching: one number, or one for each pair of names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from toccata._arrays import as_number
from toccata._native import core

Separation = float | Mapping[Any, float]
"""A distance, or {(name_a, name_b): distance, "default": distance}."""


@dataclass(frozen=True, slots=True)
class PairNames:
    """The bodies that a robot query is about."""

    links: Sequence[str]
    bodies: Sequence[str]
    tested: Collection[tuple[str, str]]
    """Pairs of links, each in one order."""

    def separations(self, distances: Mapping[Any, float]) -> core.Separations:
        """Return the distances of all pairs; raise ValueError for what is not a pair."""
        rest = as_number("separation, 'default'", distances.get("default", 0.0), least=0)
        table = core.Separations(len(self.links), len(self.bodies), rest)
        known: dict[frozenset[str], float] = {}
        for pair, value in distances.items():
            if isinstance(pair, str) and pair == "default":
                continue
            distance = as_number(f"separation, {pair!r}", value, least=0)
            names = self._pair(pair)
            if known.setdefault(frozenset(names), distance) != distance:
                raise ValueError(f"separation: expected one distance for {pair!r}, got two")
            self._enter(table, names, distance)
        return table

    def _pair(self, pair: Any) -> tuple[str, str]:
        if not (isinstance(pair, tuple) and len(pair) == 2):
            raise ValueError(f"separation: expected pairs of names or 'default', got {pair!r}")
        for name in pair:
            if name not in self.links and name not in self.bodies:
                wanted = "a link with geometry or a body of the world"
                raise ValueError(f"separation: expected {wanted}, got {name!r}")
        return pair

    def _enter(self, table: core.Separations, names: tuple[str, str], distance: float) -> None:
        """Enter a pair; a name that a link and a body share stands for both."""
        a, b = names
        entered = False
        if (a, b) in self.tested or (b, a) in self.tested:
            table.set_links(self.links.index(a), self.links.index(b), distance)
            entered = True
        for link, body in ((a, b), (b, a)):
            if link in self.links and body in self.bodies:
                table.set_body(self.links.index(link), self.bodies.index(body), distance)
                entered = True
        if not entered:
            raise ValueError(f"separation: expected a pair that is tested, got {names!r}")
