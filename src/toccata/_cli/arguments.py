"""Arguments of commands: the parser, and the kinds of options that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from textwrap import fill
from types import NoneType
from typing import Any, Literal, NoReturn, get_args, get_origin, get_type_hints

import numpy as np

from toccata._arrays import Floats
from toccata._motion import pose
from toccata._options import described
from toccata._text import visible

POSE_HELP = (
    "A pose is 3 numbers (a translation), 6 (a translation and a rotation vector in radians), 7 (a"
    " translation and a quaternion x y z w) or 16 (a matrix, row by row)."
)


class Parser(argparse.ArgumentParser):
    """A parser of a command, or of all of them.

    Its messages escape the characters of arguments that a terminal would obey. Lists of numbers may
    stand before positional arguments: they end with their last number.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(formatter_class=HelpFormatter, allow_abbrev=False, **options)

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Join the numbers of each list to one argument, parse, and refuse what is left."""
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
    """Wraps paragraphs, but neither examples nor indented lines, and appends defaults."""

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
    """Return words with the numbers after each option in `lists` as one word.

    A negative number gets a leading space: argparse takes -1e-3 for an option.
    """
    joined: list[str] = []
    inside = False
    for word in words:
        is_number = _is_number(word)
        if inside and is_number and joined[-1] not in lists:
            joined[-1] += f" {word}"
        else:
            joined.append(f" {word}" if is_number and word.startswith("-") else word)
        inside = word in lists or (inside and is_number)
    return joined


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def numbers(text: str) -> list[float]:
    """Return the numbers of a list, the type of an option; commas may separate them."""
    try:
        return [float(word) for word in text.replace(",", " ").split()]
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected numbers, got {text.strip()!r}") from None


def read_pose(option: str, given: list[float] | None) -> Floats:
    """Return the pose that an option gives; the identity if it is not given."""
    if given is None:
        return np.eye(4)
    if len(given) == 3:
        return pose(given)
    if len(given) == 6:
        return pose(given[:3], rotvec=given[3:])
    if len(given) == 7:
        return pose(given[:3], quat_xyzw=given[3:])
    if len(given) == 16:
        return np.array(given).reshape(4, 4)
    raise ValueError(f"{option}: expected 3, 6, 7 or 16 numbers, got {len(given)}")


def add_query_options(parser: Any, options: Any, names: Sequence[str]) -> None:
    """Add options of queries, as `toccata._options` defines them; those not given are None."""
    known, hints = described(options), get_type_hints(options)
    for name in names:
        default, text = known[name].default, known[name].text
        text = text[:1].upper() + text[1:]
        if default is not None and "efault" not in text:
            shown = {"True": "yes", "False": "no", "0.0": "0"}.get(str(default), default)
            text = f"{text} Default: {shown}."
        how = _how_to_parse(hints[name])
        parser.add_argument(f"--{name.replace('_', '-')}", default=None, help=text, **how)


def _how_to_parse(hint: Any) -> dict[str, Any]:
    """Return how argparse reads values of a type."""
    if get_origin(hint) is Literal:
        return {"choices": get_args(hint)}
    kind = next((kind for kind in get_args(hint) if kind is not NoneType), hint)
    if kind is bool:
        return {"action": argparse.BooleanOptionalAction}
    return {"type": kind, "metavar": "N" if kind is int else "X"}


_TYPES: dict[str, Any] = {"N": int, "X": float, "POSE": numbers, "Q": numbers}
"""Types of values by their name in the help; others are text."""


def add(parser: Any, spec: str, text: str, *, repeatable: bool = False, **more: Any) -> None:
    """Add an argument; `more` are keywords of argparse.

    A `spec` is "MESH", "FRAMES ...", "--list", "--steps N", "--ignore A B", "--kind {a,b}".
    """
    name, *values = spec.split()
    how: dict[str, Any] = {"help": text}
    if values and values[-1] == "...":
        how["nargs"] = "+"
        values.pop()
    if not name.startswith("--"):
        how["metavar"], name = name, name.lower()
    elif not values:
        how["action"] = "store_true"
    elif values[0].startswith("{"):
        how["choices"] = values[0].strip("{}").split(",")
    else:
        how |= {"metavar": values[0], "type": _TYPES.get(values[0], str)}
    if len(values) > 1:
        how |= {"metavar": tuple(values), "nargs": len(values)}
    if repeatable:
        how |= {"action": "append", "default": [], "help": f"{text} Repeatable."}
    parser.add_argument(name, **how | more)


def add_solid(parser: Any, option: str, meshes: str) -> None:
    """Add an option that says which meshes are solid: all, none, or those that are closed."""
    text = (
        f"All {meshes} are solid (an open one is an error), or all are surfaces. Default: closed"
        " ones are solid."
    )
    parser.add_argument(option, action=argparse.BooleanOptionalAction, default="auto", help=text)
