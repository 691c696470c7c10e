"""Colors of bodies, as display values in [0, 1]. Orange touches blue; the rest steps back."""

import numpy as np

ORANGE = np.array([0.93, 0.46, 0.25])
"""Body a of a contact."""
BLUE = np.array([0.25, 0.51, 0.74])
"""Body b of a contact."""
GREEN = np.array([0.36, 0.62, 0.32])
"""Where a robot's path ends."""
SAND = np.array([0.86, 0.84, 0.80])
"""What belongs to body a, such as the other links of a robot."""
GRAY = np.array([0.70, 0.74, 0.79])
"""What stands around."""
MANY = (
    np.array([0.92, 0.70, 0.30]),
    np.array([0.82, 0.36, 0.28]),
    np.array([0.45, 0.58, 0.75]),
    np.array([0.40, 0.65, 0.45]),
    np.array([0.62, 0.50, 0.72]),
)
"""Bodies of a simulation, by turns."""
