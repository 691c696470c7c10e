"""A chessboard with its 32 pieces at the start of a game, about 101,000 triangles.

Pieces are as tall as a child or a man, and squares are a meter wide. The top of the board is the
plane z = 0, and white is at negative x. Pieces are surfaces of revolution; knights have a head of
their own.
"""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

import numpy as np

from toccata.scenes._refine import refined
from toccata.scenes._tube import smooth, turned_part
from toccata.scenes.primitives import plate
from toccata.scenes.surface import MeshArrays, as_mesh, extrude, patch_faces, turned, union

if TYPE_CHECKING:
    from toccata._scene import Scene

BACK_ROW = ("rook", "knight", "bishop", "queen", "king", "bishop", "knight", "rook")
_GAP = 1e-3  # meters between board and pieces
_SEGMENTS, _ROWS = 40, 40
_KNIGHT = 3_400

# (radius, height) from the foot up to where pieces start to differ.
_FOOT = [(0.0, 0.0), (0.30, 0.0), (0.30, 0.06), (0.27, 0.10), (0.28, 0.13), (0.20, 0.18)]
_HEADS: dict[str, list[tuple[float, float]]] = {
    "pawn": [(0.10, 0.45), (0.16, 0.50), (0.09, 0.54), (0.15, 0.62), (0.15, 0.72), (0.08, 0.82),
             (0.0, 0.84)],
    "rook": [(0.14, 0.62), (0.20, 0.70), (0.19, 0.90), (0.24, 0.92), (0.24, 1.02), (0.16, 1.02),
             (0.15, 0.95), (0.0, 0.94)],
    "bishop": [(0.10, 0.75), (0.18, 0.80), (0.10, 0.84), (0.16, 0.96), (0.14, 1.08), (0.04, 1.22),
               (0.05, 1.26), (0.0, 1.31)],
    "queen": [(0.11, 0.95), (0.20, 1.02), (0.11, 1.06), (0.15, 1.22), (0.22, 1.40), (0.15, 1.41),
              (0.06, 1.47), (0.06, 1.52), (0.0, 1.56)],
    "king": [(0.12, 1.00), (0.21, 1.07), (0.12, 1.12), (0.17, 1.32), (0.20, 1.45), (0.10, 1.50),
             (0.04, 1.53), (0.05, 1.62), (0.0, 1.66)],
}  # fmt: skip


def chessboard() -> Scene:
    """Return the board and the pieces as 33 bodies; equal pieces share their mesh."""
    from toccata._mesh import Mesh
    from toccata._scene import Scene

    scene = Scene()
    scene.add("board", Mesh(*plate(8.4, 8.4, 0.12)))
    meshes = {name: Mesh(*piece(name)) for name in ("pawn", *dict.fromkeys(BACK_ROW))}
    for side, color in ((1.0, "white"), (-1.0, "black")):
        for column in range(8):
            for row, name in ((3.5, BACK_ROW[column]), (2.5, "pawn")):
                label = f"{color}_{name}_{'abcdefgh'[column]}"
                scene.add(label, meshes[name], _standing(-side * row, column - 3.5, side))
    return scene


def _standing(x: float, y: float, side: float) -> np.ndarray:
    """Return the pose of a piece that faces the other side."""
    pose = np.diag([side, side, 1.0, 1.0])
    pose[:3, 3] = (x, y, _GAP)
    return pose


def piece(name: str) -> MeshArrays:
    """Return a piece that stands on the origin and looks along x."""
    if name == "knight":
        return _knight()
    return turned_part(smooth([*_FOOT, *_HEADS[name]], _ROWS), _SEGMENTS)


def _knight() -> MeshArrays:
    """Return a foot with the head of a horse, a thickened outline."""
    foot = [*_FOOT, (0.17, 0.22), (0.17, 0.28), (0.0, 0.28)]
    base = turned_part(smooth(foot, 20), _SEGMENTS)
    # Outlines from the foot up the neck, then forward to the muzzle.
    back = [(-0.16, 0.24), (-0.19, 0.45), (-0.15, 0.70), (-0.07, 0.90), (0.02, 1.03), (0.06, 0.98),
            (0.16, 0.88), (0.27, 0.76)]  # fmt: skip
    front = [(0.15, 0.24), (0.16, 0.36), (0.06, 0.50), (0.02, 0.62), (0.05, 0.68), (0.10, 0.69),
             (0.15, 0.67), (0.23, 0.66)]  # fmt: skip
    rows, columns = len(back), 6
    share = np.linspace(0.0, 1.0, columns)[None, :, None]
    flat = (1 - share) * np.array(back)[:, None] + share * np.array(front)[:, None]
    ids = np.arange(rows * columns).reshape(rows, columns)
    outline = as_mesh(
        np.column_stack([flat.reshape(-1, 2), np.zeros(rows * columns)]), patch_faces(ids)[:, ::-1]
    )
    thickness = np.interp(np.arange(rows), [0, 4, rows - 1], [0.12, 0.10, 0.07])
    rounding = np.array([0.6, 0.9, 1.0, 1.0, 0.9, 0.6])
    head = turned(extrude(outline, (thickness[:, None] * rounding).ravel(), 2), "x", pi / 2)
    return union(base, refined(head, _KNIGHT - len(base[1])))
