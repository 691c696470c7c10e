"""What is published beside the code: links, notices of others, and one version everywhere."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
HOME = PROJECT["urls"]["Homepage"]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_links_of_the_readme_hold_outside_of_the_repository():
    text = read("README.md")
    assert not re.findall(r"\]\((?!https://)", text), "relative, or without a scheme"
    links = dict(re.findall(r"^\[([^]]+)\]: (\S+)$", text, re.MULTILINE))
    raw = HOME.replace("github.com", "raw.githubusercontent.com")
    for label, link in links.items():
        place = re.fullmatch(rf"(?:{HOME}/(?:blob|tree)|{raw})/main/(\S+)", link)
        assert place and (ROOT / place[1]).exists(), f"{label}: {link}"
    prose = re.sub(r"```.*?```|`[^`]*`|^\[[^]]+\]: .*?$", "", text, flags=re.DOTALL | re.MULTILINE)
    used = {label.lower() for _, label in re.findall(r"(\]?)\[([^]]+)\](?!\[|\()", prose)}
    assert used == set(links)


def test_addresses_of_the_project_are_all_the_same():
    for name in ("CITATION.cff", "SECURITY.md", "README.md"):
        assert set(re.findall(r"https://github\.com/[^/\s]+/[^/\s>]+", read(name))) == {HOME}
    assert all(link.startswith(HOME) for link in PROJECT["urls"].values())


def test_the_citation_has_the_version_and_the_licence():
    told = dict(re.findall(r"^(\w[\w-]*): (\S+)$", read("CITATION.cff"), re.MULTILINE))
    assert told["version"] == PROJECT["version"] and told["license"] == PROJECT["license"]


def test_notices_are_those_of_what_is_linked_in():
    try:
        nanobind = distribution("nanobind")
    except PackageNotFoundError:
        pytest.skip("nanobind is not installed")
    notices = {str(file): file for file in nanobind.files or ()}
    (licence,) = (file for name, file in notices.items() if name.endswith("licenses/LICENSE"))
    assert read("licenses/nanobind.txt") == licence.read_text()
    (header,) = (file for name, file in notices.items() if name.endswith("tsl/robin_map.h"))
    words = re.sub(r"^/?[ *]+", "", header.read_text().split("*/")[0], flags=re.MULTILINE).split()
    assert read("licenses/robin_map.txt").split() == words


def test_the_benchmarks_are_a_package_of_the_same_version():
    bench = tomllib.loads((ROOT / "benchmarks" / "pyproject.toml").read_text())["project"]
    for name in ("version", "license", "requires-python"):
        assert bench[name] == PROJECT[name], name
    assert "toccata" in bench["dependencies"]
    assert "bench" not in PROJECT["optional-dependencies"]
    assert not list((ROOT / "src").rglob("bench/*.py"))
