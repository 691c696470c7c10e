"""The pairs of bodies that a robot tests, and the reasons of the pairs that it ignores."""

from __future__ import annotations

import copy
import threading
import warnings
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

from toccata._arrays import as_name, as_number
from toccata._native import core
from toccata._robot.ignored import Pair, adjacent_pairs, known_as
from toccata._robot.parts import Joint, Link
from toccata._robot.tree import WORLD, PlacedMeshes, Tree
from toccata._scene import PreparedWorld
from toccata._text import counted

if TYPE_CHECKING:
    from toccata._robot.srdf import Srdf


ANY_BODY = "*"
"""Name that means all bodies of any world, in pairs of `ignored`."""

_TOO_LARGE = 999.0
"""Least ratio of the largest body to the largest link that causes a warning: about 1000."""


class TestedPairs:
    """The tested pairs of links, and of links with bodies of the world, by name."""

    __test__ = False  # not for pytest

    def __init__(
        self, links: Sequence[Link], joints: Sequence[Joint], tree: Tree, known: PlacedMeshes
    ) -> None:
        """Ignore pairs of adjacent links; reuse the meshes in `known`."""
        shown = [link for link in links if link.mesh is not None]
        self.link_names = tuple(link.name for link in shown)
        """Links with geometry."""
        self.number = {name: i for i, name in enumerate(self.link_names)}
        self.carriers = [tree.carrier[name] for name in self.link_names]
        roots = list(dict.fromkeys(tree.root.values()))
        bases = [roots.index(tree.root[name]) for name in self.link_names]
        self.rigid = list(zip(self.carriers, bases, strict=True))
        """Carrier and base of each link, equal for links that never move relative to each other."""
        self.placed: PlacedMeshes = {}
        self.meshes = [tree.placed_mesh(link, known, self.placed)._core for link in shown]
        self.core = core.make_robot(tree.native, self.meshes, self.carriers, bases, [])
        self.bare = {link.name for link in links if link.mesh is None}
        self.reasons: dict[Pair, str] = {}
        """Reasons of ignored pairs of links."""
        self.body_reasons: dict[Pair, str] = {}
        """Reasons of ignored pairs of a link and a body."""
        self.worldless: dict[str, str] = {}
        """Links that are not tested against bodies, except `tested_bodies`, with the reasons."""
        self.tested_bodies: frozenset[Pair] = frozenset()
        self.padding: dict[str, float] = {}
        self.radius = max((mesh.radius for mesh in self.meshes), default=0.0)
        """Radius of the largest link."""
        self.met: tuple[str, ...] = ()
        """Bodies of the world that `meet` checked last."""
        self.lock = threading.RLock()
        """Lock of edits. An edit reads the pairs and then replaces them. Copies share the lock."""
        self.leave_out(adjacent_pairs(links, joints), {})

    def leave_out(self, links: dict[Pair, str], bodies: dict[Pair, str]) -> None:
        """Replace the ignored pairs and their reasons."""
        with self.lock:
            if links != self.reasons:  # ignored bodies do not change the robot
                pairs = [sorted(self.number[name] for name in pair) for pair in links]
                self.core = core.ignore_pairs(self.core, self.meshes, [(i, j) for i, j in pairs])
            self.reasons, self.body_reasons = links, bodies
            # Worlds keep prepared options by version. The version changes last, so that options
            # which another thread prepares during this edit are kept under the old version.
            self.version = object()

    def meet(self, world: PreparedWorld) -> None:
        """Warn if a world is far too large for the robot, such as a world in millimeters."""
        if world.names is self.met:  # the tuple is the same for bodies that only moved
            return
        self.met = world.names
        radius = max((body.mesh.radius for body in world.bodies.values()), default=0.0)
        if self.radius > 0 and radius > _TOO_LARGE * self.radius:
            text = (
                f"world: the largest body is {radius / self.radius:.0f} times as large as the "
                "largest link of the robot. If the world is in millimeters and the robot in "
                "meters, Scene.load(path, scale=0.001) converts the world"
            )
            warnings.warn(text, stacklevel=6)

    def padded(self, distances: Mapping[str, float]) -> TestedPairs:
        """Return the same pairs with other distances kept around links."""
        if not isinstance(distances, Mapping):
            wanted = "a mapping from links to distances"
            raise TypeError(f"distances: expected {wanted}, got {type(distances).__name__}")
        for link in distances:
            if link not in self.number:
                raise ValueError(f"distances: expected links with geometry, got {link!r}")
        given = {k: as_number(f"distances, {k!r}", v, least=0) for k, v in distances.items()}
        pairs = copy.copy(self)  # dicts are replaced, never changed
        pairs.padding = {link: d for link, d in (self.padding | given).items() if d > 0}
        pairs.version = object()
        return pairs

    def follow(self, other: TestedPairs) -> None:
        """Take over the ignored pairs of another robot. Keep pairs of links that it lacks."""
        own = self.reasons.items()
        new = {pair: reason for pair, reason in own if not other.number.keys() >= set(pair)}
        links, *rest = other.choices()
        self.choose(links | new, *rest)

    def choices(self) -> tuple[Any, ...]:
        """Return the state that links and joints do not determine, in the form for `choose`."""
        with self.lock:
            bodies = dict(self.body_reasons), self.worldless, self.tested_bodies
            return dict(self.reasons), *bodies, dict(self.padding)

    def renamed(self, prefix: str) -> tuple[Any, ...]:
        """Return the `choices` with a prefix before the names of links."""
        links, bodies, worldless, tested, padding = self.choices()
        return (
            {(prefix + a, prefix + b): reason for (a, b), reason in links.items()},
            {(prefix + a, body): reason for (a, body), reason in bodies.items()},
            {prefix + link: reason for link, reason in worldless.items()},
            frozenset((prefix + link, body) for link, body in tested),
            {prefix + link: distance for link, distance in padding.items()},
        )

    def choose(
        self,
        links: dict[Pair, str],
        bodies: dict[Pair, str],
        worldless: dict[str, str],
        tested_bodies: frozenset[Pair],
        padding: dict[str, float],
    ) -> None:
        """Take over the `choices` of a robot with the same links."""
        with self.lock:
            self.worldless, self.tested_bodies, self.padding = worldless, tested_bodies, padding
            self.leave_out(links, bodies)

    def follow_srdf(self, srdf: Srdf) -> list[Pair]:
        """Apply the pairs of an SRDF as MoveIt does; return enabled pairs that are rigid.

        First, `disable_default_collisions` ignores all pairs of a link, also pairs with bodies of
        the world. Then `enable_collisions` tests a pair again, even of adjacent links. Finally,
        `disable_collisions` ignores a pair. Links without geometry are skipped.
        """
        known = self.number
        with self.lock:
            reasons = dict(self.reasons)
            for link in filter(known.__contains__, srdf.no_default):
                why = f"SRDF: disable_default_collisions of {link}"
                self.worldless = self.worldless | {link: why}
                for other in self.link_names:
                    if other != link:
                        reasons.setdefault(known_as((link, other), reasons), why)
            enabled = [(a, b) for a, b in srdf.enabled if a in known and b in known]
            for pair in enabled:
                reasons.pop(known_as(pair, reasons), None)
            for a, b, reason in srdf.disabled:
                if a in known and b in known:
                    reasons.setdefault(known_as((a, b), reasons), f"SRDF: {reason}")
            self.leave_out(reasons, self.body_reasons)
            return [(a, b) for a, b in enabled if self.rigid[known[a]] == self.rigid[known[b]]]

    def check_geometry(self) -> None:
        """Raise ValueError if no link has geometry, because the answer FREE would mislead."""
        if not self.number:
            raise ValueError(
                "robot: expected a link with geometry, got none; "
                "Robot.from_urdf(..., geometry='visual') uses visual geometry"
            )

    def counts(self) -> str:
        """Return the numbers of tested and ignored pairs as text."""
        links = f"{counted(self.core.pair_count, 'pair')} of links tested"
        links += f", {len(self.reasons):,} ignored"
        if self.body_reasons:
            links += f"; {counted(len(self.body_reasons), 'pair')} with a body ignored"
        if self.worldless:
            links += f"; {counted(len(self.worldless), 'link')} tested against no body"
        return links

    @property
    def ignores_bodies(self) -> bool:
        """True if some link is not tested against some body of a world."""
        return bool(self.body_reasons or self.worldless)

    def ignores_body(self, link: str, body: str) -> bool:
        """Return whether a link is not tested against a body of the world."""
        pair = link, body
        return pair in self.body_reasons or (
            link in self.worldless and pair not in self.tested_bodies
        )

    @property
    def has_resting(self) -> bool:
        """True if some link never moves."""
        return WORLD in self.carriers

    @property
    def ignored(self) -> dict[Pair, str]:
        """Reasons of all pairs that are never tested, by (link, link) or (link, body)."""
        together: dict[tuple[int, int], list[str]] = {}
        for name, rigid in zip(self.link_names, self.rigid, strict=True):
            together.setdefault(rigid, []).append(name)
        pairs = dict(self.reasons)
        for names in together.values():
            for pair in combinations(names, 2):
                pairs.setdefault(known_as(pair, pairs), "fixed to each other")
        worlds = {(link, ANY_BODY): reason for link, reason in self.worldless.items()}
        return pairs | {p: r for p, r in (worlds | self.body_reasons).items() if p not in pairs}

    def reason(self, link: str, other: str) -> str | None:
        """Return why a link is not tested against another link or a body; None if it is tested."""
        if other not in self.number:
            known = self.body_reasons.get((link, other))
            return known or (self.worldless[link] if self.ignores_body(link, other) else None)
        ignored = self.ignored
        return ignored.get(known_as((link, other), ignored))

    def tests(self, link: str, other: str) -> bool:
        as_name("link", link)
        as_name("other", other)
        if link in self.number and other in self.number:
            return self.core.tests(self.number[link], self.number[other])
        if link not in self.number:
            link, other = other, link
        named = link in self.number and other not in self.bare
        return named and not self.ignores_body(link, other)

    def ignore(self, link: str, other: str, reason: str) -> None:
        """Ignore a pair; a name that no link has denotes a body of any world."""
        as_name("reason", reason)
        pair = self._named(link, other)
        with self.lock:
            links, bodies = dict(self.reasons), dict(self.body_reasons)
            if other in self.number:
                links.setdefault(known_as(pair, links), reason)
            elif not self.ignores_body(link, other):
                bodies.setdefault(pair, reason)
                self.tested_bodies -= {pair}
            self.leave_out(links, bodies)

    def unignore(self, link: str, other: str) -> None:
        pair = self._named(link, other)
        with self.lock:
            links, bodies = dict(self.reasons), dict(self.body_reasons)
            if other not in self.number:
                known = bodies.pop(pair, None)
                if link in self.worldless and pair not in self.tested_bodies:
                    known = self.worldless[link]
                    self.tested_bodies |= {pair}
            else:
                if self.rigid[self.number[link]] == self.rigid[self.number[other]]:
                    wanted = f"a link that moves relative to {link!r}"
                    raise ValueError(f"other: expected {wanted}, got {other!r}")
                known = links.pop(known_as(pair, links), None)
            if known is None:
                raise ValueError(f"other: the pair {pair!r} is not ignored")
            self.leave_out(links, bodies)

    def _named(self, link: str, other: str) -> Pair:
        if as_name("link", link) not in self.number:
            raise ValueError(f"link: expected a link with geometry, got {link!r}")
        if as_name("other", other) in self.bare:
            wanted = "a link with geometry or the name of a body"
            raise ValueError(f"other: expected {wanted}, got {other!r}")
        if link == other:
            raise ValueError(f"other: expected a link other than {link!r}")
        return link, other

    def ignored_bodies(self, world: PreparedWorld) -> core.IgnoredPairs:
        """Return the ignored pairs of a link and a body of a world."""
        ignored = core.IgnoredPairs(len(self.link_names), len(world.names))
        number = {name: i for i, name in enumerate(world.names)}
        pairs = [pair for pair in self.body_reasons if pair[1] in number]
        pairs += [(a, b) for a in self.worldless for b in number if self.ignores_body(a, b)]
        for link, body in pairs:
            ignored.add(self.number[link], number[body])
        return ignored
