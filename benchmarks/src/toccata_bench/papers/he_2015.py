"""Exhibits of He, Ortiz, Enquobahrie, Manocha 2015."""

from __future__ import annotations

from toccata_bench.papers import he_clusters as clusters
from toccata_bench.papers import he_steps as steps
from toccata_bench.papers.exhibit import Exhibit

EXHIBITS = (
    Exhibit(
        "he-2015/figure-1",
        "an airbag",
        "About 9K triangles; 1.1 s per query on one core at 3.3 GHz.",
        "An airbag of our own unfolds around a wheel. The paper's frames are not public. Their"
        " time per query suggests that they have far more contacts than ours.",
        steps.figure_1,
    ),
    Exhibit(
        "he-2015/figure-2",
        "a car crash",
        "1.1 to 1.2 million triangles; about 15 s.",
        "The front of a car of our own folds against a wall and tears. The picture has fewer"
        " triangles than the measurement.",
        steps.figure_2,
    ),
    Exhibit(
        "he-2015/figure-3",
        "the stages of the method",
        "A diagram. By table 1, dynamic clustering takes 1 to 32 % of a query.",
        "The share of each stage replaces the diagram. Our share of clustering is larger, because"
        " the other stages shrink more: certified clusters and bridges leave few tests.",
        steps.figure_3,
        plots=True,
    ),
    Exhibit(
        "he-2015/figure-4",
        "leaf clusters and intermediate clusters",
        "A sketch of the hierarchy. By table 2, the airbag has 145 leaf clusters in 32"
        " intermediate clusters.",
        "The core's clusters, which are proven for the whole step. Eq. 3 puts the observation point"
        " into the surface, where the slightest concavity ends a cluster; ours lies inside, or"
        " infinitely far away.",
        clusters.figure_4,
    ),
    Exhibit(
        "he-2015/figure-5",
        "hierarchies of leaf clusters, made on demand",
        "A sketch.",
        "The boxes around the core's clusters of the airbag. The tree below them is made of blocks"
        " of about 128 triangles, each split when a traversal first reaches it, not of leaf"
        " clusters.",
        clusters.figure_5,
        plots=True,
    ),
    Exhibit(
        "he-2015/figure-6",
        "growth of a leaf cluster",
        "Loops of triangles T0, T1, T2 around the first triangle.",
        "A leaf cluster of the core. Its loops are counted across sides from its middle triangle:"
        " our patches take single triangles, not whole loops.",
        clusters.figure_6,
    ),
    Exhibit(
        "he-2015/figure-7",
        "two neighbors are merged",
        "A sketch of two profiles and their volumes, with and without the last loop.",
        "Two leaves that the core merged, because one view certifies both. The boxes, in place of"
        " k-DOPs, show the paper's condition, which is not ours.",
        clusters.figure_7,
        plots=True,
    ),
    Exhibit(
        "he-2015/figure-8",
        "models that deform and change their topology",
        "Pictures from simulations by other authors.",
        "Models of our own, because the frames of those simulations are not public in this form.",
        steps.figure_8,
    ),
    Exhibit(
        "he-2015/figure-9",
        "the nidus",
        "33K triangles; 56 ms per query (53 ms in table 1).",
        "A bundle of vessels of our own, in the paper's two versions: deformed, and cut. Ours is"
        " faster, partly because of the processor.",
        steps.figure_9,
    ),
    Exhibit(
        "he-2015/table-1",
        "the plain hierarchy and clusters",
        "53 ms to 33 s with clusters, 1.4 to 5 times less than Self-CCD. The column of elementary"
        " tests repeats the total in milliseconds.",
        "Our meshes and motions differ. Times are the mean of a step without contact, a step with"
        " few contacts and a step with many. Self-CCD is not available; our plain hierarchy"
        " replaces it. A bursting shell replaces the lion (with a quarter of its triangles), and"
        " 3,300 fragments of 80 triangles replace the bunny and the dragon. In the paper, the gain"
        " falls with the number of sub-objects. Ours does not, because one view certifies a whole"
        " fragment.",
        steps.table_1,
    ),
    Exhibit(
        "he-2015/table-2",
        "sizes of models and of clusters",
        "581 leaf clusters in 116 intermediate clusters for the nidus.",
        "Leaf clusters are counted before merging, and triangles per intermediate cluster, as in"
        " the paper. Our models differ. Our clusters are proven for the whole step, so noisy"
        " surfaces have more of them; smooth fragments are single clusters.",
        steps.table_2,
    ),
)
