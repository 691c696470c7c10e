"""Published metadata: one version everywhere, and the license notices of linked code."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def read(name):
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_citation_has_the_version_and_the_license():
    fields = dict(re.findall(r"^(\w[\w-]*): (\S+)$", read("CITATION.cff"), re.MULTILINE))
    assert fields["version"] == PROJECT["version"] and fields["license"] == PROJECT["license"]


def test_license_notices_equal_those_of_the_linked_libraries():
    try:
        nanobind = distribution("nanobind")
    except PackageNotFoundError:
        pytest.skip("nanobind is not installed")
    notices = {str(file): file for file in nanobind.files or ()}
    (text,) = (file for name, file in notices.items() if name.endswith("licenses/LICENSE"))
    assert read("licenses/nanobind.txt") == text.read_text()
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


def test_links_of_the_readme_can_be_made_absolute():
    command = [sys.executable, ROOT / "tools" / "absolute_links.py", "https://host/main/"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    own = [link.removeprefix("https://host/main/") for link in links if "//host/" in link]
    assert len(own) > 10 and all((ROOT / link).exists() for link in own)
    assert all(link.startswith("https://") for link in links)
