"""Shows one query by every method: the guarantees are the same, the work differs."""

import toccata as tc
from toccata import scenes

TOLERANCE = 1e-4

scene = scenes.get("demo/hammer-workpiece")
hammer, workpiece = tc.Mesh(*scene.a), tc.Mesh(*scene.b)
print(scene.why)
print(
    f"{'method':<10} {'toc':>10} {'distance':>10} {'CA steps':>9} {'volumes':>8} {'triangles':>9}"
)

times = []
for method in ("auto", "hca", "c2a", "interval"):
    contact = tc.first_contact(
        hammer, workpiece, scene.motion_a, method=method, tolerance=TOLERANCE
    )
    stats = contact.stats
    print(
        f"{method:<8} {contact.toc:10.6f} {contact.distance:9.2e} {stats.ca_iterations:9} "
        f"{stats.bv_tests:8} {stats.elementary_tests:9}"
    )
    assert contact.distance <= TOLERANCE
    times.append(contact.toc)

# Each method proves that the bodies are apart before its time, and within the tolerance at it.
print(f"largest difference in time: {max(times) - min(times):.1e}")
