"""Exhibits of Redon, Kheddar, Coquillart 2002. It has no tables."""

from __future__ import annotations

from toccata_bench.papers import redon_rigid as make
from toccata_bench.papers.exhibit import Exhibit

EXHIBITS = (
    Exhibit(
        "redon-2002/figure-1",
        "a car door is positioned precisely",
        "A door of 16,000 triangles in a car of 29,000, without penetration, at interactive rates"
        " on 1 GHz; no times.",
        "The car and the door are our own, with the paper's counts; Renault's models are not"
        " public. The hand is a script that shakes, where the paper's was a mouse.",
        make.figure_1,
    ),
    Exhibit(
        "redon-2002/figure-2",
        "playing with bunnies",
        "Models of a few thousand triangles that are placed, and hit slowly and fast; no numbers.",
        "Bunnies are thrown, not held. Each is the Stanford bunny made coarser where its file is at"
        " hand, and a hare of our own elsewhere.",
        make.figure_2,
    ),
    Exhibit(
        "redon-2002/figure-3",
        "a car bounces on a floor",
        "A car's skeleton of 29,000 triangles bounces on a large cube, moved by the user;"
        " interactive, no times.",
        "Ours falls by itself. The log is audited: no motion of it touches, between rows too.",
        make.figure_3,
        plots=True,
    ),
    Exhibit(
        "redon-2002/figure-4",
        "a highly detailed door",
        "A door of 16,000 triangles.",
        "A door of our own with the same count.",
        make.figure_4,
    ),
    Exhibit(
        "redon-2002/figure-5",
        "the door on its way into the car",
        "Pictures of a session; no penetration ever occurs.",
        "The script brings the door, pushes it 5 cm too far and wriggles; every motion of the path"
        " is checked again, and its end is that of a run with 200 substeps a frame.",
        make.figure_5,
    ),
    Exhibit(
        "redon-2002/figure-6",
        "an engine is removed from the door",
        "20,000 triangles, removed with a mouse.",
        "A motor of 4,000 triangles behind the panel of a door of 16,000: it has to be moved along"
        " before it comes out.",
        make.figure_6,
    ),
    Exhibit(
        "redon-2002/section-6",
        "coherence, the front of the last query",
        "Coherence tables gain 15 %; a continuous test of two boxes takes a few microseconds, five"
        " times a discrete one.",
        "The motions of the door, asked by the interval method alone and in a row"
        " (`tc.ContactSequence`). Discrete tests come free with the continuous ones here, so there"
        " is no factor of five between them to gain from.",
        make.coherence,
        plots=True,
    ),
)
