"""The look of the report's page: one style sheet for light and dark, wide and narrow."""

CSS = """
:root {
  color-scheme: light dark;
  --paper: #ffffff; --card: #f7f8fb; --ink: #1d2330; --soft: #5b6577; --line: #dde2ec;
  --free: #1c7c4a; --hit: #b4431a; --doubt: #8a6100; --inside: #9b2257;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171e; --card: #1c212b; --ink: #e8ebf2; --soft: #a3adbf; --line: #323a48;
    --free: #5fcf95; --hit: #ff9466; --doubt: #e8bf57; --inside: #f58bb8;
  }
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
th, td { padding: .5rem .8rem; text-align: right; white-space: nowrap; }
th { font-size: .82rem; color: var(--soft); font-weight: 600; vertical-align: bottom; }
th:nth-child(-n+1), td:nth-child(-n+1) { text-align: left; padding-left: 0; white-space: normal; }
td { border-top: 1px solid var(--line); }
.left { text-align: left; }
.status { font-weight: 650; }
.status::before { content: "\\25CF\\00A0"; }
.free { color: var(--free); } .contact { color: var(--hit); }
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
.bar .safe { position: absolute; inset: 0 auto 0 0; border-radius: 5px; background: var(--free); }
.bar .mark {
  position: absolute; top: -4px; width: 4px; height: 18px; margin-left: -2px; border-radius: 2px;
  background: var(--hit); box-shadow: 0 0 0 2px var(--card);
}
.scale { display: flex; justify-content: space-between; font-size: .82rem; margin-top: .3rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1.1rem; margin: .9rem 0 0; }
dt { color: var(--soft); } dd { margin: 0; font-variant-numeric: tabular-nums; }
@media (max-width: 760px) {
  .panels { grid-template-columns: 1fr; }
  section { padding: 1rem; }
  dl { grid-template-columns: 1fr; } dd { margin-bottom: .4rem; }
}
@media print { section { break-inside: avoid; } }
""".strip()
