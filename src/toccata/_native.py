"""Chooses the build of the compiled core that fits this processor."""

import importlib
import os
import platform
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toccata import _core as core
else:

    def _has_avx2() -> bool:
        """Whether the processor and the operating system support AVX2."""
        if platform.machine().lower() not in ("x86_64", "amd64"):
            return False
        try:
            return "avx2" in Path("/proc/cpuinfo").read_text()
        except OSError:  # not Linux, or a sandbox without /proc: every build gives the same bits
            return False

    def _load() -> object:
        # TOCCATA_SIMD=baseline shows what a processor without AVX2 would run: the same bits.
        if os.environ.get("TOCCATA_SIMD") != "baseline" and _has_avx2():
            try:
                return importlib.import_module("toccata._core_avx2")
            except ModuleNotFoundError:
                pass
        return importlib.import_module("toccata._core")

    core = _load()

__all__ = ["core"]
