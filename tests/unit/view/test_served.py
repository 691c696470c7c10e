"""Pages that are served or saved: commands, files, and who is answered."""

import http.client
import json
import re
import sys

import numpy as np
import pytest

import toccata as tc
from toccata._cli import main
from toccata.report._page import page_html
from toccata.scenes.primitives import box
from toccata.view import DEMOS, open_page, save_html, show, view_of
from toccata.view._live.page import LivePage, paragraphs
from toccata.view._served import ServedPage

trimesh = pytest.importorskip("trimesh")

CUBE = tc.Mesh(*box((1.0, 1.0, 1.0)))
COMING = tc.Motion.linear(tc.pose((5, 0.2, 0.1)), tc.pose((0, 0.2, 0.1)))


def told(page: str) -> dict:
    """Return what the player reads."""
    return json.loads(re.search(r'<script type="application/json">(.*?)</script>', page)[1])


ODD = ["", "a/b", "a\u2215b", "\ud800", "\x00", "\\", "__proto__", "<b>", "\x1b[31m", "..", "a\nb"]


def test_odd_names_have_pages(tmp_path):
    """Every body is drawn under a name of its own, whatever it is."""
    scene = tc.Scene()
    for i, name in enumerate(ODD):
        scene.add(name, CUBE, tc.pose((2.0 * i, 0, 0)))
    save_html(scene, tmp_path / "scene.html")
    items = told((tmp_path / "scene.html").read_text(encoding="utf-8"))["items"]
    assert len(items) == len(ODD)
    save_html(dict.fromkeys(ODD, CUBE), tmp_path / "meshes.html")


def fetch(page, path="/", **headers):
    """Return the status and the body of an answer."""
    host, port = page.address.removeprefix("http://").split("/")[0].split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=20)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in ({"Host": f"{host}:{port}"} | headers).items():
        connection.putheader(name, value)
    connection.endheaders()
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def test_a_view_is_served_as_it_would_be_saved():
    contact = tc.first_contact(CUBE, CUBE, COMING)
    given = {"bodies": (CUBE, CUBE), "motions": COMING}
    with open_page(contact, port=0, **given) as page:
        assert isinstance(page, ServedPage) and page.address.startswith("http://127.0.0.1:")
        status, text = fetch(page)
        assert status == 200 and text == page_html(view_of(contact, **given))
        assert fetch(page, "/elsewhere")[0] == 404


def test_other_sites_are_refused():
    with open_page(CUBE, port=0) as page:
        assert fetch(page, Host="toccata.invalid")[0] == 403
        assert fetch(page, Origin="http://toccata.invalid")[0] == 403
        assert fetch(page, "/?websocket=ws://elsewhere")[0] == 403
    with open_page(CUBE, host="0.0.0.0", port=0) as page:
        token = page.address.rpartition("/")[2]
        assert len(token) > 30 and fetch(page)[0] == 403
        assert fetch(page, f"/{token[:-1]}/")[0] == 403
        assert fetch(page, f"/{token}/")[0] == fetch(page, f"/{token}")[0] == 200


def test_the_next_free_port_is_taken(capfd):
    with open_page(CUBE, port=0) as first:
        port = int(first.address.rpartition(":")[2])
        with open_page(CUBE, port=port) as second:
            assert int(second.address.rpartition(":")[2]) > port
    assert capfd.readouterr() == ("", "")  # a library prints nothing
    with pytest.raises(ValueError, match="host: expected an address of this machine"):
        open_page(CUBE, host="192.0.2.1", port=0)


@pytest.mark.parametrize("name", ["<img src=x onerror=f()>", "&lt;b&gt;", "\x1b[31m", "]("])
def test_words_on_live_pages_are_text(name):
    shown = paragraphs([name])
    assert shown.count("<") == 2 and "\x1b" not in shown


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
    assert code == 1
    assert data["marks"][0]["time"] == pytest.approx(0.8, abs=1e-5)
    code, data = written(files, capsys, "check-step", files / "frame0.ply", files / "frame1.ply")
    assert code == 0 and not data["marks"]
    code, data = written(files, capsys, "check-sequence", files / "frame*.ply")
    assert code == 0 and data["times"][-1] == pytest.approx(2) and data["unit"] == "frame"
    way = ["--from", 4, 0, 0, "--to", 2, 0, 0, "--out", files / "way.npz"]
    code, data = written(files, capsys, "assemble", a, b, *way)
    assert code == 0 and "target" in {item["group"] for item in data["items"]}
    code, data = written(files, capsys, "view", files / "way.npz", a, b)
    assert code == 0 and "scene" in {item["group"] for item in data["items"]}


def test_simulations_and_audits_write_pages(files, capsys):
    log = files / "log.npz"
    code, data = written(files, capsys, "simulate", "bricks", "--steps", 12, "--log", log)
    assert code == 0 and data["unit"] == "s" and len(data["plots"]) == 2
    assert written(files, capsys, "audit", log)[0] == 0
    assert len(written(files, capsys, "view", log)[1]["items"]) == 11


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
    assert code == 1 and "b" in [item.get("text") for item in data["items"]]
    code, data = written(files, capsys, "view", arm, files / "post.stl")
    assert code == 0 and len(data["items"]) == 2


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
    assert main(["view"]) == 2 and "expected either files or --demo NAME" in capsys.readouterr().err
    assert main(["view", "--demo", "x"]) == 2 and "door, men, robot" in capsys.readouterr().err
    assert main(["view", str(files / "a.ply"), "--html", "a.txt"]) == 2
    told = capsys.readouterr().err
    assert "--html: expected a name that ends in .html or .htm, got a.txt" in told
    assert main(["view", "--list"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(DEMOS)


def test_pages_and_reports_need_no_viser(files, capsys, monkeypatch):
    """Only things that a reader moves need it, and then that is said."""
    monkeypatch.setitem(sys.modules, "viser", None)
    a, b = files / "a.ply", files / "b.stl"
    words = ["check", a, b, "--from", 5, 0, 0, "--to", 0, 0, 0, "--report", files / "r.html"]
    assert written(files, capsys, *words)[0] == 1
    with open_page(CUBE, port=0) as page:
        assert isinstance(page, ServedPage) and not isinstance(page, LivePage)
    hint = r"toccata.view needs viser: pip install 'toccata\[view\]'"
    with pytest.raises(ModuleNotFoundError, match=hint):
        show(CUBE, scene=tc.Scene(), pose=tc.pose())


@pytest.mark.parametrize("name", ["robot", "cloth", "door"])
def test_demos_have_something_to_see(name):
    view = DEMOS[name].recorded()
    assert len(view.times) > 50 and view.marks
    assert all(np.isfinite(mark.time) for mark in view.marks)
