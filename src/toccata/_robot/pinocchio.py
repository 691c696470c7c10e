"""Robots from models of Pinocchio. This module does not import Pinocchio."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Any

import numpy as np

from toccata._arrays import as_number
from toccata._mesh import Mesh
from toccata._robot import shapes
from toccata._robot.ignored import Pair
from toccata._robot.parts import Joint, Link
from toccata._robot.pinocchio_joints import check_model, joints_of
from toccata._text import visible
from toccata.dynamics._mass import MASSLESS, MassProperties
from toccata.scenes.surface import MeshArrays


def read_pinocchio(
    model: Any, geometry_model: Any, error: float
) -> tuple[list[Link], list[Joint], dict[Pair, str]]:
    """Return links, joints, and the reasons of ignored pairs of links.

    Links are the universe, one link per joint, the bodies, and the geometry objects. Answers name
    the geometry objects. A link that a joint moves has the inertia of the joint.
    """
    check_model(model)
    as_number("primitive_error", error, least=0, open_end=True)
    objects = _objects(geometry_model)
    taken = {one.name for one in objects}

    def new_name(name: str, kind: str) -> str:
        """Return a unique name for a link: Pinocchio's bodies and joints may have equal names."""
        new = f"{name} ({kind})" if name in taken else name
        taken.add(new)
        return new

    carriers = [new_name(model.names[0], "joint")]  # the link moved by each joint
    links, joints = [Link(carriers[0])], []
    for i in range(1, model.njoints):
        parent = carriers[model.parents[i]]
        for joint in joints_of(model, i):
            child = new_name(joint.name, "joint")
            links.append(Link(child, inertia=MASSLESS))
            joints.append(joint.between(parent, child))
            parent = child
        inertia = model.inertias[i]
        mass = MassProperties._unchecked(float(inertia.mass), inertia.lever, inertia.inertia)
        links[-1] = Link(parent, inertia=mass)
        carriers.append(parent)
    frames = [frame for frame in model.frames if frame.type.name == "BODY"]
    fixed = [(Link(new_name(f.name, "body"), inertia=MASSLESS), f) for f in frames]
    fixed += [(_link(one, error), one) for one in objects]
    for link, part in fixed:
        links.append(link)
        pose = part.placement.homogeneous.copy()
        ends = carriers[part.parentJoint], link.name
        joints.append(Joint(f"{link.name} (fixed)", "fixed", *ends, pose))
    return links, joints, _ignored_pairs(geometry_model, objects, links)


def _objects(geometry_model: Any) -> list[Any]:
    if not hasattr(geometry_model, "geometryObjects"):
        got = type(geometry_model).__name__
        raise TypeError(f"geometry_model: expected a pinocchio.GeometryModel, got {got}")
    objects = list(geometry_model.geometryObjects)
    if not objects:
        raise ValueError("geometry_model: expected geometry objects, got none")
    if off := visible(", ".join(one.name for one in objects if one.disableCollision)):
        text = f"geometry objects with disableCollision are not tested: {off}"
        warnings.warn(text, stacklevel=4)
    return objects


def _link(one: Any, error: float) -> Link:
    if one.disableCollision:
        return Link(one.name, inertia=MASSLESS)
    try:
        return Link(one.name, coal_mesh(one.geometry, error), MASSLESS)
    except ValueError as problem:
        raise ValueError(f"geometry object {one.name!r}: {problem}") from problem


def _ignored_pairs(geometry_model: Any, objects: list[Any], links: list[Link]) -> dict[Pair, str]:
    pairs = {
        frozenset((objects[pair.first].name, objects[pair.second].name))
        for pair in geometry_model.collisionPairs
    }
    if not pairs:
        text = "geometry_model has no collision pairs, so links are not tested against each other"
        warnings.warn(f"{text}; addAllCollisionPairs() adds them", stacklevel=4)
    shown = [link.name for link in links if link.mesh is not None]
    rest = [pair for pair in combinations(shown, 2) if frozenset(pair) not in pairs]
    return dict.fromkeys(rest, "no collision pair of the geometry model")


def coal_mesh(geometry: Any, error: float) -> Mesh:
    """Return the mesh of a coal geometry, which protrudes from a round shape by at most `error`."""
    kind = type(geometry).__name__
    inflated = getattr(geometry, "getSweptSphereRadius", lambda: 0.0)()
    if inflated != 0:
        raise ValueError(f"expected a {kind} with swept-sphere radius 0, got {inflated}")
    if kind.startswith("BVHModel"):
        if not geometry.num_tris:
            raise ValueError(f"expected triangles, got {geometry.num_vertices} points")
        return Mesh(*_arrays(geometry.vertices(), geometry.num_tris, geometry.tri_indices))
    if kind not in _SHAPES:
        known = ", ".join(_SHAPES)
        raise ValueError(f"expected a mesh of triangles or one of {known}, got {kind}")
    # A single triangle bounds no solid.
    return Mesh(*_SHAPES[kind](geometry, error), solid=kind != "TriangleP")


def _arrays(vertices: Any, count: int, face: Any) -> MeshArrays:
    faces = [[int(face(i)[k]) for k in range(3)] for i in range(count)]
    return np.array(vertices, dtype=np.float64), np.array(faces, dtype=np.int32)


def _convex(geometry: Any, _: float) -> MeshArrays:
    if not geometry.num_polygons:
        raise ValueError("expected a Convex with faces, got points only")
    return _arrays(geometry.points(), geometry.num_polygons, geometry.polygons)


def _triangle(geometry: Any, _: float) -> MeshArrays:
    corners = [np.ravel(corner) for corner in (geometry.a, geometry.b, geometry.c)]
    return _arrays(corners, 1, lambda _: (0, 1, 2))


_SHAPES = {
    "Box": lambda g, _: shapes.box(2 * np.asarray(g.halfSide).ravel()),
    "Sphere": lambda g, error: shapes.sphere(g.radius, error),
    "Ellipsoid": lambda g, error: shapes.ellipsoid(np.asarray(g.radii).ravel(), error),
    "Cylinder": lambda g, error: shapes.cylinder(g.radius, 2 * g.halfLength, error),
    "Capsule": lambda g, error: shapes.capsule(g.radius, 2 * g.halfLength, error),
    "Cone": lambda g, error: shapes.cone(g.radius, 2 * g.halfLength, error),
    "Convex": _convex,
    "TriangleP": _triangle,
}
