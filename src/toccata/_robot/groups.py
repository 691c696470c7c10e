"""Groups of joints and their named states, as SRDF files have them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from toccata._robot.parts import Joint

GroupStates = Mapping[str, Mapping[str, Mapping[str, float]]]
"""Numbers of configurations by their names, by state and by group."""


@dataclass(frozen=True, slots=True)
class JointGroup:
    """Joints with a name in common, such as an arm or a hand."""

    name: str
    joints: tuple[str, ...]
    """All joints in the robot's order, fixed ones too: those that the group names, those above the
    links that it names, and those of its chains and subgroups."""
    links: tuple[str, ...]
    """The links below these joints and those that the group names, in the robot's order."""
    chains: tuple[tuple[str, str], ...] = ()
    """First and last links of chains."""
    subgroups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Groups:
    """All groups of a robot, and their states."""

    groups: Mapping[str, JointGroup] = field(default_factory=dict)
    states: GroupStates = field(default_factory=dict)

    def renamed(self, prefix: str) -> Groups:
        """Return the same with a prefix before all names but those of states."""

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
    return set(upward[0]) ^ set(upward[1])  # those above both are not between them


def _joints_above(link: str, above: Mapping[str, Joint]) -> list[str]:
    found = []
    while (joint := above.get(link)) is not None:
        found.append(joint.name)
        link = joint.parent
    return found
