"""Studies beyond the table of methods: threads, overhead, growth with size, and building."""

from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

import toccata as tc
from toccata.scenes.models import box
from toccata_bench import fits
from toccata_bench.averages import geometric_mean
from toccata_bench.goal import Goal, at_least, at_most
from toccata_bench.peers import CoalPair, optional
from toccata_bench.protocol import TOLERANCE, Case, best, run_batch, time_batch
from toccata_bench.record import cores
from toccata_bench.verify import Oracle, WrongAnswer, is_contact

BATCH = 10_000
# Loops on coal are slow with half a million triangles, so few trials per size are verified.
CONFIRMED = 10
ROUNDS = 5
"""Rounds of the study of growth."""
SIZES = tuple(4_000 * 2**k for k in range(8))


def scaling(case: Case) -> dict[str, Any]:
    """Return queries per second of a batch on one and on two threads; answers must be equal."""
    rounds = -(-BATCH // len(case.start))
    start, end = (np.tile(poses, (rounds, 1, 1))[:BATCH] for poses in (case.start, case.end))
    large = Case(case.name, case.a, case.b, start, end)
    check_equal(case.name, run_batch(large, "auto", 1), run_batch(large, "auto", 2))
    one, two = (BATCH / best(partial(run_batch, large, "auto", threads)) for threads in (1, 2))
    return {"model": case.name, "queries": BATCH, "rate_1": one, "rate_2": two, "cores": cores()}


def overhead() -> float:
    """Return microseconds per query of a batch whose bodies are far apart."""
    cube = tc.Mesh(*box())
    start = np.tile(tc.pose(translation=(100.0, 0.0, 0.0)), (BATCH, 1, 1))
    end = np.tile(tc.pose(translation=(101.0, 0.0, 0.0)), (BATCH, 1, 1))
    apart = Case("apart", cube, cube, start, end)
    if is_contact(run_batch(apart, "auto")).any():
        raise WrongAnswer("overhead: boxes that are far apart are reported in contact")
    mean = time_batch(apart, "auto")
    assert mean is not None
    return mean


def growth(models: dict[int, tc.Mesh], case: Case, peers: bool) -> dict[str, Any]:
    """Time the trials of a case on the same shape at doubling sizes; verify some of them.

    The sizes take turns, so that a slow phase of the machine affects all of them.
    """
    grown = {
        size: Case(f"{case.name} with {size} triangles", mesh, mesh, case.start, case.end)
        for size, mesh in models.items()
    }
    if peers and optional("coal"):
        for one in grown.values():
            confirm(one.subset(np.arange(len(case.start)) < CONFIRMED))
    rounds = [{size: time_batch(one, "auto") for size, one in grown.items()} for _ in range(ROUNDS)]
    means = {size: min((r[size] for r in rounds), key=lambda us: us or 0.0) for size in grown}
    steps = [float(b / a) for a, b in pairwise(means.values()) if a and b]
    return {"mean_us": means, "steps": steps, "average": geometric_mean(steps)}


def confirm(case: Case) -> None:
    """Compare answers of auto with coal on a few trials."""
    oracle = Oracle(CoalPair(case.a, case.b), case.sweeps(), TOLERANCE)
    oracle.check(case.name, run_batch(case, "auto"))


def check_equal(label: str, one: Any, other: Any) -> None:
    """Raise WrongAnswer unless answers on one and on several threads are equal bit by bit."""
    for name in ("status", "toc"):
        if not np.array_equal(getattr(one, name), getattr(other, name)):
            raise WrongAnswer(f"{label}: {name} depends on the number of threads")


def build(vertices: Any, faces: Any) -> dict[str, float]:
    """Time a model from arrays to its first answer, and return its bytes per triangle.

    The first query is included, because it may build structures on demand.
    """
    apart = tc.Motion.fixed(tc.pose(translation=(100.0, 0.0, 0.0)))

    def work() -> None:
        mesh = tc.Mesh(vertices, faces)
        tc.first_contact(mesh, mesh, apart)

    mesh = tc.Mesh(vertices, faces)
    return {"triangles": len(faces), "seconds": best(work), "bytes": mesh.nbytes / len(faces)}


def goals(studies: dict[str, Any]) -> list[Goal]:
    """Return the goals of the measured studies."""
    threads = at_least("2 threads / 1 thread", 1.8, "x")
    idle = at_most("overhead per query of a batch", 1.0, " us")
    call = at_most("overhead of a single call that reads all attributes", 4.0, " us")
    make = at_most("time of pose and Motion.twist together", 6.0, " us")
    grows = at_most("growth per doubling of the triangles", 1.25, "x")
    build = at_most("build of 100k triangles", 0.5, " s")
    memory = at_most("bytes per triangle", 300.0)
    if found := studies.get("scaling"):
        threads.add(found["model"], found["rate_2"] / found["rate_1"])
    idle.add("boxes", studies.get("overhead_us"))
    if found := studies.get("calls"):
        call.add("ball and box", found["beyond_query_us"])
        make.add("one call each", found["make_us"])
    if found := studies.get("growth"):
        grows.add("average", found["average"])
        grows.add("worst doubling", max(found["steps"]))
    if found := studies.get("build"):
        build.add("torus knot", found["seconds"])
        memory.add("torus knot", found["bytes"])
    fitted = fits.goals(studies["fits"]) if studies.get("fits") else []
    return [threads, idle, call, make, grows, *fitted, build, memory]
