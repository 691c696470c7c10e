"""Which pairs of bodies a robot tests: links, and links and bodies of the world by name."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Iterable, Mapping, Sequence

from toccata._arrays import as_number
from toccata._native import core
from toccata.robot.ignored import Pair, adjacent_pairs, known_as
from toccata.robot.parts import Joint, Link
from toccata.robot.tree import WORLD, PlacedMeshes, Tree
from toccata.scene import World

_TOO_LARGE = 999.0
"""A thousand, less rounding."""


class TestedPairs:
    """Pairs of links, and of links and bodies of the world by name."""

    __test__ = False  # not for pytest

    def __init__(
        self,
        links: Sequence[Link],
        joints: Sequence[Joint],
        tree: Tree,
        known: PlacedMeshes,
    ) -> None:
        """Leave out links that only a joint lies between; take meshes that are `known`."""
        shown = [link for link in links if link.mesh is not None]
        self.link_names = tuple(link.name for link in shown)
        """Links with geometry."""
        self.number = {name: i for i, name in enumerate(self.link_names)}
        self.carriers = [tree.carrier[name] for name in self.link_names]
        roots = list(dict.fromkeys(tree.root.values()))
        bases = [roots.index(tree.root[name]) for name in self.link_names]
        self.rigid = list(zip(self.carriers, bases, strict=True))
        """By link: equal for those that never move relative to each other."""
        self.placed: PlacedMeshes = {}
        self.meshes = [tree.placed_mesh(link, known, self.placed)._core for link in shown]
        self.core = core.make_robot(tree.native, self.meshes, self.carriers, bases, [])
        self.bare = {link.name for link in links if link.mesh is None}
        self.reasons: dict[Pair, str] = {}
        self.body_reasons: dict[Pair, str] = {}
        self.padding: dict[str, float] = {}
        """Distances kept around links."""
        self.radius = max((mesh.radius for mesh in self.meshes), default=0.0)
        """Of the largest link."""
        self.met: tuple[str, ...] = ()
        """Bodies of the world whose size was compared with the links last."""
        self.leave_out(adjacent_pairs(links, joints), {})

    def leave_out(self, links: dict[Pair, str], bodies: dict[Pair, str]) -> None:
        """Take over which pairs are not tested, with the reasons."""
        if links != self.reasons:  # what is said of bodies does not change the robot
            pairs = [sorted(self.number[name] for name in pair) for pair in links]
            self.core = core.ignore_pairs(self.core, self.meshes, [(i, j) for i, j in pairs])
        self.reasons, self.body_reasons = links, bodies
        self.version = object()  # worlds remember options by it

    def meet(self, bodies: World) -> None:
        """Warn of a world that is far too large for the robot, as one in millimetres is."""
        if bodies.names is self.met:  # the tuple is the same for bodies that only moved
            return
        self.met = bodies.names
        radius = max((body.mesh.radius for body in bodies.bodies.values()), default=0.0)
        if self.radius > 0 and radius > _TOO_LARGE * self.radius:
            text = (
                f"world: its largest body is {radius / self.radius:.0f} times as large as the "
                "largest link of the robot. Is it in millimetres, and the robot in metres? "
                "Scene.load(path, scale=0.001) turns one into the other"
            )
            warnings.warn(text, stacklevel=5)

    def padded(self, distances: Mapping[str, float]) -> TestedPairs:
        """Return the same pairs with other distances kept around links, by name."""
        if not isinstance(distances, Mapping):
            wanted = "a mapping of links to distances"
            raise ValueError(f"distances: expected {wanted}, got {type(distances).__name__}")
        for link in distances:
            if link not in self.number:
                raise ValueError(f"distances: expected links with geometry, got {link!r}")
        given = {k: as_number(f"distances, {k!r}", v, least=0) for k, v in distances.items()}
        pairs = copy.copy(self)  # dicts are replaced, never changed
        pairs.padding = {link: d for link, d in (self.padding | given).items() if d > 0}
        pairs.version = object()
        return pairs

    def leave_out_more(self, disabled: Iterable[tuple[str, str, str]]) -> None:
        """Leave out pairs of links of an SRDF too, those without geometry aside."""
        reasons = dict(self.reasons)
        for a, b, reason in disabled:
            if a in self.number and b in self.number:
                reasons.setdefault(known_as((a, b), reasons), f"SRDF: {reason}")
        self.leave_out(reasons, self.body_reasons)

    def counts(self) -> str:
        """Say how many pairs are tested and how many are not."""
        bodies = f", {len(self.body_reasons)} of links and bodies" if self.body_reasons else ""
        return f"{self.core.pair_count} pairs of links tested, {len(self.reasons)} ignored{bodies}"

    @property
    def has_resting(self) -> bool:
        """Whether some link never moves."""
        return WORLD in self.carriers

    @property
    def ignored(self) -> dict[Pair, str]:
        """All pairs that are never tested, with the reason; a body of the world comes second."""
        together: dict[tuple[int, int], list[str]] = {}
        for name, rigid in zip(self.link_names, self.rigid, strict=True):
            together.setdefault(rigid, []).append(name)
        pairs = dict(self.reasons)
        for names in together.values():
            for i, a in enumerate(names):
                for b in names[i + 1 :]:
                    pairs.setdefault(known_as((a, b), pairs), "fixed to each other")
        return pairs | {p: r for p, r in self.body_reasons.items() if p not in pairs}

    def tests(self, link: str, other: str) -> bool:
        """Whether the contact of a link with another link or a body of the world is looked for."""
        if link in self.number and other in self.number:
            return self.core.tests(self.number[link], self.number[other])
        if link not in self.number:
            link, other = other, link
        named = link in self.number and other not in self.bare
        return named and (link, other) not in self.body_reasons

    def ignore(self, link: str, other: str, reason: str = "by hand") -> None:
        """Never report contacts of a link with another one, or with a body of the world.

        A name that is no link of the robot is that of a body, in whatever world. One that is a
        link is not: a body of the same name stays in the tests.
        """
        pair = self._named(link, other)
        links, bodies = dict(self.reasons), dict(self.body_reasons)
        if other in self.number:
            links.setdefault(known_as(pair, links), reason)
        else:
            bodies.setdefault(pair, reason)
        self.leave_out(links, bodies)

    def unignore(self, link: str, other: str) -> None:
        """Test a pair that is ignored, for whatever reason; the opposite of `ignore`."""
        pair = self._named(link, other)
        links, bodies = dict(self.reasons), dict(self.body_reasons)
        if other not in self.number:
            known = bodies.pop(pair, None)
        else:
            if self.rigid[self.number[link]] == self.rigid[self.number[other]]:
                wanted = f"other: expected a link that moves relative to {link!r}"
                raise ValueError(f"{wanted}, got {other!r}")
            known = links.pop(known_as(pair, links), None)
        if known is None:
            raise ValueError(f"other: expected an ignored pair, got {pair!r}")
        self.leave_out(links, bodies)

    def _named(self, link: str, other: str) -> Pair:
        if link not in self.number:
            raise ValueError(f"link: expected a link with geometry, got {link!r}")
        if not isinstance(other, str) or other in self.bare:
            wanted = "a link with geometry or the name of a body"
            raise ValueError(f"other: expected {wanted}, got {other!r}")
        if link == other:
            raise ValueError(f"other: expected another link than {link!r}")
        return link, other

    def untested(self, bodies: World) -> core.Untested:
        """Return the links and bodies of a world that are not tested against each other."""
        untested = core.Untested(len(self.link_names), len(bodies.names))
        number = {name: i for i, name in enumerate(bodies.names)}
        for link, body in self.body_reasons:
            if body in number:
                untested.add(self.number[link], number[body])
        return untested
