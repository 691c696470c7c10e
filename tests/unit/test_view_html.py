"""Pages that play from disk: what is in them, and what the commands write."""

import base64
import gzip
import json
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pytest

import toccata as tc
from toccata.cli import main
from toccata.scenes.primitives import box
from toccata.view import DEMOS, Body, Points, View, open_page, save_html, show, view_of
from toccata.view.items import RED

viser = pytest.importorskip("viser")
trimesh = pytest.importorskip("trimesh")

CUBE = tc.Mesh(*box((1.0, 1.0, 1.0)))
COMING = tc.Motion.linear(tc.pose((5, 0.2, 0.1)), tc.pose((0, 0.2, 0.1)))


def told(page: str) -> dict:
    """Return what the player reads."""
    return json.loads(re.search(r"<script>window\.toccataView=(.*?);</script>", page)[1])


def rows_of(data: dict, track: dict, key: str) -> np.ndarray:
    """Return an array of a track, as the player reads it."""
    block = gzip.decompress(base64.b64decode(data["data"]))
    kind, offset, width = track[key] if key in track else track["props"][key]
    dtype = {"f": "<f4", "b": "u1"}[kind]
    return np.frombuffer(block, dtype, track["count"] * width, offset).reshape(-1, width)


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    contact = tc.first_contact(CUBE, CUBE, COMING)
    file = tmp_path_factory.mktemp("page") / "contact.html"
    save_html(contact, file, bodies=(CUBE, CUBE), motions=COMING)
    return contact, file.read_text(encoding="utf-8")


def test_a_page_loads_nothing_from_elsewhere(page):
    tags = re.findall(r"<(?:script|link|img|iframe|source)\b[^>]{0,400}", page[1])
    loads = [tag for tag in tags if re.search(r"""\b(?:src|href)\s*=\s*["']?(?!data:)\w""", tag)]
    assert tags and not loads
    ours = page[1][page[1].rindex("window.toccataView=") :]
    assert re.findall(r"https?://[\w.]+", ours) == ["http://www.w3.org"]  # the name of SVG


def test_the_player_knows_poses_marks_and_plots(page):
    contact, text = page
    data = told(text)
    tracks = {track["name"]: track for track in data["tracks"]}
    row = data["times"].index(contact.toc)
    assert rows_of(data, tracks["/bodies/A"], "position")[row, 0] == pytest.approx(1, abs=1e-5)
    assert np.allclose(rows_of(data, tracks["/bodies/A"], "wxyz"), [1, 0, 0, 0])
    points = tracks["/contact/points"]
    assert points["first"] == row and points["first"] + points["count"] == len(data["times"])
    assert [mark["name"] for mark in data["marks"]] == ["safe until", "contact"]
    assert data["marks"][1]["camera"]["target"] == pytest.approx(contact.point_a, abs=1e-5)
    assert data["plots"][0]["series"][0]["values"][0] == pytest.approx(4.0)
    assert data["ghosts"] == ["/end", "/start"] and "/bodies/B" not in tracks


def test_all_kinds_of_changes_are_in_a_page(tmp_path):
    vertices, faces = box((1.0, 1.0, 1.0))
    times = np.arange(3.0)
    deforming = vertices + np.arange(3)[:, None, None]
    colors = np.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]], dtype=np.uint8)
    items = (
        Body("mesh/a", colors, deforming, faces),
        Points("points", RED, np.arange(18.0).reshape(3, 2, 3), 0.1),
    )
    save_html(View("v", items, times), tmp_path / "v.html")
    data = told((tmp_path / "v.html").read_text(encoding="utf-8"))
    mesh, points = data["tracks"]
    assert rows_of(data, mesh, "color").tolist() == colors.tolist()
    drawn = rows_of(data, mesh, "vertices").reshape(3, -1, 3)
    assert np.allclose(drawn[2] - drawn[0], 2) and drawn.shape[1] == 24
    assert rows_of(data, points, "points")[1].tolist() == [6, 7, 8, 9, 10, 11]


def test_names_cannot_end_the_script(tmp_path):
    view = View("</script><b>", (Body("bodies/</script>", RED, CUBE.vertices, CUBE.faces),))
    save_html(view, tmp_path / "v.html")
    text = (tmp_path / "v.html").read_text(encoding="utf-8")
    assert told(text)["title"] == "</script><b>"
    assert "<title>&lt;/script&gt;&lt;b&gt;</title>" in text


ODD = ["", "a/b", "a\u2215b", "\ud800", "\x00", "\\", "__proto__", "<b>", "\x1b[31m", "..", "a\nb"]


def test_odd_names_have_pages(tmp_path):
    """Every body is drawn under a name of its own, whatever it is."""
    scene = tc.Scene()
    for i, name in enumerate(ODD):
        scene.add(name, CUBE, tc.pose((2.0 * i, 0, 0)))
    save_html(scene, tmp_path / "scene.html")
    nodes = told((tmp_path / "scene.html").read_text(encoding="utf-8"))["nodes"]
    assert len(set(nodes)) == len(ODD)
    save_html(dict.fromkeys(ODD, CUBE), tmp_path / "meshes.html")
    with open_page(scene, port=0) as page:
        assert len({page.canvas.handle(f"bodies/{name}").name for name in ODD}) == len(ODD)


class _Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize("name", ["<img src=x onerror=f()>", "&lt;b&gt;", "**b**", "`", "]("])
def test_names_on_live_pages_are_text(name):
    contact = tc.first_contact(CUBE, CUBE, COMING)
    given = {"bodies": (CUBE, CUBE), "motions": (COMING, tc.Motion.fixed(np.eye(4)))}
    with open_page(contact, names=(name, "B"), port=0, **given) as page:
        page.panel.write()
        found = _Tags(page.panel._words.content)
        assert set(found.tags) == {"p"} and len(found.tags) == len(page.session.notes)
        assert name in found.text
        page._complain(ValueError(name))
        messages = page.server._websock_server._broadcast_buffer.message_from_id.values()
        kinds = [type(message).__name__ for message in messages]
        assert "GuiHtmlMessage" in kinds and "GuiMarkdownMessage" not in kinds


@pytest.fixture
def files(tmp_path):
    solid = trimesh.creation.box()
    solid.export(tmp_path / "a.ply")
    solid.export(tmp_path / "b.stl")
    for i in range(3):
        moved = solid.copy()
        moved.vertices[moved.vertices[:, 2] > 0, 2] += 0.1 * i
        moved.export(tmp_path / f"frame{i}.ply")
    return tmp_path


def written(folder, capsys, *words):
    """Run a command that writes a page; return its exit code and what the player reads."""
    page = folder / "page.html"
    code = main([*map(str, words), "--html", str(page)])
    capsys.readouterr()
    return code, told(page.read_text(encoding="utf-8"))


def test_commands_write_pages_and_keep_their_exit_codes(files, capsys):
    a, b = files / "a.ply", files / "b.stl"
    code, data = written(files, capsys, "check", a, b, "--from", 5, 0, 0, "--to", 0, 0, 0)
    assert code == 1 and data["title"] == "a and b"
    assert data["marks"][1]["time"] == pytest.approx(0.8, abs=1e-5)
    code, data = written(files, capsys, "check-step", files / "frame0.ply", files / "frame1.ply")
    assert code == 0 and data["notes"][-1] == "free: no contact"
    code, data = written(files, capsys, "check-sequence", files / "frame*.ply")
    assert code == 0 and data["times"][-1] == pytest.approx(2) and data["unit"] == "steps"
    way = ["--from", 4, 0, 0, "--to", 2, 0, 0, "--out", files / "way.npz"]
    code, data = written(files, capsys, "assemble", a, b, *way)
    assert code == 0 and "/target/part" in data["nodes"]
    code, data = written(files, capsys, "view", files / "way.npz", a, b)
    assert code == 0 and "/scene/b.stl" in " ".join(data["nodes"])


def test_simulations_and_audits_write_pages(files, capsys):
    log = files / "log.npz"
    code, data = written(files, capsys, "simulate", "bricks", "--steps", 12, "--log", log)
    assert code == 0 and data["title"] == "bricks" and data["unit"] == "s"
    assert [plot["name"] for plot in data["plots"]] == ["energy", "least distance"]
    assert written(files, capsys, "audit", log)[0] == 0
    assert len(written(files, capsys, "view", log)[1]["nodes"]) == 11


def test_robots_write_pages(files, capsys):
    (files / "arm.urdf").write_text(
        """<robot name="r"><link name="a"/><link name="b"><collision><origin xyz="1 0 0"/>
        <geometry><box size="1 0.1 0.1"/></geometry></collision></link>
        <joint name="j" type="continuous"><parent link="a"/><child link="b"/><axis xyz="0 0 1"/>
        </joint></robot>"""
    )
    post = trimesh.creation.box((0.1, 0.1, 1))
    post.apply_translation((0, 1, 0))
    post.export(files / "post.stl")
    arm = files / "arm.urdf"
    words = ["check-robot", arm, "--world", files / "post.stl", "--from", 0, "--to", 3]
    code, data = written(files, capsys, *words)
    assert code == 1 and "b and post.stl" in " ".join(data["notes"])
    code, data = written(files, capsys, "view", arm, files / "post.stl")
    assert code == 0 and data["notes"] == ["j 0"]


def test_files_are_told_apart(files):
    assert view_of([files / f"frame{i}.ply" for i in (2, 0, 1)]).times[-1] == pytest.approx(2)
    assert len(view_of([files / "a.ply", files / "b.stl"]).items) == 2
    assert view_of(str(files / "a.ply")).title == "a.ply"
    np.savez(files / "odd.npz", x=1)
    with pytest.raises(ValueError, match=r"odd.npz: expected a log of poses or a path, got x"):
        view_of(files / "odd.npz")
    with pytest.raises(FileNotFoundError, match="no such file"):
        view_of("nothing.obj")


def test_bad_usage_is_told(files, capsys):
    assert main(["view"]) == 2 and "expected files, or --demo NAME" in capsys.readouterr().err
    assert main(["view", "--demo", "x"]) == 2 and "door, men, robot" in capsys.readouterr().err
    assert main(["view", str(files / "a.ply"), "--html", "a.txt"]) == 2
    assert "--html: expected a name that ends in .html, got a.txt" in capsys.readouterr().err
    assert main(["view", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(DEMOS)


def test_a_missing_package_is_told_before_the_work(files, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "viser", None)
    hint = r"toccata.view needs viser: pip install 'toccata\[view\]'"
    with pytest.raises(ModuleNotFoundError, match=hint):
        show(CUBE)
    for words in (["view", str(files / "a.ply")], ["simulate", "heap", "--view"]):
        assert main(words) == 2
        assert re.search(hint, capsys.readouterr().err)


def test_a_page_listens_on_the_loopback_address(capfd):
    with open_page(CUBE, port=0) as live:
        assert live.address.startswith("http://127.0.0.1:")
        assert live.server.get_host() == "127.0.0.1"
        assert live.server.request_share_url() is None
    out, err = capfd.readouterr()
    assert out == "" and err == ""  # a library prints nothing
    with pytest.raises(ValueError, match="host: expected an address of this machine"):
        open_page(CUBE, host="192.0.2.1", port=0)


@pytest.mark.parametrize("name", ["robot", "cloth", "door"])
def test_demos_have_something_to_see(name):
    view = DEMOS[name].recorded()
    assert len(view.times) > 50 and view.marks
    assert all(np.isfinite(mark.time) for mark in view.marks)
