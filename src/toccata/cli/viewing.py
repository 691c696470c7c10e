"""What all commands that can be looked at share: `--view` and `--html`."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toccata.cli.output import OutputFile
from toccata.cli.terminal import say

if TYPE_CHECKING:
    from toccata.view import View
    from toccata.view.live.page import LivePage


def add_view_options(parser: Any, *, view: bool = True) -> None:
    """Declare the options; `view` says whether looking at it has to be asked for."""
    if view:
        parser.add_argument(
            "--view", action="store_true", help="show the answer in the browser until Ctrl-C"
        )
    parser.add_argument(
        "--html", type=OutputFile, metavar="FILE", help="write a page that plays from disk"
    )
    parser.add_argument(
        "--host",
        default="127.0.0.1",
        help="of the page; default: 127.0.0.1. Others need the token in the address",
    )
    parser.add_argument("--port", type=int, default=8080, help="of the page; default: 8080")


def wants_view(args: argparse.Namespace) -> bool:
    """Whether there will be something to see; refuse before the work what would be refused after.

    So a command that takes minutes does not end with a missing package.
    """
    if not args.view and not args.html:
        return False
    from toccata.view.canvas import import_viser

    import_viser()
    if args.html and Path(args.html).suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"--html: expected a name that ends in .html, got {args.html}")
    return True


def present(args: argparse.Namespace, make: Callable[[], View]) -> None:
    """Write the page, show the view, or do nothing, as it was asked for."""
    if not wants_view(args):
        return
    view = make()
    if args.html:
        from toccata.view import save_html

        with args.html.replaced() as file:
            save_html(view, file)
    if args.view:
        from toccata.view import open_page

        serve(open_page(view, host=args.host, port=args.port))


def serve(page: LivePage) -> None:
    """Keep a page open until Ctrl-C; then the command ends with the answer that it had."""
    with page:
        say(f"{page.address}  (Ctrl-C ends)", error=True)
        try:
            page.wait()
        except KeyboardInterrupt:
            say("", error=True)
