"""Tables and figures of the papers: all are listed, what is drawn is right, and the page has it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata._cli import main
from toccata.scenes.primitives import box, icosphere
from toccata.scenes.robots import puma
from toccata_bench import plots
from toccata_bench.papers import (
    command,
    he_clusters,
    kim_joints,
    redon_robots,
    redon_swept,
    tang_volumes,
)
from toccata_bench.papers.beside import beside, gains, spread
from toccata_bench.papers.catalog import EXHIBITS
from toccata_bench.papers.drawing import RED, cut_away, marked, picture, points_of, put
from toccata_bench.papers.exhibit import PAPERS, Exhibit, Made, Setup, three
from toccata_bench.papers.listing import PICTURES, listing
from toccata_bench.papers.page import page
from toccata_bench.papers.published import REDON_1, REDON_2, TANG_1, TANG_1_COLUMNS
from toccata_bench.papers.shown import Shown
from toccata_bench.papers.swept import LineSwept, line_swept, link_volumes, sweep
from toccata_bench.table import Table
from toccata_bench.verify import WrongAnswer

ROOT = Path(__file__).parents[3]
FIGURES = {"redon-2002": 6, "redon-2004": 7, "kim-2008": 4, "tang-2013": 10, "he-2015": 9}
TABLES = {"redon-2004": 2, "tang-2013": 2, "he-2015": 2}


# What is listed


def test_every_table_and_figure_of_every_paper_is_listed_once() -> None:
    names = [exhibit.name for exhibit in EXHIBITS]
    asked = {f"{paper}/figure-{k + 1}" for paper, count in FIGURES.items() for k in range(count)}
    asked |= {f"{paper}/table-{k + 1}" for paper, count in TABLES.items() for k in range(count)}
    assert len(names) == len(set(names)) and asked <= set(names)
    assert {exhibit.paper for exhibit in EXHIBITS} == set(PAPERS)


def test_every_exhibit_tells_what_the_paper_has_and_where_ours_differs() -> None:
    for exhibit in EXHIBITS:
        assert exhibit.title and len(exhibit.theirs) > 5 and len(exhibit.differs) > 10
        assert "|" not in exhibit.theirs + exhibit.differs  # it would end a cell of a table
    assert all(one.make is not None for one in EXHIBITS)


def test_the_docs_list_every_exhibit() -> None:
    text = (ROOT / "docs" / "papers.md").read_text(encoding="utf-8")
    for exhibit in EXHIBITS:
        assert f"| {exhibit.label}: {exhibit.title} | {exhibit.theirs} |" in text
        assert exhibit.differs in text
    for place, files in PICTURES.items():
        assert all((ROOT / "docs" / "papers" / place / f"{name}.png").exists() for name in files)
    assert text.count("**not made**") == sum(one.make is None for one in EXHIBITS)


# Figures beside those of a paper


def test_tables_have_ours_beside_the_papers() -> None:
    ours = {"Club vs. Club": [1.5, 1.2, None, 1.2, 1.7, None]}
    table = beside("t", TANG_1_COLUMNS, ours, TANG_1)
    assert len(table.header) == len(table.rows[0]) == 13
    assert table.rows[0][1:3] == ["1.5", "15"] and table.rows[0][5] is None
    assert gains(ours, TANG_1, 3) == "3" and gains(ours, TANG_1, 4) == "2"
    assert spread([2.0, None, 0.5]) == "0.5 to 2" and spread([None]) == "-"
    assert three(12345.6) == "12346" and three(0.000123456) == "0.000123" and three(None) is None


def test_published_rows_are_whole() -> None:
    assert {len(row) for row in (*REDON_1.values(), *REDON_2.values())} == {8}
    # Stages and totals of motions that collide add up in table 2, as printed.
    for row in REDON_2.values():
        assert sum(row[k] or 0.0 for k in (0, 2, 4)) == pytest.approx(row[6], abs=0.02)


# Swept volumes


def test_line_swept_spheres_hold_their_points() -> None:
    rng = np.random.default_rng(1)
    for shape in ((1.0, 1.0, 1.0), (4.0, 1.0, 1.0), (3.0, 2.0, 0.2)):
        points = rng.normal(size=(300, 3)) * shape + rng.normal(size=3)
        found = line_swept(points)
        assert (found.distances(points) <= found.radius).all()
        ball = float(np.linalg.norm(points - points.mean(axis=0), axis=1).max())
        assert found.volume < 1.3 * 4 / 3 * np.pi * ball**3
    assert line_swept(np.zeros((1, 3))).radius == 0.0


def test_a_bar_is_swept_along_its_length() -> None:
    found = line_swept(box((4.0, 0.2, 0.2))[0])
    assert abs(found.end - found.start)[0] > 3.7 and found.radius == pytest.approx(0.1 * 2**0.5)
    mesh = found.mesh()
    assert found.distances(mesh[0]) == pytest.approx(np.full(len(mesh[0]), found.radius))


def test_swept_volumes_are_the_radius_away_from_their_ruled_surface() -> None:
    robot = puma()
    q0, q1 = np.zeros(6), np.array([0.8, -0.5, 0.6, 0.3, 0.2, 0.1])
    volumes = link_volumes(robot, "forearm", (q0, q1), 65)
    parts, radius = sweep(volumes), volumes[0].radius
    # The tessellated segment at all times, seen as thin volumes: the nearest one of them counts.
    for mesh in (parts.sheets, parts.pipes):
        nearest = np.min([one.distances(mesh[0]) for one in volumes], axis=0)
        assert (nearest <= radius * (1 + 1e-9)).all() and nearest.max() > 0.99 * radius
    link = robot.links["forearm"].mesh
    assert link is not None
    for volume, q in zip(volumes, robot.interpolate(q0, q1, np.linspace(0, 1, 65)), strict=True):
        pose = robot.forward_kinematics(q)["forearm"]
        points = link.vertices @ pose[:3, :3].T + pose[:3, 3]
        assert (volume.distances(points) <= radius * (1 + 1e-9)).all()


def test_a_link_that_stays_sweeps_itself() -> None:
    still = [LineSwept(np.zeros(3), np.array([0.0, 0.0, 1.0]), 0.5)] * 5
    parts = sweep(still)
    assert len(parts.pipes[1]) == 0 and np.isfinite(parts.whole[0]).all()


def test_culled_links_stay_clear_of_the_pipes() -> None:
    setup, robot = Setup(quick=True), puma()
    motions = redon_robots.wide_motions(setup)["colliding"]
    world = redon_robots.case_of(setup, "puma-pipes").world
    assert world is not None
    culled = 0
    for q0, q1 in zip(motions.start[:5], motions.end[:5], strict=True):
        told = redon_swept.culled_links(robot, q0, q1, redon_swept.CULLED)
        for link in (link for link, gone in told.items() if gone):
            culled += 1
            for q in robot.interpolate(q0, q1, np.linspace(0, 1, 5)):
                pose = robot.forward_kinematics(q)[link]
                assert tc.distance(robot.links[link].mesh, world["pipes"].mesh, pose).lower > 0
    assert culled, "sample too small to prove anything"
    assert "pipes" not in {name for pair in robot.ignored_pairs for name in pair}


# Motion bounds


def test_motion_bounds_are_never_below_the_speed() -> None:
    made = tang_volumes.figure_2(Setup(quick=True))
    rows = {str(row[0]): float(str(row[1])) for row in made.tables[0].rows}
    assert 0 <= rows["triangle"] <= min(rows[kind] for kind in ("PSS", "LSS", "RSS"))
    assert rows["RSS"] <= rows["PSS"]
    assert rows["triangle, no direction"] > 2 * rows["triangle"]


def test_a_bound_that_is_too_small_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    real = tang_volumes.motion_bound
    monkeypatch.setattr(tang_volumes, "motion_bound", lambda *given: real(*given) - 0.05)
    with pytest.raises(WrongAnswer, match="but a point moves by"):
        tang_volumes.figure_2(Setup(quick=True))


def test_advancement_comes_close_and_stays_before_the_contact() -> None:
    a = LineSwept(np.array([-0.5, 0, 0]), np.array([0.5, 0, 0]), 0.2)
    b = LineSwept(np.array([2.0, -1, 0]), np.array([2.0, 1, 0]), 0.3)
    twist = np.array([2.0, 0.0, 0.0]), np.array([0.0, 0.0, 1e-6])
    steps = tang_volumes.advance(a, b, twist, near=1e-4)
    assert steps[-1][0] == pytest.approx(0.5, abs=1e-3) and steps[-1][2] < 1e-4
    times = [t for t, _, _ in steps]
    assert times == sorted(times) and all(gap > 0 for *_, gap in steps)


# Clusters


def test_figures_show_the_clusters_of_the_core() -> None:
    found = he_clusters.clusters(Setup(quick=True))
    sizes = np.bincount(found.patch)
    for patch in np.argsort(-sizes)[:10].tolist():
        loops = found.loops(patch)
        every = np.concatenate(loops)
        assert len(loops[0]) == 1 and len(every) == len(np.unique(every)) == sizes[patch]
        assert (found.patch[every] == patch).all()
    for one, two in found.seams().tolist():
        merged = found.cluster[found.patch == one][0], found.cluster[found.patch == two][0]
        assert one < two and merged[0] == merged[1]
    assert len(found.seams()) > 0


# Assembly trees


def test_parts_of_the_tree_are_all_links() -> None:
    body = kim_joints.man()
    nodes = kim_joints.tree_of(body)
    upper, lower = (kim_joints.links_below(body.robot, nodes, int(part)) for part in nodes[-1][1:])
    assert sorted(upper + lower) == sorted(body.robot.link_names)
    assert body.active.sum() == kim_joints.ACTIVE
    assert set(kim_joints.TOUCHING) <= set(body.robot.link_names)


# Pictures


def test_what_is_before_the_eye_is_cut_away() -> None:
    placed = put(icosphere(1.0, 2), RED)
    kept = cut_away(placed, placed, (0.0, 0.0), margin=0.2)
    assert points_of(kept)[:, 0].max() <= 0.2 < points_of(placed)[:, 0].max()
    assert cut_away(placed, placed, (0.0, 0.0), margin=-2.0) == []


def test_contacts_are_marked() -> None:
    placed = put(icosphere(1.0, 2), RED)
    plain = picture(placed, (0.0, 0.0))
    point = np.array([1.0, 0.0, 0.0])
    for count in (1, 9):  # a disc with an arrow, or dots
        drawn = marked(placed, (0.0, 0.0), [(point, point)] * count, placed)
        assert 20 < (drawn != plain).any(axis=2).sum() < 3000


def test_the_contact_that_sampling_misses_is_judged() -> None:
    setup = Setup(quick=True)
    q0, q1, answer = redon_robots.missed_motion(setup)
    case = redon_robots.case_of(setup, "puma-pipes")
    assert answer.status == tc.Status.CONTACT and 0.2 < answer.toc < 0.8
    assert not case.robot.first_contact(q1, q1, case.world)
    assert not case.robot.first_contact(q0, q0, case.world)


# The page and the command


def shown() -> list[Shown]:
    drawn = np.zeros((4, 4, 3), dtype=np.uint8)
    table = Table("Table <1>", ["", "ours"], [["row & row", 1.5], ["none", None]])
    made = Made("ours < theirs", [table], {"a & b": drawn})
    first = Shown(Exhibit("tang-2013/table-1", "a title", "theirs", "why", lambda _: made))
    return [first, Shown(Exhibit("he-2015/figure-5", "not this", "a sketch", "it has no data"))]


def test_page_is_self_contained(tmp_path: Path) -> None:
    some = shown()
    made = some[0].exhibit.make
    assert made is not None
    some[0].keep(made(Setup()), tmp_path)
    text = page(some, "a machine")
    assert "data:image/png;base64," in text and "ours &lt; theirs" in text
    assert "Table &lt;1&gt;" in text and "row &amp; row" in text
    assert "http" not in text and "<script" not in text
    assert "<dt>not made</dt><dd>it has no data</dd>" in text and "1 of 2 listed" in text
    assert (tmp_path / "tang-2013" / "table-1.png").exists()
    lines = listing(some, "a machine")
    assert "| Table 1: a title | theirs | ours < theirs | why |" in lines
    assert "| Figure 5: not this | a sketch | **not made** | it has no data |" in lines


def test_command_makes_what_was_asked_for(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "record.json"
    only = "redon-2004/figure-2,tang-2013/figure-3,he-2015/figure-5"
    words = ["bench", "papers", "--quick", "--out", str(tmp_path), "--only", only]
    page = tmp_path / "papers.md"
    assert main([*words, "--markdown", str(page), "--json", str(file)]) == 0
    told, text = capsys.readouterr().err, page.read_text()
    assert "1 of 3, redon-2004/figure-2" in told and "3 of 3 made" in told
    assert "## tang-2013" in text
    assert (tmp_path / "redon-2004" / "figure-2.png").stat().st_size > 1_000
    assert (tmp_path / "index.html").read_text().count("<img") == 3
    record = json.loads(file.read_text())["exhibits"]
    assert [one["made"] for one in record.values()] == [True, True, True]


def test_a_paper_can_be_asked_for_as_a_whole() -> None:
    assert {one.paper for one in command.wanted("kim-2008")} == {"kim-2008"}
    assert len(command.wanted(None)) == len(EXHIBITS)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "--out: expected a folder for pictures and index.html"),
        (["--out", "x", "--only", "tang-2013/figure-99"], "got tang-2013/figure-99"),
    ],
)
def test_faults_end_with_2(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "papers", *words]) == 2
    assert said in capsys.readouterr().err


def test_names_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "papers", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(EXHIBITS) and lines[0].startswith("redon-2002/figure-1 ")


def test_without_matplotlib_plots_are_left_out_with_a_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(plots, "optional", lambda _: None)
    words = ["bench", "papers", "--quick", "--out", str(tmp_path), "--only"]
    assert main([*words, "tang-2013/figure-1,tang-2013/figure-3"]) == 0
    told = capsys.readouterr().err
    assert "left out: plots need matplotlib: pip install 'toccata[plots]'" in told
    text = (tmp_path / "index.html").read_text()
    assert text.count("<img") == 1 and "pip install" in text


def test_a_wrong_answer_ends_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def wrong(setup: Setup) -> Any:
        raise WrongAnswer("two and two are five")

    bad = Exhibit("tang-2013/figure-1", "t", "theirs", "differs", wrong)
    monkeypatch.setattr(command, "EXHIBITS", (bad,))
    assert main(["bench", "papers", "--out", str(tmp_path)]) == 2
    assert "wrong answer: two and two are five" in capsys.readouterr().err
    assert not (tmp_path / "index.html").exists()


def test_work_is_shared() -> None:
    setup, calls = Setup(), []
    for _ in range(2):
        assert setup.once("key", lambda: calls.append(1) or 7) == 7
    assert len(calls) == 1 and setup.size(200, 4) == 200 and Setup(True).size(200, 4) == 4
