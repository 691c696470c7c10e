"""Draws the picture of docs/architecture.md: python docs/make_architecture_picture.py [file]."""

import sys
from dataclasses import dataclass
from html import escape
from pathlib import Path

WIDTH, MARGIN, GAP = 900, 14, 26
LINE, PAD = 18, 12  # pixels per line of text, and around it


@dataclass(frozen=True)
class Layer:
    """A folder, its purpose, and its boxes: a name and lines of text each."""

    title: str
    words: str
    color: str
    boxes: tuple[tuple[str, ...], ...] = ()
    chained: bool = False
    """Draws arrows between the boxes."""

    @property
    def height(self) -> int:
        """Height of the layer, in pixels."""
        lines = max(map(len, self.boxes), default=0)
        return PAD + LINE + PAD + (lines * LINE + 2 * PAD if lines else 0)


LAYERS = (
    Layer("src/toccata", "public API: checks arguments, returns answers", "#fdf0e3"),
    Layer("bindings", "names, arrays, pickles, the GIL", "#fdf0e3"),
    Layer("dynamics", "solvers propose motions; only certified ones are executed", "#fbe3d2"),
    Layer(
        "query",
        "queries and answers",
        "#e4ecf8",
        (
            ("setting", "two bodies, scenes,", "robots: one concept"),
            ("queries", "first contact, contacts,", "distances, clearance, paths"),
            ("deforming", "steps: clusters, k-DOP tree,", "a tree against itself"),
        ),
    ),
    Layer(
        "broad",
        "candidate pairs",
        "#eef4da",
        (
            ("scenes", "boxes sorted along x,", "windows"),
            ("robots", "boxes of swept links,", "windows"),
            ("assembly walk", "rigid groups", "against each other"),
        ),
    ),
    Layer(
        "walk",
        "one expansion, few orders",
        "#e2f1ec",
        (
            ("pair view", "two bodies at one time"),
            ("step", "siblings, bounded", "eight at a time"),
            ("orders", "earliest first, depth first,", "at one time, resumed fronts"),
        ),
        chained=True,
    ),
    Layer(
        "narrow",
        "how soon two volumes or two elements can meet",
        "#f3ecf7",
        (
            ("advancement", "gap, and a step", "that is free"),
            ("interval", "windows that", "are free"),
            ("linear", "feature pairs on", "straight lines"),
        ),
    ),
    Layer(
        "foundations",
        "",
        "#eeeeee",
        (
            ("robot", "joints, links,", "assembly trees"),
            ("bvh", "meshes and", "their hierarchies"),
            ("motion", "poses in time,", "and their bounds"),
            ("geometry", "boxes, triangles,", "surfaces"),
            ("math", "vectors, lanes,", "intervals, roots"),
            ("base", "threads, memory,", "interruption"),
        ),
        chained=True,
    ),
)


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    """Return a rectangle with round corners."""
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="7" fill="{fill}" '
        'stroke="#8a8f98"/>'
    )


def text(x: float, y: float, bold: str, plain: str = "") -> str:
    """Return a line of text centered at x, its first part bold."""
    rest = escape(f": {plain}" if bold and plain else plain)
    return f'<text x="{x:g}" y="{y:g}"><tspan class="b">{escape(bold)}</tspan>{rest}</text>'


def arrow(x0: float, y0: float, x1: float, y1: float) -> str:
    """Return an arrow."""
    return f'<path d="M{x0:g} {y0:g}L{x1:g} {y1:g}" class="a" marker-end="url(#tip)"/>'


def layer_svg(layer: Layer, y: float) -> list[str]:
    """Return the shapes of a layer whose top is at y."""
    shapes = [box(MARGIN, y, WIDTH - 2 * MARGIN, layer.height, layer.color)]
    shapes.append(text(WIDTH / 2, y + PAD + LINE * 0.75, layer.title, layer.words))
    count = len(layer.boxes)
    breadth = (WIDTH - 4 * MARGIN - (count - 1) * GAP) / max(count, 1)
    top, height = y + PAD + LINE + PAD / 2, layer.height - LINE - 2.5 * PAD
    for i, (name, *lines) in enumerate(layer.boxes):
        x = 2 * MARGIN + i * (breadth + GAP)
        shapes.append(box(x, top, breadth, height, "#ffffff"))
        words = [(name, ""), *(("", line) for line in lines)]
        first = top + height / 2 - (len(words) - 1) * LINE / 2 + 4.5
        shapes += [text(x + breadth / 2, first + k * LINE, *w) for k, w in enumerate(words)]
        if layer.chained and i + 1 < count:
            shapes.append(arrow(x + breadth, top + height / 2, x + breadth + GAP, top + height / 2))
    return shapes


def picture() -> str:
    """Return all layers, each on those below it."""
    shapes, y = [], float(MARGIN)
    for i, layer in enumerate(LAYERS):
        shapes += layer_svg(layer, y)
        y += layer.height
        if i + 1 < len(LAYERS):
            shapes.append(arrow(WIDTH / 2, y, WIDTH / 2, y + GAP))
            y += GAP
    body = "\n".join(shapes)
    height = y + MARGIN
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" \
width="{WIDTH}" height="{height:g}" role="img" aria-label="The layers of Toccata">
<style>text {{ font: 14px sans-serif; fill: #1f2430; text-anchor: middle }}
.b {{ font-weight: 700 }}
.a {{ stroke: #5b6270; stroke-width: 1.5 }}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7.5" refY="4" markerWidth="8" markerHeight="8" \
orient="auto"><path d="M0 0L8 4L0 8z" fill="#5b6270"/></marker></defs>
<rect width="{WIDTH}" height="{height:g}" rx="10" fill="#ffffff"/>
{body}
</svg>
"""


def main(path: str = "") -> None:
    """Save the picture."""
    target = Path(path) if path else Path(__file__).with_name("architecture.svg")
    target.write_text(picture(), encoding="utf-8")
    sys.stdout.write(f"{target}: {target.stat().st_size} bytes\n")


main(*sys.argv[1:])
