/** The stylesheet of all pages: for phones, for light and dark mode. Nothing external is loaded. */
export const style = `
:root {
  color-scheme: light dark;
  --ink: #1c2430; --faint: #5c6675; --paper: #fff; --line: #d9dee6; --wash: #f3f5f8; --link: #0b57a4; --mark: #1f6f54; --warn: #8a4b00;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e4e8ee; --faint: #9aa5b4; --paper: #14181f; --line: #313947; --wash: #1d232d; --link: #84b9f5; --mark: #5cc79c; --warn: #e9b264;
  }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 46rem; padding: 1.5rem 1rem 4rem; color: var(--ink); background: var(--paper); font: 16px/1.5 system-ui, sans-serif; }
body.wide { max-width: 76rem; }
main.narrow { max-width: 46rem; }
main:focus { outline: none; }
img { max-width: 100%; }
.top nav { align-items: center; padding-bottom: 0.5rem; border-bottom: 1px solid var(--line); }
.skip { position: absolute; left: -100vw; }
.skip:focus { left: 1rem; }
footer { margin-top: 3rem; border-top: 1px solid var(--line); font-size: 0.9rem; }
abbr[title] { text-decoration: underline dotted; cursor: help; }
h1 { margin: 0.5rem 0; font-size: 1.6rem; line-height: 1.2; overflow-wrap: anywhere; }
h2 { margin: 2rem 0 0.5rem; font-size: 1.15rem; }
a { color: var(--link); }
code { font-size: 0.9em; overflow-wrap: anywhere; }
bdi { overflow-wrap: anywhere; }
dt { margin-top: 1rem; font-weight: 600; }
dl.facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; }
dl.facts dt { margin: 0; font-weight: 400; color: var(--faint); }
dl.facts dd { margin: 0; overflow-wrap: anywhere; }
.faint, caption { color: var(--faint); }
.note { padding: 0.5rem 0.8rem; border-left: 3px solid var(--warn); background: var(--wash); }
.label { display: inline-block; padding: 0 0.45em; border: 1px solid var(--line); border-radius: 1em; font-size: 0.75rem; color: var(--faint); white-space: nowrap; }
.front { color: var(--mark); }
.scroll { overflow-x: auto; }
.scroll:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
table { border-collapse: collapse; width: 100%; font-size: 0.92rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; padding-bottom: 0.3rem; }
th, td { padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; white-space: nowrap; }
thead th { background: var(--wash); }
th.text, td.text { text-align: left; white-space: normal; min-width: 9rem; }
th[aria-sort] a { color: var(--ink); font-weight: 700; }
td small { display: block; color: var(--faint); }
nav { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.2rem 1rem; margin: 0.5rem 0; }
nav a { padding: 0.15rem 0; }
svg.visits .visit-mark { fill: var(--mark, #116a4b); }
svg.visits .visit-warn { fill: #b26a00; }
svg.visits .visit-bad { fill: #c0363c; }
svg.plot { display: block; width: 100%; max-width: 44rem; height: auto; margin: 0.5rem 0; color: var(--ink); }
svg.plot text { fill: var(--faint); font: 12px system-ui, sans-serif; }
svg.plot a text { fill: var(--ink); }
svg.whisker { display: block; width: 6rem; height: 8px; margin-left: auto; }
svg.whisker .axis { stroke: var(--line); stroke-width: 1; }
svg.whisker .interval { stroke: var(--link); stroke-width: 3; }
svg.whisker .mean { fill: var(--ink); }
svg.plot .axis { stroke: var(--line); }
svg.plot .dot { fill: var(--link); fill-opacity: 0.7; }
svg.plot .dot.front { fill: var(--mark); fill-opacity: 1; }
svg.plot .step { fill: none; stroke: var(--mark); stroke-width: 1.5; }
@media (max-width: 40rem) {
  body { padding: 1rem 0.7rem 3rem; font-size: 15px; }
  dl.facts { grid-template-columns: 1fr; gap: 0; }
  dl.facts dd { margin-bottom: 0.5rem; }
  th, td { padding: 0.3rem 0.4rem; }
}
`;
