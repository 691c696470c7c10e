"""The base of all commands.

A command is a subclass of `Command`:

- its docstring is the description in the help, and `name`, `summary`, `usage`, `example` and
  `exit_codes` are other parts of the help;
- `arguments` are tables of its own arguments, and `options` are the options of queries that it
  takes from `toccata._options`;
- `solve` returns an `Output`: the exit code, the lines, the JSON object and the view.

The class adds what all commands share: `--json`, `--report`, `--html` and `--view`, and
`--progress` for long work. Output files are checked before `solve`, and old files are replaced only
by complete files. The report, the page and the browser draw the same view. Ctrl-C during `--view`
does not change the exit code; at any other time, it ends the command with exit code 130.
`toccata._cli.main` turns every exception into exit code 2, so that a crash is never mistaken for an
answer.
"""

from __future__ import annotations

import argparse
import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from inspect import cleandoc
from typing import TYPE_CHECKING, Any, ClassVar

from toccata._cli.answers import plain
from toccata._cli.arguments import POSE_HELP, add_query_options, add_table
from toccata._cli.output import STDOUT, OutputFile, check_outputs
from toccata._cli.terminal import Meter, say, warn

if TYPE_CHECKING:
    from toccata.view import View
    from toccata.view._live.page import LivePage
    from toccata.view._served import ServedPage

CHECK_CODES = "0 free, 1 contact, 2 error, 3 undecided"


@dataclass(frozen=True, slots=True)
class Picture:
    """The view that the report, the page and the browser draw: `view_of(what, **context)`."""

    what: Any
    context: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the view to replace, such as the title."""
    milliseconds: float | None = None
    """Duration of the query, if the answer does not contain it."""
    is_quiet: bool = False
    """True if the warnings of the view have been printed already."""

    def view(self) -> View:
        from toccata.view import view_of

        with warnings.catch_warnings():
            if self.is_quiet:
                warnings.simplefilter("ignore", UserWarning)
            view = replace(view_of(self.what, **self.context), **self.about)
        if self.milliseconds is None or view.outcome is None:
            return view
        return replace(view, outcome=replace(view.outcome, milliseconds=self.milliseconds))


@dataclass(frozen=True, slots=True)
class Output:
    """The answer of a command."""

    code: int
    lines: Sequence[str] = ()
    fields: Callable[[], dict[str, Any]] = dict
    """Function that returns the JSON object; arrays and enums are converted."""
    picture: Picture | None = None


class Command(ABC):
    """A command of the command line. The docstring of this module is an overview."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for `toccata --help`."""
    usage: ClassVar[str]
    """The required arguments."""
    example: ClassVar[str]
    """Arguments for a first try."""
    exit_codes: ClassVar[str] = CHECK_CODES
    arguments: ClassVar[tuple[str, ...]] = ()
    """Tables of the command's own arguments, as `add_table` reads them."""
    keywords: ClassVar[Mapping[str, Mapping[str, Any]]] = {}
    """Further keywords of argparse by argument."""
    options: ClassVar[tuple[tuple[Any, tuple[str, ...]], ...]] = ()
    """Classes of `toccata._options`, and the names of the options to take from them."""
    outputs: ClassVar[tuple[str, ...]] = ("json", "report", "html", "view")
    is_long: ClassVar[bool] = True
    """True if the command has `--progress`."""

    @property
    def description(self) -> str:
        """The paragraphs of the docstring, each on one line."""
        parts = cleandoc(self.__doc__ or self.summary).split("\n\n")
        parts += [POSE_HELP] if any(" POSE" in table for table in self.arguments) else []
        return "\n\n".join(" ".join(part.split()) for part in parts)

    @abstractmethod
    def solve(self, args: argparse.Namespace) -> Output:
        """Return the answer of the command."""

    def declare(self, commands: Any) -> None:
        """Add the parser of the command."""
        parser = commands.add_parser(
            self.name,
            usage=f"toccata {self.name} {self.usage} [OPTION ...]",
            description=f"example: toccata {self.name} {self.example}\n\n{self.description}",
            epilog=f"Exit codes: {self.exit_codes}.",
        )
        parser.set_defaults(run=self.run, **dict.fromkeys(_OUTPUTS))
        for table in self.arguments:
            add_table(parser, table, self.keywords)
        if self.options:
            group = parser.add_argument_group("query options")
            for options, names in self.options:
                add_query_options(group, options, names)
        shared = [_OUTPUTS[name] for name in self.outputs]
        shared += [_PAGE] if "html" in self.outputs else []
        shared += [_PROGRESS] if self.is_long else []
        if shared:
            add_table(parser, "\n".join(["output options:", *shared]))

    def run(self, args: argparse.Namespace) -> int:
        """Check the output files, solve, and show the answer as the options request."""
        check_outputs(vars(args))
        found = self.solve(args)
        if args.json == STDOUT and found.fields is not dict:
            say(_as_json(found))
        elif found.lines:
            say(*found.lines)
        _write(args, found)
        return found.code

    def query(self, args: argparse.Namespace) -> dict[str, Any]:
        """Return the query options that were given."""
        names = [name for _, names in self.options for name in names]
        return {name: getattr(args, name) for name in names if getattr(args, name) is not None}

    def meter(self, args: argparse.Namespace, unit: str) -> Meter | None:
        """Return a printer of progress in units of work; None without `--progress`."""
        return Meter(unit) if args.progress else None

    def tell(self, args: argparse.Namespace, line: str) -> None:
        """Print a line before the answer is complete, unless JSON goes to stdout."""
        if args.json != STDOUT:
            say(line)

    def warn(self, text: str) -> None:
        """Print a message to stderr."""
        warn(self.name, text)


def wants_picture(args: argparse.Namespace) -> bool:
    """Return whether the answer is to be drawn."""
    return bool(args.report or args.html or args.view)


_OUTPUTS = {
    "json": """--json FILE(-,.json,)
  Write the answer as a JSON object. With -, print the object instead of text.""",
    "report": """--report FILE(.html,.htm,)
  Write an HTML report: the answer, pictures, and a player.""",
    "html": "--html FILE(.html,.htm,)  Write an HTML page that plays the answer.",
    "view": "--view  Show the answer in the browser until Ctrl-C.",
}
_PAGE = """--host ADDRESS = 127.0.0.1
  Address of this machine that serves the browser page. Other machines need the token in the URL.
--port N = 8080  Port of the browser page."""
_PROGRESS = "--progress  Print progress to stderr."


def _as_json(found: Output) -> str:
    return json.dumps(plain(found.fields()), allow_nan=False)


def _write(args: argparse.Namespace, found: Output) -> None:
    """Write the files, and serve the view."""
    if isinstance(args.json, OutputFile):
        with args.json.replaced() as file, open(file, "w", encoding="utf-8") as target:
            target.write(f"{_as_json(found)}\n")
    if found.picture is None or not wants_picture(args):
        return
    from toccata import report
    from toccata.view import open_page

    view = found.picture.view()
    if args.report:
        with args.report.replaced() as file:
            report.write_report(file, [view], title=view.title)
    if args.html:
        with args.html.replaced() as file:
            report.save_page(view, file)
    if args.view:
        serve(open_page(view, host=args.host, port=args.port))


def serve(page: LivePage | ServedPage) -> None:
    """Keep a page open until Ctrl-C. The exit code remains the code of the answer."""
    with page:
        say(f"{page.address}  (Ctrl-C ends)", error=True)
        try:
            page.wait()
        except KeyboardInterrupt:
            say("", error=True)
