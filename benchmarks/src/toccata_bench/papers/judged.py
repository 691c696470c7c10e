"""Verification of single answers that a picture shows."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from toccata_bench.peers import optional
from toccata_bench.robots.ask import METHODS, first_contacts
from toccata_bench.robots.cases import Case, Motions
from toccata_bench.robots.sampling import Sampler
from toccata_bench.robots.verify import Judge

Floats = NDArray[np.float64]
FINE = 0.001
"""Meters between samples."""


def check_motion(case: Case, q0: Floats, q1: Floats) -> None:
    """Raise WrongAnswer unless all methods report the contact of a colliding motion.

    Samples of pinocchio and coal are the reference if these are installed.
    """
    motions = Motions(q0[None], q1[None])
    judge = Judge(case, motions, "colliding")
    if optional("pinocchio") and optional("coal"):
        sampler = Sampler(case.robot, case.world, q0[None])
        fine = sampler.prepare(motions, sampler.counts(motions, FINE), in_order=True)
        judge.use(sampler.model, sampler.first_of_all(fine))
    for method in METHODS:
        judge.check(method, first_contacts(case, motions, {"method": method}))
