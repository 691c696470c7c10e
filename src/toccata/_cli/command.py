"""The skeleton of all commands.

A command is a subclass of `Command`. It says:

- what it is: `name`, `summary`, `usage`, `example`, `description` and `exit_codes`;
- what it takes: its own arguments (`add_arguments`), and options of queries that
  `toccata._options` defines (`options`);
- what it answers: `solve` returns an `Output` with the exit code, the lines, the JSON object and
  the view. A long command reports to `meter(args, unit)`.

The class adds what all commands share: `--json`, `--report`, `--html` and `--view`, and
`--progress` where a command takes long. Output files are checked before `solve`, and replaced when
they are complete. The report, the page and the browser draw the same view. Ctrl-C ends `--view` and
leaves the exit code as it is; anywhere else it ends the command with 130. `toccata._cli.main` turns
every exception into exit code 2, so that a crash never reads as an answer.
"""

from __future__ import annotations

import argparse
import json
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from toccata._cli.answers import plain
from toccata._cli.arguments import Parser, add, add_query_options
from toccata._cli.output import HTML, OutputFile, check_outputs, ending_in
from toccata._cli.terminal import Meter, say, warn

if TYPE_CHECKING:
    from toccata.view import View
    from toccata.view._live.page import LivePage
    from toccata.view._served import ServedPage

CHECK_CODES = "0 free, 1 contact, 2 error, 3 undecided"
STDOUT = "-"


@dataclass(frozen=True, slots=True)
class Picture:
    """The view that the report, the page and the browser draw: `view_of(what, **context)`."""

    what: Any
    context: Mapping[str, Any] = field(default_factory=dict)
    about: Mapping[str, Any] = field(default_factory=dict)
    """Fields of the view to replace, such as the title."""
    milliseconds: float | None = None
    """Time that the answer took, if it does not know that itself."""
    is_quiet: bool = False
    """True if the warnings of the view have been printed already."""

    def view(self) -> View:
        """Return the view."""
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
    """The answer of a command: an exit code, lines, JSON fields and a picture."""

    code: int
    lines: Sequence[str] = ()
    fields: Callable[[], dict[str, Any]] = dict
    """Makes the JSON object, if there is one; arrays and enums are converted."""
    picture: Picture | None = None


class Command(ABC):
    """A command of the command line; the module says how it works."""

    name: ClassVar[str]
    summary: ClassVar[str]
    """One line for `toccata --help`."""
    usage: ClassVar[str]
    """The required arguments."""
    example: ClassVar[str]
    """Arguments that a newcomer may try."""
    description: ClassVar[str]
    exit_codes: ClassVar[str] = CHECK_CODES
    options: ClassVar[tuple[tuple[Any, tuple[str, ...]], ...]] = ()
    """Classes of `toccata._options`, and the names of the options to take from them."""
    outputs: ClassVar[tuple[str, ...]] = ("json", "report", "html", "view")
    is_long: ClassVar[bool] = True
    """True if the command has `--progress`."""

    @abstractmethod
    def add_arguments(self, parser: Parser) -> None:
        """Add the arguments that are the command's own."""

    @abstractmethod
    def solve(self, args: argparse.Namespace) -> Output:
        """Return what the command found."""

    def declare(self, commands: Any) -> None:
        """Add the parser of the command."""
        parser = commands.add_parser(
            self.name,
            usage=f"toccata {self.name} {self.usage} [OPTION ...]",
            description=f"example: toccata {self.name} {self.example}\n\n{self.description}",
            epilog=f"Exit codes: {self.exit_codes}.",
        )
        self.add_arguments(parser)
        if self.options:
            group = parser.add_argument_group("query options")
            for options, names in self.options:
                add_query_options(group, options, names)
        _add_outputs(parser.add_argument_group("output options"), self.outputs, self.is_long)
        parser.set_defaults(run=self.run)

    def run(self, args: argparse.Namespace) -> int:
        """Check the output files, solve, and show the answer as the options say."""
        check_outputs(vars(args))
        found = self.solve(args)
        if args_of(args, "json") == STDOUT and found.fields is not dict:
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
        """Return a printer of progress in units of work, None without `--progress`."""
        return Meter(unit) if args.progress else None

    def tell(self, args: argparse.Namespace, line: str) -> None:
        """Print a line before the answer is complete, unless JSON goes to stdout."""
        if args.json != STDOUT:
            say(line)

    def warn(self, text: str) -> None:
        """Print a message to stderr."""
        warn(self.name, text)


def args_of(args: argparse.Namespace, name: str) -> Any:
    """Return an argument, None if the command does not have it."""
    return getattr(args, name, None)


def wants_picture(args: argparse.Namespace) -> bool:
    """Return whether the answer is to be drawn."""
    return any(args_of(args, name) for name in ("report", "html", "view"))


def json_file(path: str) -> str:
    """Return an output file, or the dash that stands for stdout.

    The ending protects input files that follow an option without its value.
    """
    return path if path == STDOUT else OutputFile(path, (".json", ""))


def _add_outputs(group: Any, outputs: Sequence[str], is_long: bool) -> None:
    page = ending_in(*HTML)
    if "json" in outputs:
        text = "Write the answer as a JSON object; - prints it in place of the lines."
        add(group, "--json FILE", text, type=json_file)
    if "report" in outputs:
        text = "Write an HTML report: the answer, pictures, and a player."
        add(group, "--report FILE", text, type=page)
    if "html" in outputs:
        add(group, "--html FILE", "Write an HTML page that plays the answer.", type=page)
    if "view" in outputs:
        add(group, "--view", "Show the answer in the browser until Ctrl-C.")
    if "html" in outputs:
        text = "Address to serve the browser page at. Other machines need the token in its URL."
        add(group, "--host ADDRESS", text, default="127.0.0.1")
        add(group, "--port N", "Port of the browser page.", default=8080)
    if is_long:
        add(group, "--progress", "Print progress to stderr.")


def _as_json(found: Output) -> str:
    return json.dumps(plain(found.fields()), allow_nan=False)


def _write(args: argparse.Namespace, found: Output) -> None:
    """Write the files, and serve the view."""
    if isinstance(args_of(args, "json"), OutputFile):
        with args.json.replaced() as file, open(file, "w", encoding="utf-8") as target:
            target.write(f"{_as_json(found)}\n")
    if found.picture is None or not wants_picture(args):
        return
    from toccata import report
    from toccata.view import open_page

    view = found.picture.view()
    if args_of(args, "report"):
        with args.report.replaced() as file:
            report.write_report(file, [view], title=view.title)
    if args.html:
        with args.html.replaced() as file:
            report.save_page(view, file)
    if args_of(args, "view"):
        serve(open_page(view, host=args.host, port=args.port))


def serve(page: LivePage | ServedPage) -> None:
    """Keep a page open until Ctrl-C, which ends the command with the exit code of its answer."""
    with page:
        say(f"{page.address}  (Ctrl-C ends)", error=True)
        try:
            page.wait()
        except KeyboardInterrupt:
            say("", error=True)
