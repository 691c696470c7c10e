"""The look of the report's page: dark text on a light ground, for wide and narrow."""

CSS = """
:root {
  color-scheme: light;
  --paper: #ffffff; --card: #f7f8fb; --ink: #1d2330; --soft: #5b6577; --line: #dde2ec;
  --free: #1c7c4a; --hit: #b4431a; --doubt: #8a6100; --inside: #9b2257; --curve: #33658a;
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 1180px; padding: 2.5rem 1.25rem 4rem; background: var(--paper);
  color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif;
}
h1 { font-size: clamp(1.6rem, 4vw, 2.3rem); line-height: 1.15; margin: 0 0 .6rem; }
h2 { font-size: 1.3rem; margin: 0 0 .25rem; }
p { margin: .4rem 0; max-width: 46rem; }
.soft, figcaption, .scale { color: var(--soft); }
.swatch {
  display: inline-block; width: .8em; height: .8em; border-radius: 50%; margin-right: .1em;
  vertical-align: -.05em; border: 1px solid var(--paper);
}
.of-a { background: #ed7540; } .of-b { background: #4082bd; }
.of-contact { background: #fade1a; border: 2px solid #21262f; }
.scroll { overflow-x: auto; margin: 1.6rem 0 2.4rem; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .5rem .8rem; text-align: left; white-space: nowrap; }
th:last-child, td:last-child { text-align: right; padding-right: 0; }
th { font-size: .82rem; color: var(--soft); font-weight: 600; vertical-align: bottom; }
th:first-child, td:first-child { padding-left: 0; }
td { border-top: 1px solid var(--line); }
.status { font-weight: 650; }
.status::before { content: "\\25CF\\00A0"; }
.free { color: var(--free); } .contact { color: var(--hit); }
.done { color: var(--free); } .stopped { color: var(--doubt); }
.undecided { color: var(--doubt); } .initial_overlap { color: var(--inside); }
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
a:hover { text-decoration-color: currentColor; }
section {
  background: var(--card); border: 1px solid var(--line); border-radius: 14px;
  padding: 1.3rem 1.4rem 1.2rem; margin: 0 0 1.6rem;
}
.panels { display: grid; grid-template-columns: repeat(3, 1fr); gap: .9rem; margin: 1rem 0; }
figure { margin: 0; }
img { display: block; width: 100%; height: auto; border-radius: 9px; }
figcaption { font-size: .9rem; margin-top: .35rem; }
figcaption b { color: var(--ink); }
.bar { position: relative; height: 10px; border-radius: 5px; background: var(--line); }
.bar .safe { position: absolute; top: 0; bottom: 0; border-radius: 5px; background: var(--free); }
.bar .now {
  position: absolute; top: -3px; width: 2px; height: 16px; margin-left: -1px; left: 0;
  background: var(--ink);
}
.bar .mark {
  position: absolute; top: -4px; width: 4px; height: 18px; margin-left: -2px; border-radius: 2px;
  background: var(--hit); box-shadow: 0 0 0 2px var(--card);
}
.scale { display: flex; justify-content: space-between; font-size: .82rem; margin-top: .3rem; }
.more {
  display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 1.4rem;
  margin-top: 1.1rem; align-items: start;
}
.player canvas, .player img { display: block; width: 100%; height: auto; border-radius: 9px; }
[hidden] { display: none !important; }
.controls { display: flex; align-items: center; gap: .8rem; margin-top: .5rem; }
.controls input { flex: 1; min-width: 0; accent-color: var(--ink); }
.controls output { font-variant-numeric: tabular-nums; min-width: 6.5em; text-align: right; }
button {
  font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line);
  border-radius: 8px; padding: .2rem .9rem; min-width: 5em; cursor: pointer;
}
.page {
  grid-column: 1 / -1; width: 100%; height: 40rem; max-height: 90vh; border-radius: 9px;
  border: 1px solid var(--line);
}
.page + .notes {
  grid-column: 1 / -1; display: grid; gap: 1.4rem;
  grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
}
.kind { color: var(--soft); font-size: .85rem; margin: 0; }
.plot { margin-top: 1rem; }
.plot svg { display: block; width: 100%; height: auto; }
.plot text { font-size: 11.5px; fill: var(--soft); }
.plot polyline { fill: none; stroke: var(--curve); stroke-width: 1.8; stroke-linejoin: round; }
.plot circle { fill: var(--paper); stroke: var(--ink); stroke-width: 1.3; }
.plot .axis { fill: none; stroke: var(--line); }
.plot .hit { stroke: var(--hit); stroke-width: 1.5; stroke-dasharray: 4 3; }
.plot .now { stroke: var(--ink); stroke-width: 1.2; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.1rem; margin: 0; }
dt { color: var(--soft); } dd { margin: 0; font-variant-numeric: tabular-nums; }
@media (max-width: 760px) {
  .panels, .more, .page + .notes { grid-template-columns: minmax(0, 1fr); }
  section { padding: 1rem; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; }
}
@media print { section { break-inside: avoid; } }
""".strip()
