"""The peak memory of one step: `python -m toccata.bench.deforming.memory STEP.npz first|all`.

A process has one peak only, so the step gets a process of its own; what the interpreter and the
arrays of the step take is measured before, and printed beside.
"""

import json
import sys

import numpy as np


def peak() -> int:
    """Return the largest memory this process has held so far, in bytes."""
    import resource

    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held if sys.platform == "darwin" else 1024 * held


def main(path: str, mode: str) -> None:
    """Run the step and print the peak before and after it."""
    import toccata as tc

    with np.load(path) as data:
        v0, v1, faces = data["v0"], data["v1"], data["faces"]
    before = peak()
    step = tc.deforming_contacts(v0, v1, faces, method="auto", all_contacts=mode == "all")
    found = {"before": before, "peak": peak(), "triangles": len(faces), "status": step.status.name}
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
