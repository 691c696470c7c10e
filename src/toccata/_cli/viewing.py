"""Pictures of answers, for all commands: `--report`, `--html` and `--view`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toccata._cli.output import OutputFile
from toccata._cli.terminal import say

if TYPE_CHECKING:
    from toccata.view import View
    from toccata.view._live.page import LivePage
    from toccata.view._served import ServedPage


def add_view_options(parser: Any, *, view: bool = True) -> None:
    """Declare the options of commands with pictures; `view=False` leaves out two of them."""
    if view:
        parser.add_argument(
            "--report", type=OutputFile, metavar="FILE", help="write an HTML report with pictures"
        )
        parser.add_argument(
            "--view", action="store_true", help="show the answer in the browser until Ctrl-C"
        )
    parser.add_argument(
        "--html", type=OutputFile, metavar="FILE", help="write an HTML page that plays the answer"
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="address of the page of --view; default: 127.0.0.1. Others need the token in it",
    )
    parser.add_argument("--port", type=int, default=8080, help="port of --view; default: 8080")


def wants_view(args: argparse.Namespace) -> bool:
    """Whether a picture was asked for; refuses a bad name of a file before the work."""
    if args.html and Path(args.html).suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"--html: expected a name that ends in .html, got {args.html}")
    return bool(args.view or args.html or getattr(args, "report", None))


def present(args: argparse.Namespace, make: Callable[[], View], **about: Any) -> None:
    """Write the report and the page, and show the view, as the options ask.

    All of them draw one view. `about` replaces fields of it, such as the title.
    """
    if not wants_view(args):
        return
    from toccata import report
    from toccata.view import open_page

    view = replace(make(), **about)
    if getattr(args, "report", None):
        with args.report.replaced() as file:
            report.write_report(file, [view], title=view.title)
    if args.html:
        with args.html.replaced() as file:
            report.save_page(view, file)
    if args.view:
        serve(open_page(view, host=args.host, port=args.port))


def serve(page: LivePage | ServedPage) -> None:
    """Keep a page open until Ctrl-C; then the command ends with the answer that it had."""
    with page:
        say(f"{page.address}  (Ctrl-C ends)", error=True)
        try:
            page.wait()
        except KeyboardInterrupt:
            say("", error=True)
