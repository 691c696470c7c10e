"""The mutations of `tests/mutations.py` apply to the present code; the script runs them."""

from __future__ import annotations

from pathlib import Path

import mutations
import pytest
from mutations import Mutation

ROOT = Path(__file__).parents[3]
ALL = mutations.read_all()


@pytest.mark.parametrize("mutation", ALL, ids=[m.name for m in ALL])
def test_a_mutation_applies_and_has_a_test(mutation: Mutation) -> None:
    assert mutation.applied() != (ROOT / mutation.file).read_text()
    assert (ROOT / mutation.test.partition("::")[0]).is_file()
    assert ": " in mutation.bound and "|" not in mutation.bound


def test_the_tables_list_all_mutations() -> None:
    text = (ROOT / "tests" / "README.md").read_text()
    assert mutations.table(ALL) in text and mutations.equivalents(ALL) in text


def test_a_text_must_be_found_exactly_once() -> None:
    for text, times in (("no such text", 0), ("namespace", 4)):
        file = "core/toccata/broad/pair_rules.cpp"
        mutation = Mutation("name", "a: b", file, text, "", "tests/core/test_scene.cpp")
        with pytest.raises(mutations.UnusableMutationError, match=f"found {times} times"):
            mutation.applied()
