"""Sequences of motions of the bodies of a scene."""

from __future__ import annotations

from typing import Any, Unpack, cast

from toccata._native import core
from toccata._options import SceneOptions, SceneSequenceOptions, Which, fixed_method, takes
from toccata._result import Contact
from toccata._scene import Scene


class SceneSequence:
    """First contacts of a scene step after step, each helped by those before.

    The sequence remembers the triangles of each pair of bodies that touched last. It tests them
    first and skips everything that cannot touch earlier. Answers obey the same contract as those of
    `Scene.first_contact`. The scene may be edited between queries.

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
            contacts: "all" adds all contacts of all pairs at that time as `.contacts`.

        """
        how = fixed_method(options, SceneSequenceOptions.__optional_keys__, "auto")
        return self._scene._first_contact(cast(SceneOptions, how), contacts, self._known)
