"""Friction against a cone program: at a solution, slip moves the cones of the convex relaxation."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from oracles.size import SEED, cases

from toccata._native import core

clarabel = pytest.importorskip("clarabel")
sparse = pytest.importorskip("scipy.sparse")


class Case(NamedTuple):
    inverse_mass: np.ndarray  # (n,)
    inverse_inertia: np.ndarray  # (n, 3, 3)
    velocity: np.ndarray  # (n, 6): linear, angular
    bodies: np.ndarray  # (2, k)
    arms: np.ndarray  # (2, k, 3)
    frames: np.ndarray  # (k, 3, 3): rows are the normal and two tangents
    friction: np.ndarray
    target: np.ndarray


def random_case(random: np.random.Generator) -> Case:
    """Return bodies in a heap: each rests on one before, or on the ground."""
    n = int(random.integers(1, 5))
    mass = 10.0 ** random.uniform(-1, 1, n)
    spread = random.uniform(0.2, 1.0, (n, 3))
    axes = np.linalg.qr(random.normal(size=(n, 3, 3)))[0]
    moments = mass[:, None] * (spread.sum(axis=1, keepdims=True) - spread)
    inverse = np.einsum("nij,nj,nkj->nik", axes, 1 / moments, axes)
    count = int(random.integers(n, 4 * n + 1))
    upper = np.concatenate([np.arange(n), random.integers(0, n, count - n)])
    lower = np.array([random.integers(-1, i) for i in upper])
    up = random.normal(size=(count, 3)) * 0.2 + (0, 0, 1)
    up /= np.linalg.norm(up, axis=1, keepdims=True)
    frames = np.linalg.qr(np.concatenate([up[:, None], random.normal(size=(count, 2, 3))], axis=1)
                          .transpose(0, 2, 1))[0].transpose(0, 2, 1)  # fmt: skip
    frames[:, 0] = up
    arms = random.uniform(-1, 1, (2, count, 3)) + np.array([-1, 1])[:, None, None] * up
    falling = random.normal(size=(n, 6)) * 0.5 - (0, 0, 1, 0, 0, 0)
    friction = random.choice([0.0, 0.2, 0.5, 0.8], count)
    return Case(1 / mass, inverse, falling, np.stack([upper, lower]), arms, frames, friction,
                random.choice([0.0, -0.2], count))  # fmt: skip


def jacobian(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Return what makes velocities of contacts of those of bodies, and the inverse masses."""
    n, count = len(case.inverse_mass), len(case.friction)
    rows, inverse = np.zeros((count, 3, n, 6)), np.zeros((n, 6, n, 6))
    for sign, bodies, arms in zip((1, -1), case.bodies, case.arms, strict=True):
        for k in np.flatnonzero(bodies >= 0):
            frame = case.frames[k] * sign
            rows[k, :, bodies[k], :3] += frame
            rows[k, :, bodies[k], 3:] += np.cross(arms[k], frame)
    for i in range(n):
        inverse[i, :3, i, :3] = np.eye(3) * case.inverse_mass[i]
        inverse[i, 3:, i, 3:] = case.inverse_inertia[i]
    return rows.reshape(3 * count, 6 * n), inverse.reshape(6 * n, 6 * n)


def solved(case: Case, tolerance: float = 1e-13) -> tuple[bool, np.ndarray, np.ndarray]:
    """Return whether it converged, velocities (n, 6), and impulses in the frames of contacts."""
    linear, angular = (np.ascontiguousarray(case.velocity[:, i : i + 3]) for i in (0, 3))
    bodies = core.BodyVelocities(case.inverse_mass, case.inverse_inertia, linear, angular)
    upper, lower = case.bodies.astype(np.int32)
    normal = np.ascontiguousarray(case.frames[:, 0])
    start = np.zeros_like(normal)
    limits = (case.friction, case.target)
    contacts = core.ContactPoints((upper, lower), tuple(case.arms), normal, limits, start)
    converged, _ = core.ContactSolver().solve(bodies, contacts, tolerance, 100_000)
    impulse = np.einsum("kij,kj->ki", case.frames, contacts.impulse())
    return converged, np.hstack([bodies.velocity(), bodies.spin()]), impulse


def relaxed(
    matrix: np.ndarray, offset: np.ndarray, friction: np.ndarray
) -> tuple[np.ndarray, bool]:
    """Return l that minimizes 1/2 l.A l + l.offset, each l_n at least |l_t| / friction.

    And whether clarabel says so: where A is singular it may stop before the end.
    """
    count = len(friction)
    cones: list[Any] = []
    rows = np.zeros((3 * count, 3 * count))
    for k, mu in enumerate(friction):
        at = slice(3 * k, 3 * k + 3)
        rows[at, at] = -np.diag([mu, 1.0, 1.0] if mu else [1.0, 1.0, 1.0])
        cones += [clarabel.SecondOrderConeT(3)] if mu else [
            clarabel.NonnegativeConeT(1), clarabel.ZeroConeT(2)]  # fmt: skip
    settings = clarabel.DefaultSettings()
    settings.verbose = False
    for name in ("tol_gap_abs", "tol_gap_rel", "tol_feas"):
        setattr(settings, name, 1e-11)
    upper = sparse.csc_matrix(np.triu(matrix))
    parts = (upper, offset, sparse.csc_matrix(rows), np.zeros(3 * count), cones, settings)
    found = clarabel.DefaultSolver(*parts).solve()
    return np.array(found.x), found.status == clarabel.SolverStatus.Solved


def test_friction_solves_the_cone_program_of_its_own_slip() -> None:
    """With s = friction |u_t| added to u_n, Coulomb's law is an optimum of a convex program."""
    random = np.random.default_rng((SEED, 7))
    sliding = sticking = converged = compared = 0
    total = cases(60)
    for _ in range(total):
        case = random_case(random)
        done, velocity, impulse = solved(case)
        if not done:
            continue
        converged += 1
        rows, inverse = jacobian(case)
        assert np.abs(velocity.ravel() - case.velocity.ravel()
                      - inverse @ rows.T @ impulse.ravel()).max() < 1e-11  # fmt: skip
        u = (rows @ velocity.ravel()).reshape(-1, 3)
        slip = np.linalg.norm(u[:, 1:], axis=1)
        shift = np.zeros_like(u)
        shift[:, 0] = case.friction * slip - case.target
        offset = (rows @ case.velocity.ravel()).reshape(-1, 3) + shift
        matrix = rows @ inverse @ rows.T
        expected, is_solved = relaxed(matrix, offset.ravel(), case.friction)
        ours, theirs = (
            0.5 * x @ matrix @ x + x @ offset.ravel() for x in (impulse.ravel(), expected)
        )
        assert ours <= theirs + 1e-8
        # Impulses need not be unique; velocities are.
        found = case.velocity.ravel() + inverse @ rows.T @ expected
        # Objectives that differ by 1e-11 leave a difference of motions of that much energy.
        apart = found - velocity.ravel()
        assert not is_solved or 0.5 * apart @ np.linalg.solve(inverse, apart) < 1e-10
        compared += is_solved
        pressed = (impulse[:, 0] > 1e-6) & (case.friction > 0)
        sliding += np.count_nonzero(pressed & (slip > 1e-6))
        sticking += np.count_nonzero(pressed & (slip < 1e-9))
    assert converged > 0.9 * total and compared > 0.6 * total
    assert total < 50 or (sliding > 10 and sticking > 10)


def test_a_contact_of_no_body_is_refused() -> None:
    case = random_case(np.random.default_rng(0))
    wrong = case._replace(bodies=case.bodies + len(case.inverse_mass))
    with pytest.raises(ValueError, match="contacts: expected bodies that exist"):
        solved(wrong)
