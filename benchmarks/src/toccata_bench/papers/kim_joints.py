"""Kim, Redon, Kim 2008: articulated bodies with few active joints."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

import toccata as tc
from toccata._robot.internal import tree_of as joints_of
from toccata.dynamics import ArticulatedBody, World
from toccata.report._png import Image
from toccata.scenes import worlds
from toccata.scenes._wooden import wooden_man
from toccata_bench.adaptive import plots, runs, tables
from toccata_bench.adaptive.scenes import EXPERIMENTS
from toccata_bench.dynamics import simulate
from toccata_bench.papers.drawing import (
    BLUE,
    GRAY,
    ORANGE,
    View,
    hue,
    picture,
    put,
    put_robot,
    side_by_side,
)
from toccata_bench.papers.exhibit import Made, Setup, three
from toccata_bench.plots import new_figure
from toccata_bench.record import Record

Nodes = NDArray[np.int64]

SCENES: dict[str, tuple[int, int, View]] = {
    "wooden-men": (15, 26, (35, 12)),
    "pendulum": (8, 30, (20, 8)),
    "falling-man": (15, 34, (60, 20)),
}
"""Active joints, steps to a moment of collision, and view of each scene."""
ACTIVE = 7
"""Seed of the man whose assembly tree is drawn."""
TOUCHING = ("left_hand", "head")
"""Links of the man that stand for two links that may collide."""
SIZE = (400, 420)
RUNS = 50
"""Runs of each scene of figure 4, as in the paper."""


def groups(world: World) -> dict[str, int]:
    """Return the rigid group of each link, by the name of its body.

    Groups of several bodies have different numbers.
    """
    found: dict[str, int] = {}
    for name, body in world.articulated.items():
        first, carrier = len(found), joints_of(body.robot).carrier
        for link in body.robot.link_names:
            group = body.groups[carrier[link]] if carrier[link] >= 0 else 0
            found[f"{name}/{link}"] = first + int(group)
    return found


@cache
def simulated(name: str) -> World:
    """Return a scene after some steps, while something touches; its log is audited."""
    active, steps, _ = SCENES[name]
    world = worlds.make_world(worlds.get(name), active=active)
    log = world.start_log()
    world.step(steps)
    simulate.verify(name, log.arrays())
    return world


def group_picture(name: str) -> Image:
    """Return a scene, links of one rigid group in one color."""
    world, view = simulated(name), SCENES[name][2]
    known, placed, moving = groups(world), [], []
    for body, pose in zip(world.names, world.poses, strict=True):
        part = put(world.meshes[body], hue(known[body]) if body in known else GRAY, pose)
        placed += part
        moving += part if body in known else []
    return picture(placed, view, SIZE, moving)


def figure_3(setup: Setup) -> Made:
    """Draw the three scenes while bodies collide."""
    caption = "links of one color are one rigid group; bodies that stay are gray"
    images = side_by_side(*(group_picture(name) for name in SCENES))
    sizes = []
    for name, (active, _, _) in SCENES.items():
        world = simulated(name)
        counts, known = {True: 0, False: 0}, groups(world)
        for body, mesh in world.meshes.items():
            counts[body in known] += len(mesh.faces)
        fixed = f" and {counts[False]:,} fixed" if counts[False] else ""
        each = " per man" if len(world.articulated) > 1 else ""
        sizes.append(f"{name}: {active} active joints{each}, {counts[True]:,} triangles{fixed}")
    return Made("; ".join(sizes), [], {caption: images})


def man() -> ArticulatedBody:
    """Return a falling man with some active joints."""
    body = ArticulatedBody(wooden_man())
    rng = np.random.default_rng(3)
    body.v = rng.normal(size=len(body.v))
    body.step(1e-3, active=ACTIVE)
    return body


def tree_of(body: ArticulatedBody) -> Nodes:
    """Return the nodes of the assembly tree: joint, upper part, lower part; -1 in leaves.

    Node f is the leaf of frame f, which joint f - 1 moves; frame 0 is the ground. The last node is
    the root.
    """
    return np.asarray(body._core.assembly_nodes(), dtype=np.int64).reshape(-1, 3)


def frames_below(nodes: Nodes, node: int) -> list[int]:
    """Return the frames of the leaves below a node."""
    joint, upper, lower = nodes[node]
    if joint < 0:
        return [node]
    return frames_below(nodes, int(upper)) + frames_below(nodes, int(lower))


def figure_1(setup: Setup) -> Made:
    """Draw a man as two parts, and one of them as two, joined by their principal joints."""
    body = man()
    robot, nodes = body.robot, tree_of(body)
    images, words = [], []
    for node in (len(nodes) - 1, int(nodes[-1][1])):
        upper, lower = (links_below(robot, nodes, int(part)) for part in nodes[node][1:])
        colors = {name: ORANGE for name in upper} | {name: BLUE for name in lower}
        images.append(picture(put_robot(robot, np.asarray(body.q), colors), (60, 10), SIZE))
        words.append(f"{len(upper)} and {len(lower)} links")
    caption = "A orange, B blue: C at the root of the tree, and then its upper part; the rest gray"
    said = (
        f"a tree of {len(nodes)} nodes: its root joins parts of {words[0]}, the upper part joins"
        f" {words[1]}"
    )
    return Made(said, [], {caption: side_by_side(*images)})


def links_below(robot: tc.Robot, nodes: Nodes, node: int) -> list[str]:
    """Return the names of links below a node."""
    frames, carrier = set(frames_below(nodes, node)), joints_of(robot).carrier
    return [name for name in robot.link_names if carrier[name] + 1 in frames]


def figure_2(setup: Setup) -> Made:
    """Draw the assembly tree: simulated joints, and paths to two links that may touch."""
    body = man()
    nodes, carrier = tree_of(body), joints_of(body.robot).carrier
    active = {k for k, row in enumerate(nodes) if row[0] >= 0 and body.active[row[0]]}
    touching = {carrier[name] + 1 for name in TOUCHING}
    on_paths = {k for k in range(len(nodes)) if touching & set(frames_below(nodes, k))}
    found = _tree_figure(nodes, active, on_paths)
    inner = sum(row[0] >= 0 for row in nodes)
    said = (
        f"{len(active)} of {inner} joints are active, and {len(on_paths)} of {len(nodes)} nodes lie"
        " on the paths to two links"
    )
    caption = "green: active joints; yellow: on the paths to two links (red) that we chose"
    return Made(said, [], {caption: found})


def _tree_figure(nodes: Nodes, active: set[int], on_paths: set[int]) -> Any:
    positions = _layout(nodes)
    figure, axis = new_figure(9.0, 3.6)
    for k, row in enumerate(nodes):
        for child in row[1:]:
            if child >= 0:
                (x0, y0), (x1, y1) = positions[k], positions[int(child)]
                axis.plot([x0, x1], [y0, y1], color="0.6", linewidth=0.8, zorder=1)
    for k, (x, y) in positions.items():
        leaf = nodes[k][0] < 0
        color = "white"
        if k in on_paths:
            color = "tab:red" if leaf else "gold"
        if k in active:
            color = "tab:green"
        marker = "s" if leaf else "o"
        axis.scatter(x, y, s=55, c=color, edgecolors="black", linewidths=0.7, marker=marker)
    axis.axis("off")
    return figure


def _layout(nodes: Nodes) -> dict[int, tuple[float, float]]:
    """Return a position for each node: leaves from left to right, others above their middle."""
    positions: dict[int, tuple[float, float]] = {}
    count = 0

    def visit(node: int, depth: int) -> float:
        nonlocal count
        joint, upper, lower = nodes[node]
        if joint < 0:
            x, count = float(count), count + 1
        else:
            x = (visit(int(upper), depth + 1) + visit(int(lower), depth + 1)) / 2
        positions[node] = (x, -float(depth))
        return x

    visit(len(nodes) - 1, 0)
    return positions


def figure_4(setup: Setup) -> Made:
    """Draw the time of collision detection by the number of active joints."""
    count = setup.size(RUNS, 1)
    steps = 40 if setup.quick else None
    found: Record = {
        name: runs.measure_scene(name, count, steps, setup.quick) for name in EXPERIMENTS
    }
    made = [tables.figure_table(name, one) for name, one in found.items()]
    texts = "; ".join(f"{name} {_growth(one)}" for name, one in found.items())
    said = f"from one active joint to all, mean of {count} runs: {texts}"
    caption = "time of a query by the number of active joints, whole and by stage"
    return Made(said, made, {caption: plots.figure(found)})


def _growth(scene: Record) -> str:
    """Format the times of a scene with one and with all active joints, and its gain."""
    levels = list(scene["levels"].values())
    few, every = (
        [part[k] for part in plots.stages([one["adaptive"] for one in levels])] for k in (0, -1)
    )
    times = ", ".join(
        f"{stage} {three(low)} to {three(high)} us"
        for stage, low, high in zip(plots.STAGES, few, every, strict=True)
    )
    gain = levels[0]["adaptive"]["whole_us"] / levels[0]["plain"]["whole_us"]
    return f"{times}; with one, {three(gain)} of the time without groups and coherence"
