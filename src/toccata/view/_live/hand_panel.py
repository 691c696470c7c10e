"""Controls of a part in hand: drag, rotate, undo, export."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from toccata._motion import pose as make_pose
from toccata._text import counted
from toccata.report._page import page_html
from toccata.view._camera import framed
from toccata.view._live.hand import HandSession
from toccata.view._live.page import LivePage, Panel
from toccata.view._path import of_path
from toccata.view._turns import as_wxyz


class HandPanel(Panel):
    """Controls of a part: drags, and a gizmo at its center of mass."""

    def __init__(self, page: LivePage) -> None:
        super().__init__(page)
        assert isinstance(page.session, HandSession)
        self.session = page.session
        self.button("Undo", lambda _: self.session.undo(), "revert the last drag or rotation")
        self.button("Back to the start", lambda _: self.session.restart())
        self.button("Export path", self._export, "check the path again and download it")
        self.button("Export page", self._export_page, "download a page that plays the path")
        keeps = self.gui.add_checkbox("Keep orientation", self.session.keeps_turn)
        self.bind(keeps, self.session, "keeps_turn")
        self._gizmo: Any = page.server.scene.add_transform_controls(
            "/gizmo",
            scale=0.6 * self.session.part.radius,
            disable_sliders=True,
            depth_test=False,
            opacity=0.7,
            **self._gizmo_pose(),
        )
        self._gizmo.on_update(self._on_gizmo)
        shown = self.gui.add_checkbox("Show gizmo", True, hint="rotates or shifts the part")
        self.bind(shown, self._gizmo, "visible")
        self._turning = False
        page.canvas.handle("part").on_drag("left")(self._on_drag)

    # Coroutines, because viser does not keep the order of other callbacks.
    async def _on_drag(self, event: Any) -> None:
        if event.phase == "start":
            self.session.grab(event.start_position)
        self.session.pull(event.end_position)
        if event.phase == "end":
            self.session.release()

    async def _on_gizmo(self, event: Any) -> None:
        if event.phase == "start":
            self.session.begin()
        self._turning = event.phase != "end"
        turned = make_pose(quat_wxyz=event.target.wxyz)
        turned[:3, 3] = event.target.position - turned[:3, :3] @ self.session.center
        self.session.put(turned)

    def _gizmo_pose(self) -> dict[str, Any]:
        pose = self.session.pose
        center = pose[:3, :3] @ self.session.center + pose[:3, 3]
        return {"wxyz": as_wxyz(pose), "position": center}

    def drawn(self) -> None:
        """Move the gizmo to the part, unless a user holds the gizmo."""
        if self._turning:
            return
        for name, value in self._gizmo_pose().items():
            if not np.allclose(getattr(self._gizmo, name), value, rtol=0, atol=1e-12):
                setattr(self._gizmo, name, value)

    def _export(self, event: Any) -> None:
        """Check the path again and send it as a file."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "path.npz"
            path = self.session.save(file)
            content = file.read_bytes()
        event.client.send_file_download("path.npz", content, save_immediately=True)
        _tell(event, f"{counted(len(path), 'motion')}, each certified free of contact")

    def _export_page(self, event: Any) -> None:
        """Send a page that plays the path."""
        path = self.session.path
        if not len(path):
            _tell(event, "No path yet: drag the part first.")
            return
        view = of_path(path, self.session.part, self.session.scene)
        view = framed(replace(view, camera=None), direction=self.session.direction)
        content = page_html(view).encode("utf-8", "xmlcharrefreplace")
        event.client.send_file_download("path.html", content, save_immediately=True)


def _tell(event: Any, words: str) -> None:
    event.client.add_notification("Path", words, auto_close_seconds=5.0)
