"""Arguments of commands: the parser, tables of arguments, and options of queries."""

from __future__ import annotations

import argparse
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from textwrap import dedent, fill
from types import NoneType
from typing import Any, Literal, NoReturn, get_args, get_origin, get_type_hints

import numpy as np

from toccata._arrays import Floats
from toccata._cli.output import ending_in
from toccata._motion import pose
from toccata._options import described
from toccata._text import visible

POSE_HELP = (
    "A pose is 3 numbers (a translation), 6 (a translation and a rotation vector in radians), 7 (a"
    " translation and a quaternion x y z w) or 16 (a matrix, row by row)."
)


class Parser(argparse.ArgumentParser):
    """A parser of one command, or of all commands.

    Messages escape control characters in arguments. A list of numbers ends with its last number, so
    positional arguments may follow the list.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=HelpFormatter, allow_abbrev=False, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Join the numbers of each list into one argument, parse, and refuse unknown arguments."""
        lists = {o for a in self._actions if a.type is numbers for o in a.option_strings}
        found, left = super().parse_known_args(_joined(args, lists), namespace)
        if left:
            word = left[0].partition("=")[0]
            close = get_close_matches(word, self._option_string_actions, 1)
            hint = f" (did you mean {close[0]}?)" if close else ""
            self.error(f"unrecognized arguments: {' '.join(left)}{hint}")
        return found, left

    def error(self, message: str) -> NoReturn:
        """Print the usage and the message, and exit with 2."""
        super().error(f"{visible(message)}\n(see {self.prog} --help)")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """A formatter that wraps paragraphs, except examples and indented lines, and adds defaults."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        parts = text.split("\n\n")
        as_is = ("  ", "example:")
        return "\n\n".join(p if p.startswith(as_is) else fill(p, width) for p in parts)

    def _get_help_string(self, action: argparse.Action) -> str:
        return help_of(action).replace("%", "%%")


def help_of(action: argparse.Action) -> str:
    """Return the help of an argument with its default."""
    text, default = action.help or "", action.default
    hidden = isinstance(default, bool) or default == argparse.SUPPRESS
    if hidden or not isinstance(default, int | str) or "efault" in text:
        return text
    return f"{text} Default: {default}."


def _joined(words: Sequence[str], lists: set[str]) -> list[str]:
    """Return words, with the numbers after each option in `lists` joined into one word.

    A negative number gets a leading space, because argparse would treat -1e-3 as an option.
    """
    joined: list[str] = []
    inside = False
    for word in words:
        try:
            float(word)
            is_number = True
        except ValueError:
            is_number = False
        if inside and is_number and joined[-1] not in lists:
            joined[-1] += f" {word}"
        else:
            joined.append(f" {word}" if is_number and word.startswith("-") else word)
        inside = word in lists or (inside and is_number)
    return joined


def numbers(text: str) -> list[float]:
    """Return the numbers in the value of an option, separated by spaces or commas."""
    try:
        return [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected numbers, got {text.strip()!r}") from None


def read_pose(option: str, given: list[float] | None) -> Floats:
    """Return the pose of an option; the identity if the option is not given."""
    if given is None:
        return np.eye(4)
    if len(given) not in (3, 6, 7, 16):
        raise ValueError(f"{option}: expected 3, 6, 7 or 16 numbers, got {len(given)}")
    if len(given) == 16:
        return np.array(given).reshape(4, 4)
    turn = {3: {}, 6: {"rotvec": given[3:]}, 7: {"quat_xyzw": given[3:]}}
    return pose(given[:3], **turn[len(given)])


def add_query_options(parser: Any, options: Any, names: Sequence[str]) -> None:
    """Add options as `toccata._options` defines them. Options that are not given are None."""
    known, hints = described(options), get_type_hints(options)
    for name in names:
        default, text = known[name].default, known[name].text
        text = text[:1].upper() + text[1:]
        if default is not None and "efault" not in text:
            shown = {"True": "yes", "False": "no", "0.0": "0"}.get(str(default), default)
            text = f"{text} Default: {shown}."
        kind = next((kind for kind in get_args(hints[name]) if kind is not NoneType), hints[name])
        how: dict[str, Any] = {"type": kind, "metavar": "N" if kind is int else "X"}
        if get_origin(hints[name]) is Literal:
            how = {"choices": get_args(hints[name])}
        elif kind is bool:
            how = {"action": argparse.BooleanOptionalAction}
        parser.add_argument(f"--{name.replace('_', '-')}", default=None, help=text, **how)


_TYPES: dict[str, Any] = {"N": int, "X": float, "POSE": numbers, "Q": numbers}
"""Types of values by their names in the help. All other values are text."""


def add_table(parser: Any, table: str, more: Mapping[str, Any] | None = None) -> None:
    """Add the arguments of a table.

    A row is an argument, two spaces or a line break, and a help text; further lines of the row are
    indented. Arguments are written "MESH", "[SCENE]", "FRAMES ...", "--list", "--[no-]solid",
    "--seed N = 0", "--ignore A B", "--motion {linear,screw} = linear". "--out FILE(.npz,.json)" is
    a file to write with one of these endings. An argument is repeatable or required if its text
    ends with "Repeatable." or "Required." A row such as "run options:" starts or continues a group.
    `more` contains further keywords for argparse, by argument.
    """
    group = parser
    for row in re.split(r"\n(?! )", dedent(table).strip()):
        if row.endswith(" options:"):
            title = row.removesuffix(":")
            known = [one for one in parser._action_groups if one.title == title]
            group = known[0] if known else parser.add_argument_group(title)
            continue
        spec, text = re.split(r"\s\s+|\n", row, maxsplit=1)
        name, how = _how_to_parse(spec)
        how["help"] = " ".join(text.split())
        if text.endswith("Repeatable."):
            how |= {"action": "append", "default": []}
        if text.endswith("Required."):
            how["required"] = True
        group.add_argument(name, **how | (more or {}).get(name, {}))


def _how_to_parse(spec: str) -> tuple[str, dict[str, Any]]:
    """Return the name of an argument, and how argparse reads it."""
    spec, _, default = spec.partition(" = ")
    name, *values = spec.strip("[]").split()
    how: dict[str, Any] = {"default": default} if default else {}
    if values and values[-1] == "...":
        how["nargs"] = "*" if spec.startswith("[") else "+"
        values.pop()
    elif spec.startswith("["):
        how["nargs"] = "?"
    if not name.startswith("--"):
        return name.lower(), how | {"metavar": name}
    if name.startswith("--[no-]"):
        how = {"action": argparse.BooleanOptionalAction, "default": "auto"}
        return name.replace("[no-]", ""), how
    if not values:
        how["action"] = "store_true"
    elif values[0].startswith("{"):
        how["choices"] = values[0].strip("{}").split(",")
    elif len(values) > 1:
        how |= {"metavar": tuple(values), "nargs": len(values)}
    else:
        value, _, endings = values[0].rstrip(")").partition("(")
        kind = ending_in(*endings.split(",")) if endings else _TYPES.get(value, str)
        how |= {"metavar": value, "type": kind}
    return name, how


def solid_row(option: str, meshes: str) -> str:
    """Return the row of an option that selects the meshes to treat as solids."""
    return (
        f"--[no-]{option}  Treat all {meshes} as solids (open meshes are then an error), or all as"
        " surfaces. Default: closed components are solids."
    )
