"""Views as pictures and pages: a rasterizer in numpy, and the player of HTML files.

Nothing here needs a display, a GPU or viser. `toccata.view.view_of` makes the views.
"""

import toccata.view  # noqa: F401  views first: their modules import pages, and those the items
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
