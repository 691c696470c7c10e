"""Tables of the papers, then tables of motions and peers."""

from __future__ import annotations

from typing import Any

from toccata_bench.goal import share
from toccata_bench.record import Record
from toccata_bench.robots.ask import METHODS, STAGES
from toccata_bench.robots.cases import KINDS
from toccata_bench.robots.studies import STAGE_FIELDS
from toccata_bench.table import Table

PEERS = {
    "10 mm": "sampling, 10 mm",
    "1 mm": "scan, 1 mm",
    "ompl": "OMPL, MoveIt's resolution",
    "hpp": "HPP, dichotomy",
}

VAMP_CASE, VAMP = "ur5-pipes", "VAMP, quoted: spheres, not certified, not run here"
VAMP_MS = "0.011-0.028"
"""Quoted range of milliseconds for a free motion of a UR5, not measured here."""

_GENERAL = ("10 mm", "1 mm", "hpp")
"""Peers that take robots with any joints."""


def case_table(name: str, case: Record) -> Table:
    """Return milliseconds per motion: a row for each method and peer, a column for each level."""
    columns = [
        (f"{label}, {kind}", one)
        for label, kinds in case["levels"].items()
        for kind, one in kinds.items()
    ]
    kinds_shown = [kind for kinds in case["levels"].values() for kind in kinds]

    def row(title: str, *keys: str, scale: float | None = 1e-3) -> list[object]:
        values = [_inner(one, keys) for _, one in columns]
        return [title, *(v if v is None or scale is None else scale * v for v in values)]

    peers = [peer for peer in PEERS if any(peer in one["peers_us"] for _, one in columns)]
    rows: list[list[object]] = [
        row("motions", "motions", scale=None),
        *(row(f"motion_is_free, {method}", "is_free_us", method) for method in METHODS),
        *(row(f"first_contact, {method}", "first_us", method) for method in METHODS),
        *(row(PEERS[peer], "peers_us", peer) for peer in peers),
        *(row(f"contacts missed by {PEERS[peer]}", "missed", peer, scale=None) for peer in peers),
        [
            "sampling, 10 mm / motion_is_free",
            *(ratio(one["peers_us"].get("10 mm"), one["is_free_us"]["auto"]) for _, one in columns),
        ],
    ]
    if name == VAMP_CASE:
        rows.append([VAMP, *(VAMP_MS if kind == "free" else None for kind in kinds_shown)])
    own, world = case["triangles"]
    size = f"{case['links']} links, {own} triangles; {case['bodies']} bodies, {world} triangles"
    title = f"{name} ({size}), milliseconds per motion"
    return Table(title, ["", *(label for label, _ in columns)], rows)


def _inner(one: Record, keys: tuple[str, ...]) -> Any:
    """Return a value of nested records, None if it is missing."""
    value: Any = one
    for key in keys:
        value = value.get(key) if value is not None else None
    return value


def stage_table(title: str, levels: Record, rows_shown: tuple[str, ...]) -> Table:
    """Return table 1 or 2 of Redon et al. 2004: time per stage, for colliding and free motions."""
    names = ("hierarchy", "swept volumes", "exact contact", "total")
    header = ["", *(f"{name}, {kind}" for name in names for kind in ("COL", "NO-COL"))]
    rows: list[list[object]] = []
    for label, found in levels.items():
        for row in rows_shown:
            cells: list[object] = []
            for field in (*STAGE_FIELDS, "seconds"):
                for kind in ("colliding", "free"):
                    one = found.get(row, {}).get(kind, {})
                    off = field in _OFF.get(row, ())
                    seconds = one.get(field)
                    cells.append(None if off or seconds is None else 1e3 * seconds)
            rows.append([f"{label}, {row}", *cells])
    return Table(title, header, rows)


_OFF = {
    row: tuple(
        field
        for field, stage in zip(STAGE_FIELDS, ("hierarchy", "swept", "exact"), strict=True)
        if stage not in names
    )
    for row, names in STAGES.items()
}


def method_table(title: str, case: Record) -> Table:
    """Return the total time of all methods by level, for comparison with tables 1 and 2."""
    header = ["", *(f"{m}, {kind}" for m in METHODS for kind in ("COL", "NO-COL"))]
    rows: list[list[object]] = [
        [
            label,
            *(
                ms(_inner(kinds, (kind, "first_us", m)))
                for m in METHODS
                for kind in ("colliding", "free")
            ),
        ]
        for label, kinds in case["levels"].items()
    ]
    return Table(title, header, rows)


def tang_table(sequences: dict[str, Record]) -> Table:
    """Return table 2 of Tang et al. 2013: means by kind for each method and the sampler."""
    header = ["", "motions", *(f"{m}, {k}" for m in METHODS for k in (*reversed(KINDS), "average"))]
    header += [f"{PEERS[peer]}, average" for peer in _GENERAL]
    rows: list[list[object]] = []
    for name, case in sequences.items():
        kinds = next(iter(case["levels"].values()))
        counts = " + ".join(str(kinds.get(k, {}).get("motions", 0)) for k in reversed(KINDS))
        cells: list[object] = []
        for method in METHODS:
            cells += [ms(_inner(kinds, (k, "first_us", method))) for k in reversed(KINDS)]
            cells.append(ms(average(kinds, "first_us", method)))
        cells += [ms(average(kinds, "peers_us", peer)) for peer in _GENERAL]
        rows.append([name, counts, *cells])
    return Table("Table 2 of Tang et al. 2013, milliseconds per motion", header, rows)


def average(kinds: Record, *keys: str) -> float | None:
    """Return the mean over all motions, None if a kind was not measured."""
    times = [(int(one["motions"]), _inner(one, keys)) for one in kinds.values()]
    if not times or any(seconds is None for _, seconds in times):
        return None
    return float(sum(n * s for n, s in times) / sum(n for n, _ in times))


def study_tables(studies: Record) -> list[Table]:
    """Return the tables of batches, chains, loading and calls."""
    tables = []
    if found := studies.get("batch"):
        rows: list[list[object]] = [
            [f"{n} threads, microseconds per motion", found[f"threads_{n}_us"]]
            for n in (1, 2)
            if f"threads_{n}_us" in found
        ]
        rows.append(["overhead, microseconds per motion", found["overhead_us"]])
        tables.append(Table("Batch of 10,000 motions, puma-pipes", ["", "auto"], rows))
    if found := studies.get("chains"):
        header = ["", "10 links", "100 links", "ratio"]
        rows = [
            [label, ms(one["10_us"]), ms(one["100_us"]), ratio(one["100_us"], one["10_us"])]
            for label, one in found.items()
        ]
        tables.append(Table("Chains, free motions, milliseconds per motion", header, rows))
    if found := studies.get("loading"):
        rows = [[name, one["triangles"], one["seconds"]] for name, one in found.items()]
        tables.append(Table("Loading a URDF", ["", "triangles", "seconds"], rows))
    if found := studies.get("calls"):
        rows = [
            ["path of 5,000 pieces / batch on one thread", f"{found['path_by_batch']:.2f}x"],
            [
                f"separation of {found['mapping_pairs']} pairs, microseconds per call",
                found["mapping_us"],
            ],
            ["making 400 links / 100 links, per link", f"{found['links_by_links']:.2f}x"],
        ]
        tables.append(Table("Calls", ["", "auto"], rows))
    return tables


def ms(microseconds: float | None) -> float | None:
    """Return milliseconds."""
    return None if microseconds is None else 1e-3 * microseconds


def ratio(top: float | None, bottom: float | None) -> str | None:
    """Format a ratio."""
    value = share(top, bottom)
    return None if value is None else f"{value:.2f}x"
