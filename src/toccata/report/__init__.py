"""Pictures and HTML pages of views, drawn by a rasterizer in NumPy and a player in JavaScript.

Drawing requires no display, GPU or viser. `toccata.view.view_of` returns the views.
"""

import toccata.view  # noqa: F401  imported first, because its modules import pages
from toccata.report._page import report_html, save_page, write_report
from toccata.report._png import save_png
from toccata.report._robot import robot_picture
from toccata.report._still import figure, still, stills
from toccata.report._words import headline

__all__ = [
    "figure",
    "headline",
    "report_html",
    "robot_picture",
    "save_page",
    "save_png",
    "still",
    "stills",
    "write_report",
]
