"""Goals: limits of numbers that are measured in several cases."""

from dataclasses import dataclass, field

from toccata_bench.record import Record
from toccata_bench.table import Table, number


@dataclass(frozen=True, slots=True)
class Measured:
    """A number in one case, and whether it is within the limit."""

    value: float
    passed: bool
    bound: bool = False
    """True if the number is only a lower bound, because the peer was stopped early."""

    def record(self) -> Record:
        """Return the number for a JSON record."""
        found = {"value": self.value, "passed": self.passed}
        return {**found, "bound": True} if self.bound else found


@dataclass(slots=True)
class Goal:
    """A limit of a number; the goal is reached if the number is within the limit in all cases."""

    figure: str
    limit: float
    at_least: bool
    unit: str = ""
    found: dict[str, Measured] = field(default_factory=dict)

    def add(self, case: str, value: float | None, bound: bool = False) -> None:
        """Add the number of one case; None, if it was not measured, is ignored.

        With `bound`, the value is a lower bound of the number and is judged like the number.
        """
        if value is not None:
            passed = value >= self.limit if self.at_least else value <= self.limit
            self.found[case] = Measured(value, passed, bound)

    @property
    def worst(self) -> str | None:
        """Case that is farthest from the goal, None before any was measured."""
        if not self.found:
            return None
        sign = 1.0 if self.at_least else -1.0
        return min(self.found, key=lambda case: sign * self.found[case].value)

    @property
    def reached(self) -> int:
        """Number of cases in which the goal is reached."""
        return sum(target.passed for target in self.found.values())

    def row(self) -> list[object]:
        """Return the goal as a row of the summary."""
        asked = f"{'>=' if self.at_least else '<='} {self.limit:g}{self.unit}"
        if (worst := self.worst) is None:
            return [self.figure, asked, None, None, "not measured"]
        target, total = self.found[worst], len(self.found)
        measured = f"{'>= ' if target.bound else ''}{plain(target.value)}{self.unit}"
        verdict = "yes" if self.reached == total else "NO"
        return [self.figure, asked, measured, worst, f"{verdict}, {self.reached} of {total}"]

    def record(self) -> Record:
        """Return the goal for a JSON record."""
        cases = {case: target.record() for case, target in self.found.items()}
        reached = bool(cases) and self.reached == len(cases)
        return {"limit": self.limit, "reached": reached, "cases": cases}


def at_most(figure: str, limit: float, unit: str = "") -> Goal:
    """Return a goal for a number that must not exceed a limit."""
    return Goal(figure, limit, at_least=False, unit=unit)


def at_least(figure: str, limit: float, unit: str = "") -> Goal:
    """Return a goal for a number that must not be below a limit."""
    return Goal(figure, limit, at_least=True, unit=unit)


def plain(value: float) -> str:
    """Format a number with three digits: whole numbers in full, small numbers with an exponent."""
    if value == int(value):
        return f"{value:.0f}"
    return number(value) if abs(value) >= 1e-3 else f"{value:.1e}"


def share(top: float | None, bottom: float | None) -> float | None:
    """Return top / bottom, None if one of them was not measured."""
    return top / bottom if top is not None and bottom else None


def summary_table(found: list[Goal]) -> Table:
    """Return the table of all goals, each with its worst case."""
    header = ["", "goal", "worst value", "in case", "reached"]
    return Table("Goals", header, [goal.row() for goal in found])
