"""The builds of the compiled core: one is chosen at import, and all give the same bits."""

from __future__ import annotations

import ctypes
import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from toccata import _native

# Runs in a separate process, because an environment variable chooses the build at import. With a
# folder as argument, the chosen build is loaded from there: another compiler may have made it.
QUERIES = """
import hashlib, importlib.util, json, sys
from pathlib import Path


class OtherBuild:
    @staticmethod
    def find_spec(name, path=None, target=None):
        built = Path(sys.argv[1]).glob(name.rpartition(".")[2] + ".*so")
        if name.startswith("toccata._core"):
            return importlib.util.spec_from_file_location(name, next(built))


if len(sys.argv) > 1:
    sys.meta_path.insert(0, OtherBuild)

from dataclasses import fields
import numpy as np
import toccata as tc
from toccata import dynamics
from toccata._native import core
from toccata.scenes import models

rng = np.random.default_rng(3)
ball, torus = tc.Mesh(*models.icosphere(0.5, 3)), tc.Mesh(*models.torus(1.0, 0.25, 40, 20))


def poses(x, count=60):
    origins = np.column_stack([np.full(count, x), rng.uniform(-2.5, 2.5, count), np.zeros(count)])
    return [tc.pose(origin, rotvec=rng.normal(size=3)) for origin in origins]


hashes, hits, start, end = {}, 0, poses(-2.5), poses(2.5)
for method in ("auto", "hca", "c2a", "interval"):
    for motion in ("linear", "screw"):
        r = tc.first_contact_batch(
            ball, torus, start, end, motion=motion, method=method, separation=0.05
        )
        hits = int((r.status != tc.Status.FREE).sum())
        columns = (getattr(r, f.name) for f in fields(r))
        joined = b"".join(np.ascontiguousarray(column).tobytes() for column in columns)
        hashes[f"{method} {motion}"] = hashlib.sha256(joined).hexdigest()
motion = tc.Motion.spline((0, 0.4, 1), (start[0], tc.pose((1, 0, 0.5)), end[0]))
c = tc.first_contact(ball, torus, motion)
hashes["spline"] = repr((c.toc, c.distance, c.point_a.tolist(), c.stats.bv_tests))

measured = tc.distance_batch(ball, torus, start)
rows = tc.proximities(ball, torus, start[0], distance=1.01 * measured.upper[0])
for r in (measured, rows):
    columns = b"".join(np.asarray(getattr(r, f.name)).tobytes() for f in fields(r))
    hashes[type(r).__name__] = hashlib.sha256(columns).hexdigest(), len(r)

v0, faces = models.icosphere(1.0, 3)
v1 = v0 * (1, 1, -0.1) + 0.02 * rng.normal(size=v0.shape)
for method in ("clusters", "bvh"):
    step = tc.deforming_contacts(v0, v1, faces, method=method, contacts="all")
    joined = repr(step.toc).encode() + step.vertex_face.tobytes() + step.edge_edge.tobytes()
    hashes[f"deforming {method}"] = hashlib.sha256(joined).hexdigest(), len(step.edge_edge)
quads = rng.normal(size=(2, 2000, 4, 3))
for solve in (tc.elementary.vertex_face, tc.elementary.edge_edge):
    r = solve(*quads, separation=0.01)
    hashes[solve.__name__] = hashlib.sha256(r.toc.tobytes() + r.status.tobytes()).hexdigest()
weight, root = tc.MassProperties.of(torus), rng.normal(size=(12, 12))
problem = root @ root.T + np.eye(12), rng.normal(size=12), rng.normal(size=(61, 12))
found = core.Projector().solve(*problem, -rng.random(61))
normal = rng.normal(size=(21, 3))
normal /= np.linalg.norm(normal, axis=1)[:, None]
bodies = core.BodyVelocities(*(np.ones(1), np.eye(3)[None], *rng.normal(size=(2, 1, 3))))
ids, limits = np.zeros((2, 21), np.int32) - [[0], [1]], (rng.random(21), np.zeros(21))
contacts = core.ContactPoints(
    tuple(ids.astype(np.int32)), tuple(rng.normal(size=(2, 21, 3))), normal, limits, normal * 0
)
core.ContactSolver().solve(bodies, contacts, 1e-9, 200)
parts = (weight.center, weight.inertia, *found[1:4], bodies.spin(), contacts.impulse())
hashes["dynamics"] = found[0], len(found[2]), *(part.tolist() for part in parts)
kinds = ("revolute", "prismatic", "planar", "floating", "revolute", "revolute")
links = [tc.Link("0"), *(tc.Link(str(i + 1), ball) for i in range(len(kinds)))]
joints = [
    tc.Joint(f"j{i}", kind, str(i), str(i + 1), tc.pose((0.7, 0.1, 0)), (0.1, 1, 0.3))
    for i, kind in enumerate(kinds)
]
man = dynamics.ArticulatedBody(tc.Robot(links, joints), density=1.0)
man.add_spring("6", point=(0.1, 0, 0), other_point=(1, 2, 3))
man.step(1e-3, n=30)
man.step(1e-3, active=3, n=30)
hashes["articulated"] = man.q.tolist(), man.v.tolist(), man.groups.tolist(), man.energy
names = [name for name in dir(core) if not name.startswith("_")]
answer = {"module": core.__name__, "hashes": hashes, "hits": hits, "names": names}
print(json.dumps(answer | {"file": core.__file__}))
"""


def solve(simd: str | None, *folder: str) -> dict[str, Any]:
    """Return hashes of the answers of one build."""
    environment = {k: v for k, v in os.environ.items() if k != "TOCCATA_SIMD"}
    if simd is not None:
        environment["TOCCATA_SIMD"] = simd
    command = [sys.executable, "-c", QUERIES, *folder]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_all_builds_give_the_same_bits() -> None:
    usual, baseline = solve(None), solve("baseline")
    assert baseline["module"].endswith("_core")
    if usual["module"] == baseline["module"]:
        pytest.skip("this processor has only one build")
    assert 0.3 < usual["hits"] / 60 < 0.7, "too one-sided to prove anything"
    assert usual["hashes"] == baseline["hashes"]
    assert usual["names"] == baseline["names"]


@pytest.mark.skipif("TOCCATA_OTHER_BUILD" not in os.environ, reason="`make clang` runs it")
@pytest.mark.parametrize("simd", [None, "baseline"])
def test_another_compiler_gives_the_same_bits(simd: str | None) -> None:
    folder = os.environ["TOCCATA_OTHER_BUILD"]
    ours, theirs = solve(simd), solve(simd, folder)
    assert ours["module"] == theirs["module"]
    assert Path(theirs["file"]).parent == Path(folder) != Path(ours["file"]).parent
    assert ours["hashes"] == theirs["hashes"]


def test_other_processors_have_no_avx2(monkeypatch: pytest.MonkeyPatch) -> None:
    for machine in ("aarch64", "arm64", "riscv64"):
        monkeypatch.setattr(platform, "machine", lambda machine=machine: machine)
        assert not _native._has_avx2()


class Mac:
    """The C library of macOS on a processor with these features; None hides them."""

    def __init__(self, features: bytes | None) -> None:
        self.features = features

    def sysctlbyname(self, name: bytes, text: Any, length: Any, new: None, size: Any) -> int:
        assert name == b"machdep.cpu.leaf7_features"
        assert new is None and size.value == 0
        if self.features is None:
            return -1
        assert length._obj.value == len(text) > len(self.features)
        text.value = self.features
        length._obj.value = len(self.features) + 1
        return 0


@pytest.mark.parametrize(
    ("features", "has"),
    [
        (b"RDWRFSGS SMEP BMI1 AVX2 BMI2 ERMS", True),
        (b"RDWRFSGS SMEP BMI1 ERMS", False),
        (None, False),
    ],
)
def test_macos_names_its_features_by_sysctl(
    monkeypatch: pytest.MonkeyPatch, features: bytes | None, has: bool
) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: Mac(features))
    assert _native._has_avx2() == has


def test_a_system_that_hides_its_processor_gets_the_baseline(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def hidden(path: Path) -> str:
        raise FileNotFoundError(path)

    monkeypatch.setattr(platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(Path, "read_text", hidden)
    assert not _native._has_avx2()
    monkeypatch.setattr(Path, "read_text", lambda path: "flags : sse2 avx avx2")
    assert _native._has_avx2()
