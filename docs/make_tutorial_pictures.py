"""Draws the pictures of docs/tutorials: python docs/make_tutorial_pictures.py [folder].

It runs the code of each tutorial and draws what the code made, so that text and pictures agree.
"""

import contextlib
import io
import os
import re
import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

import toccata as tc
from toccata import report
from toccata.report._draw import draw_contact
from toccata.report._picture import Shape, render, to_image
from toccata.report._png import Image, save_png
from toccata.report._projection import fit_camera, view_direction
from toccata.scenes.models import box

HERE = Path(__file__).resolve().parent
SIZE, CARD = (720, 480), (420, 280)
ORANGE, RED, PALE = np.array([(0.93, 0.55, 0.22), (0.82, 0.20, 0.15), (0.93, 0.90, 0.84)])
STEEL, STONE, INK = np.array([(0.45, 0.55, 0.68), (0.80, 0.82, 0.85), (0.10, 0.10, 0.12)])
WOODS = np.array([(0.82, 0.62, 0.36), (0.70, 0.50, 0.28), (0.90, 0.74, 0.48)])
Placed = list[tuple[Shape, np.ndarray]]


def run(page: str) -> dict[str, Any]:
    """Run the code of a tutorial in an empty folder; return its variables."""
    text = (HERE / "tutorials" / f"{page}.md").read_text(encoding="utf-8")
    made: dict[str, Any] = {"__name__": page}
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
            with contextlib.redirect_stdout(io.StringIO()):
                exec(block, made)
    return made


def body(mesh: tc.Mesh, color: np.ndarray) -> Shape:
    """Return a mesh ready for drawing."""
    return Shape.of((mesh.vertices, mesh.faces), color)


def draw(
    placed: Placed,
    view: tuple[float, float],
    size: tuple[int, int],
    *,
    seen: Placed | None = None,
    marks: Any = (),
) -> Image:
    """Return bodies at their poses from a view in degrees that fits `seen`, and contacts."""
    points = np.concatenate([part.at(pose) for part, pose in seen or placed])
    camera = fit_camera(points, view_direction(*view), size)
    picture = render(placed, camera, 0.01 * float(np.linalg.norm(np.ptp(points, axis=0))))
    for point, normal in marks:
        draw_contact(picture.colors, camera, point, normal)
    return to_image(picture.colors)


def row(*images: Image) -> Image:
    """Return pictures side by side."""
    gutter = np.full((len(images[0]), 6, 3), 255, dtype=np.uint8)
    return np.concatenate([part for image in images for part in (image, gutter)][:-1], axis=1)


def robot_at(robot: tc.Robot, q: np.ndarray, color: np.ndarray, hot: str | None = None) -> Placed:
    """Return the links of a robot, one of them red; fixed links are drawn once."""
    poses = robot.forward_kinematics(q)
    names = [n for n in robot.link_names if hot or n not in ("base", "shoulder")]
    return [(body(robot.links[n].mesh, RED if n == hot else color), poses[n]) for n in names]


def planner() -> dict[str, Image]:
    """Draw the motion that meets the cable, and the path around it."""
    made = run("planner")
    robot, world, contact = made["robot"], made["world"], made["contact"]
    colors = {"floor": STONE, "cable": INK}
    around = [
        (body(world[name].mesh, colors.get(name, STEEL)), world[name].motion.pose(0.0))
        for name in world.names
    ]
    ends = [part for q in (made["q0"], made["q1"]) for part in robot_at(robot, q, PALE)]
    meets = around + ends + robot_at(robot, contact.q, ORANGE, contact.link_a)
    path = made["path"]
    others = [part for q in path[1:] for part in robot_at(robot, q, PALE)]
    goes = around + others + robot_at(robot, path[0], ORANGE, "none")
    view = (-28.0, 24.0)
    return {
        "planner-cable": draw(meets, view, SIZE, seen=meets[1:]),
        "planner-path": draw(goes, view, SIZE, seen=meets[1:]),
        "card-planner": draw(meets, view, CARD, seen=meets[5:]),
    }


def crates(poses: dict[str, np.ndarray], meshes: dict[str, tc.Mesh]) -> Placed:
    """Return the bodies of the world at their poses."""
    floor = Shape.of(box((4.4, 3.0, 0.1)), STONE), tc.pose((0.6, 0.0, -0.05))  # a part of it
    bodies = [(name, pose) for name, pose in poses.items() if name != "floor"]
    return [floor] + [
        (body(meshes[name], RED if name == "ball" else WOODS[i % 3]), pose)
        for i, (name, pose) in enumerate(bodies)
    ]


def simulator() -> dict[str, Image]:
    """Draw the crates before and after, and the cloth of an example."""
    made = run("simulator")
    world, view = made["world"], (-58.0, 24.0)
    after = dict(zip(world.names, world.poses, strict=True))
    first, last = crates(made["before"], world.meshes), crates(after, world.meshes)
    seen = first[1:] + last[1:]
    example = HERE.parent / "examples" / "3_simulation" / "1_deforming.py"
    with contextlib.redirect_stdout(io.StringIO()):
        cloth = runpy.run_path(str(example))
    count, frame, faces = len(cloth["cloth"]), cloth["frame"], cloth["faces"]
    falls = faces.max(axis=1) < count
    draped = [(Shape.of((frame, faces[falls]), ORANGE), np.eye(4))]
    draped += [(Shape.of((frame, faces[~falls]), STEEL), np.eye(4))]
    half = (SIZE[0] // 2 + 60, SIZE[1] - 120)
    return {
        "simulator-crates": row(*(draw(p, view, half, seen=seen) for p in (first, last))),
        "simulator-cloth": draw(draped, (-60.0, 18.0), (SIZE[0], SIZE[1] - 60)),
        "card-simulator": draw(last, view, CARD, seen=last[1:]),
    }


def strip(name: str, a: tc.Mesh, b: tc.Mesh, motion: tc.Motion, contact: tc.Contact) -> Image:
    """Return start, contact and end of a motion."""
    view = tc.view.view_of(contact, bodies=(a, b), motions=(motion, None))
    return report.figure(view, (380, 285))


def assembly() -> dict[str, Image]:
    """Draw the door on the straight motion, and the pose to which a hand pulls it."""
    made = run("assembly")
    door, car, move, given = made["door"], made["car"], made["move"], made["given"]
    marks = list(zip(move.contacts.point_a, move.contacts.normal, strict=True))
    stays = (body(car, STEEL), np.eye(4))
    held, beside = (body(door, ORANGE), move.pose), (body(door, ORANGE), given.start)
    return {
        "assembly-straight": strip("door", door, car, made["straight"], made["contact"]),
        "assembly-hand": draw([stays, held], (62.0, 20.0), SIZE, seen=[held], marks=marks),
        "card-assembly": draw([stays, beside], (60.0, 22.0), CARD),
    }


def researcher() -> dict[str, Image]:
    """Draw two knots."""
    made = run("researcher")
    knot, motion, contact = made["knot"], made["motion"], made["contact"]
    two = [(body(knot, ORANGE), motion.pose(contact.toc)), (body(knot, STEEL), np.eye(4))]
    marks = [(contact.point_a, contact.normal)]
    return {
        "researcher-knots": strip("knots", knot, knot, motion, contact),
        "card-researcher": draw(two, (-60.0, 30.0), CARD, marks=marks),
    }


def main(folder: str = "") -> None:
    """Save all of them."""
    target = Path(folder or HERE / "tutorials")
    for tutorial in (planner, simulator, assembly, researcher):
        for name, image in tutorial().items():
            path = target / f"{name}.png"
            save_png(path, image)
            sys.stdout.write(f"{os.path.relpath(path)}: {path.stat().st_size} bytes\n")


main(*sys.argv[1:])
