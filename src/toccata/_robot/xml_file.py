"""XML files of robots, read strictly: invalid content is an error."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import isfinite
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_INFINITE = re.compile(r"[+-]?inf(inity)?", re.IGNORECASE)
_MACROS = re.compile(r"\$[{(]")


@contextmanager
def naming(what: str | os.PathLike[str]) -> Iterator[None]:
    """Prefix messages of errors in this context with the name of a file, link or joint."""
    try:
        yield
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{os.fspath(what)}: {error}") from error
    except ValueError as error:
        raise ValueError(f"{os.fspath(what)}: {error}") from error


def read_xml(path: str | os.PathLike[str], kind: str) -> Element:
    """Return the element `robot` of a file; `kind` names the format in messages.

    Namespaces are not resolved, as in other readers of URDF: prefixes are parts of names.
    """
    if not os.path.isfile(path):
        raise FileNotFoundError("no such file")
    builder = TreeBuilder()
    parser = expat.ParserCreate()
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = builder.end
    parser.StartDoctypeDeclHandler = _refuse_document_type
    with open(path, "rb") as file:
        data = file.read()
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, ValueError) as error:  # encodings fail in several ways
        raise ValueError(f"expected {kind}, got broken XML ({error})") from error
    root = builder.close()
    _refuse_macros(root, kind)
    if root.tag != "robot":
        raise ValueError(f"expected {kind}, got <{root.tag}>")
    return root


def _refuse_document_type(*_: object) -> None:
    """Refuse document types: a few lines of entities can expand to gigabytes."""
    raise ValueError("document types are not accepted")


def _refuse_macros(root: Element, kind: str) -> None:
    spaces = {"xacro"} | {
        key.removeprefix("xmlns:")
        for key, value in root.attrib.items()
        if key.startswith("xmlns:") and value.rstrip("/").endswith("xacro")
    }
    how = f"make {kind} with xacro first: xacro FILE.xacro > FILE"
    for part in root.iter():
        if part.tag.partition(":")[0] in spaces and ":" in part.tag:
            raise ValueError(f"expected {kind}, got xacro with <{part.tag}>; {how}")
    for part in (*root.findall("link"), *root.findall("joint")):
        for inner in part.iter():
            for name, value in inner.attrib.items():
                if _MACROS.search(value):
                    where = f"{part.tag} {part.get('name')!r}: <{inner.tag}> {name}"
                    raise ValueError(f"{where}: expected a value, got xacro {value!r}; {how}")


def attribute(part: Element, name: str) -> str:
    value = part.get(name)
    if not value:
        raise ValueError(f"<{part.tag}>: expected {name}, got none")
    return value


def only(part: Element, tag: str) -> Element | None:
    """Return the only child with a tag, or None; raise ValueError if there are several."""
    found = part.findall(tag)
    if len(found) > 1:
        raise ValueError(f"<{part.tag}>: expected one <{tag}>, got {len(found)}")
    return found[0] if found else None


def check_attributes(part: Element, *known: str) -> None:
    """Refuse attributes that would be ignored."""
    for name in part.attrib:
        if name not in known:
            raise ValueError(f"<{part.tag}>: expected {' and '.join(known)}, got {name}")


def numbers(
    part: Element, name: str, counts: tuple[int, ...], infinite: bool = False
) -> list[float]:
    """Return the numbers of an attribute, separated by spaces; their count is one of `counts`."""
    words = attribute(part, name).split()
    legal = all(
        _NUMBER.fullmatch(word) or (infinite and _INFINITE.fullmatch(word)) for word in words
    )
    found = [float(word) for word in words] if legal else []
    if len(found) not in counts or not (infinite or all(map(isfinite, found))):
        wanted = " or ".join(map(str, counts))
        noun = "number" if counts == (1,) else "numbers"
        raise ValueError(f"<{part.tag}> {name}: expected {wanted} {noun}, got {part.get(name)!r}")
    return found


def number(part: Element, name: str, default: float | None = None) -> float:
    """Return the number of an attribute, or the default if it is absent."""
    if default is not None and part.get(name) is None:
        return default
    return numbers(part, name, (1,))[0]
