"""Named groups of joints and their named states, as in SRDF files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from toccata._robot.parts import Joint

GroupStates = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Numbers by coordinate name, by state, by group."""


@dataclass(frozen=True, slots=True)
class JointGroup:
    """A named group of joints, such as an arm or a hand."""

    name: str
    joints: tuple[str, ...]
    """All joints of the group, fixed joints included, in the robot's order: joints named by the
    group, parent joints of links named by the group, joints of its chains and of its subgroups."""
    links: tuple[str, ...]
    """Child links of these joints and links named by the group, in the robot's order."""
    chains: tuple[tuple[str, str], ...] = ()
    """(base link, tip link) of each chain."""
    subgroups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Groups:
    """All groups of a robot, and their states."""

    groups: Mapping[str, JointGroup] = field(default_factory=dict)
    states: GroupStates = field(default_factory=dict)

    def renamed(self, prefix: str) -> Groups:
        """Return the same groups with a prefix before all names except those of states."""

        def new(names: Iterable[str]) -> tuple[str, ...]:
            return tuple(prefix + name for name in names)

        groups = {
            prefix + name: JointGroup(
                prefix + name,
                new(group.joints),
                new(group.links),
                tuple((prefix + base, prefix + tip) for base, tip in group.chains),
                new(group.subgroups),
            )
            for name, group in self.groups.items()
        }
        states = {
            prefix + group: {
                state: {prefix + name: number for name, number in numbers.items()}
                for state, numbers in own.items()
            }
            for group, own in self.states.items()
        }
        return Groups(groups, states)


def joints_between(base: str, tip: str, joints: Sequence[Joint]) -> set[str]:
    """Return the joints on the path from one link to another through the tree."""
    above = {joint.child: joint for joint in joints}
    upward = [_joints_above(link, above) for link in (base, tip)]
    return set(upward[0]) ^ set(upward[1])  # joints above both links are not between them


def _joints_above(link: str, above: Mapping[str, Joint]) -> list[str]:
    found = []
    while (joint := above.get(link)) is not None:
        found.append(joint.name)
        link = joint.parent
    return found
