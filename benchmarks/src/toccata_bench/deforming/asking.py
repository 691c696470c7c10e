"""Queries of a step, by itself and as part of a sequence.

By itself, a step has no past, and everything that it needs is part of its time. In a sequence, the
model exists and has made the step before. The data have single steps, so the step before is made
up: from v0 - (v1 - v0), the same motion leads to v0 and on to v1.
"""

from typing import Any

import numpy as np

import toccata as tc
from toccata_bench.deforming.distance import Array
from toccata_bench.deforming.sources import Step

# The tolerance of Tight Inclusion in ipctk, a length.
TOLERANCE = 1e-6


def ask(step: Step, method: Any, mode: str, threads: int = 1) -> Any:
    """Return the answer to one step with the tolerance of the peer, all preparation included."""
    options = options_of(method, mode, threads)
    if step.roots is None:
        return tc.deforming_contacts(step.v0, step.v1, step.faces, **options)
    return model_at(step, step.v0, threads).step(step.v1, **options)


def advance(model: tc.DeformingMesh, frame: Array) -> Any:
    """Advance a model to a frame, and return the first contact of that step by auto."""
    return model.step(frame, **options_of("auto", "first", 1))


def options_of(method: Any, mode: str, threads: int) -> dict[str, Any]:
    """Return a query as options of a step."""
    question = {"method": method, "contacts": "all" if mode == "all" else "first"}
    return {**question, "tolerance": TOLERANCE, "threads": threads}


def model_at(step: Step, frame: Array, threads: int = 1) -> tc.DeformingMesh:
    """Return a model with the mesh of a step at a frame."""
    if step.roots is None:
        return tc.DeformingMesh(frame, step.faces, threads=threads)
    # Only the identity of vertices matters here, not the earlier mesh.
    before = np.zeros((int(step.roots.max(initial=-1)) + 1, 3))
    model = tc.DeformingMesh(before, np.empty((0, 3), dtype=np.int32), threads=threads)
    model.retopologize(frame, step.faces, step.roots)
    return model


def model_in_sequence(step: Step) -> tc.DeformingMesh:
    """Return a model that has arrived at the start of a step from the frame before it."""
    model = model_at(step, frame_before(step))
    advance(model, step.v0)
    return model


def frame_before(step: Step) -> Array:
    """Return the frame from which the motion of a step comes."""
    before: Array = step.v0 - (step.v1 - step.v0)
    return before


def just_cut(step: Step) -> bool:
    """Return whether a crack is closed at the start but not in the frame before.

    Its sides would then pass through each other before the start. No such step exists, so
    the step is the first one of its mesh in the sequence.
    """
    now, then = step.identity(step.v0), step.identity(frame_before(step))
    both = np.unique(np.column_stack([now, then]), axis=0)
    return not len(both) == len(np.unique(now)) == len(np.unique(then))
