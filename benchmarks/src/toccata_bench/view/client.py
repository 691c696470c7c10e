"""A page that draws nothing: it uses viser's protocol, drags a part, and records its poses.

It runs in its own process, like a browser: `python -m toccata_bench.view.client`.
"""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

PART, PULL = "/part", "/pull"
"""Nodes of the page: the dragged part, and the line from the held point to the pointer."""
_AFTER = 0.5
"""Seconds to wait for the last poses."""


@dataclass(slots=True)
class Told:
    """Received data about the part, from messages that arrived together."""

    time: float
    position: list[float] | None = None
    wxyz: list[float] | None = None
    pointer: list[float] | None = None
    """Pointer that the pose follows."""


@dataclass(slots=True)
class Notes:
    """Times of sent pointers, and received data."""

    sent: list[float] = field(default_factory=list)
    """Seconds at which each pointer was sent."""
    told: list[Told] = field(default_factory=list)


async def drag(port: int, pointers: list[list[float]], rate: float) -> Notes:
    """Hold the part at the first pointer, and send the others at a rate per second."""
    from websockets.asyncio.client import connect

    notes, ready = Notes(), asyncio.Event()
    protocol: Any = f"viser-v{version('viser')}"
    address = f"ws://127.0.0.1:{port}"
    how: Any = {"origin": f"http://127.0.0.1:{port}", "max_size": None, "compression": None}
    async with connect(address, subprotocols=[protocol], **how) as socket:
        await socket.send(_packed("ViewerCameraMessage", _CAMERA))
        listening = asyncio.create_task(_listen(socket, notes, ready))
        await ready.wait()
        await asyncio.sleep(_AFTER)
        await _send_all(socket, pointers, rate, notes)
        await asyncio.sleep(_AFTER)  # the part is held until its last poses arrive
        await socket.send(_dragged("end", pointers[0], pointers[-1]))
        await asyncio.sleep(_AFTER)
        listening.cancel()
    return notes


async def _send_all(socket: Any, pointers: list[list[float]], rate: float, notes: Notes) -> None:
    due = monotonic()
    for i, pointer in enumerate(pointers):
        await asyncio.sleep(max(0.0, due - monotonic()))
        due += 1 / rate
        notes.sent.append(monotonic())
        await socket.send(_dragged("update" if i else "start", pointers[0], pointer))


async def _listen(socket: Any, notes: Notes, ready: asyncio.Event) -> None:
    async for data in socket:
        now = monotonic()
        messages, buffers = unpacked(data)
        if any(message["type"] == "ReplayDoneMessage" for message in messages):
            ready.set()
        told = _about_part(messages, buffers, now)
        if told.position is not None or told.wxyz is not None or told.pointer is not None:
            notes.told.append(told)


def unpacked(data: bytes) -> tuple[list[dict[str, Any]], list[bytes]]:
    """Return the messages of a websocket frame, and the arrays that they refer to."""
    import msgspec
    import zstandard

    size, packed = (int.from_bytes(data[k : k + 8], "little") for k in (0, 8))
    inner = zstandard.ZstdDecompressor().decompress(data[16 : 16 + packed], max_output_size=size)
    window = msgspec.msgpack.decode(inner)
    at, buffers = 16 + packed, []
    for length in window["binaryBufferLengths"]:
        at += -at % 8
        buffers.append(data[at : at + length])
        at += length
    return window["messages"], buffers


def _about_part(messages: list[dict[str, Any]], buffers: list[bytes], now: float) -> Told:
    told = Told(now)
    for message in messages:
        name = message.get("name")
        if message["type"] == "SetPositionMessage" and name == PART:
            told.position = list(message["position"])
        elif message["type"] == "SetOrientationMessage" and name == PART:
            told.wxyz = list(message["wxyz"])
        elif name == PULL:
            points = (message.get("updates") or message.get("props") or {}).get("points")
            if points is not None:
                ends = np.frombuffer(buffers[points["__binary_index"]], dtype=points["dtype"])
                told.pointer = ends.reshape(-1, 3)[1].tolist()
    return told


def _dragged(phase: str, start: list[float], end: list[float]) -> bytes:
    fields = {
        "phase": phase,
        "name": PART,
        "instance_index": None,
        "start_position": start,
        "start_screen_pos": [0.5, 0.5],
        "end_position": end,
        "end_screen_pos": [0.5, 0.5],
        "button": "left",
        "modifier": None,
        "owner": "",
    }
    return _packed("SceneNodeDragMessage", fields)


def _packed(kind: str, fields: dict[str, Any]) -> bytes:
    import msgspec

    return bytes(msgspec.msgpack.encode({"type": kind, **fields}))


_CAMERA = {
    "wxyz": [1.0, 0.0, 0.0, 0.0],
    "position": [0.0, 0.0, -5.0],
    "fov": 1.0,
    "near": 0.01,
    "far": 100.0,
    "image_height": 480,
    "image_width": 640,
    "look_at": [0.0, 0.0, 0.0],
    "up_direction": [0.0, 0.0, 1.0],
}


def main() -> None:
    """Read the drag from one file, and write the times and poses to another file."""
    asked = json.loads(Path(sys.argv[1]).read_text())
    notes = asyncio.run(drag(asked["port"], asked["pointers"], asked["rate"]))
    Path(sys.argv[2]).write_text(json.dumps(asdict(notes)))


if __name__ == "__main__":
    main()
