"""What notebooks show: a table and a picture of answers, scenes and robots."""

from __future__ import annotations

import copy
import pickle
import re
import time
import zlib
from base64 import b64decode
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import toccata as tc
from toccata.scenes import models
from toccata.scenes.robots import puma
from toccata.view._snapshot import clustered

CUBE = tc.Mesh(*models.box((1, 1, 1)))
MEETING = tc.Motion.linear(tc.pose((4, 0.2, 0.1)), tc.pose((0, 0.2, 0.1)))
PASSING = tc.Motion.linear(tc.pose((4, 3, 0)), tc.pose((0, 3, 0)))
EVIL = "<script>alert(1)</script>"


class Reader(HTMLParser):
    """Collects tags and text of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""
        self.image = b""
        self.feed(page)
        assert not self.open, "expected closed tags"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        if tag == "img":
            self.image = b64decode(str(dict(attrs)["src"]).partition(",")[2])
        else:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += f"{data} "


def shown(value: Any) -> Reader:
    return Reader(value._repr_html_())


def colors(png: bytes) -> int:
    """Return how many different pixels rows of a PNG have, as a measure of what it shows."""
    data = b"".join(re.findall(rb"IDAT(.*?)(?=....IEND|....IDAT)", png, re.DOTALL))
    return len(set(zlib.decompressobj().decompress(data)))


def scene() -> tc.Scene:
    found = tc.Scene()
    found.add("left", CUBE, MEETING)
    found.add("right", CUBE)
    found.add("far", CUBE, tc.pose((0, 9, 0)))
    return found


def step(end: float = -1.0) -> Any:
    v, f = models.box((1, 1, 1))
    v0 = np.concatenate([v, 0.9 * v + (0.05, 0.1, 2)])
    v1 = np.concatenate([v, 0.9 * v + (0.05, 0.1, 2 + end)])
    return tc.deforming_contacts(v0, v1, np.concatenate([f, f + len(v)]))


def robot_answers() -> dict[str, Any]:
    arm, wall = puma(), tc.Mesh(*models.box((0.2, 2, 2)))
    world = tc.Scene()
    world.add("wall", wall, tc.pose((0.7, 0, 1)))
    start, end = np.zeros(arm.dof), 0.45 * np.eye(arm.dof)[1]
    path = [start, (start + end) / 2, end]
    return {
        "robot": arm,
        "robot contact": arm.first_contact(start, end, world),
        "robot path": arm.first_contact_path(path, world),
        "robot spline": arm.first_contact_path(path, world, spline="cubic"),
        "robot free": arm.first_contact(start, -end, world),
        "robot clearance": arm.clearance(start, -end, world),
        "path clearance": arm.clearance_path(path, world),
    }


VALUES = {
    "contact": tc.first_contact(CUBE, CUBE, MEETING),
    "all contacts": tc.first_contact(CUBE, CUBE, MEETING, contacts="all"),
    "free": tc.first_contact(CUBE, CUBE, PASSING),
    "overlap": tc.first_contact(CUBE, CUBE, tc.pose((0.5, 0, 0))),
    "undecided": tc.first_contact(CUBE, CUBE, MEETING, budget=1),
    "surface": tc.first_contact(tc.surfaces.sphere(0.5), CUBE, MEETING),
    "clearance": tc.clearance(CUBE, CUBE, PASSING),
    "scene": scene(),
    "scene contact": scene().first_contact(),
    "scene contacts": scene().contacts(),
    "scene clearance": scene().clearance(),
    "step": step(),
    "free step": step(-0.1),
} | robot_answers()


@pytest.mark.parametrize("name", VALUES)
def test_every_answer_has_a_table_and_a_picture_of_its_bodies(name: str) -> None:
    page = shown(VALUES[name])
    assert page.text.strip() and "nan" not in page.text
    assert page.image.startswith(b"\x89PNG") and colors(page.image) > 20
    assert len(page.image) < 300_000


def test_tables_say_what_touches_and_when() -> None:
    assert "left touches right at t = 0.7499" in shown(VALUES["scene contact"]).text  # rounded down
    assert "certified free of contact" in shown(VALUES["free"]).text
    assert "undecided" in shown(VALUES["undecided"]).text
    assert "left and right" in shown(VALUES["scene contacts"]).text
    assert "clearance of 2, certified" in shown(VALUES["clearance"]).text
    assert "3 bodies" in shown(VALUES["scene"]).text
    assert "6 joints" in shown(VALUES["robot"]).text
    assert re.search(r"\w+ touches wall at t = 0\.\d{4}", shown(VALUES["robot path"]).text)


def test_batches_have_a_table_of_counts() -> None:
    starts = np.stack([tc.pose((4, y, 0)) for y in (0, 0.3, 5)])
    ends = starts - [[0, 0, 0, 4], [0] * 4, [0] * 4, [0] * 4]
    page = shown(tc.first_contact_batch(CUBE, CUBE, starts, ends))
    assert "3 motions" in page.text and "Free 1" in page.text and "Contact 2" in page.text
    assert "img" not in page.tags


@pytest.mark.parametrize("name", [name for name in VALUES if name != "robot"])
def test_an_unpickled_answer_keeps_its_table(name: str) -> None:
    value = VALUES[name]
    page = shown(pickle.loads(pickle.dumps(value)))
    assert page.text == shown(value).text
    assert ("img" in page.tags) == isinstance(value, tc.Scene)


def test_pickles_do_not_hold_bodies() -> None:
    large = tc.Mesh(*models.icosphere(1, 5))
    contact = tc.first_contact(large, large, MEETING)
    assert len(pickle.dumps(contact)) < 5_000 < large.nbytes
    assert len(pickle.dumps(scene().contacts())) < 5_000


def test_names_are_escaped() -> None:
    scene = tc.Scene()
    scene.add(EVIL, CUBE, MEETING)
    scene.add('"><img src=x>', CUBE)
    link = tc.Link(EVIL, CUBE)
    for value in (scene, scene.first_contact(), scene.contacts(), scene.clearance()):
        page = shown(value)
        assert "script" not in page.tags and page.tags.count("img") == 1
        assert EVIL in page.text
    page = shown(tc.Robot([link], []))
    assert "script" not in page.tags and EVIL in page.text


def test_a_scene_that_was_edited_since_leaves_the_table() -> None:
    for edit in (
        lambda edited: edited.move("left", tc.pose((0, 0, 50))),
        lambda edited: edited.remove("far"),
        lambda edited: edited.add("new", CUBE),
        lambda edited: edited.move_all(np.stack([np.eye(4)] * 3)),
    ):
        edited = scene()
        answers = edited.first_contact(), edited.contacts(), edited.clearance()
        before = [shown(answer) for answer in answers]
        edit(edited)
        for page, answer in zip(before, answers, strict=True):
            assert page.image and not shown(answer).image
            assert page.text == shown(answer).text


def test_the_picture_shows_the_step_and_the_path_as_they_were_asked() -> None:
    v, f = models.box((1, 1, 1))
    v0, v1 = v.copy(), v + 0.1
    found = tc.deforming_contacts(v0, v1, f)
    arm = puma()
    rows = np.zeros((3, arm.dof))
    rows[1:] += [[0.1], [0.2]]
    answers = [found, arm.first_contact(rows[0], rows[2]), arm.first_contact_path(rows)]
    before = [answer._repr_html_() for answer in answers]
    v0[:], v1[:], rows[:] = 5.0, 7.0, 1.0
    assert [answer._repr_html_() for answer in answers] == before


def test_empty_things_have_words_only() -> None:
    for value in (tc.Scene(), tc.Scene().first_contact(), tc.Scene().contacts()):
        page = shown(value)
        assert page.text.strip() and "img" not in page.tags
    assert shown(copy.copy(VALUES["contact"])).text


def test_a_million_triangles_are_drawn_in_bounded_time() -> None:
    large = tc.Mesh(*models.icosphere(1.0, 8))
    assert len(large.faces) > 1_000_000
    contact = tc.first_contact(large, large, MEETING)
    began = time.perf_counter()
    page = shown(contact)
    assert time.perf_counter() - began < 30
    assert colors(page.image) > 20


def test_thousands_of_bodies_are_drawn_in_bounded_time() -> None:
    many = tc.Scene()
    for i in range(3000):
        at = (2.0 * (i % 60), 2.0 * (i // 60), 0)
        many.add(f"body {i}", CUBE, tc.Motion.linear(tc.pose(at), tc.pose((*at[:2], 1))))
    began = time.perf_counter()
    page = shown(many)
    assert time.perf_counter() - began < 30
    assert "and 2,992 more bodies" in page.text and page.image


@pytest.mark.parametrize("most", [12, 500, 20_000])
def test_clustered_meshes_have_few_triangles_and_the_same_extent(most: int) -> None:
    vertices, faces = models.icosphere(1.0, 6)
    small, left = clustered(np.asarray(vertices), np.asarray(faces), most)
    assert 0 < len(left) <= most
    assert left.min() >= 0 and left.max() < len(small)
    if most > 100:
        assert np.ptp(small[left.ravel()], axis=0) == pytest.approx([2, 2, 2], abs=0.3)


def test_a_soup_that_does_not_collapse_is_thinned() -> None:
    vertices = np.random.default_rng(1).uniform(-1, 1, (30_000, 3))
    small, left = clustered(vertices, np.arange(30_000).reshape(-1, 3), 1000)
    assert 300 < len(left) <= 1000 and np.isfinite(small).all()
