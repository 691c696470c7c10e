"""Sessions that a reader changes: a part in hand, a robot, a simulation."""
