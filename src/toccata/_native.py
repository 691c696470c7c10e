"""The build of the compiled core for this processor."""

import ctypes
import importlib
import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toccata import _core as core
else:

    def _has_avx2() -> bool:
        """Return whether the processor and the operating system support AVX2."""
        if platform.machine().lower() not in ("x86_64", "amd64"):
            return False
        try:
            return "avx2" in _flags()
        except OSError:  # a sandbox may hide the processor; all builds give the same bits
            return False

    def _flags() -> str:
        """Return the list of the processor's features from the system, in lower case."""
        if sys.platform == "darwin":
            return _sysctl("machdep.cpu.leaf7_features").lower()
        return Path("/proc/cpuinfo").read_text()

    def _sysctl(name: str) -> str:
        """Return the output of `sysctl -n name` on macOS."""
        ask = ctypes.CDLL(None, use_errno=True).sysctlbyname
        text = ctypes.create_string_buffer(4096)
        length = ctypes.c_size_t(len(text))
        if ask(name.encode(), text, ctypes.byref(length), None, ctypes.c_size_t(0)):
            raise OSError(ctypes.get_errno(), f"sysctl {name}")
        return text.value.decode()

    def _load() -> object:
        # TOCCATA_SIMD=baseline selects the build for processors without AVX2.
        if os.environ.get("TOCCATA_SIMD") != "baseline" and _has_avx2():
            try:
                return importlib.import_module("toccata._core_avx2")
            except ModuleNotFoundError:
                pass
        return importlib.import_module("toccata._core")

    core = _load()

__all__ = ["core"]
