"""Answers in words."""

from __future__ import annotations

from html import escape

from toccata._text import visible
from toccata.view import _numbers
from toccata.view._items import Outcome, View

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
"""Words for the status of an outcome."""


def headline(view: View) -> str:
    """Return the answer in one line, such as "gear touches frame at t = 0.5414"."""
    outcome = view.outcome
    if outcome is None:
        return ""
    when = view.clock(outcome.time)
    if outcome.status == "FREE":
        return "certified free of contact all the time"
    if outcome.status == "UNDECIDED" and _safe_until(view, outcome) >= view.times[-1]:
        return "undecided: no path to the target was found"
    if outcome.status == "UNDECIDED":
        return f"undecided: certified free before {view.clock(_safe_until(view, outcome))}"
    if outcome.status in ("DONE", "STOPPED"):
        words = "no penetration" if outcome.status == "DONE" else "bodies were stopped early"
        return (
            f"{words}; first impact: {touching(outcome)} at {when}" if outcome.touching else words
        )
    if outcome.status == "MOUNTED":
        return "mounted; every motion is certified free"
    if outcome.status == "BLOCKED":
        by = f" by {outcome.touching[-1]}" if outcome.touching else ""
        return f"blocked{by}"
    if len(outcome.touching) == 2:
        a, b = outcome.touching
        if outcome.status == "INITIAL_OVERLAP":
            return f"{a} and {b} are in contact at the start"
        return f"{a} touches {b} at {when}"
    words = STATUS.get(outcome.status, outcome.status.lower())
    return f"{' '.join((*outcome.touching, words))} at {when}"


def touching(outcome: Outcome) -> str:
    """Return the names of the bodies or features in contact, a dash if there are none."""
    return " and ".join(outcome.touching) or _numbers.NONE


def _safe_until(view: View, outcome: Outcome) -> float:
    return outcome.safe[0][1] if outcome.safe else float(view.times[0])


def escaped(words: str) -> str:
    """Return words for the text or an attribute of a page; nothing in them is obeyed."""
    return escape(visible(words), quote=True)
