"""Numbers of the papers, in milliseconds unless stated otherwise; None if not given.

The machines had 2.4 GHz (2004), 2.66 GHz (2013) and 3.3 GHz (2015).
"""

from __future__ import annotations

Row = tuple[float | None, ...]

TANG_1_COLUMNS = ("C2A without control", "C2A colliding", "C2A free", "C2A", "HCA", "FAST")
TANG_1: dict[str, Row] = {
    "Club vs. Club": (14.97, 3.6, None, 3.6, 3.4, None),
    "Gear vs. Gear": (55.49, 2.96, 0.0048, 1.98, 1.68, None),
    "Hammer vs. CAD piece": (7.68, 2.82, 0.0052, 1.89, 1.86, None),
    "Bunny vs. Bunny": (8.64, 4.11, 0.048, 2.77, 2.77, 4.01),
    "Bunny Dynamics": (0.41, 5.54, 0.11, 0.22, 0.15, 0.31),
    "Torusknot vs. Torusknot": (6.8, 2.81, 0.41, 2.01, 2.68, 1.96),
}
"""Tang et al. 2013, table 1."""

TANG_2_COLUMNS = ("colliding", "free", "average")
TANG_2: dict[str, Row] = {
    "Exercising": (1.62, 0.77, 0.88),
    "Walking": (1.08, 0.94, 0.99),
    "Grasping": (9.79, None, 9.79),
    "Puma": (0.87, 0.35, 0.38),
}
"""Tang et al. 2013, table 2, their own method."""

REDON_COLUMNS = ("hierarchy", "swept volumes", "exact contact", "total")
"""Columns, each for colliding motions and then for free ones."""
REDON_1: dict[str, Row] = {
    "1 deg": (0.0014, 0.0012, 11.9552, 2.9801, 11.8, 3.3123, 23.7566, 6.2936),
    "5 deg": (0.0017, 0.0013, 16.1848, 4.3327, 17.9427, 3.6844, 32.3713, 8.0184),
    "15 deg": (0.0018, 0.0015, 22.1523, 3.9728, 30.5652, 5.4548, 52.7193, 9.4291),
    "30 deg": (0.0018, 0.0013, 18.6973, 4.4477, 85.4134, 18.7761, 104.1125, 23.2251),
}
"""Redon et al. 2004, table 1."""
REDON_2: dict[str, Row] = {
    "1 deg, 1+2+3": (0.33, 0.33, 41.58, 18.54, 7.01, 2.06, 48.92, 19.04),
    "1 deg, 1+3": (0.34, 0.33, None, None, 7.33, 1.79, 7.67, 1.24),
    "1 deg, 2+3": (None, None, 47.60, 41.68, 23.29, 15.00, 70.89, 43.53),
    "1 deg, 3": (None, None, None, None, 82.24, 75.05, 82.24, 75.05),
    "30 deg, 1+2+3": (0.33, 0.33, 30.83, 20.18, 116.42, 46.15, 147.58, 48.31),
    "30 deg, 1+3": (0.33, 0.33, None, None, 121.93, 43.43, 122.26, 115.40),
    "30 deg, 2+3": (None, None, 56.14, 44.74, 147.00, 63.72, 203.14, 98.90),
    "30 deg, 3": (None, None, None, None, 190.79, 98.41, 190.79, 98.41),
    "60 deg, 1+2+3": (0.34, 0.33, 43.13, 19.05, 480.45, 91.74, 523.92, 40.91),
    "60 deg, 1+3": (0.35, 0.33, None, None, 577.70, 73.06, 578.05, 36.79),
    "60 deg, 2+3": (None, None, 62.23, 44.70, 519.39, 107.86, 581.62, 70.08),
    "60 deg, 3": (None, None, None, None, 649.48, 107.29, 649.48, 107.29),
}
"""Redon et al. 2004, table 2."""

HE_1_COLUMNS = ("clustering", "hierarchy", "traversal + tests", "total", "BV tests")
HE_1: dict[str, tuple[Row, Row]] = {
    "Nidus": ((None, 4, 142, 146, 676_512), (17, 4, 32, 53, 51_332)),
    "Airbag": ((None, 3, 5_325, 5_328, 953_649), (16, 2, 1_098, 1_116, 53_989)),
    "Lion": ((None, 160, 14_673, 14_833, 79_693_697), (361, 116, 5_097, 5_574, 15_322_834)),
    "Bunny/Dragon": ((None, 26, 45_145, 45_771, 6_317_304), (442, 23, 32_307, 32_772, 1_316_105)),
    "Car Crash": (
        (None, 216, 21_732, 21_948, 87_273_186),
        (1_198, 256, 14_041, 15_495, 23_335_076),
    ),
}
"""He et al. 2015, table 1: Self-CCD, then their method.

Its last column, elementary tests, repeats the total time in milliseconds, so it is left out here.
"""
HE_2: dict[str, tuple[str, int, int, int]] = {
    "Nidus": ("32,798", 581, 116, 282),
    "Airbag": ("9,076", 145, 32, 283),
    "Lion": ("1.6M", 14_376, 2_556, 626),
    "Bunny/Dragon": ("0.25M-0.27M", 4_315, 3_321, 75),
    "Car Crash": ("1.1M-1.2M", 5_331, 843, 1_049),
}
"""He et al. 2015, table 2: triangles, leaf and intermediate clusters, triangles per cluster."""
