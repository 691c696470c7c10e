"""Queries of a step, alone and in a sequence.

Alone, a step has no past, and its time includes all preparation. In a sequence, the model already
exists and has made the previous step. The data have single steps only, so the previous step is
constructed: it is the same motion, from v0 - (v1 - v0) to v0.
"""

from typing import Any

import numpy as np

import toccata as tc
from toccata_bench.deforming.distance import Array
from toccata_bench.deforming.sources import Step

# The tolerance of Tight Inclusion in ipctk, a length.
TOLERANCE = 1e-6


def ask(step: Step, method: Any, mode: str, threads: int = 1) -> Any:
    """Return the answer to one step, including all preparation, with the tolerance of the peer."""
    options = options_of(method, mode, threads)
    if step.roots is None:
        return tc.deforming_contacts(step.v0, step.v1, step.faces, **options)
    return model_at(step, step.v0, threads).step(step.v1, **options)


def advance(model: tc.DeformingMesh, frame: Array) -> Any:
    """Advance a model to a frame, and return the first contact of that step by auto."""
    return model.step(frame, **options_of("auto", "first", 1))


def options_of(method: Any, mode: str, threads: int) -> dict[str, Any]:
    """Return the options of a step."""
    contacts = "all" if mode == "all" else "first"
    return {"method": method, "contacts": contacts, "tolerance": TOLERANCE, "threads": threads}


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
    """Return the start of the previous step in a sequence: v0 - (v1 - v0)."""
    before: Array = step.v0 - (step.v1 - step.v0)
    return before


def just_cut(step: Step) -> bool:
    """Return whether a crack is closed at the start of a step but not in the frame before.

    The sides of the crack would pass through each other in the previous step. Such a step is
    invalid, so it has no previous step and is not measured in a sequence.
    """
    now, then = step.identity(step.v0), step.identity(frame_before(step))
    both = np.unique(np.column_stack([now, then]), axis=0)
    return not len(both) == len(np.unique(now)) == len(np.unique(then))
