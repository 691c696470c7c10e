"""Exhibits of Kim, Redon, Kim 2008. It has no tables."""

from __future__ import annotations

from toccata_bench.papers import kim_joints as make
from toccata_bench.papers.exhibit import Exhibit

EXHIBITS = (
    Exhibit(
        "kim-2008/figure-1",
        "two parts and their principal joint",
        "A sketch of transformations between handles.",
        "Drawn are parts of a real body, as the core's assembly tree splits it. The principal"
        " handle of a part is the frame nearest to the ground here, so that no inverse occurs.",
        make.figure_1,
    ),
    Exhibit(
        "kim-2008/figure-2",
        "which nodes of the assembly tree are updated",
        "A sketch: active joints are a top part of the tree; world transforms are computed on the"
        " ways to bodies that may collide.",
        "Drawn from the core's tree of a man; the two links are chosen by us. In a sequence even"
        " less is computed: transforms change only where joints start or stop to move.",
        make.figure_2,
        plots=True,
    ),
    Exhibit(
        "kim-2008/figure-3",
        "the three experiments, rigid groups in colours",
        "Two men of 29 bodies and 16,000 triangles with 15 active joints, a pendulum of 30 bodies"
        " and 16,000 triangles, a man who falls on 44,000 triangles.",
        "Models of our own with the same counts.",
        make.figure_3,
    ),
    Exhibit(
        "kim-2008/figure-4",
        "time of collision detection by active joints",
        "Three graphs that rise with the number of active joints, on 2.19 GHz; the text has no"
        " numbers, and curves cannot be read off it.",
        "The same rise, flatter: boxes of links are so cheap here that most of a query is spent on"
        " hierarchies of links that touch, whoever moves. Five runs for each level, not fifty"
        " (`toccata bench adaptive` makes fifty).",
        make.figure_4,
        plots=True,
    ),
)
