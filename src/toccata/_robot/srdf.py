"""SRDF files: pairs of links, groups of joints, and their states."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from xml.etree.ElementTree import Element

from toccata._robot.configuration import number_names
from toccata._robot.parts import Groups, Joint, JointGroup, Link, joints_between
from toccata._robot.xml_file import attribute, naming, numbers, read_xml
from toccata._text import visible


@dataclass(slots=True)
class Srdf:
    """Content of an SRDF file about the links and joints of a robot."""

    disabled: list[tuple[str, str, str]] = field(default_factory=list)
    """(link, link, reason) of every `disable_collisions`."""
    enabled: list[tuple[str, str]] = field(default_factory=list)
    """(link, link) of every `enable_collisions`."""
    no_default: list[str] = field(default_factory=list)
    """Link of every `disable_default_collisions`."""
    groups: Groups = field(default_factory=Groups)


def read_srdf(path: str | os.PathLike[str], links: Sequence[Link], joints: Sequence[Joint]) -> Srdf:
    """Return the content of a file for a robot with these links and joints.

    Unknown names are skipped with a warning, since similar robots share a file.
    """
    with naming(path):
        root = read_xml(path, "an SRDF")
        for tag in ("link", "joint"):
            if root.find(tag) is not None:
                raise ValueError(f"expected an SRDF, got a URDF with <{tag}>")
        found, unknown = _collisions(root, {link.name for link in links})
    reader = _GroupReader(root, links, joints)
    found.groups = reader.read()
    doubts = {
        "pairs of unknown links are skipped: ": ", ".join(sorted(unknown)),
        "unknown links and joints of groups are skipped: ": ", ".join(sorted(reader.unknown)),
        "some groups and states are skipped: ": "; ".join(reader.skipped),
    }
    for text, names in doubts.items():
        if names:
            warnings.warn(visible(f"{os.fspath(path)}: {text}{names}"), stacklevel=4)
    return found


def _collisions(root: Element, links: set[str]) -> tuple[Srdf, set[str]]:
    """Return the pairs of a file, and the names of links that the robot does not have."""
    found = Srdf()
    unknown: set[str] = set()
    for entry in root.iter("disable_default_collisions"):
        link = _name(entry, "link")
        unknown |= {link} - links
        found.no_default += [link] if link in links else []
    for tag in ("enable_collisions", "disable_collisions"):
        for entry in root.iter(tag):
            a, b = _name(entry, "link1"), _name(entry, "link2")
            unknown |= {a, b} - links
            if a == b or not links.issuperset((a, b)):  # a link never touches itself
                continue
            if tag == "enable_collisions":
                found.enabled.append((a, b))
            else:
                found.disabled.append((a, b, entry.get("reason", "no reason given")))
    return found, unknown


def _name(entry: Element, key: str = "name") -> str:
    """Return a required attribute without the spaces around it, as MoveIt does."""
    return attribute(entry, key).strip()


class _GroupReader:
    """Reader of groups and states; it skips invalid entries, since no contact depends on them."""

    def __init__(self, root: Element, links: Sequence[Link], joints: Sequence[Joint]) -> None:
        self.root, self.joints = root, joints
        self.links = [link.name for link in links]
        self.joint = {joint.name: joint for joint in joints}
        # MoveIt declares the joint between world and base, and Pinocchio calls it root_joint. Here
        # `Robot.placed` replaces this joint.
        virtual = root.findall("virtual_joint")
        self.virtual = {"root_joint", *(part.get("name", "").strip() for part in virtual)}
        self.unknown: set[str] = set()
        """Names in groups and states that the robot does not have."""
        self.skipped: list[str] = []
        """Invalid groups and states, with the reasons."""

    def read(self) -> Groups:
        """Return groups and states without entries that are `unknown` or `skipped`."""
        parts: dict[str, Element] = {}
        for part in self.root.findall("group"):
            with self._skipping("group"):
                if parts.setdefault(_name(part), part) is not part:
                    raise ValueError(f"two groups have the name {part.get('name')!r}")
        groups: dict[str, JointGroup] = {}
        for name in self._subgroups_first(parts):
            with self._skipping(f"group {name!r}"):
                groups[name] = self._group(name, parts[name], groups)
        groups = {name: groups[name] for name in parts if name in groups}
        states: dict[str, dict[str, dict[str, float]]] = {name: {} for name in groups}
        for part in self.root.findall("group_state"):
            with self._skipping(f"group_state {part.get('name')!r}"):
                # The group need not exist, as in Pinocchio.
                states.setdefault(_name(part, "group"), {}).setdefault(
                    _name(part), self._state(part)
                )
        return Groups(groups, states)

    @contextmanager
    def _skipping(self, what: str) -> Iterator[None]:
        try:
            yield
        except ValueError as error:
            self.skipped.append(f"{what}: {error}")

    def _subgroups_first(self, parts: dict[str, Element]) -> list[str]:
        inside = {
            name: [sub.get("name", "").strip() for sub in part.findall("group")]
            for name, part in parts.items()
        }
        try:
            order = TopologicalSorter(inside).static_order()
            return [name for name in order if name in parts]
        except CycleError as error:
            circle = ", ".join(error.args[1])
            self.skipped.append(f"all groups: the subgroups {circle} form a cycle")
            return []

    def _group(self, name: str, part: Element, known: dict[str, JointGroup]) -> JointGroup:
        """Return a group; its subgroups are among `known`."""
        links, named = (
            [name for name in map(_name, part.findall(kind)) if self._has(kind, name)]
            for kind in ("link", "joint")
        )
        joints = {joint.name for joint in self.joints if joint.child in links} | set(named)
        chains = []
        for chain in part.findall("chain"):
            base, tip = (_name(chain, end) for end in ("base_link", "tip_link"))
            if self._has("link", base) and self._has("link", tip):
                joints |= joints_between(base, tip, self.joints)
                chains.append((base, tip))
        subgroups = list(map(_name, part.findall("group")))
        for sub in subgroups:
            if sub not in known:
                raise ValueError(f"the subgroup {sub!r} is not a group of the file")
            joints |= set(known[sub].joints)
            links += known[sub].links
        below = {joint.child for joint in self.joints if joint.name in joints} | set(links)
        return JointGroup(
            name,
            tuple(joint.name for joint in self.joints if joint.name in joints),
            tuple(link for link in self.links if link in below),
            tuple(chains),
            tuple(subgroups),
        )

    def _has(self, kind: str, name: str) -> bool:
        if name in (self.links if kind == "link" else self.joint):
            return True
        if name not in self.virtual:
            self.unknown.add(name)
        return False

    def _state(self, part: Element) -> dict[str, float]:
        """Return the values of a state by coordinate name; fixed and mimic joints have none."""
        found: dict[str, float] = {}
        for entry in part.findall("joint"):
            name = _name(entry)
            joint = self.joint[name] if self._has("joint", name) else None
            if joint is not None and joint.width:
                values = numbers(entry, "value", (joint.width,))
                found |= dict(zip(number_names(joint), values, strict=True))
        return found
