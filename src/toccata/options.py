"""Options of queries: what they are called, and how they are checked."""

from __future__ import annotations

from typing import Literal

Which = Literal["first", "all"]
"""The first contact alone, or all contacts."""


def wants_all(contacts: Which) -> bool:
    """Check the option `contacts`."""
    if contacts not in ("first", "all"):
        raise ValueError(f"contacts: expected 'first' or 'all', got {contacts!r}")
    return contacts == "all"
