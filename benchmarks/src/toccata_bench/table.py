"""Tables for the terminal and for Markdown."""

from dataclasses import dataclass


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
