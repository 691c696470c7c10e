"""Which pairs of bodies a robot tests, and the options of its queries in a world."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from toccata._arrays import as_number, as_shape
from toccata._native import core
from toccata.robot.configuration import Configurations
from toccata.robot.ignored import Pair, adjacent_pairs, in_contact, known_as
from toccata.robot.options import robot_options
from toccata.robot.parts import Joint, Link
from toccata.robot.separation import PairNames, same_distances
from toccata.robot.tree import WORLD, Tree
from toccata.scene import World

MOST_KNOWN = 64
"""Options that a world remembers."""


class TestedPairs(Configurations):
    """Pairs of links, and of links and bodies of the world by name."""

    def __init__(self, links: Sequence[Link], joints: Sequence[Joint], tree: Tree) -> None:
        """Leave out links that only a joint lies between."""
        super().__init__(joints, tree.coordinate)
        shown = [link for link in links if link.mesh is not None]
        self.link_names = tuple(link.name for link in shown)
        """Links with geometry."""
        self._number = {name: i for i, name in enumerate(self.link_names)}
        self._carriers = [tree.carrier[name] for name in self.link_names]
        self._meshes = [tree.placed_mesh(link)._core for link in shown]
        self._core = core.make_robot(tree.native, self._meshes, self._carriers, [])
        self._reasons: dict[Pair, str] = {}
        self._body_reasons: dict[Pair, str] = {}
        self._bare = {link.name for link in links if link.mesh is None}
        self._leave_out(adjacent_pairs(links, joints), {})

    def _leave_out(self, links: dict[Pair, str], bodies: dict[Pair, str]) -> None:
        """Take over which pairs are not tested, with the reasons."""
        self._reasons, self._body_reasons = links, bodies
        pairs = [sorted(self._number[name] for name in pair) for pair in links]
        self._core = core.ignore_pairs(self._core, self._meshes, [(i, j) for i, j in pairs])
        self._pairs = object()  # worlds remember options by it

    @property
    def ignored_pairs(self) -> dict[Pair, str]:
        """All pairs that are never tested, with the reason; a body of the world comes second."""
        together: dict[int, list[str]] = {}
        for name, carrier in zip(self.link_names, self._carriers, strict=True):
            together.setdefault(carrier, []).append(name)
        pairs = dict(self._reasons)
        for names in together.values():
            for i, a in enumerate(names):
                for b in names[i + 1 :]:
                    pairs.setdefault(known_as((a, b), pairs), "fixed to each other")
        return pairs | {p: r for p, r in self._body_reasons.items() if p not in pairs}

    def tests(self, link: str, other: str) -> bool:
        """Whether the contact of a link with another link or a body of the world is looked for."""
        if link in self._number and other in self._number:
            return self._core.tests(self._number[link], self._number[other])
        if link not in self._number:
            link, other = other, link
        named = link in self._number and other not in self._bare
        return named and (link, other) not in self._body_reasons

    def ignore(self, link: str, other: str, reason: str = "by hand") -> None:
        """Never report contacts of a link with another one, or with a body of the world.

        A name that is no link of the robot is that of a body, in whatever world. One that is a
        link is not: a body of the same name stays in the tests.
        """
        pair = self._named(link, other)
        links, bodies = dict(self._reasons), dict(self._body_reasons)
        if other in self._number:
            links.setdefault(known_as(pair, links), reason)
        else:
            bodies.setdefault(pair, reason)
        self._leave_out(links, bodies)

    def unignore(self, link: str, other: str) -> None:
        """Test a pair that is ignored, for whatever reason; the opposite of `ignore`."""
        pair = self._named(link, other)
        links, bodies = dict(self._reasons), dict(self._body_reasons)
        if other not in self._number:
            known = bodies.pop(pair, None)
        else:
            if self._carriers[self._number[link]] == self._carriers[self._number[other]]:
                wanted = f"other: expected a link that moves relative to {link!r}"
                raise ValueError(f"{wanted}, got {other!r}")
            known = links.pop(known_as(pair, links), None)
        if known is None:
            raise ValueError(f"other: expected an ignored pair, got {pair!r}")
        self._leave_out(links, bodies)

    def infer_ignored_pairs(
        self,
        samples: int = 100,
        seed: int = 0,
        *,
        at: ArrayLike | None = None,
        share: float = 1.0,
    ) -> dict[Pair, str]:
        """Ignore links in contact at a share of random poses, or of given ones, too.

        Args:
            samples: number of random poses.
            seed: of the random numbers.
            at: (dof,) or (n, dof) configurations to look at in place of random ones.
            share: of the poses; 1 for all. Pairs in contact less often, and pairs that never were,
                stay in the tests.

        Returns all ignored pairs with the reason for each.

        """
        least = as_number("share", share, least=0, open_end=True)
        if least > 1:
            raise ValueError(f"share: expected at most 1, got {share}")
        if at is None:
            rows, kind = self.random_configurations(samples, seed), "sampled"
        else:
            rows, kind = as_shape("at", np.atleast_2d(np.asarray(at)), -1, self.dof), "given"
        if not len(rows):
            name = "samples" if at is None else "at"
            raise ValueError(f"{name}: expected at least one configuration, got none")
        found = in_contact(self, rows, least)
        reasons = {pair: _how_often(count, len(rows), kind) for pair, count in found.items()}
        self._leave_out(self._reasons | reasons, self._body_reasons)
        return self.ignored_pairs

    def _named(self, link: str, other: str) -> Pair:
        if link not in self._number:
            raise ValueError(f"link: expected a link with geometry, got {link!r}")
        if not isinstance(other, str) or other in self._bare:
            wanted = "a link with geometry or the name of a body"
            raise ValueError(f"other: expected {wanted}, got {other!r}")
        if link == other:
            raise ValueError(f"other: expected another link than {link!r}")
        return link, other

    def _untested(self, bodies: World) -> core.Untested:
        untested = core.Untested(len(self.link_names), len(bodies.names))
        number = {name: i for i, name in enumerate(bodies.names)}
        for link, body in self._body_reasons:
            if body in number:
                untested.add(self._number[link], number[body])
        return untested

    def _options(self, bodies: World, given: Mapping[str, Any]) -> core.RobotOptions:
        """Return options of queries; planners ask with the same ones again and again."""
        distances: Mapping[Any, float] | None = None
        # The type first: to ask what is not a Mapping whether it is takes a while.
        separation = given.get("separation", 0.0)
        if type(separation) is not float and isinstance(separation, Mapping):
            distances = separation
            given = {name: value for name, value in given.items() if name != "separation"}
        key = (self._pairs, distances is None, *given.items())
        try:
            known = bodies.asked.get(key)
        except TypeError:  # what cannot be hashed is not remembered; the check says what is wrong
            return self._prepare(bodies, robot_options(given), distances)
        if known is not None and (distances is None or same_distances(known[1], distances)):
            return known[0]
        options = self._prepare(bodies, robot_options(given), distances)
        if len(bodies.asked) >= MOST_KNOWN:
            bodies.asked.clear()
        copy = None if distances is None else {k: float(v) for k, v in distances.items()}
        bodies.asked[key] = options, copy
        return options

    def _prepare(
        self, bodies: World, options: core.RobotOptions, distances: Mapping[Any, float] | None
    ) -> core.RobotOptions:
        """Enter what belongs to the world; what rests and is proven apart is not tested again."""
        if distances is not None:
            numbers = {name: i for i, name in enumerate(bodies.names)}
            names = PairNames(self._number, numbers, self._core, self._body_reasons)
            options.set_separations(names.separations(distances))
        if self._body_reasons or WORLD in self._carriers:
            options.set_untested(self._untested(bodies), self._core, bodies.native)
        return options


def _how_often(count: int, samples: int, kind: str) -> str:
    often = f"all of {samples}" if count == samples else f"{count} of {samples}"
    return f"in contact at {often} {kind} poses"
