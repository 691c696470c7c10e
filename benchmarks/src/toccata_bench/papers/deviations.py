"""Deviations of the methods from the papers, for docs/papers.md."""

DEVIATIONS = {
    "redon-2002": """\
- The inclusion function is a first-order expansion with a certified remainder, for all kinds of
  motion, in place of interval matrices of a screw.
- The subdivision test uses the *unit* relative velocity and the extents of both boxes on the right
  side. As printed it mixes units and never ends for boxes of similar size. After a window was cut
  into 16, boxes are tested again, since flat ones would be halved down to the tolerance.
- A root is never accepted because its window is short: the window is excluded by a certificate, or
  its start is within separation + tolerance.
- Discrete tests at both ends are part of the continuous ones, at no extra cost.
- Dynamics: velocities in place of accelerations; only certified motions are executed. The printed
  method is the limit of small steps.""",
    "redon-2004": """\
- Stage 1 uses oriented boxes from certified expansions in place of interval matrices.
- Stage 2 runs on the CPU against the hierarchy of the body, not on graphics hardware. The printed
  stage may miss contacts within its tessellation error; here the error is added to the radius.
  Tangents replace chords in eq. 11, because they need one time per window.
- Stage 3 takes windows in the order of time, so nothing after the first contact is tested. Motions
  are expanded once per link and window, so the cost of an equation does not grow with the depth of
  the chain.
- Bodies that start inside a solid are tested for all pairs that stage 1 leaves, because swept
  volumes only cover surfaces.""",
    "kim-2008": """\
- The principal handle of a part is its frame nearest to the ground, not the frame at which the
  parent's joint attaches. All transforms are products from the ground outward, without inverses.
  (The printed products have misprints.)
- Transforms start at the last active joint and change only when a joint starts, stops or has
  another number; while the same joints move, nothing in the tree is updated.
- Bounds along chains of active joints are the default; the paper's interval matrices are
  `enclosures="intervals"`.
- Culling resumes at the front of the last query. Links of one group are tested against each other
  once.
- The dynamics runs the articulated-body algorithm on rigid groups, not the balanced
  divide-and-conquer form, which is slower on one processor. Contacts may activate joints.""",
    "tang-2013": """\
- Algorithm 3 has two misprints: the *smaller* time is kept in line 3, and the current time is
  returned.
- Bounds use the remaining window, not the whole motion: rate, acceleration and jerk give a cubic.
  Bounds of two rotating bodies are added; a relative motion is not folded into one body.
- Trees have eight children per node. C2A uses oriented boxes, which fit flat parts better than
  swept spheres; HCA uses swept spheres.
- Control also skips node pairs that allow a longer step than the front already forbids. After 24
  iterations or within 2 % of the smaller radius, w becomes 1. Running out of iterations never turns
  into an answer.
- Motions with rotation are split radian by radian, and triangles are advanced to half the tolerance
  before contact.
- Articulated: a second-order expansion with remainder replaces the Taylor models; beyond its window
  the chain bound of eq. 14 continues, with 96 directions per frame. Upper bounds come from the
  triangles at the end of the earliest branch, not from random ones. Bodies of the world that move
  have no chain bound.
- `"auto"` is best first, with cross products of axes and one queue for all pairs: the temporal
  culling of algorithm 4 in a single pass.""",
    "he-2015": """\
- The criterion is proven for the whole step, not at one time: projected areas are quadratic in time
  and checked by their Bernstein coefficients.
- Triangles that face away from one point do not exclude self-contact, since a patch may wind around
  the point. Here the boundary of the patch must also turn exactly once around a moving point.
- The proof includes the separation: then projected heights must exceed it.
- Patches grow as far as they can, are merged, and are cut into leaf clusters of about 128 faces.
- Bridges, patches across the seams of clusters, skip pairs of neighbors; the paper has none.
- `"auto"` keeps clusters from step to step and proves them again; `"clusters"` rebuilds them, as in
  the paper.
- Each vertex-face and edge-edge pair is tested once, and each test is certified.""",
}
"""Markdown lists by paper."""
