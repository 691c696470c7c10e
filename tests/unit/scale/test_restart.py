"""What is there is not computed again, and nothing is taken for what it is not."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from oracles import datasets
from oracles.datasets import PART, Inline, Runs, bits, check
from pyarrow import parquet

import toccata as tc
from toccata import scale
from toccata.scale._executors import Done
from toccata.scale._plan import Part
from toccata.scale._run import TakenOver
from toccata.scenes.robots import planar_arm


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    return Runs.within(tmp_path_factory.mktemp("runs"))


GARBAGE = {
    "empty": lambda whole: b"",
    "one byte": lambda whole: whole[:1],
    "half": lambda whole: whole[: len(whole) // 2],
    "without its last byte": lambda whole: whole[:-1],
    "without its last 8 bytes": lambda whole: whole[:-8],
    "zeros": lambda whole: bytes(len(whole)),
    "the end alone": lambda whole: whole[-100:],
    "noise": lambda whole: np.random.default_rng(3).bytes(len(whole)),
    "noise with the right ends": lambda whole: whole[:4] + bytes(len(whole) - 12) + whole[-8:],
}


@pytest.mark.parametrize("kind", GARBAGE)
def test_part_files_that_are_not_whole_are_made_again(
    kind: str, runs: Runs, tmp_path: Path
) -> None:
    target = tmp_path / "out"
    shutil.copytree(runs.undisturbed, target)
    cut = sorted(target.glob("*.parquet"))[2]
    cut.write_bytes(GARBAGE[kind](cut.read_bytes()))
    assert scale.status(target).parts_there == runs.parts - 1  # whatever _SUCCESS says
    with pytest.raises(ValueError, match="1 of 7 parts are missing"):
        scale.load(target)
    assert len(scale.load(target, partial=True)["id"]) in (datasets.ROWS - PART, datasets.ROWS - 10)
    assert check(runs.source, target, Inline()).parts_computed == 1
    runs.assert_complete(target)


def test_a_bit_that_turns_in_a_part_is_noticed_when_it_is_read(runs: Runs, tmp_path: Path) -> None:
    target = tmp_path / "out"
    shutil.copytree(runs.undisturbed, target)
    part = sorted(target.glob("*.parquet"))[0]
    whole = part.read_bytes()
    group = parquet.read_metadata(part).row_group(0)
    for column in map(group.column, range(group.num_columns)):
        starts = column.data_page_offset, column.dictionary_page_offset or column.data_page_offset
        data = bytearray(whole)
        data[min(starts) + column.total_compressed_size - 1] ^= 1  # of values: the header is first
        part.write_bytes(data)
        with pytest.raises(OSError, match=r"(?i)crc|checksum|corrupt|decompress"):
            scale.load(target)


def test_options_never_mix_and_what_was_done_is_found_again(runs: Runs, tmp_path: Path) -> None:
    target = tmp_path / "out"
    check(runs.source, target, Inline())
    first = bits(target)
    assert check(runs.source, target, Inline(), tolerance=1e-3).parts_computed == runs.parts
    assert not bits(target).keys() & first.keys()
    assert bits(target / "_others") == first
    assert scale.load(target).about["options"] == {"tolerance": "0.001"}
    assert check(runs.source, target, Inline()).parts_computed == 0
    assert bits(target) == first
    runs.assert_complete(target)


def test_another_mesh_is_another_robot(runs: Runs, tmp_path: Path) -> None:
    target = tmp_path / "out"
    thin, thick = planar_arm(), planar_arm(width=np.nextafter(0.1, 1.0))
    check(runs.source, target, Inline(), robot=thin)
    assert check(runs.source, target, Inline(), robot=thick).parts_computed == runs.parts
    assert check(runs.source, target, Inline(), robot=planar_arm()).parts_computed == 0
    runs.assert_complete(target)


def test_a_value_of_the_source_changes_its_part_alone(runs: Runs, tmp_path: Path) -> None:
    mine, target = tmp_path / "motions", tmp_path / "out"
    shutil.copytree(runs.source, mine)
    check(mine, target, Inline())
    q = datasets.random_ends(planar_arm(), datasets.ROWS)
    q[1, 100, 0] = np.nextafter(q[1, 100, 0], 9)
    datasets.write(mine / "b.parquet", datasets.table(q).slice(70))
    assert check(mine, target, Inline()).parts_computed == 1
    fresh = tmp_path / "fresh"
    check(mine, fresh, Inline())
    datasets.assert_same(target, fresh)
    assert len(bits(target).keys() & bits(runs.undisturbed).keys()) == runs.parts - 1


@pytest.mark.parametrize("name", ["0.parquet", "aa.parquet", "c.parquet"])
def test_a_file_that_is_added_is_done_alone(name: str, runs: Runs, tmp_path: Path) -> None:
    mine, target = tmp_path / "motions", tmp_path / "out"
    shutil.copytree(runs.source, mine)
    check(mine, target, Inline())
    datasets.write(mine / name, datasets.table(datasets.random_ends(planar_arm(), 30, seed=5)))
    assert check(mine, target, Inline()).parts_computed == 2
    fresh = tmp_path / "fresh"
    check(mine, fresh, Inline())
    datasets.assert_same(target, fresh)


def test_success_tells_how_rows_came_out(runs: Runs) -> None:
    told = json.loads((runs.undisturbed / "_SUCCESS").read_text())
    status = scale.load(runs.undisturbed)["status"]
    assert told["parts"] == runs.parts and told["rows"] == datasets.ROWS == len(status)
    for name in ("free", "contact", "initial_overlap", "undecided"):
        assert told[name] == np.count_nonzero(status == tc.Status[name.upper()])
    assert told["free"] and told["contact"] and told["initial_overlap"]


@pytest.mark.parametrize("change", ["option", "size of parts", "source"])
def test_a_later_run_takes_a_target_over(change: str, runs: Runs, tmp_path: Path) -> None:
    mine, target, fresh = tmp_path / "motions", tmp_path / "out", tmp_path / "fresh"
    shutil.copytree(runs.source, mine)
    later = {"option": {"tolerance": 1e-3}, "size of parts": {"rows_per_part": 15}}.get(change, {})
    told = []

    def interfere(progress: scale.Progress) -> None:
        told.append(progress)
        if len(told) == 2:
            if change == "source":
                shutil.copy(mine / "a.parquet", mine / "c.parquet")
            check(mine, target, Inline(), **later)

    with pytest.raises(TakenOver, match="a run with another plan has taken over"):
        check(mine, target, Inline(), progress=interfere)
    assert len(told) == 2
    check(mine, fresh, Inline(), **later)
    datasets.assert_same(target, fresh)


def test_an_equal_run_takes_nothing_over(runs: Runs, tmp_path: Path) -> None:
    done = []

    def join(progress: scale.Progress) -> None:
        done.append(progress)
        if len(done) == 2:
            check(runs.source, tmp_path / "out", Inline())

    check(runs.source, tmp_path / "out", Inline(), progress=join)
    assert len(done) == runs.parts
    runs.assert_complete(tmp_path / "out")


def test_a_source_that_changes_while_it_is_asked_is_told(runs: Runs, tmp_path: Path) -> None:
    """Parts are named by what was there at the start: answers to other rows are not theirs."""
    mine, target, fresh = tmp_path / "motions", tmp_path / "out", tmp_path / "fresh"
    shutil.copytree(runs.source, mine)
    other = datasets.table(datasets.random_ends(planar_arm(), datasets.ROWS, seed=9))

    def change(_: scale.Progress) -> None:
        datasets.write(mine / "a.parquet", other.slice(0, 70))
        datasets.write(mine / "b.parquet", other.slice(70))

    with pytest.raises(RuntimeError, match="the file was modified during the run"):
        check(mine, target, Inline(), progress=change)
    check(mine, target, Inline())
    check(mine, fresh, Inline())
    datasets.assert_same(target, fresh)
    shutil.copytree(runs.source, mine, dirs_exist_ok=True)
    check(mine, target, Inline())
    runs.assert_complete(target)


def test_a_run_whose_parts_are_not_seen_does_not_go_on_for_ever(runs: Runs, tmp_path: Path) -> None:
    class Elsewhere:
        """Workers that write to a folder of their own."""

        count = 0

        def run(self, packed: bytes, parts: Sequence[Part]) -> Done:
            for part in parts:
                self.count += 1
                yield part, scale.Counts(part.stop - part.start)

    elsewhere = Elsewhere()
    assert not check(runs.source, tmp_path / "out", elsewhere).complete
    assert elsewhere.count == 3 * runs.parts
    runs.assert_incomplete(tmp_path / "out")
