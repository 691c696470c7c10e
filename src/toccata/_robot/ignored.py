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
    """Return the adjacent pairs of links with geometry, and the reason for each pair.

    Two links are adjacent if a joint connects them, or if all links between them have no geometry.
    A link with missing mesh files is treated as a link with geometry, so its neighbors are not
    adjacent to each other.
    """
    own = {link.name for link in links if link.mesh is not None}
    shown = own | {link.name for link in links if link.missing}
    above = {joint.child: joint for joint in joints}
    pairs: dict[Pair, str] = {}
    for child in sorted(own):
        link, steps = child, []
        while (joint := above.get(link)) is not None:
            steps.append(joint)
            link = joint.parent
            if link in shown:
                break
        if steps and link in own:
            moving = [step.name for step in steps if step.kind != "fixed"]
            through = ", ".join(moving or [step.name for step in steps])
            pairs[link, child] = f"adjacent: joined by {through}"
    return pairs


def known_as(pair: Pair, pairs: Container[Pair]) -> Pair:
    """Return a pair of links, reversed if `pairs` contains it in that order."""
    return pair if pair in pairs or pair[::-1] not in pairs else pair[::-1]


def inferred_pairs(pairs: TestedPairs, rows: Floats, share: float, kind: str) -> dict[Pair, str]:
    """Return the pairs that are in contact at least at a `share` of the rows, with reasons.

    Undecided configurations are not counted, so an exhausted budget never causes a pair to be
    ignored. `kind` describes the configurations in the reasons.
    """
    least = as_number("share", share, least=0, open_end=True)
    if least > 1:
        raise ValueError(f"share: expected at most 1, got {share}")
    total, options = len(rows), core.Options()
    needed = max(1, ceil(round(least * total, 9)))
    links = range(len(pairs.link_names))
    counts = {(i, j): 0 for i in links for j in links[i + 1 :] if pairs.core.tests(i, j)}
    for row, frames in enumerate(core.robot_frames(pairs.core, rows), 1):
        at = [np.eye(4) if carrier < 0 else frames[carrier] for carrier in pairs.carriers]
        poses = [Motion.fixed(pose)._core for pose in at]
        for i, j in list(counts):
            a, b = pairs.meshes[i], pairs.meshes[j]
            found = core.first_contact(a, poses[i], b, poses[j], options)
            counts[i, j] += found.status == core.Status.INITIAL_OVERLAP
            if counts[i, j] + total - row < needed:
                del counts[i, j]
    often = {n: f"all of {n}" if n == total else f"{n} of {total}" for n in counts.values()}
    return {
        (
            pairs.link_names[i],
            pairs.link_names[j],
        ): f"in contact at {often[n]} {kind} configurations"
        for (i, j), n in counts.items()
    }
