"""Checks names and prose against the glossary and the rules of plain English.

    python tools/check_words.py [PATH ...]
    python tools/check_words.py --all

Without paths, checks the roots in `CHECKED`; with `--all` also the roots in `PENDING`. The last
column of the tables in `docs/glossary.md` lists rejected words:

- `journey` is rejected in all names and sentences. The entry `live pair` also rejects the names
  `live_pair` and `LivePair`.
- `place (noun)` is rejected as a noun. The verb is accepted, also as the first word of a function's
  name.
- `memory (alone)` is rejected as a complete name. `peak_memory` is accepted.
- Any other note, as in `part (of a window)`, is left to readers.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
CHECKED = (
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "benchmarks",
    "bindings",
    "core",
    "docs",
    "examples",
    "src",
    "tools",
    "tests/oracles",
    "tests/properties",
    "tests/unit/project",
)
PENDING: tuple[str, ...] = ()
"""Roots that still have faults; move them to `CHECKED` one by one."""
SKIPPED = ("docs/glossary.md", "docs/cli.md", "docs/papers.md", "benchmarks/results")
"""The glossary itself, and generated pages."""

SUFFIXES = (".py", ".md", ".hpp", ".cpp")

ALLOWED = (
    # (word, pattern of paths, pattern of the words around it, reason)
    ("way", "", r"\b(one|two|both|either|same|other|this|own|several) ways?\b", "manner, side"),
    ("way", "", r"\b(give|gives|gave|by the|out of the|half) way", "idioms"),
    ("moment", "", r"principal moment|moments? of inertia", "a term of mechanics"),
    ("moment", r"^(?!core/)", "", "an instant; in the core it was a pair view"),
    ("chunk", "_files/gltf|report/_png", "", "a term of the glTF and PNG formats"),
    ("family", "", "^address_family$", "an attribute in the standard library"),
    ("memory", "benchmarks", "", "measured bytes"),
)

STARTS = re.compile(r"(What|Which|How|Of|Where|Whether|Who|Whose)\b(?!-)", re.IGNORECASE)
PHRASES = re.compile(
    r"\b(?:told? apart|tells? apart|telling apart|of which|of whom|that of|such that|is (?-i:none)"
    r"|comes? to(?! (?:rest|a stop)\b)|for all that|who touches)\b",
    re.IGNORECASE,
)
CONTRACTIONS = re.compile(
    r"\b(?:\w+n['’]t|(?:it|that|there|what|who|he|she|let|here)['’]s|\w+['’](?:re|ve|ll))\b",
    re.IGNORECASE,
)
BRITISH = re.compile(
    r"(?<![a-z])(?:centre[ds]?|centring|\w*metres?|neighbour\w*|colour\w*|behaviour\w*"
    r"|favour\w*|grey|travell\w+|modell\w+|unlabelled|labelled|cancelled"
    r"|(?:normal|initial|recogn|optim|organ|minim|maxim)is(?:e[ds]?|ing))(?![a-z])",
    re.IGNORECASE,
)
NOT_PROSE = re.compile(
    r"``[^`]*``|`[^`]*`|\]\([^)]*\)|https?://\S+|<!--.*?-->|<[^>\n]*>", re.DOTALL
)
BEFORE_NOUNS = "a an the its their his this that each every one same other another any no some of"
WIDTH = 100


class Rule(NamedTuple):
    """A rejected word of the glossary, and the term to use."""

    word: str
    kind: str  # "", "noun" or "alone"
    term: str


class Name(NamedTuple):
    """An identifier, and the line of its definition."""

    line: int
    text: str
    is_function: bool = False


class Passage(NamedTuple):
    """A comment, docstring, message or paragraph."""

    line: int
    text: str
    kind: str  # "comment", "message" or "page"


def read_rules(glossary: str) -> list[Rule]:
    """Return the rejected words of all tables whose last column is "not"."""
    terms: dict[tuple[str, str], list[str]] = {}
    has_words = False
    for line in glossary.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if not cells:
            has_words = False
        elif cells[0] == "term":
            has_words = cells[-1] == "not"
        elif has_words and not cells[0].startswith("---"):
            for word, note in re.findall(r"([^,()]+?)\s*(?:\(([^)]*)\))?(?:,\s*|$)", cells[-1]):
                if note in ("", "noun", "alone"):
                    terms.setdefault((word, note), []).extend(
                        re.findall(r"\*\*(.+?)\*\*", cells[0])
                    )
    return [Rule(word, note, " or ".join(found)) for (word, note), found in terms.items()]


def words_of(name: str) -> list[str]:
    """Return the words in a name: `_live_pairs` and `LivePairs` give live, pairs."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)]


def fault_of_name(name: Name, rule: Rule) -> bool:
    """Return whether a name contains a rejected word."""
    words, rejected = words_of(name.text), rule.word.split()
    found = [
        k
        for k in range(len(words) - len(rejected) + 1)
        if words[k : k + len(rejected) - 1] == rejected[:-1]
        and words[k + len(rejected) - 1] in (rejected[-1], f"{rejected[-1]}s")
    ]
    if rule.kind == "alone":
        return bool(found) and len(words) == len(rejected)
    if rule.kind == "noun" and name.is_function and words[:1] == ["test"]:
        return any(faults_of_prose(" ".join(words), rule))
    if rule.kind == "noun":
        return bool(found) and not (name.is_function and found[0] == 0) and "in_" not in name.text
    return bool(found)


def faults_of_prose(text: str, rule: Rule) -> Iterator[re.Match[str]]:
    """Yield the occurrences of a rejected word in prose."""
    if rule.kind != "alone":
        before = rf"\b(?:{BEFORE_NOUNS.replace(' ', '|')})\s+" if rule.kind == "noun" else r"\b"
        for found in re.finditer(rf"{before}{rule.word}s?\b(?!['’-])", text, re.IGNORECASE):
            is_verb = rule.kind == "noun" and re.match(r"that\s.*s$", found[0], re.I | re.DOTALL)
            if not is_verb:  # "a disc that covers little"
                yield found


def is_allowed(word: str, path: str, around: str) -> bool:
    """Return whether a rejected word is accepted here, because it has another meaning."""
    return any(
        word == allowed and re.search(where, path) and re.search(pattern, around, re.IGNORECASE)
        for allowed, where, pattern, _ in ALLOWED
    )


def python_names(tree: ast.AST) -> Iterator[Name]:
    """Yield the names that Python code defines."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Name(node.lineno, node.name, is_function=True)
        elif isinstance(node, ast.ClassDef):
            yield Name(node.lineno, node.name)
        elif isinstance(node, ast.arg):
            yield Name(node.lineno, node.arg)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield Name(node.lineno, node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield Name(node.lineno, node.attr)


def python_passages(code: str, tree: ast.AST) -> Iterator[Passage]:
    """Yield comments, docstrings, and messages of errors and of options."""
    lines = [
        (token.start[0], token.start[1], token.string)
        for token in tokenize.generate_tokens(io.StringIO(code).readline)
        if token.type == tokenize.COMMENT and not re.match(r"#!|# (noqa|type:|fmt:)", token.string)
    ]
    yield from joined([(line, column, text.lstrip("# ")) for line, column, text in lines])
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            if isinstance(node.value.value, str):
                yield Passage(node.lineno, node.value.value, "comment")
        elif isinstance(node, ast.Raise) or (
            isinstance(node, ast.keyword) and node.arg in ("help", "description", "epilog")
        ):
            for part in ast.walk(node):
                if isinstance(part, ast.Constant) and isinstance(part.value, str):
                    yield Passage(part.lineno, part.value, "message")


def joined(comments: list[tuple[int, int, str]]) -> Iterator[Passage]:
    """Yield comments. Comments on successive lines that start in the same column are joined."""
    start, last, column, text = 0, 0, -1, ""
    for line, at, more in comments:
        if line == last + 1 and at == column:
            text = f"{text}\n{more}"
        else:
            if text:
                yield Passage(start, text, "comment")
            start, column, text = line, at, more
        last = line
    if text:
        yield Passage(start, text, "comment")


def cpp_passages(code: str) -> Iterator[Passage]:
    """Yield comments, and string literals with a space, which are messages and docstrings."""
    token = re.compile(r'//[/!<]*[ ]?([^\n]*)|"((?:[^"\\\n]|\\.)*)"')
    comments = []
    for number, line in enumerate(code.splitlines(), 1):
        if line.lstrip().startswith("#"):
            continue
        for found in token.finditer(line):
            if found[2] is None:
                comments.append((number, found.start(), found[1]))
            elif " " in found[2]:
                yield Passage(number, found[2], "message")
    yield from joined(comments)


def cpp_names(code: str) -> Iterator[Name]:
    """Yield each identifier of C++ code once, except identifiers of other libraries."""
    bare = re.sub(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|^\s*#[^\n]*', "", code, flags=re.MULTILINE)
    seen = set()
    for found in re.finditer(r"(?<!std::)(?<!nb::)\b[A-Za-z_]\w*(\s*\()?", bare):
        text = found[0].rstrip("( \n\t")
        if text not in seen:
            seen.add(text)
            yield Name(bare.count("\n", 0, found.start()) + 1, text, is_function=bool(found[1]))


def page_passages(text: str) -> Iterator[Passage]:
    """Yield the prose of a Markdown page line by line, without code."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        in_code ^= line.lstrip().startswith("```")
        if not in_code and not line.startswith("    "):
            yield Passage(number, line, "page")


def faults_of_page_line(line: str) -> Iterator[str]:
    """Yield faults in the width of one line of a page."""
    shorter = re.sub(r"`[^`]*`", "`", line)
    if len(shorter) > WIDTH and not re.match(r"\s*(\||<|!\[)|\S*https?:", line):
        yield f"expected at most {WIDTH} columns, got {len(line)}"


def faults_of_passage(passage: Passage, path: str, rules: list[Rule]) -> Iterator[tuple[int, str]]:
    """Yield the line and the description of every fault in a passage."""
    text = NOT_PROSE.sub(lambda code: re.sub(r"[^\n]", "`", code[0]), passage.text)

    def line(offset: int) -> int:
        return passage.line + text.count("\n", 0, offset)

    start = text.lstrip(" \n*")
    if passage.kind == "comment" and (found := STARTS.match(start)):
        yield passage.line, f'starts with "{found[0]}"'
    if passage.kind == "page":
        yield from ((passage.line, fault) for fault in faults_of_page_line(passage.text))
    for pattern in (PHRASES, CONTRACTIONS):
        for found in pattern.finditer(text):
            yield line(found.start()), f'"{" ".join(found[0].split())}"'
    for found in BRITISH.finditer(text):
        yield line(found.start()), f'"{found[0]}": expected American spelling'
    for rule in rules:
        for found in faults_of_prose(text, rule):
            around = " ".join(text[max(0, found.start() - 20) : found.end() + 20].split())
            if not is_allowed(rule.word, path, around):
                yield line(found.start()), f'"{found[0]}", the term is {rule.term}'


def faults_of_file(path: Path, rules: list[Rule]) -> list[tuple[int, str]]:
    """Return the line and the description of every fault in a file."""
    text, names, name_of_file = path.read_text(encoding="utf-8"), [], shown(path)
    if path.suffix == ".py":
        tree = ast.parse(text)
        names, passages = list(python_names(tree)), list(python_passages(text, tree))
    elif path.suffix == ".md":
        passages = list(page_passages(text))
    else:
        passages = list(cpp_passages(text))
        if "bindings" not in path.parts:  # most names there come from the core
            names = list(cpp_names(text))
    faults = [
        (name.line, f"{name.text}: the term is {rule.term}")
        for name in names
        for rule in rules
        if fault_of_name(name, rule) and not is_allowed(rule.word, name_of_file, name.text)
    ]
    faults += [
        (name.line, f"{name.text}: expected American spelling")
        for name in names
        if BRITISH.search(name.text)
    ]
    for passage in passages:
        faults += faults_of_passage(passage, name_of_file, rules)
    return sorted(set(faults))


def shown(path: Path) -> str:
    """Return a path relative to the project, if it is inside."""
    full = path.resolve()
    return full.relative_to(ROOT).as_posix() if full.is_relative_to(ROOT) else full.as_posix()


def files(roots: list[Path]) -> Iterator[Path]:
    """Yield the files to check: given files, and files in given folders."""
    for root in roots:
        found = sorted(root.rglob("*")) if root.is_dir() else [root]
        for path in found:
            if path.suffix in SUFFIXES and not shown(path).startswith(SKIPPED):
                yield path


def main(arguments: list[str]) -> int:
    """Print all faults; return 1 if there are any."""
    if arguments in ([], ["--all"]):
        roots = [ROOT / name for name in CHECKED + (PENDING if arguments else ())]
    else:
        roots = [Path(argument) for argument in arguments]
    if missing := [str(root) for root in roots if not root.exists()]:
        sys.exit(f"check_words: expected files or folders, got {', '.join(missing)}")
    rules = read_rules((ROOT / "docs/glossary.md").read_text(encoding="utf-8"))
    count = 0
    for path in files(roots):
        for line, fault in faults_of_file(path, rules):
            print(f"{shown(path)}:{line}: {fault}")
            count += 1
    print(f"{count} faults", file=sys.stderr)
    return int(count > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
