/** What everything that people read in a browser looks like, pages and reports: for phones, for light and dark mode. It loads nothing. `web/DESIGN.md` says why it is so. */
export const designStyle = `
:root {
  color-scheme: light dark;
  --ink: #17202b; --faint: #566273; --paper: #fbfbfa; --card: #ffffff; --wash: #f1f3f5; --line: #dfe3e8;
  --link: #1f52b5; --mark: #116a4b; --warn: #8a4b00; --bad: #a8252b;
  --small: 0.8rem; --text: 0.94rem; --large: 1.13rem; --title: 1.75rem; --figure: 2rem;
  --edge: max(1.25rem, (100vw - 74rem) / 2); --round: 0.5rem;
  --sans: -apple-system, 'Segoe UI', Inter, Roboto, Ubuntu, 'Noto Sans', 'Helvetica Neue', Arial, sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6ebf1; --faint: #9aa6b5; --paper: #10141a; --card: #171c24; --wash: #1e252f; --line: #2c3541;
    --link: #8fb8ff; --mark: #5fcb9f; --warn: #e9b264; --bad: #f2908f;
  }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 0 var(--edge) 4rem; color: var(--ink); background: var(--paper); font: var(--text)/1.6 var(--sans); -webkit-font-smoothing: antialiased; -webkit-text-size-adjust: 100%; }
main { padding-top: 1.5rem; }
main.narrow { max-width: 46rem; }
main:focus { outline: none; }
img { max-width: 100%; }
p { margin: 0.5rem 0; }
main > p, main li > p { max-width: 46rem; text-wrap: pretty; }
abbr[title] { text-decoration: underline dotted; text-underline-offset: 0.2em; cursor: help; }
h1 { margin: 0.25rem 0 0.5rem; font-size: var(--title); font-weight: 650; line-height: 1.2; letter-spacing: -0.022em; overflow-wrap: break-word; text-wrap: balance; }
h2 { margin: 2.5rem 0 0.5rem; font-size: var(--large); font-weight: 620; line-height: 1.3; letter-spacing: -0.01em; }
h3 { margin: 1.5rem 0 0.25rem; font-size: var(--text); font-weight: 620; }
a { color: var(--link); text-decoration-color: color-mix(in srgb, currentcolor 35%, transparent); text-underline-offset: 0.18em; }
a:hover { text-decoration-color: currentcolor; }
button, input, select, textarea { font: inherit; font-size: 0.86rem; line-height: 1.5; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: var(--round); padding: 0.3rem 0.75rem; }
button { cursor: pointer; font-weight: 500; }
button:hover { background: var(--wash); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 2px; }
code, pre, kbd { font-family: var(--mono); font-size: 0.86em; overflow-wrap: anywhere; }
bdi { overflow-wrap: break-word; }
h2.first { margin-top: 0; }
.findings h2 { margin: 0; font-size: var(--text); }
dt { margin-top: 1rem; font-weight: 600; }
dd { margin: 0; max-width: 46rem; }
dl.facts { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.25rem 1.5rem; margin: 1rem 0; }
dl.facts dt { margin: 0; font-weight: 400; color: var(--faint); }
dl.facts dd { max-width: none; overflow-wrap: break-word; font-variant-numeric: tabular-nums; }
.faint, caption { color: var(--faint); }
.eyebrow { margin: 0 0 0.35rem; color: var(--faint); font-size: var(--small); }
.lead { max-width: 46rem; font-size: 1.06rem; color: var(--faint); text-wrap: pretty; }
.lead strong { color: var(--ink); font-weight: 620; }
.note { margin: 1rem 0; padding: 0.5rem 0.9rem; border: 1px solid var(--line); border-left: 3px solid var(--warn); border-radius: var(--round); background: var(--card); font-size: 0.88rem; }
.card { padding: 1.25rem 1.5rem; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
.label { display: inline-flex; align-items: center; gap: 0.4em; padding: 0.05em 0.6em; border: 1px solid var(--line); border-radius: 1em; background: var(--card); font-size: 0.76rem; line-height: 1.6; font-weight: 500; letter-spacing: 0; color: var(--faint); white-space: nowrap; vertical-align: middle; }
.front { color: var(--mark); }
.scroll { overflow-x: auto; margin: 1rem 0; border: 1px solid var(--line); border-radius: 0.75rem; background: var(--card); }
.scroll.snug { width: fit-content; max-width: 100%; }
.scroll.snug table { width: auto; min-width: 24rem; max-width: 100%; }
td.scale { width: 45%; vertical-align: middle; overflow: clip; }
table { border-collapse: collapse; width: 100%; font-size: 0.88rem; font-variant-numeric: tabular-nums; }
caption { position: sticky; left: 0; width: min(100%, calc(100vw - 2 * var(--edge) - 2px)); text-align: left; padding: 0.75rem 1rem; font-size: var(--small); line-height: 1.5; }
th, td { padding: 0.6rem 1rem; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; white-space: nowrap; }
tbody tr:last-child > * { border-bottom: 0; }
thead th { padding-block: 0.5rem; font-size: var(--small); font-weight: 500; color: var(--faint); vertical-align: bottom; }
tbody th { font-weight: 500; }
tbody tr:hover > * { background: color-mix(in srgb, var(--wash) 60%, transparent); }
th.text, td.text { text-align: left; white-space: normal; min-width: 9rem; }
thead th a { color: inherit; }
th[aria-sort] a { color: var(--ink); font-weight: 650; }
td small { display: block; color: var(--faint); font-size: 0.76rem; }
nav { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.25rem; margin: 0.5rem 0; }
nav a { padding: 0.15rem 0; }
nav.tabs { gap: 0 1.5rem; margin: 1.5rem 0 0; border-bottom: 1px solid var(--line); }
nav.tabs > * { padding: 0.4rem 0; margin-bottom: -1px; border-bottom: 2px solid transparent; font-weight: 500; text-decoration: none; color: var(--faint); }
nav.tabs > strong { color: var(--ink); border-color: var(--link); }
nav.tabs > a:hover { color: var(--ink); }
details > summary { width: fit-content; max-width: 100%; cursor: pointer; color: var(--faint); }
details > summary:hover { color: var(--ink); }
pre.command { max-width: 58rem; margin: 0.75rem 0; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: var(--round); background: var(--wash); overflow-x: auto; line-height: 1.7; }
ul.plain { padding: 0; margin: 0; list-style: none; }
.status::before { content: ''; width: 0.5em; height: 0.5em; border-radius: 50%; background: currentcolor; }
.status.good { color: var(--mark); }
.status.bad { color: var(--bad); }
.status.warn { color: var(--warn); }
.figures { display: flex; flex-wrap: wrap; gap: 1rem 3rem; margin: 1.5rem 0; }
.figures > div { display: flex; flex-direction: column-reverse; }
.figures dt { margin: 0; font-weight: 400; font-size: var(--small); color: var(--faint); }
.figures dd { margin: 0; font-size: var(--figure); line-height: 1.2; font-weight: 600; letter-spacing: -0.03em; font-variant-numeric: tabular-nums; }
.figures small { font-size: var(--text); font-weight: 400; letter-spacing: 0; color: var(--faint); }
figure { margin: 0; }
figure > figcaption { font-weight: 600; }
.legend { display: flex; flex-wrap: wrap; gap: 0.2rem 1.25rem; padding: 0; margin: 0.5rem 0; list-style: none; font-size: var(--small); color: var(--faint); }
.legend li::before { content: '━ '; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 26rem), 1fr)); gap: 0 2.5rem; }
.sides > section { min-width: 0; }
h4 { margin: 0.75rem 0 0.25rem; font-size: var(--small); font-weight: 500; color: var(--faint); }
blockquote { margin: 0.5rem 0; padding: 0.75rem 1rem; border-radius: 0.75rem; background: var(--wash); white-space: pre-wrap; overflow-wrap: break-word; }
.findings > li { display: grid; grid-template-columns: 7rem minmax(0, 1fr); gap: 0 1rem; align-items: baseline; padding: 0.75rem 0; border-top: 1px solid var(--line); }
.findings > li > * { min-width: 0; overflow-wrap: anywhere; }
.findings > li > .status { justify-self: start; }
.attempt pre, .findings pre { max-height: 20rem; overflow: auto; margin: 0; padding: 0.6rem 0.8rem; border-radius: var(--round); background: var(--wash); font-size: 0.8rem; white-space: pre-wrap; }
del, ins { padding: 0 0.15em; border-radius: 0.2em; text-decoration-thickness: 1px; }
del { color: var(--bad); background: color-mix(in srgb, var(--bad) 12%, transparent); }
ins { color: var(--warn); background: color-mix(in srgb, var(--warn) 14%, transparent); text-decoration: none; font-weight: 600; }
.figures dd.good { color: var(--mark); }
.figures dd.warn { color: var(--warn); }
.figures dd.bad { color: var(--bad); }
.figures .grade dd { font-size: 4rem; line-height: 1; }
pre { white-space: pre-wrap; }
svg.visits { display: block; width: 100%; max-width: 46rem; height: 4.5rem; }
svg.visits .axis { fill: none; stroke: var(--line); vector-effect: non-scaling-stroke; }
.visit-mark { fill: var(--mark); color: var(--mark); }
.visit-warn { fill: var(--warn); color: var(--warn); }
.visit-bad { fill: var(--bad); color: var(--bad); }
svg.plot { display: block; width: 100%; max-width: 44rem; height: auto; margin: 0.5rem 0; color: var(--ink); }
svg.plot text { fill: var(--faint); font: 11.5px var(--sans); font-variant-numeric: tabular-nums; }
svg.plot a text { fill: var(--ink); }
svg.plot .axis { stroke: var(--line); }
svg.plot .dot { fill: var(--link); fill-opacity: 0.7; }
svg.plot .dot.front { fill: var(--mark); fill-opacity: 1; }
svg.plot .step { fill: none; stroke: var(--mark); stroke-width: 1.5; }
svg.whisker { display: block; width: 7rem; height: 10px; margin: 0.2rem 0 0 auto; overflow: visible; }
svg.whisker.wide { width: 100%; min-width: 12rem; height: 22px; margin: 0; }
svg.whisker .axis { stroke: var(--line); stroke-width: 1; vector-effect: non-scaling-stroke; }
svg.whisker .interval { stroke: var(--link); stroke-opacity: 0.45; stroke-width: 5; vector-effect: non-scaling-stroke; }
svg.whisker .mean { fill: var(--ink); }
svg.whisker .overlap { fill: var(--link); fill-opacity: 0.09; }
svg.whisker .floor { stroke: var(--warn); stroke-width: 1.5; stroke-dasharray: 3 2; vector-effect: non-scaling-stroke; }
@media (max-width: 40rem) {
  :root { --title: 1.45rem; --edge: 1rem; }
  body { padding-bottom: 3rem; }
  dl.facts { grid-template-columns: fit-content(38%) minmax(0, 1fr); gap: 0.35rem 1rem; }
  svg.plot text { font-size: 17px; }
  .wide-only { display: none; }
  .scroll.snug table { min-width: 100%; }
  .card { padding: 1rem; }
  .findings > li { grid-template-columns: minmax(0, 1fr); }
  .figures { gap: 0.75rem 2rem; }
  th, td { padding: 0.5rem 0.75rem; }
  th.text, td.text { min-width: 7rem; }
  .scroll:not(.phone) td.text:last-child { min-width: 18rem; }
  .scroll.phone table, .scroll.phone tbody, .scroll.phone tr { display: block; }
  .scroll.phone caption { display: block; position: static; width: auto; }
  .scroll.phone thead { display: none; }
  .scroll.phone tr { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 0.5rem 1rem; padding: 0.9rem 1rem; border-bottom: 1px solid var(--line); }
  .scroll.phone tr > * { display: block; padding: 0; border: 0; text-align: left; white-space: normal; min-width: 0; }
  .scroll.phone tr > th, .scroll.phone tr > .scale { grid-column: 1 / -1; }
  .scroll.phone tr > th { order: -1; font-size: var(--text); }
  .scroll.phone td::before { content: attr(data-of); display: block; color: var(--faint); font-size: 0.76rem; }
  .scroll.phone svg.whisker:not(.wide) { margin-left: 0; }
}
@media print { details { break-inside: avoid; } }
@media (prefers-reduced-motion: reduce) { * { animation: none !important; transition: none !important; } }
`;
