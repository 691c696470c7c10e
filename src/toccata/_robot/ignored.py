"""Pairs of links that need no test: adjacent links, and links that are always in contact."""

from __future__ import annotations

from collections.abc import Container, Iterable
from math import ceil
from typing import TYPE_CHECKING

import numpy as np

from toccata._arrays import Floats, as_number
from toccata._motion import Motion
from toccata._native import core
from toccata._robot.parts import Joint, Link

if TYPE_CHECKING:
    from toccata._robot.tested import TestedPairs

Pair = tuple[str, str]


def adjacent_pairs(links: Iterable[Link], joints: Iterable[Joint]) -> dict[Pair, str]:
    """Return pairs of links with geometry that are connected by joints alone, with the reasons.

    Links without geometry may lie between them. A link whose mesh files are missing counts as a
    link with geometry, so its neighbors are not adjacent to each other.
    """
    own = {link.name for link in links if link.mesh is not None}
    shown = own | {link.name for link in links if link.missing}
    above = {joint.child: joint for joint in joints}
    pairs: dict[Pair, str] = {}
    for child in sorted(own):
        joint = above.get(child)
        steps = []
        while joint is not None:
            steps.append(joint)
            if joint.parent in shown:
                if joint.parent in own:
                    moving = [step.name for step in steps if step.kind != "fixed"]
                    through = ", ".join(moving or [step.name for step in steps])
                    pairs[joint.parent, child] = f"adjacent: joined by {through}"
                break
            joint = above.get(joint.parent)
    return pairs


def known_as(pair: Pair, pairs: Container[Pair]) -> Pair:
    """Return a pair of links in the order that `pairs` has it in, if it has it."""
    return pair if pair in pairs or pair[::-1] not in pairs else pair[::-1]


def inferred_pairs(pairs: TestedPairs, rows: Floats, share: float, kind: str) -> dict[Pair, str]:
    """Return the pairs in contact at a share of the configurations or more, with the reasons."""
    least = as_number("share", share, least=0, open_end=True)
    if least > 1:
        raise ValueError(f"share: expected at most 1, got {share}")
    found = _in_contact(pairs, rows, least)
    return {pair: _how_often(count, len(rows), kind) for pair, count in found.items()}


def _how_often(count: int, samples: int, kind: str) -> str:
    often = f"all of {samples}" if count == samples else f"{count} of {samples}"
    return f"in contact at {often} {kind} configurations"


def _in_contact(pairs: TestedPairs, rows: Floats, share: float) -> dict[Pair, int]:
    """Return the pairs in contact at this share of the configurations or more, with the counts.

    Undecided configurations do not count, so an exhausted budget never causes a pair to be ignored.
    """
    needed = max(1, ceil(round(share * len(rows), 9)))
    links, options = range(len(pairs.link_names)), core.Options()
    counts = {(i, j): 0 for i in links for j in links[i + 1 :] if pairs.core.tests(i, j)}
    for left, frames in zip(
        range(len(rows) - 1, -1, -1), core.robot_frames(pairs.core, rows), strict=True
    ):
        poses = [Motion.fixed(_frame(frames, carrier))._core for carrier in pairs.carriers]
        for i, j in list(counts):
            a, b = pairs.meshes[i], pairs.meshes[j]
            found = core.first_contact(a, poses[i], b, poses[j], options)
            counts[i, j] += found.status == core.Status.INITIAL_OVERLAP
            if counts[i, j] + left < needed:
                del counts[i, j]
    names = pairs.link_names
    return {(names[i], names[j]): count for (i, j), count in counts.items()}


def _frame(frames: Floats, carrier: int) -> Floats:
    return np.eye(4) if carrier < 0 else frames[carrier]
