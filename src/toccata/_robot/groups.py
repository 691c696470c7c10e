"""Named groups of joints and their named states, as in SRDF files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toccata._robot.parts import Joint


@dataclass(frozen=True, slots=True)
class JointGroup:
    """A named group of joints, such as an arm or a hand."""

    name: str
    joints: tuple[str, ...]
    """All joints of the group, fixed joints included, in the robot's order: joints that the group
    names, parent joints of links that it names, and joints of its chains and subgroups."""
    links: tuple[str, ...]
    """Child links of these joints, and links that the group names, in the robot's order."""
    chains: tuple[tuple[str, str], ...] = ()
    """(base link, tip link) of each chain."""
    subgroups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Groups:
    """All groups of a robot, and their states."""

    groups: Mapping[str, JointGroup] = field(default_factory=dict)
    states: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)
    """Values by coordinate name, by state, by group."""

    def renamed(self, prefix: str) -> Groups:
        """Return the same groups with a prefix before all names except the names of states."""

        def new(*names: str) -> tuple[str, ...]:
            return tuple(prefix + name for name in names)

        groups = [
            JointGroup(
                prefix + group.name,
                new(*group.joints),
                new(*group.links),
                tuple((prefix + base, prefix + tip) for base, tip in group.chains),
                new(*group.subgroups),
            )
            for group in self.groups.values()
        ]
        states = {
            prefix + group: {
                state: dict(zip(new(*values), values.values(), strict=True))
                for state, values in own.items()
            }
            for group, own in self.states.items()
        }
        return Groups({group.name: group for group in groups}, states)


def joints_between(base: str, tip: str, joints: Sequence[Joint]) -> set[str]:
    """Return the joints on the path from one link to another through the tree."""
    above = {joint.child: joint for joint in joints}
    between: set[str] = set()
    for link in (base, tip):
        while (joint := above.get(link)) is not None:
            between ^= {joint.name}  # joints above both links are not between them
            link = joint.parent
    return between
