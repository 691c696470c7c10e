"""State of an exhibit in a run."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from toccata_bench.papers.exhibit import Exhibit, Made, save


@dataclass(slots=True)
class Shown:
    """An exhibit, its result, and the files of its pictures."""

    exhibit: Exhibit
    made: Made | None = None
    missing: str = ""
    """Package that is missing."""
    seconds: float = 0.0
    files: dict[str, Path] = field(default_factory=dict)
    """Files by caption."""

    @property
    def anchor(self) -> str:
        """Name for links."""
        return self.exhibit.name.replace("/", "-")

    def keep(self, made: Made, folder: Path) -> None:
        """Write the pictures into a folder."""
        self.made = made
        several = len(made.pictures) > 1
        for number, (caption, picture) in enumerate(made.pictures.items(), start=1):
            path = folder / f"{self.exhibit.name}{f'-{number}' if several else ''}.png"
            save(picture, path)
            self.files[caption] = path

    def facts(self) -> list[tuple[str, str]]:
        """Return the sentences about the exhibit by kind."""
        found = [("paper", self.exhibit.theirs)]
        if self.made:
            return [*found, ("ours", self.made.ours), ("differs", self.exhibit.differs)]
        return [*found, ("not made", self.missing or self.exhibit.differs)]

    def record(self) -> dict[str, object]:
        """Return the exhibit for a JSON record."""
        tables = self.made.tables if self.made else []
        return {
            "made": self.made is not None,
            "seconds": self.seconds,
            **{name.replace(" ", "_"): text for name, text in self.facts()},
            "tables": [{"title": t.title, "header": t.header, "rows": t.rows} for t in tables],
            "pictures": {caption: path.name for caption, path in self.files.items()},
        }
