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
        "A diagram.",
        "The share of each stage replaces the diagram. Here most of the work is to grow clusters"
        " with a proof, because the remaining tests are fast.",
        steps.figure_3,
        plots=True,
    ),
    Exhibit(
        "he-2015/figure-4",
        "leaf clusters and intermediate clusters",
        "A sketch of the hierarchy. By table 2, the airbag has 145 leaf clusters in 32"
        " intermediate clusters.",
        "We make clusters by the printed rules in Python, because the core counts its proven"
        " clusters but does not expose them. Eq. 3 puts the observation point into the surface,"
        " where the slightest concavity ends a cluster. Our observation point lies two edges deep.",
        clusters.figure_4,
    ),
    Exhibit(
        "he-2015/figure-5",
        "hierarchies of leaf clusters, made on demand",
        "A sketch.",
        "The figure has no data. The core splits a leaf cluster when a traversal first reaches it,"
        " but does not count the splits.",
    ),
    Exhibit(
        "he-2015/figure-6",
        "growth of a leaf cluster",
        "Loops of triangles T0, T1, T2 around the first triangle.",
        "A real leaf of the airbag, made by the printed rules.",
        clusters.figure_6,
    ),
    Exhibit(
        "he-2015/figure-7",
        "two neighbors are merged",
        "A sketch of two profiles and their volumes, with and without the last loop.",
        "Two real leaves, with boxes in place of k-DOPs.",
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
        "A bundle of vessels of our own that is squeezed and cut.",
        steps.figure_9,
    ),
    Exhibit(
        "he-2015/table-1",
        "the plain hierarchy and clusters",
        "53 ms to 33 s with clusters, 1.4 to 5 times less than Self-CCD. The column of elementary"
        " tests repeats the total in milliseconds.",
        "Our meshes and motions differ. Times are the mean of a step without contact, a step with"
        " few contacts and a step with many. Self-CCD is not available; our plain hierarchy"
        " replaces it. Our bursting shell replaces the lion (with a quarter of its triangles), the"
        " bunny and the dragon.",
        steps.table_1,
    ),
    Exhibit(
        "he-2015/table-2",
        "sizes of models and of clusters",
        "581 leaf clusters in 116 intermediate clusters for the nidus.",
        "Leaf clusters are counted before merging, and triangles per intermediate cluster, as in"
        " the paper. Our models differ, and our clusters are proven for the whole step.",
        steps.table_2,
    ),
)
