"""Sessions that users control: a part in hand, a robot, a simulation."""
