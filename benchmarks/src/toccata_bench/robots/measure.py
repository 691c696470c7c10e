"""Measurement of a case: answers are verified, then methods and peers are timed."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from time import process_time

import numpy as np

from toccata_bench.clock import best, best_in_turn
from toccata_bench.peers import optional
from toccata_bench.process import ChildFailed
from toccata_bench.record import Record
from toccata_bench.robots.ask import METHODS, are_free, first_contacts
from toccata_bench.robots.cases import Case, Motions
from toccata_bench.robots.hpp_peer import run_hpp
from toccata_bench.robots.ompl_peer import DiscreteValidator
from toccata_bench.robots.sampling import Sampler
from toccata_bench.robots.verify import Judge

METHOD_ROUNDS = 7
COARSE, FINE = 0.010, 0.001
"""Resolutions of the sampler: largest travel of a point between samples, in meters."""


@dataclass(slots=True)
class Peers:
    """Peers that take part in one case."""

    sampler: Sampler | None = None
    validator: DiscreteValidator | None = None
    dichotomy: dict[str, Record] = field(default_factory=dict)
    """Answers of HPP to all motions, by level and kind."""
    notes: list[str] = field(default_factory=list)

    @staticmethod
    def of(case: Case) -> Peers:
        """Return the installed peers."""
        if optional("pinocchio") is None or optional("coal") is None:
            return Peers()
        starts = [kinds["free"].start[:20] for kinds in case.levels.values()]
        sampler = Sampler(case.robot, case.world, np.concatenate(starts))
        fits = optional("ompl.base") is not None and DiscreteValidator.fits(case.robot)
        peers = Peers(sampler, DiscreteValidator(sampler) if fits else None)
        try:
            peers.dichotomy = run_hpp(case)
        except ChildFailed as failed:
            peers.notes.append(f"{case.name}: {failed}")
        return peers


def measure_kind(case: Case, label: str, kind: str, peers: Peers) -> Record:
    """Verify and time the motions of one kind at one level; times are microseconds per motion."""
    motions = case.levels[label][kind]
    judge = Judge(case, motions, kind)
    record: Record = {"motions": len(motions), "peers_us": {}, "missed": {}}
    if peers.sampler:
        record |= run_sampler(peers.sampler, motions, judge)
    for method in METHODS:
        judge.check(method, first_contacts(case, motions, {"method": method}))
        judge.check_free(method, are_free(case, motions, {"method": method}))
    if peers.validator:
        run_validator(peers.validator, motions, record)
    if found := peers.dichotomy.get(f"{label}, {kind}"):
        note_dichotomy(found, record)
    return record | time_methods(case, motions)


def time_methods(case: Case, motions: Motions) -> Record:
    """Time both queries by all methods in turn; the shortest of seven rounds counts."""
    queries = {"is_free_us": are_free, "first_us": first_contacts}
    timed = [(name, method) for method in METHODS for name in queries]
    works = [partial(queries[name], case, motions, {"method": method}) for name, method in timed]
    times = best_in_turn(works, METHOD_ROUNDS)
    record: Record = {name: {} for name in queries}
    for (name, method), took in zip(timed, times, strict=True):
        record[name][method] = 1e6 / len(motions) * took
    return record


def run_sampler(sampler: Sampler, motions: Motions, judge: Judge) -> Record:
    """Sample at both resolutions; the fine scan is also the reference."""
    travels = sampler.counts(motions, FINE)
    coarse = sampler.prepare(motions, sampler.counts(motions, COARSE), in_order=False)
    fine = sampler.prepare(motions, travels, in_order=True)
    begin = process_time()
    touches = sampler.first_of_all(fine)
    scan = process_time() - begin
    judge.use(sampler.model, touches)
    seen = np.isfinite(sampler.first_of_all(coarse))
    each = 1e6 / len(motions)
    record: Record = {
        "samples": float(np.mean([len(samples.times) for samples in coarse])),
        "peers_us": {
            "10 mm": each * best(partial(sampler.first_of_all, coarse)),
            "1 mm": each * scan,
        },
        "missed": {},
    }
    if judge.kind == "colliding":
        missed = {"10 mm": ~seen, "1 mm": ~np.isfinite(touches)}
        record["missed"] = {name: int(some.sum()) for name, some in missed.items()}
    return record


def run_validator(validator: DiscreteValidator, motions: Motions, record: Record) -> None:
    """Time OMPL, and count the contacts that it misses."""
    prepared = validator.prepare(motions)
    free = np.array(validator.are_free(prepared))
    each = 1e6 / len(motions)
    record["peers_us"]["ompl"] = each * best(partial(validator.are_free, prepared))
    if "1 mm" in record["missed"]:
        record["missed"]["ompl"] = int(free.sum())


def note_dichotomy(found: Record, record: Record) -> None:
    """Add the answers and times of HPP."""
    record["peers_us"]["hpp"] = 1e6 * found["seconds"]
    record["hpp_free"] = sum(found["free"])
    if "1 mm" in record["missed"]:
        record["missed"]["hpp"] = sum(found["free"])


def measure_case(case: Case, peers: Peers) -> Record:
    """Measure all levels of a case."""
    levels = {
        label: {
            kind: measure_kind(case, label, kind, peers)
            for kind, motions in kinds.items()
            if len(motions)
        }
        for label, kinds in case.levels.items()
    }
    return {
        "links": len(case.robot.link_names),
        "bodies": len(case.world) if case.world else 0,
        "triangles": list(case.triangles),
        "sampler": peers.sampler.form if peers.sampler else None,
        "notes": peers.notes,
        "levels": levels,
    }
