"""Studies beyond single motions: batches, long chains, stages of the papers, and loading."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np

import toccata as tc
from toccata._robot.parts import Joint, Link
from toccata.scenes.primitives import box, torus
from toccata.scenes.robots import chain, puma
from toccata_bench.clock import best, best_in_turn
from toccata_bench.peers import optional
from toccata_bench.protocol import best as elapsed
from toccata_bench.record import Record
from toccata_bench.robots.ask import STAGES, first_contacts
from toccata_bench.robots.cases import Case, Motions, divide
from toccata_bench.robots.sampling import Sampler
from toccata_bench.robots.urdf_files import write_robot
from toccata_bench.robots.verify import Judge
from toccata_bench.scenes.installed import installed_source
from toccata_bench.studies import check_equal
from toccata_bench.verify import WrongAnswer

BATCH = 10_000
CHAINS = (10, 100)
CHAIN_ANGLES = (1, 5)
TRIANGLES = 100_000
STAGE_FIELDS = ("seconds_hierarchy", "seconds_culling", "seconds_exact")
STAGE_MOTIONS = 25
SHORT_ROUNDS = 7
"""Rounds of short work, which is easily disturbed."""
OVERHEAD_ROUNDS = 50
"""Rounds of a batch without contacts, which takes a fiftieth of a second."""
SAMPLED = 3
"""Motions of a chain compared with samples; a chain of 100 links takes long."""


def batch(case: Case, size: int = BATCH) -> Record:
    """Return the times of a large batch on one and on two threads; answers must be equal."""
    motions = [some for kinds in case.levels.values() for some in kinds.values()]
    start, end = (np.concatenate([getattr(m, e) for m in motions]) for e in ("start", "end"))
    keep = np.arange(size) % len(start)

    def ask(threads: int) -> Any:
        return case.robot.first_contact_batch(start[keep], end[keep], case.world, threads=threads)

    check_equal(case.name, ask(1), ask(2))
    one, two = best_in_turn([partial(ask, n) for n in (1, 2)], SHORT_ROUNDS, perf_counter)
    return {
        "motions": size,
        "threads_1_us": 1e6 * one / size,
        "threads_2_us": 1e6 * two / size,
    }


def overhead(size: int = BATCH) -> float:
    """Return microseconds per motion of a batch whose only body is far away.

    Every motion has this cost: to check configurations, to place the seven links, to compare their
    boxes with the world, and to write the answer.
    """
    robot, world = puma(), tc.Scene()
    world.add("far", tc.Mesh(*box()), tc.pose(translation=(100.0, 0.0, 0.0)))
    start = robot.random_configurations(size)

    def ask() -> Any:
        return robot.first_contact_batch(start, start + 0.1, world, self_contact=False, threads=1)

    if (ask().status != tc.Status.FREE).any():
        raise WrongAnswer("overhead: contact with a body far away")
    return 1e6 * best(ask, OVERHEAD_ROUNDS) / size


def chains(count: int, peers: bool) -> Record:
    """Time free motions of snakes with few and with many links, including self-contact."""
    found: Record = {}
    for angle in CHAIN_ANGLES:
        for links in CHAINS:
            case = chain_case(links, angle, count)
            free = case.levels["all"]["free"]
            if peers:
                check_samples(case, free[:SAMPLED])
            mean = 1e6 * best(partial(first_contacts, case, free, {})) / len(free)
            found.setdefault(f"{angle} deg", {})[f"{links}_us"] = mean
    return found


def chain_case(links: int, angle: float, count: int) -> Case:
    """Return a slightly bent snake whose joints turn by up to an angle in degrees."""
    robot = chain(links)
    rng = np.random.default_rng(links)
    start = rng.uniform(-0.1, 0.1, (4 * count, robot.dof))
    change = rng.uniform(-1.0, 1.0, start.shape) * np.radians(angle)
    free = divide(robot, None, Motions(start, start + change))["free"][:count]
    return Case(f"chain of {links}", robot, None, {"all": {"free": free}})


def check_samples(case: Case, motions: Motions) -> None:
    """Compare the answers of auto to a few free motions with samples at 10 mm."""
    sampler = Sampler(case.robot, case.world, motions.start)
    samples = sampler.prepare(motions, sampler.counts(motions, 0.010), in_order=True)
    judge = Judge(case, motions, "free")
    judge.use(sampler.model, sampler.first_of_all(samples))
    judge.check("auto", first_contacts(case, motions, {}))


def stages(case: Case, count: int = STAGE_MOTIONS) -> Record:
    """Time the interval method with stages on and off, as in Redon et al. 2004, tables 1 and 2."""
    rows = {row: {"method": "interval", "stages": names} for row, names in STAGES.items()}
    found: Record = {}
    for label, kinds in case.levels.items():
        found[label] = {row: {} for row in rows}
        for kind, motions in kinds.items():
            if not len(motions):
                continue
            for row, one in _stage_rows(case, motions[:count], kind, rows).items():
                found[label][row][kind] = one
    return found


def _stage_rows(
    case: Case, motions: Motions, kind: str, rows: dict[str, Record]
) -> dict[str, Record]:
    """Verify all rows, then time them in turn."""
    for row, how in rows.items():
        Judge(case, motions, kind).check(f"interval {row}", first_contacts(case, motions, how))
    rounds: dict[str, list[list[tuple[float, Any]]]] = {row: [] for row in rows}
    for _ in range(SHORT_ROUNDS):
        for row, how in rows.items():
            rounds[row].append([_timed(case, one, how) for one in motions.each()])
    return {row: _stage_means(some) for row, some in rounds.items()}


def _timed(case: Case, motion: Motions, how: Record) -> tuple[float, Any]:
    """Return the seconds of one motion, and its counters."""
    begin = process_time()
    (answer,) = first_contacts(case, motion, how)
    return process_time() - begin, answer.stats


def _stage_means(rounds: list[list[tuple[float, Any]]]) -> Record:
    """Return the mean time of a motion and of its stages, and the pairs after each stage.

    The least disturbed round of each motion counts. The core times its stages by the wall clock;
    their sum is limited to the processor time.
    """
    motions = list(zip(*rounds, strict=True))
    total = float(np.mean([min(seconds for seconds, _ in some) for some in motions]))
    stats = [min((one for _, one in some), key=_staged) for some in motions]
    names = (*STAGE_FIELDS, "pairs_after_hierarchy", "pairs_after_culling")
    means = {name: float(np.mean([getattr(one, name) for one in stats])) for name in names}
    busy = min(1.0, total / (sum(means[field] for field in STAGE_FIELDS) or total))
    means |= {field: busy * means[field] for field in STAGE_FIELDS}
    return {"seconds": total, **means}


def _staged(stats: Any) -> float:
    return float(sum(getattr(stats, field) for field in STAGE_FIELDS))


def loading() -> Record:
    """Time URDF files from file to first answer by the wall clock."""
    found: Record = {}
    if optional("trimesh") is None:
        return found
    with TemporaryDirectory() as temporary:
        path = write_robot(Path(temporary), ring_arm(TRIANGLES))
        found["made by code"] = _load(lambda: tc.Robot.from_urdf(path))
    try:
        source = installed_source("human")
        folder = source.folder()
    except (ModuleNotFoundError, FileNotFoundError):
        return found
    dirs = (folder, folder.parent, folder.parent.parent)
    found["human"] = _load(
        lambda: tc.Robot.from_urdf(folder / source.urdf, package_dirs=dirs, geometry="visual")
    )
    return found


def _load(make: Callable[[], tc.Robot]) -> Record:
    def work() -> None:
        robot = make()
        q = robot.zero_configuration()
        robot.first_contact(q, q)

    seconds = elapsed(work, repeats=2)
    triangles = sum(link.triangles for link in make().links.values())
    return {"triangles": triangles, "seconds": seconds}


def ring_arm(triangles: int) -> tc.Robot:
    """Return an arm of ten links, each a finely tessellated ring."""
    links = 10
    ring = tc.Mesh(*torus(0.1, 0.03, triangles // links // 50, 25))
    joints = [
        Joint(f"joint{i}", "revolute", f"ring{i - 1}", f"ring{i}",
              tc.pose(translation=(0.0, 0.0, 0.2)), (1.0, 0.0, 0.0), -1.0, 1.0)
        for i in range(1, links)
    ]  # fmt: skip
    return tc.Robot([Link(f"ring{i}", ring) for i in range(links)], joints)
