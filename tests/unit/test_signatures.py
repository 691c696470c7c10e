"""Signatures and docstrings of queries name every option; each documented default is used."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any, get_args

import numpy as np
import pytest

import toccata as tc
from toccata import _options, elementary
from toccata._native import core
from toccata._options import described, takes

LATER = ("toccata._audit", "toccata.dynamics.")


def public_functions() -> Iterator[tuple[str, FunctionType]]:
    for owner in (tc, elementary):
        for name in owner.__all__:
            thing = getattr(owner, name)
            if isinstance(thing, FunctionType):
                yield name, thing
            elif isinstance(thing, type):
                for method, value in inspect.getmembers(thing, inspect.isfunction):
                    if not method.startswith("_"):
                        yield f"{name}.{method}", value


QUERIES = {
    name: function
    for name, function in public_functions()
    if function.__code__.co_flags & inspect.CO_VARKEYWORDS
    and not function.__module__.startswith(LATER)
}


def options_of(query: FunctionType) -> Any:
    """Return the class of a query's options, as type checkers see it."""
    (options,) = get_args(eval(query.__annotations__["options"], query.__globals__))
    return options


def box(size: float = 1.0) -> tc.Mesh:
    corners = np.array(np.meshgrid(*[(-size / 2, size / 2)] * 3)).reshape(3, -1).T
    faces = [(0, 2, 1), (1, 2, 3), (4, 5, 6), (5, 7, 6), (0, 1, 4), (1, 5, 4)]
    return tc.Mesh(
        corners, [*faces, (2, 6, 3), (3, 6, 7), (0, 4, 2), (2, 4, 6), (1, 3, 5), (3, 7, 5)]
    )


BOX = box()
HIGH, LOW = tc.pose((0, 0, 3)), tc.pose((0.1, 0.2, -3), rotvec=(0.3, 0.2, 0.1))
DOWN = tc.Motion.linear(HIGH, LOW)
SQUARES = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0.2, 0.2, 1), (1.2, 0.2, 1), (0.2, 1.2, 1)])
FALLEN = SQUARES - np.repeat([[0.0], [2.0]], 3, axis=0) * (0, 0, 1)
FACES = [(0, 1, 2), (3, 4, 5)]
ENDS = (SQUARES[None, [3, 0, 1, 2]], FALLEN[None, [3, 0, 1, 2]])


def scene() -> tc.Scene:
    bodies = tc.Scene()
    bodies.add("falling", BOX, DOWN)
    bodies.add("floor", BOX)
    return bodies


def slider() -> tc.Robot:
    joint = tc.Joint("joint", "prismatic", "base", "hand", tc.pose((0, 0, 3)))
    return tc.Robot([tc.Link("base"), tc.Link("hand", BOX)], [joint])


ROWS = [[0.0], [-5.0]]
CALLS: dict[str, Callable[..., Any]] = {
    "Robot.clearance": lambda **how: slider().clearance(*ROWS, BOX, **how),
    "Robot.clearance_path": lambda **how: slider().clearance_path(ROWS, BOX, **how),
    "Robot.clearance_batch": lambda **how: slider().clearance_batch(ROWS[:1], ROWS[1:], BOX, **how),
    "Robot.contacts": lambda **how: slider().contacts(*ROWS, BOX, **how),
    "Robot.contacts_path": lambda **how: slider().contacts_path(ROWS, BOX, **how),
    "Robot.distances_path": lambda **how: slider().distances_path(ROWS, BOX, at=[0.5], **how),
    "Robot.contact_intervals": lambda **how: slider().contact_intervals(*ROWS, BOX, **how),
    "Robot.contact_intervals_path": lambda **how: slider().contact_intervals_path(ROWS, BOX, **how),
    "Robot.first_contact": lambda **how: slider().first_contact(*ROWS, BOX, **how),
    "Robot.first_contact_batch": lambda **how: slider().first_contact_batch(
        ROWS[:1], ROWS[1:], BOX, **how
    ),
    "Robot.first_contact_path": lambda **how: slider().first_contact_path(ROWS, BOX, **how),
    "Robot.motion_is_free": lambda **how: slider().motion_is_free(*ROWS, BOX, **how),
    "RobotSequence.first_contact": lambda **how: tc.RobotSequence(slider(), BOX).first_contact(
        *ROWS, **how
    ),
    "RobotSequence.first_contact_path": lambda **how: tc.RobotSequence(
        slider(), BOX
    ).first_contact_path(ROWS, **how),
    "SceneSequence.first_contact": lambda **how: tc.SceneSequence(scene()).first_contact(**how),
    "Scene.clearances": lambda **how: scene().clearances(**how),
    "Scene.contact_intervals": lambda **how: scene().contact_intervals(**how),
    "Scene.clearance": lambda **how: scene().clearance(**how),
    "Scene.contacts": lambda **how: scene().contacts(**how),
    "Scene.first_contact": lambda **how: scene().first_contact(**how),
    "ContactSequence.first_contact": lambda **how: tc.ContactSequence(BOX, BOX).first_contact(
        DOWN, **how
    ),
    "DeformingMesh.check": lambda **how: tc.DeformingMesh(SQUARES, FACES).check(FALLEN, **how),
    "DeformingMesh.step": lambda **how: tc.DeformingMesh(SQUARES, FACES).step(FALLEN, **how),
    "clearance": lambda **how: tc.clearance(BOX, BOX, DOWN, **how),
    "clearance_batch": lambda **how: tc.clearance_batch(BOX, BOX, [HIGH], [LOW], **how),
    "contact_intervals": lambda **how: tc.contact_intervals(BOX, BOX, DOWN, **how),
    "deforming_contacts": lambda **how: tc.deforming_contacts(SQUARES, FALLEN, FACES, **how),
    "edge_edge": lambda **how: elementary.edge_edge(*ENDS, **how),
    "first_contact": lambda **how: tc.first_contact(BOX, BOX, DOWN, **how),
    "first_contact_batch": lambda **how: tc.first_contact_batch(BOX, BOX, [HIGH], [LOW], **how),
    "first_contact_pairs": lambda **how: tc.first_contact_pairs(
        [BOX, BOX], [0], [1], [HIGH], [LOW], **how
    ),
    "sequence_contacts": lambda **how: next(
        tc.sequence_contacts([(SQUARES, FACES), (FALLEN, FACES)], **how)
    )[1],
    "vertex_face": lambda **how: elementary.vertex_face(*ENDS, **how),
}
EACH = pytest.mark.parametrize("name", sorted(QUERIES))


def test_every_query_with_options_is_called_below() -> None:
    assert set(CALLS) == set(QUERIES)


@EACH
def test_signatures_list_every_option_with_its_default(name: str) -> None:
    query = QUERIES[name]
    shown = inspect.signature(query).parameters
    assert not [p for p in shown.values() if p.kind is p.VAR_KEYWORD]
    options = described(options_of(query))
    assert options
    for option, meaning in options.items():
        assert shown[option].kind is inspect.Parameter.KEYWORD_ONLY
        assert shown[option].default == meaning.default
        assert shown[option].annotation is not inspect.Parameter.empty


@EACH
def test_docstrings_describe_every_parameter_once(name: str) -> None:
    query = QUERIES[name]
    _, _, after = inspect.cleandoc(query.__doc__ or "").partition("\nArgs:\n")
    described_here = [
        line.strip().split(":")[0] for line in after.splitlines() if line[4:5].strip()
    ]
    assert described_here == [p for p in inspect.signature(query).parameters if p != "self"]


@EACH
def test_an_option_that_is_not_shown_is_refused(name: str) -> None:
    with pytest.raises(TypeError, match=r"^unexpected option 'speed': expected some of "):
        CALLS[name](speed=3)
    known = set(inspect.signature(QUERIES[name]).parameters)
    for option in {"method", "initial", "w", "budget", "limit", "stages"} - known:
        with pytest.raises(TypeError, match=f"^unexpected option '{option}': expected some of "):
            CALLS[name](**{option: None})


def facts(answer: Any) -> list[Any]:
    """Return what must not change: the answer and the work that was done."""
    if isinstance(answer, np.ndarray):
        return [answer.tobytes()]
    parts = [
        getattr(answer, name, None) for name in ("status", "toc", "tolerance", "lower", "upper")
    ]
    stats = getattr(answer, "stats", None)
    work = [
        getattr(stats, name, None) for name in ("bv_tests", "elementary_tests", "leaf_clusters")
    ]
    return [np.asarray(part).tobytes() for part in parts if part is not None] + work


@EACH
def test_documented_defaults_are_those_that_queries_use(name: str) -> None:
    call, plain = CALLS[name], facts(CALLS[name]())
    defaults = {k: option.default for k, option in described(options_of(QUERIES[name])).items()}
    assert facts(call(**defaults)) == plain
    for option, value in defaults.items():
        assert facts(call(**{option: value})) == plain


@pytest.mark.parametrize(
    ("native", "options"),
    [
        (core.Options, _options.RigidOptions),
        (core.Options, _options.SceneOptions),
        (core.LinearOptions, _options.PairOptions),
        (core.StepOptions, _options.StepOptions),
    ],
)
def test_documented_defaults_are_those_of_the_core(native: Any, options: Any) -> None:
    ((text, _, values),) = native.__init__.__nb_signature__
    names = [part.split(":")[0].strip() for part in text.split("self, ")[1].split(",")]
    inside = dict(zip(names, values, strict=True))
    for name, option in described(options).items():
        if name != "threads":  # an option of Python: the core takes a number
            assert inside[name] == option.default, name


def test_a_decorated_query_is_the_same_function() -> None:
    def query(a: int, **options: Any) -> None:
        """Do nothing."""

    assert takes(_options.IntervalOptions)(query) is query
    assert str(inspect.signature(query)).startswith("(a: 'int', *, tolerance: float | None = None")
    assert "\n\nArgs:\n    tolerance: largest amount by which" in (query.__doc__ or "")
