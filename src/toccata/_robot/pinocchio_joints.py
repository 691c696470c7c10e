"""Joints of Pinocchio as chains of joints of Toccata."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from toccata._arrays import Floats
from toccata._robot.parts import WIDTH as OWN_WIDTH
from toccata._robot.parts import Joint, JointKind, Mimic

WIDTH = {"revolute": 1, "prismatic": 1, "continuous": 2, "planar": 4, "floating": 7}
"""Count of a joint's numbers in Pinocchio, by kind. An unlimited angle is a cosine and a sine."""

_NO_LIMIT = 1e300
"""Larger limits count as no limit. Pinocchio stores the largest float if there is no limit."""

_X, _Y, _Z = np.eye(3)
_CHAINS: dict[str, list[tuple[str, JointKind, Floats]]] = {
    "Planar": [("", "planar", _Z)],
    "FreeFlyer": [("", "floating", _Z)],
    "Translation": [("/x", "prismatic", _X), ("/y", "prismatic", _Y), ("/z", "prismatic", _Z)],
    "SphericalZYX": [("/z", "revolute", _Z), ("/y", "revolute", _Y), ("/x", "revolute", _X)],
}
_SINGLE: dict[str, JointKind] = {
    **dict.fromkeys(("RX", "RY", "RZ", "RevoluteUnaligned"), "revolute"),
    **dict.fromkeys(("RUBX", "RUBY", "RUBZ", "RevoluteUnboundedUnaligned"), "continuous"),
    **dict.fromkeys(("PX", "PY", "PZ", "PrismaticUnaligned"), "prismatic"),
}
"""Joints with one axis. Their motion subspace contains the axis."""
_SUPPORTED = "revolute, prismatic, free flyer, planar, translation, spherical ZYX, composite, mimic"


@dataclass(frozen=True, slots=True, eq=False)
class ModelJoint:
    """A joint of a Pinocchio model."""

    name: str
    kind: JointKind
    axis: Floats
    origin: Floats
    at: int
    """Index of the joint's first number in a configuration of Pinocchio."""
    lower: Any = -np.inf
    upper: Any = np.inf
    mimic: Mimic | None = None

    def between(self, parent: str, child: str) -> Joint:
        ends = self.name, self.kind, parent, child
        return Joint(*ends, self.origin, self.axis, self.lower, self.upper, self.mimic)


def check_model(model: Any) -> None:
    if not hasattr(model, "jointPlacements"):
        raise TypeError(f"model: expected a pinocchio.Model, got {type(model).__name__}")


def joints_of(model: Any, i: int) -> list[ModelJoint]:
    """Return the chain of joints that is equivalent to joint i of a model."""
    name, joint = model.names[i], model.joints[i]
    origin = model.jointPlacements[i].homogeneous.copy()
    if _kind(joint) == "Mimic":
        return [_mimic(model, i, origin)]
    return [_limited(model, part) for part in _chain(name, joint, origin, joint.idx_q)]


def _kind(joint: Any) -> str:
    return str(joint.shortname()).removeprefix("JointModel")


def _chain(name: str, joint: Any, origin: Floats, at: int) -> Iterator[ModelJoint]:
    kind = _kind(joint)
    if kind == "Composite":
        composite = joint.extract() if hasattr(joint, "extract") else joint
        parts = zip(composite.joints, composite.jointPlacements, strict=True)
        for k, (part, placement) in enumerate(parts):
            yield from _chain(f"{name}/{k}", part, origin @ placement.homogeneous, at)
            origin, at = np.eye(4), at + part.nq
        return
    chain = _CHAINS.get(kind)
    if chain is None:
        if kind not in _SINGLE:
            raise ValueError(f"joint {name!r}: expected one of {_SUPPORTED}, got {kind}")
        single, subspace = _SINGLE[kind], _subspace(joint)
        chain = [("", single, subspace[:3] if single == "prismatic" else subspace[3:])]
    for suffix, plain, axis in chain:
        yield ModelJoint(name + suffix, plain, axis, origin, at)
        origin, at = np.eye(4), at + WIDTH[plain]


def _subspace(joint: Any) -> Floats:
    return np.array(joint.createData().S, dtype=np.float64).ravel()


def _mimic(model: Any, i: int, origin: Floats) -> ModelJoint:
    joint, name = model.joints[i].extract(), model.names[i]
    followed = dict(zip(model.mimicking_joints, model.mimicked_joints, strict=True))[i]
    chain = joints_of(model, followed)
    if len(chain) != 1 or WIDTH[chain[0].kind] != 1 or joint.scaling == 0:
        wanted = "a mimic of a revolute or prismatic joint with a nonzero factor"
        got = f"joint {model.names[followed]!r} and factor {joint.scaling}"
        raise ValueError(f"joint {name!r}: expected {wanted}, got {got}")
    # A mimic joint's subspace is the followed joint's subspace times the factor.
    motion = _subspace(model.joints[i]) / joint.scaling
    mimic = Mimic(chain[0].name, joint.scaling, joint.offset)
    turns = motion[3:].any()
    kind: JointKind = "revolute" if turns else "prismatic"
    axis = motion[3:] if turns else motion[:3]
    return ModelJoint(name, kind, axis, origin, chain[0].at, mimic=mimic)


def _limited(model: Any, joint: ModelJoint) -> ModelJoint:
    lines = {"revolute": 1, "prismatic": 1, "planar": 2, "floating": 3}.get(joint.kind, 0)
    if not lines:
        return joint
    part = slice(joint.at, joint.at + lines)
    free = np.full(OWN_WIDTH[joint.kind] - lines, np.inf)  # angles and quaternions
    lower = np.concatenate([np.asarray(model.lowerPositionLimit)[part], -free])
    upper = np.concatenate([np.asarray(model.upperPositionLimit)[part], free])
    lower[lower <= -_NO_LIMIT], upper[upper >= _NO_LIMIT] = -np.inf, np.inf
    one = len(lower) == 1
    return replace(joint, lower=lower[0] if one else lower, upper=upper[0] if one else upper)
