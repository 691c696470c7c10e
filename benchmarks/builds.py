"""Time of the demo scenes in the build without AVX2, divided by the time in the usual build.

The processes of both builds take turns. The shortest time of each scene counts.
"""

import argparse
import json
import os
import subprocess
import sys
from math import prod
from time import monotonic
from typing import Any

MEAN_GOAL, WORST_GOAL = 2.2, 2.6


def measure(seconds: float) -> dict[str, Any]:
    """Return the build of this process, its answers, and the shortest times by scene."""
    import toccata as tc
    from toccata._native import core
    from toccata.scenes import get, names

    scenes = {n: get(n) for n in names() if n.startswith("demo/")}
    meshes = {n: (tc.Mesh(*s.a), tc.Mesh(*s.b)) for n, s in scenes.items()}
    best, toc = dict.fromkeys(scenes, float("inf")), {}
    until = monotonic() + seconds
    while monotonic() < until:
        for name, s in scenes.items():
            for _ in range(3):  # the first run finds the caches full of another scene
                c = tc.first_contact(*meshes[name], s.motion_a, s.motion_b, tolerance=s.tolerance)
                best[name] = min(best[name], c.stats.seconds)
            toc[name] = c.toc.hex()
    return {"module": core.__name__, "best": best, "toc": toc}


def run(simd: str, seconds: float) -> dict[str, Any]:
    """Measure one build in a new process."""
    words = [sys.executable, __file__, "--child", "--seconds", str(seconds)]
    environment = os.environ | {"TOCCATA_SIMD": simd}
    answer: dict[str, Any] = json.loads(subprocess.check_output(words, env=environment))
    return answer


def compare(passes: int, seconds: float) -> int:
    """Print a line for each scene and the mean ratio; return 1 if the builds cannot be compared."""
    runs = [(run("default", seconds), run("baseline", seconds)) for _ in range(passes)]
    usual, plain = runs[0]
    if usual["module"] == plain["module"]:
        print("this processor has only one build")
        return 1
    if usual["toc"] != plain["toc"]:
        print("the builds give different answers")
        return 1
    ratios = []
    print(f"{'':24}{'AVX2':>10}{'baseline':>10}   ratio")
    for scene in usual["best"]:
        us, them = (min(r[i]["best"][scene] for r in runs) * 1e6 for i in (0, 1))
        ratios.append(them / us)
        print(f"{scene:24}{us:7.1f} us{them:7.1f} us{ratios[-1]:8.2f}")
    mean = prod(ratios) ** (1 / len(ratios))
    print(f"geometric mean {mean:.2f} (at most {MEAN_GOAL}), worst {max(ratios):.2f} ", end="")
    print(f"(at most {WORST_GOAL})")
    return 0


def main() -> int:
    """Compare both builds, or print the times of one build if called as a child process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passes", type=int, default=5, help="processes per build")
    parser.add_argument("--seconds", type=float, default=2.0, help="duration of each process")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if not args.child:
        return compare(args.passes, args.seconds)
    print(json.dumps(measure(args.seconds)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
