"""Checks an installed wheel: runs queries with known answers on every build of the core."""

import os
import subprocess
import sys
from importlib.metadata import files
from pathlib import Path

import numpy as np

import toccata as tc
from toccata._native import core


def cube() -> tc.Mesh:
    """Return a cube with edges of length 1, centered at the origin."""
    corners = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]) - 0.5
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return tc.Mesh(corners, [half for a, b, c, d in quads for half in ((a, b, c), (a, c, d))])


def check(name: str, got: object, expected: object) -> None:
    """Exit with a message unless both values are equal."""
    if got != expected:
        sys.exit(f"{name}: expected {expected}, got {got}")


def check_queries() -> None:
    """Check a cube that moves from x = 4 through a cube at the origin, and one that moves past it.

    The first motion touches at time 3/8. The second motion never touches.
    """
    a, start = cube(), tc.pose((4, 0, 0))
    for method in ("auto", "hca", "c2a", "interval"):
        hit = tc.first_contact(a, a, tc.Motion.linear(start, tc.pose((-4, 0, 0))), method=method)
        check(f"{method}: status", hit.status, tc.Status.CONTACT)
        check(f"{method}: time", bool(3 / 8 - 1e-6 < hit.toc <= 3 / 8), True)
        miss = tc.first_contact(a, a, tc.Motion.linear(start, tc.pose((4, 9, 0))), method=method)
        check(f"{method}: status", miss.status, tc.Status.FREE)
    triangles = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)] * 2, dtype=float)
    triangles[3:, 2] = 1
    step = tc.deforming_contacts(triangles, triangles * (1, 1, -1), [(0, 1, 2), (3, 4, 5)])
    check("deforming: status", step.status, tc.Status.CONTACT)


def main() -> None:
    """Check the core that this processor uses, and the core for all processors."""
    package = Path(tc.__file__).parent
    check("stub of the core", (package / "_core.pyi").is_file(), True)
    notices = {file.name for file in files("toccata") or () if "licenses" in file.parts}
    check("notices", notices, {"LICENSE", "nanobind.txt", "robin_map.txt"})
    shipped = {file.parts[1] for file in files("toccata") or () if file.parts[0] == "toccata"}
    check("benchmarks in the wheel", "bench" in shipped, False)
    check_queries()
    print(f"{core.__name__} gives the right answers: {package}")
    if os.environ.get("TOCCATA_SIMD") != "baseline":
        baseline = {**os.environ, "TOCCATA_SIMD": "baseline"}
        subprocess.run([sys.executable, __file__], env=baseline, check=True)
        subprocess.run([sys.executable, "-m", "toccata", "--version"], check=True)


if __name__ == "__main__":
    main()
