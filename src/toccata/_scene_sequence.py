"""Sequences of motions of the bodies of a scene."""

from __future__ import annotations

from typing import Any, Unpack, cast

from toccata._native import core
from toccata._options import SceneOptions, SceneSequenceOptions, Which, fixed_method, takes
from toccata._result import Contact
from toccata._scene import Scene


class SceneSequence:
    """Successive queries of the first contact of a scene, with coherence.

    For each pair of bodies, the sequence remembers the triangles that touched last. A query tests
    these triangles first, and skips all triangles that cannot touch earlier. Answers obey the
    contract of `Scene.first_contact`, but contacts between separation and separation + tolerance
    may depend on earlier queries. The scene may be edited between queries. Threads may share a
    sequence: a query that starts during another one works without coherence.

    Args:
        scene: the scene.

    """

    __slots__ = ("_known", "_scene")

    def __init__(self, scene: Scene) -> None:
        if not isinstance(scene, Scene):
            raise TypeError(f"scene: expected a toccata.Scene, got {type(scene).__name__}")
        self._scene = scene
        self._known = core.KnownContacts()

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        """Pickle the scene; a copy starts without coherence."""
        return SceneSequence, (self._scene,)

    @takes(SceneSequenceOptions)
    def first_contact(
        self, *, contacts: Which = "first", **options: Unpack[SceneSequenceOptions]
    ) -> Contact:
        """Return the earliest contact of all pairs, as `Scene.first_contact` does.

        Args:
            contacts: "all" lists all contacts of all pairs at `toc`, in `.contacts`.

        """
        how = fixed_method(options, SceneSequenceOptions.__optional_keys__, "auto")
        return self._scene._first_contact(cast(SceneOptions, how), contacts, self._known)
