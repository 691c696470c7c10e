"""Peak memory of one step: `python -m toccata_bench.deforming.memory STEP.npz first|all`.

The peak of a process cannot be reset, so the step gets its own process. The memory of interpreter
and arrays before the step is printed, too.
"""

import json
import sys
from pathlib import Path

from toccata_bench.deforming.asking import ask
from toccata_bench.deforming.child import load


def peak() -> int:
    """Return the peak memory of this process so far, in bytes.

    On Linux, `ru_maxrss` includes memory of the parent from before the start of this process; the
    status of the process does not.
    """
    status = Path("/proc/self/status")
    if status.exists():
        found = [line for line in status.read_text().splitlines() if line.startswith("VmHWM:")]
        return 1024 * int(found[0].split()[1])
    import resource

    held = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return held if sys.platform == "darwin" else 1024 * held


def main(path: str, mode: str) -> None:
    """Run the step and print the peak before and after it."""
    step = load(path)
    before = peak()
    answer = ask(step, "auto", mode)
    found = {"before": before, "peak": peak(), "triangles": len(step.faces)}
    print(json.dumps({**found, "status": answer.status.name}), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
