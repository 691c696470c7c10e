"""Robots from models of Pinocchio, which is not imported."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

from toccata._arrays import as_number
from toccata._robot.coal_shapes import coal_mesh
from toccata._robot.ignored import Pair
from toccata._robot.parts import Joint, Link
from toccata._robot.pinocchio_joints import check_model, joints_of
from toccata._text import visible
from toccata.dynamics._mass import MASSLESS, MassProperties


def read_pinocchio(
    model: Any, geometry_model: Any, error: float
) -> tuple[list[Link], list[Joint], dict[Pair, str]]:
    """Return links, joints, and the reasons of ignored pairs of links.

    Links are the universe, a link moved by each joint, the bodies, and the geometry objects, whose
    names answers contain. The inertia of a joint belongs to the link that it moves.
    """
    check_model(model)
    as_number("primitive_error", error, least=0, open_end=True)
    shapes = _shapes(geometry_model)
    taken = {shape.name for shape in shapes}
    carriers = [_new_name(model.names[0], "joint", taken)]  # the link moved by each joint
    links, joints = [Link(carriers[0])], []
    for i in range(1, model.njoints):
        parent = carriers[model.parents[i]]
        for joint in joints_of(model, i):
            child = _new_name(joint.name, "joint", taken)
            links.append(Link(child, inertia=MASSLESS))
            joints.append(joint.between(parent, child))
            parent = child
        links[-1] = Link(parent, inertia=_inertia(model.inertias[i]))
        carriers.append(parent)

    def fix(link: Link, parent: int, placement: Any) -> None:
        links.append(link)
        name = f"{link.name} (fixed)"
        joints.append(
            Joint(name, "fixed", carriers[parent], link.name, placement.homogeneous.copy())
        )

    for frame in model.frames:
        if frame.type.name == "BODY":
            link = Link(_new_name(frame.name, "body", taken), inertia=MASSLESS)
            fix(link, frame.parentJoint, frame.placement)
    for shape in shapes:
        fix(_link(shape, error), shape.parentJoint, shape.placement)
    return links, joints, _ignored_pairs(geometry_model, shapes, links)


def _shapes(geometry_model: Any) -> list[Any]:
    if not hasattr(geometry_model, "geometryObjects"):
        got = type(geometry_model).__name__
        raise TypeError(f"geometry_model: expected a pinocchio.GeometryModel, got {got}")
    shapes = list(geometry_model.geometryObjects)
    if not shapes:
        raise ValueError("geometry_model: expected geometry objects, got none")
    if off := [shape.name for shape in shapes if shape.disableCollision]:
        names = visible(", ".join(off))
        warnings.warn(
            f"geometry objects with disableCollision are not tested: {names}", stacklevel=4
        )
    return shapes


def _link(shape: Any, error: float) -> Link:
    if shape.disableCollision:
        return Link(shape.name, inertia=MASSLESS)
    try:
        return Link(shape.name, coal_mesh(shape.geometry, error), MASSLESS)
    except ValueError as problem:
        raise ValueError(f"geometry object {shape.name!r}: {problem}") from problem


def _inertia(inertia: Any) -> MassProperties:
    return MassProperties._unchecked(float(inertia.mass), inertia.lever, inertia.inertia)


def _ignored_pairs(geometry_model: Any, shapes: list[Any], links: list[Link]) -> dict[Pair, str]:
    pairs = {
        frozenset((shapes[pair.first].name, shapes[pair.second].name))
        for pair in geometry_model.collisionPairs
    }
    if not pairs:
        warnings.warn(
            "geometry_model has no collision pairs, so links are not tested against each other; "
            "addAllCollisionPairs() adds them",
            stacklevel=4,
        )
    shown = [link.name for link in links if link.mesh is not None]
    rest = [pair for pair in combinations(shown, 2) if frozenset(pair) not in pairs]
    return dict.fromkeys(rest, "no collision pair of the geometry model")


def _new_name(name: str, what: str, taken: set[str]) -> str:
    """Return a name that no link has yet: in Pinocchio, bodies, joints and shapes may share one."""
    new = f"{name} ({what})" if name in taken else name
    taken.add(new)
    return new
