"""Deviations of the methods from the papers, for docs/papers.md."""

DEVIATIONS = {
    "redon-2002": """\
- The inclusion function is a first-order expansion with a certified remainder, for all kinds of
  motion. The paper uses interval matrices of a screw.
- The subdivision test uses the *unit* relative velocity, and has the extents of both boxes on its
  right side. The printed test mixes units and never ends for boxes of similar size. After a window
  was cut into 16, its boxes are tested again, because flat boxes would be halved down to the
  tolerance.
- A short window alone proves no contact. Each window is excluded by a certificate, or the bodies
  are within separation + tolerance at its start.
- Discrete tests at both ends are part of the continuous tests, at no extra cost.
- The dynamics computes velocities in place of accelerations and executes only certified motions.
  The printed method is the limit of small steps.""",
    "redon-2004": """\
- Stage 1 uses oriented boxes from certified expansions in place of interval matrices.
- Stage 2 runs on the CPU against the hierarchy of the body, not on graphics hardware. The printed
  stage may miss contacts within its tessellation error. Ours adds this error to the radius. In eq.
  11, tangents replace chords, because tangents need only one time per window.
- Stage 3 takes windows in the order of time, so nothing after the first contact is tested. Motions
  are expanded once per link and window. The cost of an equation therefore does not grow with the
  depth of the chain.
- Swept volumes cover only surfaces. Whether a body starts inside a solid is therefore tested for
  all pairs that stage 1 leaves.""",
    "kim-2008": """\
- The principal handle of a part is its frame nearest to the ground. In the paper, it is the frame
  at which the parent's joint attaches. All our transforms are products from the ground outward,
  without inverses. (The printed products have misprints.)
- A transform starts at the last active joint on its path. It changes only when a joint on the path
  starts, stops or has another coordinate. While the same joints move, nothing in the tree is
  updated.
- If more than 27 % of the joints move, queries group no links and use no tree, which is faster. The
  paper uses its tree for any number of active joints.
- Bounds along chains of active joints are the default. `enclosures="intervals"` selects the paper's
  interval matrices.
- Culling resumes at the front of the last query: pairs of nodes of the tree, or pairs of links with
  the travel after which they may touch. In the paper, the boxes of all bodies are compared. Links
  of the same rigid group are tested against each other once.
- The exact stage is best-first advancement. `exact="interval"` selects interval arithmetic.
- The dynamics runs the articulated-body algorithm on rigid groups. The paper's balanced
  divide-and-conquer form is slower on one processor. Contacts may activate joints.""",
    "tang-2013": """\
- Algorithm 3 has two misprints. Our version keeps the *smaller* time in line 3, and returns the
  current time.
- Bounds use the remaining window, not the whole motion. Rate, acceleration and jerk give a cubic.
  The bounds of two rotating bodies are added. Their relative motion is not reduced to the motion of
  one body.
- Trees have eight children per node. C2A uses oriented boxes, which fit flat parts better than
  swept spheres. HCA uses swept spheres.
- Control also skips a node pair if another pair of the front allows only a shorter step. After 24
  iterations, or within 2 % of the smaller radius, w becomes 1. If the budget runs out, the answer
  is UNDECIDED.
- Rotating motions are split radian by radian, and triangles are advanced to half the tolerance
  before contact.
- For robots, a second-order expansion with a remainder replaces the Taylor models. Beyond its
  window, the chain bound of eq. 14 continues, with 96 directions per frame. Upper bounds come from
  the triangles at the end of the earliest branch, not from random triangles. Moving bodies of the
  world have no chain bound.
- `"auto"` is a best-first traversal with cross products of axes and one queue for all pairs. The
  queue is the temporal culling of algorithm 4 in a single pass.""",
    "he-2015": """\
- The criterion is proven for the whole step, not at one time. Projected areas are quadratic in time
  and checked by their Bernstein coefficients.
- If all triangles face away from one point, self-contact is still possible, because a patch may
  wind around the point. Here a boundary must also turn exactly once around an axis through the
  moving point, with no triangle behind the point; a closed patch must cover one direction once.
- A second view, along a direction, moves the observation point to infinity. Its conditions are
  quadratic and cheaper, so patches grow with it. The view from a point certifies fragments and
  merged clusters.
- The proof includes the separation: all projected heights, or angles, must exceed it.
- Merging replaces algorithms 1 and 2 and lemma 1. As printed, the lemma compares the last loops
  with one point at one time and assumes the rest apart because volumes are disjoint; volumes of
  neighbors overlap, and the loops may wind around the point. Our merging certifies the union by one
  view, which needs no volumes and gives a proof for the whole step.
- Adjacent triangles are oriented consistently first, so the mesh need not have consistent normals.
- Leaf clusters are patches that grow as far as their proof allows, not in whole loops. Clusters
  merged from them are cut into blocks of about 128 faces, whose trees are built on demand.
- Bridges are patches across the seams of clusters. They skip pairs of neighbors. The paper has no
  bridges.
- `"auto"` keeps clusters from step to step and proves them again. `"clusters"` rebuilds them, as in
  the paper.
- Each vertex-face and edge-edge pair is tested once, and each test is certified.""",
}
"""Markdown lists by paper."""
