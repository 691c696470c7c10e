"""Pictures and reports of contacts, drawn with numpy alone: no display, no GPU."""

from toccata.report.entry import Entry
from toccata.report.figure import contact_figure
from toccata.report.html import write_report
from toccata.report.png import save_png
from toccata.report.robot import robot_picture

__all__ = ["Entry", "contact_figure", "robot_picture", "save_png", "write_report"]
