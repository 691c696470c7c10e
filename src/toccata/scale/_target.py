"""Targets: folders of verdicts with part files, the plan, and a file that marks success."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from typing import Any

from toccata.scale._files import AT_ONCE, TEMPORARY, Location, arrow, as_location, locate, replacing
from toccata.scale._plan import Part, Plan
from toccata.scale._summary import Counts, Summary

PLAN, SUCCESS, OTHERS = "_plan.json", "_SUCCESS", "_others"
ABOUT, COUNTS = b"toccata", b"toccata.counts"
_PART = re.compile(r"part-[0-9a-f]{32}\.parquet")


@dataclass(frozen=True, slots=True)
class Target:
    """A folder that pyarrow writes to."""

    fs: Any
    path: str

    @classmethod
    def at(cls, location: Location) -> Target:
        """Return the target in a folder, which need not exist."""
        return cls(*locate(as_location("target", location)))

    def look(self, part: Part) -> Counts | None:
        """Return the counts of a part file, None if it is missing or truncated.

        A truncated file has no metadata, because Parquet stores metadata at the end.
        """
        try:
            with self.fs.open_input_file(f"{self.path}/{part.name}") as stream:
                found = arrow("pyarrow.parquet").read_metadata(stream)
            counts = Counts(**json.loads(found.metadata[COUNTS]))
        except (OSError, KeyError, TypeError, ValueError):  # ArrowInvalid is a ValueError
            return None
        return counts if found.num_rows == counts.rows == part.stop - part.start else None

    def look_at(self, parts: Iterable[Part]) -> dict[Part, Counts]:
        """Return the parts that are written, with their counts."""
        wanted = list(parts)
        with ThreadPoolExecutor(AT_ONCE) as threads:
            found = zip(wanted, threads.map(self.look, wanted), strict=True)
            return {part: counts for part, counts in found if counts is not None}

    def write(self, part: Part, table: Any, counts: Counts) -> None:
        """Write a part. Equal tables give files with equal bytes.

        Numbers are written without a dictionary, because most of them occur only once.
        """
        pa = arrow()
        names = [c.name for c in table.schema if not pa.types.is_primitive(c.type)]
        meta = {**(table.schema.metadata or {}), COUNTS: json.dumps(asdict(counts)).encode()}
        with replacing(self.fs, f"{self.path}/{part.name}") as file:
            arrow("pyarrow.parquet").write_table(
                table.replace_schema_metadata(meta),
                file,
                compression="zstd",
                use_dictionary=names,
                write_page_checksum=True,
            )

    def begin(self, plan: Plan) -> None:
        """Prepare the folder for a plan.

        Parts of other plans move to a subfolder. Parts of this plan move back from there.
        """
        self.fs.create_dir(self.path)
        self.put_aside(plan)
        names, here = {part.name for part in plan.parts}, self._names(self.path)
        for name in names & set(self._names(f"{self.path}/{OTHERS}")) - set(here):
            self._move(f"{self.path}/{OTHERS}/{name}", f"{self.path}/{name}")
        if SUCCESS in here:
            self._delete(SUCCESS)
        self._write_json(PLAN, plan.as_json())

    def finish(self, plan: Plan, summary: Summary) -> None:
        """Delete temporary files of workers that died, and mark the target as complete."""
        for name in self._names(self.path):
            if name.startswith(TEMPORARY):
                self._delete(name)
        self.put_aside(plan)
        counts = asdict(summary.counts)
        self._write_json(SUCCESS, {"question": plan.question, "parts": len(plan.parts), **counts})

    def put_aside(self, plan: Plan) -> None:
        """Move parts of other plans to a subfolder."""
        here = set(filter(_PART.fullmatch, self._names(self.path)))
        for name in here - {part.name for part in plan.parts}:
            self.fs.create_dir(f"{self.path}/{OTHERS}")
            self._move(f"{self.path}/{name}", f"{self.path}/{OTHERS}/{name}")

    def stamp(self) -> tuple[int, int]:
        """Return a value that changes whenever a run begins."""
        info = self.fs.get_file_info(f"{self.path}/{PLAN}")
        return info.mtime_ns, info.size

    def plan(self) -> Plan:
        """Return the plan of the last run."""
        try:
            with self.fs.open_input_file(f"{self.path}/{PLAN}") as stream:
                return Plan.read(json.loads(stream.read()))
        except FileNotFoundError as error:
            raise FileNotFoundError(f"{self.path}: the folder has no {PLAN}") from error

    def _names(self, folder: str) -> list[str]:
        selector = arrow("pyarrow.fs").FileSelector(folder, allow_not_found=True)
        return [info.base_name for info in self.fs.get_file_info(selector) if info.is_file]

    def _move(self, path: str, to: str) -> None:
        with suppress(FileNotFoundError):  # another run has moved it
            self.fs.move(path, to)

    def _delete(self, name: str) -> None:
        with suppress(FileNotFoundError):  # another run has deleted it
            self.fs.delete_file(f"{self.path}/{name}")

    def _write_json(self, name: str, value: dict[str, Any]) -> None:
        for last in (False, False, True):
            try:
                with replacing(self.fs, f"{self.path}/{name}") as file:
                    file.write(json.dumps(value, indent=1).encode())
                return
            except FileNotFoundError:  # another run has deleted the temporary file
                if last:
                    raise
