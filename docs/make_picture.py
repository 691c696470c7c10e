"""Draws the picture of docs/how-to/pictures.md: python docs/make_picture.py [scene] [file]."""

import sys
from pathlib import Path

import toccata as tc
from toccata import report, scenes


def main(name: str = "demo/gear-gear", path: str = "") -> None:
    """Solve the scene and save start | first contact | end as one PNG."""
    scene = scenes.get(name)
    a, b = tc.Mesh(*scene.a), tc.Mesh(*scene.b)
    motions = scene.motion_a, scene.motion_b
    contact = tc.first_contact(a, b, *motions, **scene.options())
    view = tc.view.view_of(contact, bodies=(a, b), motions=motions)
    target = Path(path) if path else Path(__file__).with_name("picture.png")
    report.save_png(target, report.figure(view, (480, 360)))
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes, {contact.status.name}\n")


main(*sys.argv[1:])
