"""Exhibits of Redon, Kim, Lin, Manocha 2004."""

from __future__ import annotations

from toccata_bench.papers import redon_robots as make
from toccata_bench.papers import redon_swept as swept
from toccata_bench.papers.exhibit import Exhibit

EXHIBITS = (
    Exhibit(
        "redon-2004/figure-1",
        "a contact that is invisible at both ends",
        "A Puma of 7 links and 800 triangles among pipes of 38,000.",
        "Our own arm (rounder, 3,700 triangles) and pipes. The motion is one of 200 random motions"
        " of up to 60 degrees. Samples by Pinocchio and Coal verify its contact.",
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
        "A diagram of three stages; swept volumes run on graphics hardware.",
        "Counts and times of each stage replace the diagram. All stages run on one core.",
        make.figure_3,
    ),
    Exhibit(
        "redon-2004/figure-4",
        "parts of a swept volume",
        "Line-swept spheres at both ends, the ruled surface of the axis, the pipe surfaces of the"
        " caps.",
        "The picture is fitted and tessellated in NumPy. The core covers the whole solid with"
        " patches and adds the error to their radius.",
        swept.figure_4,
    ),
    Exhibit(
        "redon-2004/figure-5",
        "a Puma, its line-swept spheres, the swept volume of its hand",
        "Three pictures.",
        "The volumes are fitted in NumPy, by a rule like the core's.",
        swept.figure_5,
    ),
    Exhibit(
        "redon-2004/figure-6",
        "swept volumes cull a link",
        "The volume of one of the last two links does not touch the environment; graphics hardware"
        " culls this link.",
        "The core decides which link is culled, and its stage counters show the decision.",
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
        "24 to 104 ms for colliding motions, 6 to 23 ms for free motions, at 2.4 GHz with a"
        " GeForce FX 5800. Totals at 5 degrees are below the sum of the stages.",
        "We use newer processors, no transfer to graphics hardware, and eight boxes per test. The"
        " angle matters less here. In the paper it makes a factor of four.",
        make.table_1,
    ),
    Exhibit(
        "redon-2004/table-2",
        "stages in the machine room, each switched on and off",
        "Swept volumes help large motions only; 82 to 649 ms without any culling. Some totals of"
        " free rows are not the sums of their stages.",
        "Boxes do nearly all of the culling here. After the boxes, swept volumes cost as much time"
        " as they save. Without the boxes, they save more than half.",
        make.table_2,
    ),
)
