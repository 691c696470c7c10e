"""Entries about first contacts of rigid bodies: two of them, or a scene of many."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, nan
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from toccata.report import numbers
from toccata.report.closest import closest, middle
from toccata.report.entry import Entry, Mark, Moment, Placed, Plot, finite_vector, status_name
from toccata.report.palette import BLUE, GRAY, ORANGE
from toccata.report.picture import Body

if TYPE_CHECKING:
    from toccata.scene import Scene

Array = NDArray[np.float64]
MeshArrays = tuple[Array, NDArray[np.integer]]
_SAMPLED_TIMES = 41
_PLOTTED = 121


@dataclass(frozen=True, slots=True, eq=False)
class Cast:
    """Rigid bodies by name with display colors, and their poses at a time."""

    names: tuple[str, ...]
    meshes: Sequence[MeshArrays]
    colors: Sequence[Array]
    poses: Callable[[float], Sequence[Any]]

    def places(self, touching: tuple[int, int]) -> Callable[[float], list[Placed]]:
        """Return the bodies as functions of time, the two that touch in their own colors."""
        colors = list(self.colors)
        for body, color in zip(touching, (ORANGE, BLUE), strict=True):
            if body >= 0:
                colors[body] = color
        bodies = [Body.of(*given) for given in zip(self.meshes, colors, strict=True)]

        def placed(t: float) -> list[Placed]:
            poses = (np.asarray(pose, dtype=np.float64) for pose in self.poses(t))
            return list(zip(bodies, poses, strict=True))

        return placed


def of_bodies(
    a: Any, b: Any, motions: tuple[Any, Any], contact: Any, *, name: str, description: str = ""
) -> Entry:
    """Tell the first contact of two bodies, meshes or (vertices, faces); no motion: it stays."""
    meshes = as_arrays(a), as_arrays(b)
    cast = Cast(("a", "b"), meshes, (ORANGE, BLUE), lambda t: [_pose(m, t) for m in motions])
    told: dict[str, Any] = {"name": name, "description": description}
    return about_contact("two bodies", cast, contact, plots=_distances(cast, (0, 1)), **told)


def of_scene(scene: Scene, contact: Any, *, name: str, description: str = "") -> Entry:
    """Tell the first contact of a scene, the answer of `scene.first_contact()`."""
    scene = copy.copy(scene)  # other threads may edit it
    bodies = [scene[one] for one in scene.names]
    cast = Cast(
        scene.names,
        [as_arrays(body.mesh) for body in bodies],
        [GRAY] * len(bodies),
        lambda t: [body.motion.pose(t) for body in bodies],
    )
    near = None if contact else near_mark(scene.clearance(), cast.names)
    pair = near.bodies if near is not None else _pair(cast.names, contact)
    told: dict[str, Any] = {"name": name, "description": description}
    return about_contact("scene", cast, contact, near, plots=_distances(cast, pair), **told)


def about_contact(
    kind: str, cast: Cast, contact: Any, near: Mark | None = None, **told: Any
) -> Entry:
    """Return the entry of an answer with a contact; `near` is the closest approach of a free one.

    `told` has the name, the description, and other fields of an entry.
    """
    status, pair = status_name(contact), _pair(cast.names, contact)
    touches = status in ("CONTACT", "INITIAL_OVERLAP")
    mark = _mark(contact, pair) if touches else None
    placed = cast.places(near.bodies if near is not None and not touches else pair)
    focus = mark or near or _approach(placed, pair, status, contact)
    marks = tuple(_mark(c, _pair(cast.names, c)) or focus for c in contact_rows(contact))
    safe = 1.0 if status == "FREE" else min(max(float(contact.safe_until), 0.0), 1.0)
    facts = (("Triangles", _triangles(cast)), *contact_facts(contact, touches))
    return Entry(
        kind=kind,
        status=status,
        toc=float(contact.toc) if touches else nan,
        touching=tuple(cast.names[i] for i in pair if i >= 0) if touches else (),
        names=cast.names,
        placed=placed,
        focus=focus,
        moments=find_moments(status, focus, mark),
        marks=marks if mark is not None else (),
        safe=((0.0, safe),),
        milliseconds=1e3 * contact.stats.seconds if hasattr(contact, "stats") else nan,
        **told | {"facts": facts + tuple(told.get("facts", ()))},
    )


def near_mark(near: Any, names: Sequence[str]) -> Mark | None:
    """Return where a certified clearance says that bodies come closest, None if they do not."""
    a, b = finite_vector(near.point_a), finite_vector(near.point_b)
    if a is None or b is None or not near.upper < inf:
        return None
    who = [getattr(near, f"link_{side}", None) or getattr(near, f"body_{side}") for side in "ab"]
    pair = names.index(who[0]), names.index(who[1])
    gap = a - b
    return Mark(float(near.time), (a + b) / 2, gap / (np.linalg.norm(gap) or 1.0), pair)


def contact_rows(contact: Any) -> Sequence[Any]:
    """Return all contacts at the first time if they were asked for, else the one."""
    return getattr(contact, "contacts", ()) or (contact,)


def contact_facts(contact: Any, touches: bool) -> tuple[tuple[str, str], ...]:
    """Return what is known of where bodies touch, in words."""
    if not touches or contact.triangle_a < 0:
        return ()
    a, b = (numbers.count(int(i)) for i in (contact.triangle_a, contact.triangle_b))
    feature = str(contact.feature or "crossing").replace("-", " and ")
    return (
        ("Point", numbers.vector(finite_vector(contact.point_a))),
        ("Normal, b to a", numbers.vector(finite_vector(contact.normal))),
        ("Features", f"{feature}, triangles {a} of a, {b} of b"),
        ("Distance then", numbers.length(contact.distance)),
    )


def find_moments(status: str, focus: Mark, mark: Mark | None) -> tuple[Moment, ...]:
    """Return the three pictures of a motion: its start, what happens, its end."""
    start, end = Moment(0.0, "Start", "t = 0"), Moment(1.0, "End", "t = 1")
    at, marks = f"t = {numbers.rounded_down(focus.time, 4)}", () if mark is None else (mark,)
    match status:
        case "CONTACT":
            passed = Moment(1.0, "End", "t = 1, where the motion would have led")
            return start, Moment(focus.time, "First contact", at, marks), passed
        case "INITIAL_OVERLAP":
            touching = Moment(0.0, "Start", "t = 0, already in contact", marks)
            return touching, Moment(0.5, "Halfway", "t = 0.5"), end
        case "UNDECIDED":
            note = f"certified free before t = {numbers.time(focus.time)}"
            return start, Moment(focus.time, "Undecided", note), end
        case _:
            return start, Moment(focus.time, "About closest", at), end


def as_arrays(mesh: Any) -> MeshArrays:
    """Return the vertices and faces of a mesh or a curved surface, or a pair of arrays as it is."""
    if hasattr(mesh, "triangulate"):
        mesh = mesh.triangulate()
    return (mesh.vertices, mesh.faces) if hasattr(mesh, "faces") else (mesh[0], mesh[1])


def _pose(motion: Any, t: float) -> Any:
    return np.eye(4) if motion is None else motion.pose(t)


def _pair(names: tuple[str, ...], contact: Any) -> tuple[int, int]:
    """Return which bodies a contact is of; the first two if it names none."""
    who = getattr(contact, "body_a", None), getattr(contact, "body_b", None)
    if who[0] in names and who[1] in names:
        return names.index(who[0]), names.index(who[1])
    return (0, 1) if len(names) == 2 else (-1, -1)


def _mark(contact: Any, pair: tuple[int, int]) -> Mark | None:
    a, b = finite_vector(contact.point_a), finite_vector(contact.point_b)
    if a is None or b is None:
        return None
    normal = finite_vector(contact.normal)
    triangles = int(contact.triangle_a), int(contact.triangle_b)
    known = np.zeros(3) if normal is None else normal
    return Mark(float(contact.toc), (a + b) / 2, known, pair, triangles)


def _approach(
    placed: Callable[[float], list[Placed]], pair: tuple[int, int], status: str, contact: Any
) -> Mark:
    """Return where bodies come closest, as far as sampled points tell."""
    times = {"UNDECIDED": [contact.safe_until], "INITIAL_OVERLAP": [0.0]}.get(
        status, np.linspace(0.0, 1.0, _SAMPLED_TIMES)
    )
    if min(pair) < 0:
        return middle(placed, float(times[0]))
    return closest(placed, pair, [float(t) for t in times])


def _distances(cast: Cast, pair: tuple[int, int]) -> tuple[Plot, ...]:
    """Return how far two bodies are apart over time, if there are two."""
    from toccata.mesh import Mesh
    from toccata.near import distance_batch

    if min(pair) < 0:
        return ()
    times = np.linspace(0.0, 1.0, _PLOTTED)
    poses = [cast.poses(float(t)) for t in times]
    rows = [np.stack([np.asarray(now[i], dtype=np.float64) for now in poses]) for i in pair]
    meshes = [Mesh(*cast.meshes[i]) for i in pair]
    found = distance_batch(meshes[0], meshes[1], rows[0], rows[1])
    a, b = (cast.names[i] for i in pair)
    return (Plot(f"Distance of {a} and {b}", times, found.distance),)


def _triangles(cast: Cast) -> str:
    counts = [len(faces) for _, faces in cast.meshes]
    if len(counts) == 2:
        return " + ".join(map(numbers.count, counts))
    return f"{numbers.count(sum(counts))}, of {len(counts)} bodies"
