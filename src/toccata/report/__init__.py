"""Pictures and reports of contacts, drawn with numpy alone: no display, no GPU."""

from toccata.report.entry import Entry
from toccata.report.figure import contact_figure
from toccata.report.html import write_report
from toccata.report.png import save_png

__all__ = ["Entry", "contact_figure", "save_png", "write_report"]
