import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { makePrintableLine } from '../command-line/text.ts';

/** A fragment of a page; inserted texts are escaped. */
export type Html = ReturnType<typeof html>;

/** Text of a server, a model or a user as a page may show it: one line, without characters that hide or reverse text. */
export const printableText = (text: string): string => makePrintableLine(text);

const style = `
:root { color-scheme: light dark; --ink: #1c2024; --faint: #596168; --line: #d5dadf; --wash: #f5f7f9; --paper: #fff; --mark: #1f5fae; --warn: #8a4b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --faint: #a2abb3; --line: #3a4249; --wash: #20262b; --paper: #14181b; --mark: #7db4f5; --warn: #f0b35a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2rem; } h3 { font-size: 1rem; }
.scroll { overflow-x: auto; } .scroll:focus-visible { outline: 2px solid var(--mark); }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
caption { text-align: left; color: var(--faint); padding-bottom: .3rem; }
th, td { text-align: left; vertical-align: top; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--faint); font-weight: 600; }
small { display: block; color: var(--faint); font-size: .8rem; white-space: nowrap; }
.note { color: var(--warn); border-left: 3px solid; padding-left: .6rem; } .faint { color: var(--faint); }
svg { max-width: 100%; height: auto; display: block; } svg text { fill: var(--ink); font: 14px system-ui, sans-serif; } svg .axis { stroke: var(--line); } svg .tick { fill: var(--faint); font-size: 12px; }
svg .interval { stroke: var(--mark); stroke-width: 3; } svg .mean { fill: var(--mark); }
details { border: 1px solid var(--line); border-radius: .3rem; padding: .4rem .8rem; margin: .5rem 0; background: var(--wash); } summary { cursor: pointer; }
pre { white-space: pre-wrap; margin: .3rem 0; font-size: .85rem; }
@media print { details { break-inside: avoid; } }
`;

/** The hash lets this style in and nothing else: no script, no image, no address of anybody's can be loaded. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** Whole, because the hash is of every character between its tags. */
const styleElement = raw(`<style>${style}</style>`);

/** Returns a whole page that loads nothing and runs nothing. */
export const page = async (title: string, body: Html): Promise<string> =>
  `${String(
    await html`<!doctype html>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta http-equiv="content-security-policy" content="${policy}" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="referrer" content="no-referrer" />
          <title>${printableText(title)}</title>
          ${styleElement}
        </head>
        <body>
          <main>${body}</main>
        </body>
      </html>`,
  )}\n`;

/** A table that scrolls by itself, also by keyboard, where it is wider than the page. */
export const table = (
  caption: string,
  titles: readonly string[],
  rows: readonly (readonly (string | Html)[])[],
): Html =>
  html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${titles.map((title) => html`<th scope="col">${printableText(title)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, index) => (index === 0 ? html`<th scope="row">${printableTextOrHtml(cell)}</th>` : html`<td>${printableTextOrHtml(cell)}</td>`))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;

const printableTextOrHtml = (cell: string | Html): string | Html =>
  typeof cell === 'string' ? printableText(cell) : cell;
