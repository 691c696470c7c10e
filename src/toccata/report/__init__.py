"""Pictures and reports of answers of all kinds, drawn with numpy alone: no display, no GPU."""

from toccata.report.contacts import of_bodies, of_scene
from toccata.report.deforming import Step, cut_edges, of_steps
from toccata.report.entry import Entry, Mark, Moment, Plot
from toccata.report.html import touching, write_report
from toccata.report.log import of_audit, of_simulation
from toccata.report.png import save_png
from toccata.report.robot import contact_distances, of_robot, robot_picture
from toccata.report.story import figure

__all__ = [
    "Entry",
    "Mark",
    "Moment",
    "Plot",
    "Step",
    "contact_distances",
    "cut_edges",
    "figure",
    "of_audit",
    "of_bodies",
    "of_robot",
    "of_scene",
    "of_simulation",
    "of_steps",
    "robot_picture",
    "save_png",
    "touching",
    "write_report",
]
