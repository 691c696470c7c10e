"""Exhibits of Redon, Kheddar, Coquillart 2002. It has no tables."""

from __future__ import annotations

from toccata_bench.papers import redon_rigid as make
from toccata_bench.papers.exhibit import Exhibit

EXHIBITS = (
    Exhibit(
        "redon-2002/figure-1",
        "a car door is positioned precisely",
        "A door of 16,000 triangles in a car of 29,000, without penetration, interactive at 1"
        " GHz; no times.",
        "Our own car and door have the paper's counts, because Renault's models are not public. A"
        " script with tremor replaces the mouse.",
        make.figure_1,
    ),
    Exhibit(
        "redon-2002/figure-2",
        "playing with bunnies",
        "Models of a few thousand triangles, placed and hit slowly and fast; no numbers.",
        "Our bunnies are thrown, not held. The model is a coarse version of the Stanford bunny if"
        " its file is found, and otherwise a hare of our own.",
        make.figure_2,
    ),
    Exhibit(
        "redon-2002/figure-3",
        "a car bounces on a floor",
        "A car skeleton of 29,000 triangles on a large cube, moved by the user; interactive, no"
        " times.",
        "Our car falls without a user. An audit of the log finds no contact, also between its"
        " rows.",
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
        "A script pushes the door 5 cm too far and then moves it in a circle. Every motion is"
        " checked again. A session with 200 substeps per frame ends at the same pose.",
        make.figure_5,
    ),
    Exhibit(
        "redon-2002/figure-6",
        "an engine is removed from the door",
        "20,000 triangles, removed with a mouse.",
        "A motor of 4,000 triangles is behind the panel of a door of 16,000. It must move sideways"
        " before it can be removed.",
        make.figure_6,
    ),
    Exhibit(
        "redon-2002/section-6",
        "coherence, the front of the last query",
        "Coherence tables gain 15 %. A continuous test of two boxes takes a few microseconds, five"
        " times as long as a discrete test.",
        "The motions of the door by the interval method, one by one and in sequence"
        " (`tc.ContactSequence`). Our discrete tests are part of the continuous tests.",
        make.coherence,
        plots=True,
    ),
)
