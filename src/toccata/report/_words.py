"""Answers as text."""

from __future__ import annotations

from html import escape

from toccata._text import visible
from toccata.view import _numbers
from toccata.view._items import Outcome, View, as_view

STATUS = {
    "FREE": "free",
    "CONTACT": "contact",
    "INITIAL_OVERLAP": "contact at the start",
    "UNDECIDED": "undecided",
    "DONE": "no penetration",
    "STOPPED": "stopped early",
    "MOUNTED": "mounted",
    "BLOCKED": "blocked",
}
"""Text for the status of an outcome."""


def headline(view: View) -> str:
    """Return the answer in one line, such as "gear touches frame at t = 0.5414"."""
    outcome = as_view("view", view).outcome
    if outcome is None:
        return ""
    when = view.clock(outcome.time)
    if outcome.status == "FREE":
        return "certified free of contact at all times"
    if outcome.status == "UNDECIDED":
        safe = outcome.safe[0][1] if outcome.safe else float(view.times[0])
        if safe >= view.times[-1]:
            return "undecided: no path to the target was found"
        return f"undecided: certified free before {view.clock(safe)}"
    if outcome.status in ("DONE", "STOPPED"):
        words = "no penetration" if outcome.status == "DONE" else "bodies were stopped early"
        first = f"; first impact: {touching(outcome)} at {when}" if outcome.touching else ""
        return words + first
    if outcome.status == "MOUNTED":
        return "mounted; every motion is certified free"
    if outcome.status == "BLOCKED":
        return f"blocked by {outcome.touching[-1]}" if outcome.touching else "blocked"
    if len(outcome.touching) == 2:
        a, b = outcome.touching
        if outcome.status == "INITIAL_OVERLAP":
            return f"{a} and {b} are in contact at the start"
        return f"{a} touches {b} at {when}"
    words = STATUS.get(outcome.status, outcome.status.lower())
    return f"{' '.join((*outcome.touching, words))} at {when}"


def touching(outcome: Outcome) -> str:
    """Return the names of the bodies or features in contact, or a dash."""
    return " and ".join(outcome.touching) or _numbers.NONE


def escaped(words: str) -> str:
    """Return text for an element or attribute of a page, without markup."""
    return escape(visible(words), quote=True)
