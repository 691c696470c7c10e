"""Tang, Manocha, Kim 2013, section 6.1: rigid models, their table and their fronts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import toccata as tc
from toccata.scenes import models
from toccata.scenes.surface import MeshArrays
from toccata_bench import measure, plots
from toccata_bench.cases import BUNNY, KNOT, available, load_case
from toccata_bench.dynamics import flight
from toccata_bench.papers.beside import beside, gains
from toccata_bench.papers.drawing import (
    BLUE,
    GREEN,
    ORANGE,
    RED,
    YELLOW,
    Placed,
    marked,
    picture,
    put,
    side_by_side,
    stacked,
)
from toccata_bench.papers.exhibit import Made, Setup, three
from toccata_bench.papers.published import TANG_1, TANG_1_COLUMNS
from toccata_bench.peers import CoalPair, optional
from toccata_bench.plots import new_figure
from toccata_bench.protocol import TOLERANCE, Case, motions, run_batch
from toccata_bench.record import Record
from toccata_bench.scenes.hare import hare
from toccata_bench.table import Table
from toccata_bench.verify import WrongAnswer, check_agreement

CASES = {
    "Club vs. Club": "club-club",
    "Gear vs. Gear": "gear-gear",
    "Hammer vs. CAD piece": "hammer-workpiece",
    "Bunny vs. Bunny": BUNNY,
    "Torusknot vs. Torusknot": KNOT,
}
"""Cases that stand for the rows of table 1."""
KEYS = ("c2a-uncontrolled", "c2a-colliding", "c2a-free", "c2a", "hca")
WEIGHTS = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
"""Weights of the control of C2A; 1 switches the control off."""


def case_of(setup: Setup, name: str) -> Case:
    """Return a case with its trials, built once."""
    count = setup.size(200, 40)
    case: Case = setup.once(f"case {name}", lambda: load_case(name, count, 2013))
    return case


def verified(setup: Setup, name: str) -> Any:
    """Compare every method with coal on all trials; return the colliding ones."""

    def work() -> Any:
        case = case_of(setup, name)
        sweeps = case.sweeps()
        pair = CoalPair(case.a, case.b) if optional("coal") else None
        return measure.verify(case, sweeps, pair)

    return setup.once(f"verified {name}", work)


def table_1(setup: Setup) -> Made:
    """Return the times of all methods on all models; answers are verified first."""
    ours: dict[str, list[float | None]] = {}
    auto: dict[str, float] = {}
    for row, name in CASES.items():
        if name in available():
            contact = verified(setup, name)
            found = measure.time_methods(case_of(setup, name), contact)
            ours[row] = [_ms(found[key]) for key in KEYS]
            auto[row] = 1e-3 * (found["auto"] or 0.0)
    fly = flight.measure_flight(setup.size(flight.STEPS, 40))
    ours["Bunny Dynamics"], auto["Bunny Dynamics"] = _flight_row(fly)
    columns = TANG_1_COLUMNS[:5]
    theirs = {name: row[:5] for name, row in TANG_1.items()}
    table = beside("Table 1, milliseconds per query", columns, ours, theirs)
    table.header.append("auto, ours")
    for line in table.rows:
        line.append(three(auto[str(line[0])]))
    said = (
        f"C2A is {gains(ours, theirs, 3)} and HCA {gains(ours, theirs, 4)} times faster than in"
        f" the paper; control gains a factor of {_control(ours)}"
    )
    return Made(said, [table])


def _ms(us: float | None) -> float | None:
    return None if us is None else 1e-3 * us


def _flight_row(record: Record) -> tuple[list[float | None], float]:
    """Return the means of the simulated bunnies and the mean of auto, in milliseconds."""
    counts = {kind: one["queries"] for kind, one in record.items()}

    def mean(method: str) -> float:
        known = [(counts[k], record[k]["mean_us"][method]) for k in counts if counts[k]]
        return float(1e-3 * sum(n * us for n, us in known) / sum(n for n, _ in known))

    kinds = [record[kind].get("mean_us", {}).get("c2a") for kind in ("colliding", "free")]
    row = [mean("c2a-uncontrolled"), *map(_ms, kinds), mean("c2a"), mean("hca")]
    return row, mean("auto")


def _control(ours: dict[str, list[float | None]]) -> str:
    found = sorted(row[0] / row[3] for row in ours.values() if row[0] and row[3])
    return f"{three(found[0])} to {three(found[-1])}"


def figure_5(setup: Setup) -> Made:
    """Draw the models side by side."""
    shapes: list[tuple[str, Callable[[], MeshArrays], tuple[float, float]]] = [
        ("gear", models.gear, (30, 45)),
        ("club", models.club, (30, 25)),
        ("CAD workpiece", models.workpiece, (40, 35)),
        ("hammer", models.hammer, (40, 25)),
        ("torus knot", models.torus_knot, (30, 60)),
        ("bunny of the simulation", lambda: hare(26_400), (-60, 15)),
    ]
    colors = [ORANGE, BLUE, GREEN, RED, YELLOW, ORANGE]
    images, counts = [], []
    for (name, build, view), color in zip(shapes, colors, strict=True):
        mesh = build()
        counts.append(f"{name} {len(mesh[1]):,}")
        images.append(picture(put(mesh, color), view, (300, 260)))
    whole = stacked(side_by_side(*images[:3]), side_by_side(*images[3:]))
    return Made(f"triangles: {', '.join(counts)}", [], {"; ".join(counts): whole})


def counters(setup: Setup, name: str) -> dict[str, list[Any]]:
    """Return the counters of each method in each trial; answers are verified first."""
    verified(setup, name)
    found: dict[str, list[Any]] = setup.once(
        f"counters {name}", lambda: plots.collect(case_of(setup, name))
    )
    return found


def figure_6(setup: Setup) -> Made:
    """Draw the front nodes of the clubs, trial by trial."""
    found = counters(setup, "club-club")
    nodes = {m: np.array([one.front_nodes for one in some]) for m, some in found.items()}
    less = 1.0 - nodes["c2a"].mean() / nodes["c2a-uncontrolled"].mean()
    said = (
        f"control saves {100 * less:.1f} % of the front nodes"
        f" ({nodes['c2a-uncontrolled'].mean():.0f} without it, {nodes['c2a'].mean():.0f} with it,"
        f" mean of {len(nodes['c2a'])} trials)"
    )
    drawn = plots.figure("figure-6-front-nodes", {"Club vs. Club": found})
    return Made(said, [], {"front nodes of each trial, logarithmic": drawn})


def figure_7(setup: Setup) -> Made:
    """Draw one trial of the torus knots, and iterations, front nodes and contacts of all."""
    case, found = case_of(setup, KNOT), counters(setup, KNOT)
    numbers = _contact_numbers(case)
    means = {
        "CA iterations": np.mean([one.ca_iterations for one in found["c2a"]]),
        "front nodes": np.mean([one.front_nodes for one in found["c2a"]]),
        "contacts": numbers[numbers > 0].mean(),
    }
    said = ", ".join(f"{three(float(mean))} {what}" for what, mean in means.items())
    pictures = {
        "start red, end blue, the fixed knot yellow, first contact green": _knots(case),
        "CA iterations of each trial": plots.figure("figure-7-iterations", {"knots": found}),
        "front nodes of each trial": plots.figure("figure-6-front-nodes", {"knots": found}),
        "contacts at the first time": _bars(numbers, "trial", "contacts"),
    }
    return Made(f"mean of {len(numbers)} trials by C2A: {said}", [], pictures)


def _contact_numbers(case: Case) -> Any:
    """Return the number of touching pairs of triangles at each first contact."""
    found = []
    for motion in motions(case):
        answer = tc.first_contact(case.a, case.b, motion, tolerance=TOLERANCE, contacts="all")
        found.append(len(answer.contacts) if answer else 0)
    return np.array(found)


def _knots(case: Case) -> Any:
    """Draw the first trial that collides in the middle of its motion."""
    motion, answer = next(
        (motion, answer)
        for motion in motions(case)
        if 0.3 < (answer := tc.first_contact(case.a, case.b, motion, tolerance=TOLERANCE)).toc < 0.7
    )
    placed: Placed = put(case.b, YELLOW)
    for time, color in ((0.0, RED), (1.0, BLUE), (answer.toc, GREEN)):
        placed += put(case.a, color, motion.pose(time))
    return marked(placed, (40, 30), [(answer.point_a, answer.normal)], placed)


def _bars(values: Any, x: str, y: str) -> Any:
    figure, axis = new_figure(7.0, 2.4)
    axis.bar(np.arange(len(values)), values, color="tab:green", width=1.0)
    axis.set(xlabel=x, ylabel=y)
    return figure


def figure_4(setup: Setup) -> Made:
    """Draw the size of the front by the weight of the control."""
    case = case_of(setup, "club-club")
    auto = run_batch(case, "auto")
    rows: list[list[object]] = []
    for w in WEIGHTS:
        how: Any = {"method": "c2a", "w": w, "tolerance": TOLERANCE}
        answers = [tc.first_contact(case.a, case.b, motion, **how) for motion in motions(case)]
        _agree(f"C2A with w = {w}", answers, auto)
        stats = [answer.stats for answer in answers]
        fronts = np.mean([one.front_nodes for one in stats])
        steps = np.mean([one.ca_iterations for one in stats])
        rows.append([f"{w:g}", float(fronts), float(steps), float(fronts / steps)])
    table = Table("Front nodes by w", ["w", "front nodes", "CA iterations", "per iteration"], rows)
    best = min(rows, key=lambda row: float(str(row[1])))
    said = (
        f"w = {best[0]} has the fewest front nodes: {best[1]:.0f}, compared with"
        f" {rows[-1][1]:.0f} for w = 1"
    )
    return Made(said, [table], {"front nodes and CA iterations by w": _by_weight(rows)})


def _agree(label: str, answers: list[tc.Contact], auto: Any) -> None:
    statuses = np.array([int(answer.status) for answer in answers])
    check_agreement(label, _Told(statuses), auto)
    if any(answer.status == tc.Status.UNDECIDED for answer in answers):
        raise WrongAnswer(f"{label}: undecided without a budget")


class _Told:
    """A batch by its statuses."""

    def __init__(self, status: Any) -> None:
        self.status = status


def _by_weight(rows: list[list[Any]]) -> Any:
    figure, axis = new_figure(6.0, 2.8)
    weights = [float(row[0]) for row in rows]
    axis.plot(weights, [row[1] for row in rows], "o-", color="tab:red", label="front nodes")
    axis.plot(weights, [row[2] for row in rows], "s--", color="tab:blue", label="CA iterations")
    axis.set(xlabel="w", ylabel="mean of a query", yscale="log")
    axis.legend()
    return figure
