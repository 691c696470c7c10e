"""Queries of every kind, their answers, and the bits of both; another process repeats them."""

from __future__ import annotations

import json
import pickle
import sys
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

import toccata as tc
from toccata import elementary, scenes, surfaces

Questions = dict[str, Any]


def saddle(u: float, v: float) -> tuple[float, float, float]:
    return u, v, u * v


def saddle_box(u_lo: float, u_hi: float, v_lo: float, v_hi: float) -> Any:
    products = [u * v for u in (u_lo, u_hi) for v in (v_lo, v_hi)]
    return (u_lo, v_lo, min(products) - 1e-12), (u_hi, v_hi, max(products) + 1e-12)


def plane_value(lo: Any, hi: Any) -> tuple[float, float]:
    return lo[2] - 1e-12, hi[2] + 1e-12


def plane_slope(lo: Any, hi: Any) -> Any:
    return (0.0, 0.0, 1.0), (0.0, 0.0, 1.0)


def _bodies() -> Questions:
    corners, faces = scenes.models.box((1.0, 0.5, 0.7))
    far = np.concatenate([corners, corners + 5])
    both = np.concatenate([faces, np.asarray(faces) + len(corners)])
    net = np.stack(np.meshgrid(*[np.linspace(0, 1, 4)] * 2, indexing="ij"), axis=-1)
    control = np.concatenate([net, (net**2).sum(axis=-1, keepdims=True)], axis=-1)
    box = np.array([(-1.0, -1.0, -0.5), (1.0, 1.0, 0.5)])
    return {
        "mesh": tc.Mesh(*scenes.models.icosphere(1.0, 2)),
        "solid": tc.Mesh(corners, faces, solid=True),
        "two solids": tc.Mesh(far, both, solid=np.repeat([1, 2], len(faces))),
        "sphere": surfaces.sphere(0.6),
        "implicit sphere": surfaces.implicit_sphere(0.6),
        "torus": surfaces.torus(1.0, 0.3),
        "implicit torus": surfaces.implicit_torus(1.0, 0.3),
        "patch": surfaces.bicubic_patch(control),
        "saddle": surfaces.ParametricSurface(saddle, saddle_box, (-1, 1), (-1, 1), bend=(0, 0)),
        "plane": surfaces.ImplicitSurface(plane_value, box, gradient=plane_slope),
    }


def _motions(robot: tc.Robot) -> Questions:
    start = tc.pose((0, 0, 3), rotvec=(0.3, -0.2, 0.5))
    end = tc.pose((0.1, 0.2, -3), rotvec=(1.0, 0.4, -0.7))
    q0, q1 = np.full(robot.dof, 0.1), np.full(robot.dof, 0.9)
    return {
        "fixed": tc.Motion.fixed(start),
        "linear": tc.Motion.linear(start, end),
        "about a pivot": tc.Motion.linear(start, end, pivot=(0.1, 0.2, 0.3)),
        "screw": tc.Motion.screw(start, end),
        "twist": tc.Motion.twist(start, (0, 0, -6), (9.0, 1.0, 2.0)),
        "spline": tc.Motion.spline((0, 0.3, 1), (start, np.eye(4), end)),
        "polyline": tc.Motion.spline((0, 0.3, 1), (start, np.eye(4), end), kind="linear"),
        "link": robot.link_motion("tip", q0, q1),
    }


def _robot() -> tc.Robot:
    bar = tc.Mesh(*scenes.models.box((0.2, 0.2, 0.5)), solid=True)
    kinds = ("revolute", "prismatic", "continuous", "planar", "revolute")
    links = [tc.Link("base", bar), *(tc.Link(f"l{i}", bar) for i in range(5)), tc.Link("tip", bar)]
    joints = []
    for i, kind in enumerate(kinds):
        mimic = tc.Mimic("j0", 0.5, 0.1) if i == 4 else None
        parent, axis = "base" if i == 0 else f"l{i - 1}", (1.0, i, 0.3)
        origin = tc.pose((0, 0, 0.55))
        joints.append(tc.Joint(f"j{i}", kind, parent, f"l{i}", origin, axis, mimic=mimic))
    joints.append(tc.Joint("hold", "fixed", "l4", "tip", tc.pose((0.3, 0, 0), rotvec=(1, 0, 0))))
    robot = tc.Robot(links, joints)
    robot.ignore("base", "l3", "too near")
    robot.ignore("l1", "post")
    robot.unignore("l2", "l3")
    return robot


def _two_robots(robot: tc.Robot) -> tc.Robot:
    other = robot.placed(tc.pose((-1.6, 0.4, 0.0), rotvec=(0.1, 0.2, 2.0)))
    both = tc.combine({"left": robot, "right": other}).placed(tc.pose((0.1, 0.0, 0.2)))
    both.ignore("left/l3", "right/tip")
    return both.padded({"left/l4": 0.05, "right/tip": 0.01})


def _scene(mesh: tc.Mesh, moving: tc.Motion) -> tc.Scene:
    scene = tc.Scene()
    scene.add("post", mesh, tc.pose((1.5, 0.3, 1.0)))
    scene.add("ceiling", mesh, tc.pose((0, 0, 6)))
    scene.add("passing", mesh, moving)
    scene.ignore("post", "passing")
    return scene


def _moved_scene(mesh: tc.Mesh, moving: tc.Motion) -> tc.Scene:
    scene = _scene(mesh, moving)
    starts = np.stack([scene[name].motion.pose(0.0) for name in scene.names])
    scene.move_all(starts, linear=[(0, 0, 3), (0, 0, -6), (1, 0, 0)], angular=np.eye(3) * 2)
    scene.move("post", moving)
    return scene


def _deforming() -> tc.DeformingMesh:
    vertices, faces = scenes.models.icosphere(1.0, 2)
    strand = np.array([(3.0, 0, 0), (3.0, 0, 1.0), (4.0, 0, 0)])
    points = np.concatenate([vertices, strand])
    n = len(vertices)
    groups = np.repeat([4, 7], [n, 3])
    loose = {"edges": [(n, n + 1)], "points": [n + 2], "groups": groups}
    model = tc.DeformingMesh(points, faces, **loose, ignored_groups=[(7, 7)], threads=1)
    model.step(points * (1, 1, 0.9), threads=1)
    keep = np.arange(len(points))
    model.retopologize(model.vertices, model.faces, keep, edges=[(n, n + 1)], points=[n + 2])
    return model


def questions() -> Questions:
    """Return all objects of queries, by name."""
    robot, bodies = _robot(), _bodies()
    motions = _motions(robot)
    return {
        "bodies": bodies,
        "motions": motions,
        "robot": robot,
        "two robots": _two_robots(robot),
        "scene": _scene(bodies["mesh"], motions["linear"]),
        "moved scene": _moved_scene(bodies["mesh"], motions["linear"]),
        "deforming": _deforming(),
        "pair": tc.ContactSequence(bodies["mesh"], bodies["solid"]),
        "robot sequence": tc.RobotSequence(robot, bodies["mesh"]),
    }


def answers(asked: Questions) -> dict[str, Any]:
    """Return an answer to each query, by name."""
    bodies, motions, robot = asked["bodies"], asked["motions"], asked["robot"]
    mesh, scene, model = bodies["mesh"], asked["scene"], asked["deforming"]
    q = np.linspace(np.full(robot.dof, -0.8), np.full(robot.dof, 1.1), 4)
    squeezed = model.vertices * (1 - 0.9 * np.abs(np.sin(5 * model.vertices[:, :1])))
    poses = np.array([motions["linear"].pose(t) for t in (0.0, 0.1, 0.9, 1.0)])
    found: dict[str, Any] = {
        f"{name} falls": tc.first_contact(body, mesh, motions["linear"], tolerance=1e-3)
        for name, body in bodies.items()
    }
    found |= {
        f"{name} motion": tc.first_contact(mesh, bodies["solid"], motion, contacts="all")
        for name, motion in motions.items()
    }
    found["poses"] = [motion.pose(np.linspace(0, 1, 5)) for motion in motions.values()]
    found["batch"] = tc.first_contact_batch(mesh, mesh, poses[:2], poses[2:])
    found["elementary"] = elementary.vertex_face(poses[:, :, :3], poses[::-1, :, :3])
    found["scene"] = scene.first_contact()
    found["scene contacts"] = scene.contacts(separation={("post", "ceiling"): 9.0}, threads=2)
    found["all of a scene"] = scene.first_contact(separation=2.5, contacts="all")
    found["scene clearance"] = scene.clearance()
    found["moved scene"] = asked["moved scene"].first_contact()
    found["pairs"] = tc.first_contact_pairs([mesh, bodies["solid"]], [0, 1], [1, 1], poses[:2])
    found["robot"] = robot.first_contact(q[0], q[3], scene)
    found["robot alone"] = robot.first_contact(q[0], q[3], method="hca")
    found["path"] = robot.first_contact_path(q, scene, spline="cubic")
    found["clearance"] = robot.clearance(q[1], q[2], scene)
    found["robot batch"] = robot.first_contact_batch(q[:-1], q[1:], scene, threads=1)
    both, times = asked["two robots"], np.linspace(0, 1, 4)
    paths = {"left": (times, q), "right": (0.3 + 2 * times, q[::-1])}
    found["two robots"] = both.first_contact(np.tile(q[0], 2), np.tile(q[3], 2), scene)
    found["clocks"] = both.first_contact_path(paths, scene, world_times=(1, 2), contacts="all")
    found["both names"] = [both.ignored_pairs, both.padding, both.base, repr(both)]
    found["step"] = model.step(squeezed, contacts="all", threads=1)
    found["in a row"] = asked["pair"].first_contact(motions["linear"])
    found["robot in a row"] = asked["robot sequence"].first_contact(q[0], q[3])
    found["names"] = [robot.ignored_pairs, repr(robot), repr(scene), repr(model)]
    return found


def bits(value: Any) -> Any:
    """Return all bits of an answer, its times by the clock aside, as texts and lists."""
    if is_dataclass(value):
        names = [f.name for f in fields(value) if not f.name.startswith("seconds")]
        return {name: bits(getattr(value, name)) for name in names}
    if isinstance(value, np.ndarray):
        return [str(value.dtype), list(value.shape), value.tobytes().hex()]
    if isinstance(value, list | tuple):
        return [bits(part) for part in value]
    if isinstance(value, dict):
        return {str(key): bits(part) for key, part in value.items()}
    return float(value).hex() if isinstance(value, float) else str(value)


def main() -> None:
    """Repeat the pickled queries, and print the bits of old and new answers."""
    with open(sys.argv[1], "rb") as file:
        asked, found = pickle.load(file)
    print(json.dumps([bits(found), bits(answers(asked))]))


if __name__ == "__main__":
    main()
