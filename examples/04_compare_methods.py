"""One question, every method: the same contract, different work."""

from typing import get_args

import toccata as tc
from toccata import scenes
from toccata._options import Method

scene = scenes.get("demo/hammer-workpiece")
hammer, workpiece = tc.Mesh(*scene.a), tc.Mesh(*scene.b)
print(scene.why)
print(
    f"{'method':<10} {'toc':>10} {'distance':>10} {'CA steps':>9} {'volumes':>8} {'triangles':>9}"
)

contacts = []
for method in get_args(Method):
    contact = tc.first_contact(
        hammer, workpiece, scene.motion_a, method=method, tolerance=scene.tolerance
    )
    stats = contact.stats
    print(
        f"{method:<10} {contact.toc:10.6f} {contact.distance:10.2e} {stats.ca_iterations:9} "
        f"{stats.bv_tests:8} {stats.elementary_tests:9}"
    )
    contacts.append(contact)

# Every time is proven free before it and within the tolerance at it, so times differ by no more
# than the way through the tolerance takes.
times = [contact.toc for contact in contacts]
print(f"largest difference in time: {max(times) - min(times):.1e}")
assert all(contact.distance <= scene.tolerance for contact in contacts)
