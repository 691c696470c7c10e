"""Exhibits of Redon, Kim, Lin, Manocha 2004."""

from __future__ import annotations

from toccata_bench.papers import redon_robots as make
from toccata_bench.papers import redon_swept as swept
from toccata_bench.papers.exhibit import Exhibit

EXHIBITS = (
    Exhibit(
        "redon-2004/figure-1",
        "a contact that both ends do not show",
        "A Puma of 7 links and 800 triangles among pipes of 38,000: two positions, the motion"
        " between them, the position at first contact.",
        "Arm and pipes are our own; the arm has rounder parts and 3,700 triangles. The motion is"
        " one of 200 random ones by up to 60 degrees, free at both ends; samples of pinocchio and"
        " coal judge it.",
        make.figure_1,
    ),
    Exhibit(
        "redon-2004/figure-2",
        "a link moves in the frame of its parent",
        "A sketch of the notation.",
        "Drawn from the motion of a real link.",
        make.figure_2,
    ),
    Exhibit(
        "redon-2004/figure-3",
        "the pipeline",
        "A diagram of three stages: boxes and exact contacts on the processor, swept volumes on"
        " graphics hardware.",
        "In place of the diagram, what each stage leaves and takes. All three run on one core here;"
        " no graphics hardware is used.",
        make.figure_3,
    ),
    Exhibit(
        "redon-2004/figure-4",
        "what a swept volume consists of",
        "Line-swept spheres at both ends, the ruled surface of the axis, the pipe surfaces of the"
        " caps, all together.",
        "Fitted and tessellated in numpy for the picture, 32 strips in time. The core does not"
        " tessellate the boundary but covers the solid with patches and adds the error to their"
        " radius, so nothing within it is missed; its volumes cannot be asked for from Python.",
        swept.figure_4,
    ),
    Exhibit(
        "redon-2004/figure-5",
        "a Puma, its line-swept spheres, the swept volume of its hand",
        "Three pictures.",
        "Volumes are fitted in numpy by a rule like the core's: the smallest along some axes.",
        swept.figure_5,
    ),
    Exhibit(
        "redon-2004/figure-6",
        "swept volumes cull a link",
        "Of the last two links the volume of one does not touch the environment: it is culled, by"
        " graphics hardware.",
        "What is culled is the core's own decision, told by its counters of stages.",
        swept.figure_6,
    ),
    Exhibit(
        "redon-2004/figure-7",
        "the Puma in the machine room",
        "A partial model of an auxiliary machine room, 1,180 objects, 187,000 triangles.",
        "A room of our own with the same counts.",
        make.figure_7,
    ),
    Exhibit(
        "redon-2004/table-1",
        "stages among pipes, by the angle of a motion",
        "Totals from 24 to 104 ms for motions that collide, 6 to 23 ms for free ones, at 2.4 GHz"
        " with a GeForce FX 5800. Totals of the row of 5 degrees are below the sum of its stages.",
        "Twenty years of processors, no transfer to graphics hardware, tests of eight boxes at a"
        " time. The angle of a motion matters less here; it made a factor of four in the paper.",
        make.table_1,
    ),
    Exhibit(
        "redon-2004/table-2",
        "stages in the machine room, each on and off",
        "Swept volumes pay off for large motions only; without any culling 82 to 649 ms. Totals of"
        " some free rows are not the sums of their stages.",
        "Boxes do nearly all of the culling here: behind them swept volumes cost about what they"
        " save at every angle, where in the paper they pay off at 60 degrees. Without boxes they"
        " save more than half.",
        make.table_2,
    ),
)
