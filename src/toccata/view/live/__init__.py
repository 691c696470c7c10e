"""Views that go on while they are looked at: a part in hand, a robot, a simulation."""
