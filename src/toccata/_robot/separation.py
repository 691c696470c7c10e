"""How near counts as touching: one number, or one for each pair of names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from toccata._arrays import as_number
from toccata._native import core


@dataclass(frozen=True, slots=True)
class PairNames:
    """The bodies that a robot query is about."""

    links: Mapping[str, int]
    bodies: Mapping[str, int]
    robot: core.Robot
    ignores: Callable[[str, str], bool]
    """Whether a link is not tested against a body."""

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
        links, bodies = self.links, self.bodies
        if a in links and b in links and self.robot.tests(links[a], links[b]):
            table.set_links(links[a], links[b], distance)
            entered = True
        for link, body in ((a, b), (b, a)):
            if link in links and body in bodies and not self.ignores(link, body):
                table.set_body(links[link], bodies[body], distance)
                entered = True
        if not entered:
            raise ValueError(f"separation: expected a pair that is tested, got {names!r}")


def same_distances(known: Mapping[Any, float] | None, given: Mapping[Any, float]) -> bool:
    """Whether a mapping still says what it said when a copy of it was made.

    Only plain numbers are compared: arrays may change in place, and others are compared as if
    they were more precise than they are.
    """
    return set(map(type, given.values())) <= {float, int} and known == given
