"""Tables for the terminal and for Markdown, and numbers with targets."""

from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True, slots=True)
class Target:
    """A number, its limit, and the side of the limit on which it passes."""

    value: float
    limit: float
    at_least: bool = True
    unit: str = ""
    bound: bool = False
    """Whether the number is a lower bound, because the peer was stopped early."""

    @property
    def passed(self) -> bool:
        """Whether the number is within the limit; NaN never is."""
        return self.value >= self.limit if self.at_least else self.value <= self.limit

    @property
    def demand(self) -> str:
        """The limit as text."""
        return f"({'>=' if self.at_least else '<='} {self.limit:g})"

    @property
    def verdict(self) -> str:
        """The number with PASS or MISS."""
        return f"{number(self.value)}{self.unit} {'PASS' if self.passed else 'MISS'}"

    def __str__(self) -> str:
        return f"{self.verdict} {self.demand}"

    def record(self) -> dict[str, float | bool]:
        """Return number, limit and verdict for a JSON record."""
        found = {"value": self.value, "limit": self.limit, "passed": self.passed}
        return {**found, "bound": True} if self.bound else found

    @classmethod
    def ratio(
        cls, top: float | None, bottom: float | None, limit: float, more: bool
    ) -> Self | None:
        """Return the target for top / bottom, None if one of them was not measured."""
        if top is None or not bottom:
            return None
        return cls(top / bottom, limit, at_least=more, unit="x")


def number(value: float) -> str:
    """Format a number with three significant digits, without an exponent."""
    if value != value or abs(value) == float("inf"):
        return str(value)
    digits = 0 if abs(value) >= 100 else 1 if abs(value) >= 10 else 2 if abs(value) >= 1 else 3
    return f"{value:.{digits}f}"


def cell(value: object) -> str:
    """Format a cell of a table; a dash stands for a missing number."""
    if value is None:
        return "-"
    return number(value) if isinstance(value, float) else str(value)


@dataclass(frozen=True, slots=True)
class Table:
    """A title, a header and rows of cells; the first column is a label."""

    title: str
    header: list[str]
    rows: list[list[object]]

    def render(self, markdown: bool = False) -> str:
        """Return the table as aligned text, or as Markdown."""
        lines = [self.header, *([cell(value) for value in row] for row in self.rows)]
        widths = [max(len(line[i]) for line in lines) for i in range(len(self.header))]
        padded = [_pad(line, widths) for line in lines]
        if markdown:
            rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
            bars = ["| " + " | ".join(line) + " |" for line in (padded[0], rule, *padded[1:])]
            return "\n".join([f"## {self.title}", "", *bars, ""])
        rule = ["-" * width for width in widths]
        body = ["  ".join(line).rstrip() for line in (padded[0], rule, *padded[1:])]
        return "\n".join([self.title, "", *body, ""])


def _pad(line: list[str], widths: list[int]) -> list[str]:
    right = [text.rjust(width) for text, width in zip(line, widths, strict=True)]
    return [line[0].ljust(widths[0]), *right[1:]]
