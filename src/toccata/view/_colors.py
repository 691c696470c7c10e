"""The colors of everything that is drawn, as display values from 0 to 255."""

Color = tuple[int, int, int]

RED: Color = (214, 40, 40)
"""Bodies in contact, and poses that are not reached."""
SALMON: Color = (242, 134, 120)
"""The second body of a pair in contact, if there are several pairs."""
ORANGE: Color = (237, 117, 64)
"""Body a, and robots."""
BLUE: Color = (64, 130, 189)
"""Body b."""
GREEN: Color = (28, 124, 74)
"""Certified free."""
YELLOW: Color = (250, 222, 26)
"""Contact points."""
AMBER: Color = (150, 105, 0)
"""Undecided."""
GRAY: Color = (150, 158, 170)
"""Fixed bodies."""
DARK: Color = (33, 38, 47)
"""Normals, edges and text."""
PALETTE: tuple[Color, ...] = (
    ORANGE,
    BLUE,
    (98, 160, 92),
    (155, 112, 178),
    (205, 160, 60),
    (84, 170, 175),
    (199, 106, 140),
    (138, 120, 96),
)
"""Colors of several bodies, and of rigid groups."""
