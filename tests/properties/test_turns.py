"""Motions of many turns: pairs that are close in one turn are not tested through all turns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import toccata as tc
from toccata._options import Method
from toccata.scenes import models

NAMED: tuple[Method, ...] = ("hca", "interval")
BODY = {
    "hammer": tc.Mesh(*models.unit(*models.hammer())),
    "knot": tc.Mesh(*models.unit(*models.torus_knot(4000))),
}


def turning(seed: int, count: int) -> Iterator[tuple[tc.Motion, tc.Motion]]:
    """Return motions of 10 to 50 radians beside a body that stays or turns."""
    rng = np.random.default_rng(seed)

    def vector(length: float) -> np.ndarray:
        v = rng.normal(size=3)
        return v * (length / np.linalg.norm(v))

    for k in range(count):
        start = tc.pose(vector(rng.uniform(1.0, 2.2)), rotvec=vector(rng.uniform(0, np.pi)))
        spin = vector(rng.uniform(10, 50))
        own = vector(rng.uniform(10, 50)) if k % 3 == 0 else np.zeros(3)
        yield (
            tc.Motion.twist(start, linear=vector(rng.uniform(0, 1)), angular=spin),
            tc.Motion.twist(np.eye(4), linear=np.zeros(3), angular=own),
        )


def steps(contact: tc.Contact) -> int:
    return contact.stats.ca_iterations + contact.stats.elementary_tests


@pytest.mark.parametrize("name", BODY)
def test_auto_agrees_with_the_named_methods_over_many_turns(name: str) -> None:
    body, statuses = BODY[name], set()
    for k, motions in enumerate(turning(7, 40)):
        auto = tc.first_contact(body, body, *motions, tolerance=1e-5)
        statuses.add(auto.status)
        scene = tc.Scene()
        scene.add("a", body, motions[0])
        scene.add("b", body, motions[1])
        others = [tc.first_contact(body, body, *motions, method=m, tolerance=1e-5) for m in NAMED]
        for other in (*others, scene.first_contact(tolerance=1e-5)):
            assert other.status == auto.status, (name, k)
            assert other.toc == pytest.approx(auto.toc, abs=1e-4), (name, k)
    assert len(statuses) > 1


@pytest.mark.parametrize("name", BODY)
def test_free_motions_of_many_turns_cost_about_as_much_as_hca(name: str) -> None:
    body, spent = BODY[name], {"auto": 0, "hca": 0, "scene": 0}
    for motions in turning(8, 60):
        if tc.first_contact(body, body, *motions):
            continue
        spent["auto"] += steps(tc.first_contact(body, body, *motions))
        spent["hca"] += steps(tc.first_contact(body, body, *motions, method="hca"))
        scene = tc.Scene()
        scene.add("a", body, motions[0])
        scene.add("b", body, motions[1])
        spent["scene"] += steps(scene.first_contact())
    assert 0 < spent["auto"] <= 1.25 * spent["hca"], spent
    assert 0 < spent["scene"] <= 1.25 * spent["hca"], spent


def test_a_budget_covers_all_turns_together() -> None:
    body = BODY["hammer"]
    for motions in turning(9, 20):
        whole = tc.first_contact(body, body, *motions)
        cut = tc.first_contact(body, body, *motions, budget=60)
        assert steps(cut) <= 2 * 60
        if cut.status == tc.Status.UNDECIDED:
            assert cut.safe_until <= whole.safe_until
        else:
            assert (cut.status, cut.toc) == (whole.status, whole.toc)
