"""Options of a step of a deforming mesh."""

from __future__ import annotations

from typing import Literal

from toccata._arrays import as_budget, as_number, as_threads
from toccata._native import core
from toccata.options import Which, wants_all
from toccata.query import as_choice

StepMethod = Literal["clusters", "bvh", "auto"]


def step_options(
    *,
    method: StepMethod,
    separation: float,
    tolerance: float | None,
    contacts: Which,
    threads: int | None,
    budget: int | None,
) -> core.StepOptions:
    """Check the options that all steps share."""
    options = core.StepOptions()
    options.method = as_choice("method", method, core.StepMethod)
    options.separation = as_number("separation", separation, least=0)
    if tolerance is not None:
        options.tolerance = as_number("tolerance", tolerance, least=0, open_end=True)
    if budget is not None:
        options.budget = as_budget(budget)
    options.all_contacts = wants_all(contacts)
    options.threads = as_threads(threads)
    return options
