import { createHash } from 'node:crypto';
import { html, raw } from 'hono/html';
import { designStyle } from '#core/values/design-style.ts';
import { makePrintableLine } from '../command-line/text.ts';

/** A fragment of a page; inserted texts are escaped. */
export type Html = ReturnType<typeof html>;

/** Text of a server, a model or a user as a page may show it: one line, without characters that hide or reverse text. */
export const printableText = (text: string): string => makePrintableLine(text);

/** The hash lets this style in and nothing else: no script, no image, no address of anybody's can be loaded. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(designStyle).digest('base64')}'; base-uri 'none'; form-action 'none'`;

/** Whole, because the hash is of every character between its tags. */
const styleElement = raw(`<style>${designStyle}</style>`);

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

/** A table that scrolls by itself, also by keyboard, where it is wider than the page. Columns of figures stand right. */
export function table(caption: string, titles: readonly string[], rows: readonly (readonly (string | Html)[])[]): Html {
  const isOfFigures = titles.map((_, index) => rows.every((cells) => isFigure(cells[index] ?? '')));
  const textClass = (index: number): string => (index > 0 && isOfFigures[index] === true ? '' : 'text');
  return html`<div class="scroll" role="region" tabindex="0" aria-label="${caption}">
    <table>
      <caption>
        ${caption}
      </caption>
      <thead>
        <tr>
          ${titles.map((title, index) => html`<th scope="col" class="${textClass(index)}">${printableText(title)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell, index) => (index === 0 ? html`<th scope="row" class="text">${printableTextOrHtml(cell)}</th>` : html`<td class="${textClass(index)}">${printableTextOrHtml(cell)}</td>`))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Whether a cell is a figure, none, or drawn. */
const isFigure = (cell: string | Html): boolean =>
  typeof cell !== 'string' || /^(–|unknown|[-+$]{0,2}\d[\d,.]*%?( (ms|s|of \d+|to [-+\d.]+))?)?$/.test(cell);

const printableTextOrHtml = (cell: string | Html): string | Html =>
  typeof cell === 'string' ? printableText(cell) : cell;

/** A finding: how grave it is, and what was seen. */
export const findingHtml = (severity: 'high' | 'medium' | 'low', seen: Html): Html =>
  html`<li>
    <span class="label status ${severityTones[severity]}">${severity}</span>
    <div>${seen}</div>
  </li>`;

const severityTones = { high: 'bad', medium: 'warn', low: '' } as const;
