"""Exhibits of Tang, Manocha, Kim 2013."""

from __future__ import annotations

from toccata_bench.papers import tang_rigid as rigid
from toccata_bench.papers import tang_robots as robots
from toccata_bench.papers import tang_volumes as volumes
from toccata_bench.papers.exhibit import Exhibit

EXHIBITS = (
    Exhibit(
        "tang-2013/figure-1",
        "conservative advancement of a line-swept sphere",
        "A sketch of steps towards another body.",
        "The steps are computed by eq. 2 and lemma 4.1 and compared with the core.",
        volumes.figure_1,
        plots=True,
    ),
    Exhibit(
        "tang-2013/figure-2",
        "the directional motion bound",
        "A sketch of the projection in lemma 4.1.",
        "We measure by how much the bound exceeds the true speed, for random motions of parts of"
        " the gear.",
        volumes.figure_2,
        plots=True,
    ),
    Exhibit(
        "tang-2013/figure-3",
        "swept spheres",
        "PSS, LSS and RSS in two dimensions.",
        "Drawn in three dimensions.",
        volumes.figure_3,
    ),
    Exhibit(
        "tang-2013/figure-4",
        "controlling the depth of the front",
        "A sketch of two fronts in one tree: for an exact distance and for an approximate"
        " distance.",
        "We measure front nodes and iterations by the weight w. The core counts front nodes but"
        " does not expose them.",
        rigid.figure_4,
        plots=True,
    ),
    Exhibit(
        "tang-2013/figure-5",
        "the models",
        "Gear 25.6k, club 10.5k (104.8k in table 1), CAD workpiece 2.6k, hammer 1.7k, torus knot"
        " 34.6k, bunnies 70k and 26k.",
        "Models of our own with the counts of table 1. The bunny is Stanford's if its file is"
        " found.",
        rigid.figure_5,
    ),
    Exhibit(
        "tang-2013/figure-6",
        "front nodes, with control and without",
        "Club vs. Club, 200 trials: control saves 82.3 % of N_CA on average.",
        "Our control also skips a node pair if another pair of the front allows only a shorter"
        " step. Our trees have eight children per node.",
        rigid.figure_6,
        plots=True,
    ),
    Exhibit(
        "tang-2013/figure-7",
        "torus knots: iterations, front nodes, contacts",
        "One trial and three graphs over the trials; no numbers in the text.",
        "HCA counts the steps of all node pairs as iterations, C2A the steps of the whole body."
        " Contacts are pairs of triangles within 1e-3 at the first contact.",
        rigid.figure_7,
        plots=True,
    ),
    Exhibit(
        "tang-2013/figure-8",
        "mannequins that walk and exercise",
        "15 links, 20k triangles; chessmen of 101k.",
        "A mannequin and chessmen of our own with the same counts.",
        robots.figure_8,
    ),
    Exhibit(
        "tang-2013/figure-9",
        "a hand grasps a ball",
        "A hand of 21 links and 8k triangles, a sphere of 2k.",
        "A hand of our own with the same counts.",
        robots.figure_9,
    ),
    Exhibit(
        "tang-2013/figure-10",
        "a Puma beside a car",
        "A Puma of 8 links and 1k triangles and a Beetle of 4k, both from the MPK library.",
        "The Beetle is not available. Our car body replaces it, with seven times as many"
        " triangles.",
        robots.figure_10,
    ),
    Exhibit(
        "tang-2013/table-1",
        "rigid models",
        "C2A takes 0.22 to 3.6 ms and HCA 0.15 to 3.4 ms on average, at 2.66 GHz; control gains a"
        " factor of 2 to 28.",
        "Our answers hold in floating point, and Coal verifies them. As in the paper, all trials of"
        " the clubs collide, and two thirds of the other trials. FAST is not available.",
        rigid.table_1,
    ),
    Exhibit(
        "tang-2013/table-2",
        "articulated models",
        "0.38 to 9.79 ms on average, a little less than CATCH.",
        '`method="hca"`; samples by Pinocchio and Coal at 1 mm verify the answers. Local paths of'
        " the arm are random; the share of colliding paths follows from the paper's means. CATCH"
        " is not available.",
        robots.table_2,
    ),
)
