"""A simulation that looks fine in every frame: did anything pass through anything in between?

MuJoCo tests contacts at the ends of its steps: a fast ball can be in front of a thin plate at one
step and behind it at the next. The audit looks at the motion between.
"""

import mujoco
import numpy as np

import toccata as tc
from toccata.scenes import models

# A thin plate, a slow ball that lands on it, and a fast one that it should stop.
RADIUS, THICKNESS = 0.05, 0.004
SCENE = f"""
<mujoco>
  <option timestep="0.004"/>
  <worldbody>
    <geom name="plate" type="box" size="1 1 {THICKNESS / 2}"/>
    <body name="slow" pos="-0.5 0 0.4"><freejoint/><geom type="sphere" size="{RADIUS}"/></body>
    <body name="fast" pos="0.5 0 0.4"><freejoint/><geom type="sphere" size="{RADIUS}"/></body>
  </worldbody>
</mujoco>
"""

model = mujoco.MjModel.from_xml_string(SCENE)
data = mujoco.MjData(model)
data.qvel[8] = -60.0  # m/s, the fast ball, downward
mujoco.mj_forward(model, data)
times, poses = [], []
for _ in range(90):
    times.append(data.time)
    rows = [tc.pose(data.body(k).xpos, quat_wxyz=data.body(k).xquat) for k in ("slow", "fast")]
    poses.append([np.eye(4), *rows])
    mujoco.mj_step(model, data)

ball = tc.Mesh(*models.icosphere(RADIUS, 3), solid=True)
log = {"names": ["plate", "slow", "fast"], "times": times, "poses": poses}
plate = tc.Mesh(*models.box((2.0, 2.0, THICKNESS)), solid=True)
found = tc.audit(log, {"plate": plate, "slow": ball, "fast": ball})

print(f"{found.steps} steps, free until {found.safe_until:.6f} s")
for a, b, kind, step, time in zip(
    found.body_a, found.body_b, found.kind, found.step, found.time, strict=True
):
    what = found.KINDS[kind]
    print(f"{what} of {found.names[a]} and {found.names[b]} at {time:.6f} s, in step {step}")
