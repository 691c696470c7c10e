"""PNG files, written with zlib alone."""

from __future__ import annotations

import os
import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_TRUECOLOR = 2


def encode_png(image: Image, clear: tuple[int, int, int] | None = None) -> bytes:
    """Return an image, (h, w, 3) uint8, as a PNG file. Pixels of color `clear` are transparent."""
    if image.dtype != np.uint8 or image.ndim != 3 or image.shape[2] != 3 or image.size == 0:
        raise ValueError(
            f"image: expected nonempty (h, w, 3) uint8, got {image.shape} {image.dtype}"
        )
    height, width, _ = image.shape
    header = struct.pack(">IIBBBBB", width, height, 8, _TRUECOLOR, 0, 0, 0)
    pixels = zlib.compress(_filtered(image).tobytes(), 6)
    key = b"" if clear is None else _chunk(b"tRNS", struct.pack(">HHH", *clear))
    start, end = _SIGNATURE + _chunk(b"IHDR", header), _chunk(b"IEND", b"")
    return start + key + _chunk(b"IDAT", pixels) + end


def save_png(path: str | os.PathLike[str], image: Image) -> None:
    """Write an image, (h, w, 3) uint8, to `path`."""
    Path(path).write_bytes(encode_png(image))


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _filtered(image: Image) -> Image:
    """Return the rows of a PNG: a filter code, then differences to the pixel left or above."""
    rows = image.reshape(len(image), -1)
    left = rows.copy()
    left[:, 3:] -= rows[:, :-3]
    above = rows.copy()
    above[1:] -= rows[:-1]
    # The filter with the smaller differences compresses better. Subtraction wraps: 255 means -1.
    use_above = _size(above) < _size(left)
    codes = np.where(use_above, 2, 1).astype(np.uint8)
    differences = np.where(use_above[:, None], above, left)
    return np.concatenate([codes[:, None], differences], axis=1)


def _size(differences: Image) -> NDArray[np.int64]:
    return np.asarray(np.abs(differences.view(np.int8).astype(np.int64)).sum(axis=1))
