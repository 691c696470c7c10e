"""Exhibits of Kim, Redon, Kim 2008. It has no tables."""

from __future__ import annotations

from toccata_bench.papers import kim_joints as make
from toccata_bench.papers.exhibit import Exhibit

EXHIBITS = (
    Exhibit(
        "kim-2008/figure-1",
        "two parts and their principal joint",
        "A sketch of transformations between handles.",
        "Drawn from the core's assembly tree. The principal handle of a part is the frame nearest"
        " to the ground, so no inverse occurs.",
        make.figure_1,
    ),
    Exhibit(
        "kim-2008/figure-2",
        "updated nodes of the assembly tree",
        "A sketch: active joints form a top part of the tree; world transforms are computed on"
        " the paths to bodies that may collide.",
        "Drawn from the core's tree of a man, for two links that we chose. In a sequence,"
        " transforms change only where joints start or stop.",
        make.figure_2,
        plots=True,
    ),
    Exhibit(
        "kim-2008/figure-3",
        "the three experiments, rigid groups in colors",
        "Two men of 29 bodies and 16,000 triangles with 15 active joints, a pendulum of 30 bodies"
        " and 16,000 triangles, a man who falls on 44,000 triangles.",
        "Models of our own with the same counts. Only for the men does the paper state the"
        " active joints.",
        make.figure_3,
    ),
    Exhibit(
        "kim-2008/figure-4",
        "time of collision detection by the number of active joints",
        'Three graphs of the whole time, which "gradually increases" with the number of active'
        " joints, averaged over several runs (for example 50), at 2.19 GHz. The text states no"
        " values, no stages and no baseline.",
        "Ours rise, too, but mostly because the motions get harder: instructions rise by factors"
        " of 2.3 to 4.7, and by 2 to 3.3 without groups and coherence (`toccata bench adaptive"
        " --only instructions`). Stages and baseline are our addition; above 27 % of the joints,"
        " our queries use no groups.",
        make.figure_4,
        plots=True,
    ),
)
