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
        "The steps are computed by eq. 2 and lemma 4.1, and held against the core.",
        volumes.figure_1,
        plots=True,
    ),
    Exhibit(
        "tang-2013/figure-2",
        "the directional motion bound",
        "A sketch of the projection that lemma 4.1 uses.",
        "In place of the sketch, how much the bound exceeds the true speed on random motions of"
        " parts of the gear: what a volume costs, and what a direction gains.",
        volumes.figure_2,
        plots=True,
    ),
    Exhibit(
        "tang-2013/figure-3",
        "swept spheres",
        "PSS, LSS and RSS in two dimensions.",
        "Drawn in three.",
        volumes.figure_3,
    ),
    Exhibit(
        "tang-2013/figure-4",
        "controlling the depth of the front",
        "A sketch of two fronts in one tree, with an exact and with an approximate distance.",
        "Measured instead: front nodes and iterations by the weight w. Nodes of a front are"
        " counted but cannot be asked for, so the fronts themselves are not drawn.",
        rigid.figure_4,
        plots=True,
    ),
    Exhibit(
        "tang-2013/figure-5",
        "the models",
        "Gear 25.6k, club 10.5k (104.8k in table 1), CAD workpiece 2.6k, hammer 1.7k, torus knot"
        " 34.6k, bunnies 70k and 26k.",
        "Models of our own with the counts of table 1; the bunny is Stanford's where its file is at"
        " hand.",
        rigid.figure_5,
    ),
    Exhibit(
        "tang-2013/figure-6",
        "front nodes, with control and without",
        "Club vs. Club, 200 trials: control leaves out 82.3 % of N_CA on average.",
        "Control also leaves alone what allows a longer step than the front already forbids, and"
        " trees have eight children a node.",
        rigid.figure_6,
        plots=True,
    ),
    Exhibit(
        "tang-2013/figure-7",
        "torus knots: iterations, front nodes, contacts",
        "A trial drawn, and three graphs over the trials; numbers cannot be read off the text.",
        "HCA counts the steps of all its pairs as iterations, C2A those of the whole body. Contacts"
        " are pairs of triangles within 1e-3 at the first contact.",
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
        "A Puma of 8 links and 1k triangles, a Beetle of 4k, both of the MPK library.",
        "The Beetle is not at hand: our car's body takes its place, seven times as many triangles.",
        robots.figure_10,
    ),
    Exhibit(
        "tang-2013/table-1",
        "rigid models",
        "C2A 0.22 to 3.6 ms, HCA 0.15 to 3.4 ms on average at 2.66 GHz; control gains a factor of"
        " 2 to 28.",
        "Answers hold in floating point and are held against coal. Trials that collide make up two"
        " thirds, all of the clubs, as in the paper. FAST takes manifolds only and is not at hand.",
        rigid.table_1,
    ),
    Exhibit(
        "tang-2013/table-2",
        "articulated models",
        "0.38 to 9.79 ms on average, a little less than CATCH.",
        '`method="hca"`, the paper\'s method; judged by samples at 1 mm of pinocchio and coal. The'
        " arm's local paths are drawn at random near each other, by no planner, with as many that"
        " collide as the paper's means imply. CATCH is not at hand.",
        robots.table_2,
    ),
)
