"""How a step is put to toccata: by itself, and as one of a sequence.

By itself, a step has no past: all that is made for it is part of its time. In a sequence, the model
exists and has made the step before. The data hold single steps, so that one is made up: the frame
before is v0 - (v1 - v0), from which the same motion comes to v0 and goes on to v1.
"""

from typing import Any

import numpy as np

import toccata as tc
from toccata_bench.deforming.distance import Array
from toccata_bench.deforming.sources import Step

# The tolerance of ipctk's Tight Inclusion, a length.
TOLERANCE = 1e-6


def ask(step: Step, method: Any, mode: str, threads: int = 1) -> Any:
    """Answer one step with the tolerance of the peer, all that is made for it included."""
    options = options_of(method, mode, threads)
    if step.roots is None:
        return tc.deforming_contacts(step.v0, step.v1, step.faces, **options)
    return model_at(step, step.v0, threads).step(step.v1, **options)


def advance(model: tc.DeformingMesh, frame: Array) -> Any:
    """Move a model on to a frame and return the first contact on the way, by auto."""
    return model.step(frame, **options_of("auto", "first", 1))


def options_of(method: Any, mode: str, threads: int) -> dict[str, Any]:
    """Return a question as options of a step."""
    question = {"method": method, "contacts": "all" if mode == "all" else "first"}
    return {**question, "tolerance": TOLERANCE, "threads": threads}


def model_at(step: Step, frame: Array, threads: int = 1) -> tc.DeformingMesh:
    """Return a model of the step's mesh at a frame."""
    if step.roots is None:
        return tc.DeformingMesh(frame, step.faces, threads=threads)
    # What the mesh was before does not matter, only which vertices were one.
    before = np.zeros((int(step.roots.max(initial=-1)) + 1, 3))
    model = tc.DeformingMesh(before, np.empty((0, 3), dtype=np.int32), threads=threads)
    model.retopologize(frame, step.faces, step.roots)
    return model


def under_way(step: Step) -> tc.DeformingMesh:
    """Return a model that has come to the start of a step from the frame before it."""
    model = model_at(step, frame_before(step))
    advance(model, step.v0)
    return model


def frame_before(step: Step) -> Array:
    """Return where the motion of a step comes from."""
    before: Array = step.v0 - (step.v1 - step.v0)
    return before


def just_cut(step: Step) -> bool:
    """Return whether a crack is still closed at the start and was not in the frame before.

    Going backwards, its sides pass through each other. There was no such step: in a sequence this
    one is the first of its mesh, which has no past.
    """
    now, then = step.identity(step.v0), step.identity(frame_before(step))
    both = np.unique(np.column_stack([now, then]), axis=0)
    return not len(both) == len(np.unique(now)) == len(np.unique(then))
