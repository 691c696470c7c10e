"""Parts of model files: names, places, shared meshes, and files that lie."""

from __future__ import annotations

import json
import struct
import warnings
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from oracles.size import SEED, cases

import toccata as tc
from toccata._files import read_parts
from toccata.scenes import models

BOX = models.box((1.0, 1.0, 1.0))

CORNER = {"componentType": 5126, "type": "VEC3"}
ROWS = [
    {"bufferView": view, "count": count, "componentType": 5123, "type": "SCALAR"}
    for view, count in ((1, 15), (2, 21))
]
"""Accessors of a glTF."""


def obj(vertices: Any, faces: Any, first: int = 1) -> str:
    rows = [f"v {x:.17g} {y:.17g} {z:.17g}" for x, y, z in np.asarray(vertices).tolist()]
    return "\n".join(rows + [f"f {a} {b} {c}" for a, b, c in (np.asarray(faces) + first).tolist()])


def boxes(*heads: str) -> str:
    """Return an OBJ with a box for each head, at x = 0, 2, 4, ..."""
    vertices, faces = BOX
    parts = [
        head + "\n" + obj(vertices + [2.0 * i, 0, 0], faces, 1 + i * len(vertices))
        for i, head in enumerate(heads)
    ]
    return "\n".join(parts) + "\n"


def save(path: Path, text: str) -> Path:
    path.write_text(text)
    return path


def middles(scene: tc.Scene) -> list[float]:
    """Return the x coordinate of the middle of each body, in the order of names."""
    found = []
    for name in scene.names:
        mesh, motion = scene[name]
        points = mesh.vertices @ motion.pose(0.0)[:3, :3].T + motion.pose(0.0)[:3, 3]
        found.append(float(points[:, 0].min() + points[:, 0].max()) / 2)
    return found


@pytest.mark.parametrize("word", ["o", "g"])
def test_objects_and_groups_of_an_obj_are_bodies(word: str, tmp_path: Path) -> None:
    path = save(tmp_path / "room.obj", boxes(f"{word} floor", f"{word} table", f"{word} lamp 2"))
    scene = tc.Scene.load(path)
    assert scene.names == ("floor", "table", "lamp 2") and middles(scene) == [0, 2, 4]
    assert all(scene[name].mesh.solid and len(scene[name].mesh.faces) == 12 for name in scene)
    assert len(tc.Mesh.load(path).faces) == 36 and tc.Mesh.load(path).solid


def test_names_of_an_obj_are_kept_apart(tmp_path: Path) -> None:
    heads = "# none yet", "o part", "o part", "o part_1", "g\tpart", "o \x1b[31m<b>&amp;", "g"
    scene = tc.Scene.load(save(tmp_path / "a.obj", boxes(*heads)))
    last = "\x1b[31m<b>&amp;"
    assert scene.names == ("a.obj", "part", "part_2", "part_1", "part_3", last, f"{last}_1")
    assert middles(scene) == [0, 2, 4, 6, 8, 10, 12]


def test_materials_do_not_cut_an_object_into_pieces(tmp_path: Path) -> None:
    lines = boxes("o box").splitlines()
    lines.insert(12, "usemtl red\ns off")
    scene = tc.Scene.load(save(tmp_path / "a.obj", "mtllib ../secret.mtl\n" + "\n".join(lines)))
    assert scene.names == ("box",) and scene["box"].mesh.solid
    assert len(scene["box"].mesh.faces) == 12


def test_objects_may_share_vertices_and_count_backwards(tmp_path: Path) -> None:
    text = (
        "v 0 0 0\nv 1 0 0 0.5 0.5 0.5\nv 1 1 0\nv 0 1 0\nvt 0 0\nvn 0 0 1\n"
        "o square\nf 1/1/1 2//1 3/1 \\\n 4\no below\nf -4/-1 -3/-1 -2/-1\n"
        "v 5 5 5\nv 6 5 5\nv 5 6 5\nf -3 -2 -1\nf 1 -1 2\n"
    )
    scene = tc.Scene.load(save(tmp_path / "a.obj", text))
    square, below = scene["square"].mesh, scene["below"].mesh
    np.testing.assert_array_equal(
        square.vertices[square.faces],
        [[(0, 0, 0), (1, 0, 0), (1, 1, 0)], [(0, 0, 0), (1, 1, 0), (0, 1, 0)]],
    )
    np.testing.assert_array_equal(
        below.vertices[below.faces],
        [
            [(0, 0, 0), (1, 0, 0), (1, 1, 0)],
            [(5, 5, 5), (6, 5, 5), (5, 6, 5)],
            [(0, 0, 0), (5, 6, 5), (1, 0, 0)],
        ],
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("f 1 2 3", "expected vertices, got none"),
        ("v 0 0 0\nf 1 1 2", r"line 2: expected a vertex in 1\.\.1, got 2"),
        ("v 0 0 0\nf 1 0 1", r"line 2: expected a vertex in 1\.\.1, got 0"),
        ("v 0 0 0\nf 1 -2 1", r"line 2: expected a vertex in 1\.\.1, got -2"),
        ("v 0 0 0\nf 1 1", "line 2: expected at least three corners, got '1 1'"),
        ("v 0 0 0\nf 1 1 //2", "line 2: expected integers, got"),
        ("v 0 0 0\nf 1 1 99999999999999999999", r"line 2: expected a vertex in 1\.\.1"),
        ("v 0 0 0\nf 1 1 1.5", "line 2: expected integers, got"),
        ("v 0 0\nf 1 1 1", "line 1: expected three coordinates, got '0 0'"),
        ("v 0 0 0\nv 0 zero 0\nf 1 1 1", "line 2: expected numbers, got '0 zero 0'"),
        ("v 0 0 0\nv nan 0 0\nf 1 1 2", "vertices: expected finite numbers"),
        ("v 0 0 0\nsurf 0 1 0 1 1 1", "line 2: expected polygons, got 'surf'"),
    ],
)
def test_broken_obj_files_are_refused_with_the_line(
    text: str, message: str, tmp_path: Path
) -> None:
    path = save(tmp_path / "a.obj", text)
    for load in (tc.Scene.load, tc.Mesh.load):
        with pytest.raises(ValueError, match=rf"a\.obj(, 'a\.obj')?: {message}"):
            load(path)


def gltf(path: Path, nodes: list[dict[str, Any]], **more: Any) -> Path:
    """Write a glTF whose mesh 0 is a box in two primitives, and mesh 1 a strip and a fan."""
    vertices, faces = BOX
    sheet = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0)], dtype="<f4")
    chunks = [
        np.asarray(vertices, dtype="<f4").tobytes(),
        np.asarray(faces[:5], dtype="<u2").tobytes(),
        np.asarray(faces[5:], dtype="<u2").tobytes(),
        sheet.tobytes(),
    ]
    views, start = [], 0
    for chunk in chunks:
        views.append({"buffer": 0, "byteOffset": start, "byteLength": len(chunk)})
        start += len(chunk)
    path.with_suffix(".bin").write_bytes(b"".join(chunks))
    header: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "buffers": [{"uri": path.with_suffix(".bin").name, "byteLength": start}],
        "bufferViews": views,
        "accessors": [
            {"bufferView": 0, "count": 8, **CORNER},
            *ROWS,
            {"bufferView": 3, "count": 4, **CORNER},
        ],
        "meshes": [
            {"primitives": [{"attributes": {"POSITION": 0}, "indices": i} for i in (1, 2)]},
            {"primitives": [{"attributes": {"POSITION": 3}, "mode": m} for m in (1, 5, 6)]},
        ],
        "nodes": nodes,
        **more,
    }
    path.write_text(json.dumps(header))
    return path


def test_nodes_of_a_gltf_are_bodies_with_all_primitives(tmp_path: Path) -> None:
    nodes: list[dict[str, Any]] = [
        {"name": "room", "translation": [1, 0, 0], "children": [1, 2, 4], "camera": 0},
        {"name": "box", "mesh": 0, "translation": [1, 0, 0], "children": [3]},
        {"name": "box", "mesh": 0, "scale": [2, 2, 2]},
        {"mesh": 1, "rotation": [0, 0, 2**0.5, 2**0.5]},
        {"name": "box", "mesh": 0, "matrix": [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1]},
    ]
    path = gltf(tmp_path / "room.gltf", nodes)
    scene = tc.Scene.load(path)
    assert scene.names == ("box", "3", "box_1", "box_2")
    assert middles(scene) == pytest.approx([2, 1.5, 1, 6])
    assert scene["box"].mesh.solid, "cut by materials, and closed as a whole"
    assert scene["box"].mesh is scene["box_2"].mesh is not scene["box_1"].mesh
    assert len(scene["3"].mesh.faces) == 4 and not scene["3"].mesh.solid
    assert len(tc.Mesh.load(path).faces) == 3 * 12 + 4
    with pytest.raises(ValueError, match=r"room\.gltf, '3': solid: expected a closed mesh"):
        tc.Scene.load(path, solid=True)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"nodes": [{"mesh": -1}]}, "meshes: expected an index below 2, got -1"),
        ({"nodes": [{"mesh": 0, "children": [0]}], "scenes": [{"nodes": [0]}]},
         "nodes: expected a tree, got node 0 twice"),
        ({"nodes": [{"mesh": 0, "scale": [1, 2]}]}, "node: expected 3 numbers"),
        ({"extensionsRequired": ["KHR_draco_mesh_compression"]}, "expected no extension"),
        ({"nodes": [{"mesh": 0, "extensions": {"EXT_mesh_gpu_instancing": {}}}]}, "node 0: exp"),
        ({"accessors": [{"count": 8, **CORNER}, *ROWS]}, "accessor 0: expected a bufferView, got"),
        ({"accessors": [{"bufferView": 0, "count": 10**18, **CORNER}, *ROWS]},
         r"accessor 0: expected 1\.\.2\^28 - 1 rows"),
        ({"accessors": [{"bufferView": 0, "count": 10**6, **CORNER}, *ROWS]},
         r"accessor: expected bytes in 0\.\.96"),
        ({"accessors": [{"bufferView": 0, "count": 7, **CORNER}, *ROWS]},
         "indices: expected less than 7, got 7"),
        ({"buffers": [{"uri": "http://x/y", "byteLength": 1}]}, "buffer 0: expected a file"),
        ({"asset": {}}, "expected a glTF file"),
        ({"nodes": "many"}, "nodes: expected a list, got str"),
        ({"nodes": []}, "expected triangles, got none"),
    ],
)  # fmt: skip
def test_broken_gltf_files_are_refused(
    change: dict[str, Any], message: str, tmp_path: Path
) -> None:
    nodes = change.pop("nodes", [{"mesh": 0}])
    with pytest.raises(ValueError, match=rf"a\.gltf: {message}"):
        tc.Scene.load(gltf(tmp_path / "a.gltf", nodes, **change))
    change["nodes"] = nodes


def test_sparse_and_normalized_positions_are_applied(tmp_path: Path) -> None:
    path = gltf(tmp_path / "a.gltf", [{"mesh": 0}])
    header = json.loads(path.read_text())
    place = np.array([(9, 9, 9)], dtype="<f4").tobytes()
    at = path.with_suffix(".bin").read_bytes()
    short = np.array([(32767, 0, -32768)] * 3, dtype="<i2").tobytes()
    path.with_suffix(".bin").write_bytes(at + b"\x07\0\0\0" + place + short)
    header["bufferViews"] += [
        {"buffer": 0, "byteOffset": len(at), "byteLength": 4},
        {"buffer": 0, "byteOffset": len(at) + 4, "byteLength": 12},
        {"buffer": 0, "byteOffset": len(at) + 16, "byteLength": 18},
    ]
    header["accessors"][0]["sparse"] = {
        "count": 1,
        "indices": {"bufferView": 4, "componentType": 5125},
        "values": {"bufferView": 5},
    }
    header["accessors"].append(
        {"bufferView": 6, "count": 3, "componentType": 5122, "type": "VEC3", "normalized": True}
    )
    header["meshes"].append({"primitives": [{"attributes": {"POSITION": 4}}]})
    header["nodes"] = [{"mesh": 0, "name": "moved"}, {"mesh": 2, "name": "short"}]
    path.write_text(json.dumps(header))
    scene = tc.Scene.load(path)
    assert scene["moved"].mesh.vertices[7].tolist() == [9, 9, 9]
    assert scene["short"].mesh.vertices.tolist() == [[1, 0, -1]] * 3


def test_a_binary_gltf_that_lies_about_its_length_is_refused(tmp_path: Path) -> None:
    for data in (b"glTF", struct.pack("<4sII", b"glTF", 2, 10**9), b"glTF" + b"\0" * 40):
        (tmp_path / "a.glb").write_bytes(data)
        with pytest.raises(ValueError, match=r"a\.glb: expected "):
            tc.Scene.load(tmp_path / "a.glb")


COLLADA = """<?xml version="1.0"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<library_geometries><geometry id="box" name="box"><mesh>
<source id="places"><float_array id="numbers" count="24">{numbers}</float_array>
<technique_common><accessor source="#numbers" count="8" stride="3">
<param name="X"/><param name="Y"/><param name="Z"/></accessor></technique_common></source>
<vertices id="corners"><input semantic="POSITION" source="#places"/></vertices>
<triangles count="5" material="red"><input semantic="VERTEX" source="#corners" offset="0"/>
<p>{first}</p></triangles>
<polylist count="7"><input semantic="NORMAL" source="#places" offset="0"/>
<input semantic="VERTEX" source="#corners" offset="1"/>
<vcount>3 3 3 3 3 3 3</vcount><p>{second}</p></polylist>
</mesh></geometry></library_geometries>
<library_nodes><node id="lib"><translate>0 0 3</translate><instance_geometry url="#box"/></node>
</library_nodes>
<library_visual_scenes><visual_scene id="scene">{nodes}</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>"""


def collada(path: Path, nodes: str) -> Path:
    vertices, faces = BOX
    rows = " ".join(f"0 {v}" for v in np.asarray(faces[5:]).ravel())
    first = " ".join(map(str, np.asarray(faces[:5]).ravel()))
    numbers = " ".join(map(repr, np.asarray(vertices).ravel().tolist()))
    return save(path, COLLADA.format(numbers=numbers, first=first, second=rows, nodes=nodes))


def test_nodes_of_a_collada_file_are_bodies(tmp_path: Path) -> None:
    box = '<instance_geometry url="#box"/>'
    nodes = (
        f'<node id="a" name="table"><translate>1 0 0</translate>{box}'
        '<node name="cup"><rotate>0 0 1 90</rotate><translate>0 -2 0</translate>'
        f"{box}</node></node>"
        f'<node name="table"><scale>3 3 3</scale>{box}</node>'
        '<node name="copy"><translate>7 0 0</translate><instance_node url="#lib"/></node>'
    )
    scene = tc.Scene.load(collada(tmp_path / "a.dae", nodes))
    assert scene.names == ("table", "cup", "table_1", "lib")
    assert middles(scene) == pytest.approx([1, 3, 0, 7])
    assert scene["table"].mesh is scene["cup"].mesh is scene["lib"].mesh
    assert scene["table"].mesh.solid, "cut by materials, and closed as a whole"
    assert scene["lib"].motion.pose(0.0)[2, 3] == 3
    assert scene["table_1"].mesh.radius == pytest.approx(3 * scene["table"].mesh.radius)


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ('<node id="n"><instance_node url="#n"/></node>', "node 'n': expected a tree, got a cycle"),
        ('<node><instance_geometry url="#none"/></node>', "expected the id of a <geometry>"),
        (
            '<node id="n"><instance_controller url="#c"/></node>',
            "node 'n': expected no skin, got <inst",
        ),
        ("<node><translate>1 2</translate></node>", "<translate>: expected 3 numbers, got 2"),
        ("<node><translate>1 2 x</translate></node>", "<translate>: expected numbers, got 'x'"),
        ("<node></node>", "expected triangles, got none"),
        ("<node>", "expected a COLLADA file, got broken XML"),
    ],
)
def test_broken_collada_files_are_refused(nodes: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"a\.dae: .*{message}"):
        tc.Scene.load(collada(tmp_path / "a.dae", nodes))


def threemf(path: Path, models_of: dict[str, str]) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in models_of.items():
            head = '<model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"'
            prefix = ' xmlns:p="http://schemas.microsoft.com/3dmanufacturing/production/2015/06"'
            archive.writestr(name, f"{head}{prefix}>{text}</model>")
    return path


def mesh_object(number: int, x: float) -> str:
    vertices, faces = BOX
    rows = "".join(f'<vertex x="{a + x}" y="{b}" z="{c}"/>' for a, b, c in vertices.tolist())
    corners = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in faces.tolist())
    inner = f"<mesh><vertices>{rows}</vertices><triangles>{corners}</triangles></mesh>"
    return f'<object id="{number}" type="model">{inner}</object>'


def test_components_of_a_3mf_are_the_objects_that_they_name(tmp_path: Path) -> None:
    """As slicers write them: objects of another model of the package, each by its number."""
    parts = f"<resources>{mesh_object(1, 0)}{mesh_object(2, 100)}</resources>"
    shift = "1 0 0 0 1 0 0 0 1"
    components = "".join(
        f'<component p:path="/3D/Objects/a.model" objectid="{i}" transform="{shift} {i} 0 0"/>'
        for i in (1, 2, 1)
    )
    main = (
        f'<resources><object id="1" name="both"><components>{components}</components></object>'
        f'</resources><build><item objectid="1" transform="0 1 0 -1 0 0 0 0 1 0 50 0"/></build>'
    )
    models_of = {"3D/3dmodel.model": main, "3D/Objects/a.model": parts}
    scene = tc.Scene.load(threemf(tmp_path / "a.3mf", models_of))
    assert scene.names == ("1", "2", "1_1") and all(scene[name].mesh.solid for name in scene)
    assert scene["1"].mesh is scene["1_1"].mesh
    turned = [motion.pose(0.0) for _, motion in map(scene.__getitem__, scene)]
    np.testing.assert_allclose(
        [pose[:3, 3] for pose in turned], [(0, 51, 0), (0, 52, 0), (0, 51, 0)]
    )
    np.testing.assert_allclose(turned[0][:3, :3] @ [1, 0, 0], [0, 1, 0], atol=1e-15)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('<build><item objectid="5"/></build>', "<item>: expected an object, got '5'"),
        ('<resources><object id="1"><components><component objectid="1"/></components></object>'
         '</resources><build><item objectid="1"/></build>', "object '1': expected a tree"),
        (f'<resources>{mesh_object(1, 0)}</resources><build><item objectid="1" transform="1 0"/>'
         "</build>", "transform: expected 12 numbers, got '1 0'"),
        (f"<resources>{mesh_object(1, 0)}</resources><build/>", "expected triangles, got none"),
        (f'<resources>{mesh_object(1, 0).replace("v1=", "v9=", 1)}</resources><build><item '
         'objectid="1"/></build>', "<triangle>: expected three numbers"),
        ("<build>", "expected a model, got broken XML"),
    ],
)  # fmt: skip
def test_broken_3mf_files_are_refused(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=rf"a\.3mf: {message}"):
        tc.Scene.load(threemf(tmp_path / "a.3mf", {"3D/3dmodel.model": text}))
    (tmp_path / "b.3mf").write_text("no archive")
    with pytest.raises(ValueError, match=r"b\.3mf: expected a 3MF file"):
        tc.Scene.load(tmp_path / "b.3mf")


@pytest.mark.parametrize("kind", ["glb", "gltf", "obj", "3mf", "dae"])
def test_parts_are_where_trimesh_puts_them(kind: str, tmp_path: Path) -> None:
    """Another writer, and its reader for the places of all triangles."""
    trimesh = pytest.importorskip("trimesh")
    made, rng = trimesh.Scene(), np.random.default_rng(5)
    part = trimesh.Trimesh(*models.icosphere(0.3, 1), process=False)
    for i in range(4):
        pose = tc.pose(rng.uniform(-5, 5, 3), rotvec=rng.normal(size=3))
        made.add_geometry(part, geom_name="ball", node_name=f"ball {i}", transform=pose)
    path = tmp_path / f"a.{kind}"
    if kind == "dae":
        path.write_bytes(trimesh.exchange.dae.export_collada(made.dump()))
    elif kind == "gltf":
        for name, data in made.export(file_type="gltf").items():
            (tmp_path / ("a.gltf" if name == "model.gltf" else name)).write_bytes(data)
    else:
        made.export(path)
    scene = tc.Scene.load(path)
    found = [
        mesh.vertices[mesh.faces] @ motion.pose(0.0)[:3, :3].T + motion.pose(0.0)[:3, 3]
        for mesh, motion in map(scene.__getitem__, scene)
    ]
    want = trimesh.load(path, force="mesh", process=False).triangles
    np.testing.assert_allclose(
        np.sort(np.concatenate(found).reshape(-1, 3), axis=0),
        np.sort(np.asarray(want).reshape(-1, 3), axis=0),
        atol=1e-5,
    )
    if kind in ("glb", "gltf", "3mf"):
        assert len(scene) == 4 and len({id(scene[name].mesh) for name in scene}) == 1
    if kind in ("glb", "gltf"):
        assert set(scene.names) == {f"ball {i}" for i in range(4)}


def test_copies_share_one_mesh_and_mirrored_ones_another(tmp_path: Path) -> None:
    rng, nodes, wanted = np.random.default_rng(3), [], []
    stretches = (1.0, 1.0, 1.0), (0.0254, 0.0254, 0.0254), (-1.0, 1.0, 1.0), (1.0, 2.0, 3.0)
    for i in range(30):
        pose = tc.pose(rng.uniform(-9, 9, 3), rotvec=rng.normal(size=3))
        pose[:3, :3] = pose[:3, :3] @ np.diag(stretches[i % 4])
        digits = np.float32 if i % 8 > 3 else np.float64  # exporters round
        nodes.append({"name": str(i), "mesh": 0, "matrix": pose.T.astype(digits).ravel().tolist()})
        wanted.append(pose)
    scene = tc.Scene.load(gltf(tmp_path / "a.gltf", nodes))
    assert len({id(scene[name].mesh) for name in scene}) <= 8
    assert len({id(scene[str(i)].mesh) for i in range(0, 30, 4)}) == 1
    for i, pose in enumerate(wanted):
        mesh, motion = scene[str(i)]
        found = mesh.vertices @ motion.pose(0.0)[:3, :3].T + motion.pose(0.0)[:3, 3]
        expected = np.asarray(BOX[0]) @ pose[:3, :3].T + pose[:3, 3]
        np.testing.assert_allclose(found, expected, atol=2e-6 * np.abs(pose).max())
        assert mesh.solid


def test_scale_multiplies_all_lengths(tmp_path: Path) -> None:
    nodes = [{"mesh": 0, "translation": [4000, 0, 0], "rotation": [0, 0, 0.6, 0.8]}]
    path = gltf(tmp_path / "a.gltf", nodes * 2)
    scene = tc.Scene.load(path, scale=0.001)
    assert middles(scene) == pytest.approx([4, 4])
    assert scene["0"].mesh is scene["1"].mesh and scene["0"].mesh.solid
    assert scene["0"].mesh.radius == pytest.approx(0.001 * 0.75**0.5)
    whole, small = tc.Mesh.load(path), tc.Mesh.load(path, scale=0.001)
    np.testing.assert_allclose(small.vertices, 0.001 * whole.vertices, rtol=1e-12)
    for scale in (0, -1.0, np.inf, np.nan, "mm"):
        error = TypeError if scale == "mm" else ValueError
        for load in (tc.Mesh.load, tc.Scene.load):
            with pytest.raises(error, match=r"^scale: expected"):
                load(path, scale=scale)  # type: ignore[operator]


def test_many_repeated_names_take_linear_time(tmp_path: Path) -> None:
    lines = ["v 0 0 0", "v 1 0 0", "v 0 1 0"] + ["o a", "f 1 2 3"] * 20_000
    names = [part.name for part in read_parts(save(tmp_path / "a.obj", "\n".join(lines)), "")]
    assert names == ["a", *(f"a_{i}" for i in range(1, 20_000))]


def test_skins_are_warned_of(tmp_path: Path) -> None:
    with pytest.warns(UserWarning, match=r"a\.gltf: skins and morph targets are not applied"):
        tc.Scene.load(gltf(tmp_path / "a.gltf", [{"mesh": 0}], skins=[{"joints": [0]}]))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tc.Scene.load(gltf(tmp_path / "a.gltf", [{"mesh": 0}]))


@pytest.mark.parametrize("kind", ["obj", "gltf", "glb", "dae", "3mf"])
def test_damaged_files_are_read_or_refused(kind: str, tmp_path: Path) -> None:
    """Random damage never ends in anything but a mesh or a message."""
    path = tmp_path / f"a.{kind}"
    nodes = [{"mesh": 0, "children": [1]}, {"mesh": 1, "rotation": [0, 0, 0.6, 0.8]}]
    if kind == "obj":
        save(path, boxes("o a", "g b"))
    elif kind == "dae":
        collada(path, '<node><scale>1 2 3</scale><instance_geometry url="#box"/></node>')
    elif kind == "3mf":
        text = f"<resources>{mesh_object(1, 0)}</resources>"
        threemf(path, {"3D/3dmodel.model": text + '<build><item objectid="1"/></build>'})
    else:
        gltf(tmp_path / "a.gltf", nodes)
        header = (tmp_path / "a.gltf").read_bytes()
        if kind == "glb":
            size = struct.pack("<4sII", b"glTF", 2, 20 + len(header))
            path.write_bytes(size + struct.pack("<I4s", len(header), b"JSON") + header)
    good, rng = path.read_bytes(), np.random.default_rng(SEED + 1)
    read, refused = 0, []
    for _ in range(cases(300)):
        data = bytearray(good)
        for at in rng.integers(len(data), size=rng.integers(1, 4)):
            digits = b'0123456789-."[]{}<>/ e\n\0\xff'
            data[at] = digits[rng.integers(len(digits))]
        if rng.random() < 0.2:
            data = data[: rng.integers(len(data))]
        path.write_bytes(data)
        try:
            tc.Scene.load(path)
            read += 1
        except (ValueError, FileNotFoundError) as error:
            refused.append(str(error))
    assert read < cases(300) and all("a." in message for message in refused)
