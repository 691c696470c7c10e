"""Shows the audit of a log from MuJoCo, in which a ball tunnels through a plate.

MuJoCo detects contacts at the ends of its steps. A fast ball can be in front of a thin plate at the
end of one step and behind the plate at the end of the next. The audit checks the motion in between.
"""

import mujoco
import numpy as np
import trimesh

import toccata as tc

# A thin plate, a slow ball that lands on the plate, and a fast ball that the plate should stop.
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

ball = trimesh.creation.icosphere(radius=RADIUS)
log = {"names": ["plate", "slow", "fast"], "times": times, "poses": poses}
plate = trimesh.creation.box((2.0, 2.0, THICKNESS))
found = tc.audit(log, {"plate": plate, "slow": ball, "fast": ball})

print(f"{found.steps} steps, free until {found.safe_until:.6f} s")
for a, b, kind, step, time in zip(
    found.body_a, found.body_b, found.kind, found.step, found.time, strict=True
):
    names = f"{found.names[a]} and {found.names[b]}"
    print(f"{found.KINDS[kind]} of {names} at {time:.6f} s, in step {step}")
