import { escapeXml } from './xml.ts';

/** Wide enough for any letter of the viewer's font; `textLength` makes the text fit. */
const charWidth = 6.5;
const padding = 10;

/** A part of a badge: a white text on a colour such as `#24344d`. */
export interface BadgePart {
  readonly text: string;
  readonly fill: string;
}

/** Draws a badge of parts side by side, 22 pixels high, as an SVG. The texts are escaped; what is hidden in them is not shown. */
export function badgeSvg(parts: readonly BadgePart[]): string {
  let x = 0;
  const placed = parts.map(({ text, fill }) => {
    const width = Math.round(Array.from(text).reduce((sum, each) => sum + characterWidth(each), 2 * padding));
    const part = { text: escapeXml(text), fill, x, width };
    x += width;
    return part;
  });
  const boxes = placed.map(
    ({ fill, x: left, width }) => `<rect x="${left}" width="${width}" height="22" fill="${escapeXml(fill)}"/>`,
  );
  const texts = placed.map(
    ({ text, x: left, width }) =>
      `<text x="${left + width / 2}" y="15" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${text}</text>`,
  );
  const title = escapeXml(parts.map(({ text }) => text).join(': '));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${x}" height="22" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="r"><rect width="${x}" height="22" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)">${boxes.join('')}</g>`,
    `<g fill="#fff" text-anchor="middle" font-family="system-ui,Verdana,sans-serif" font-size="12">${texts.join('')}</g>`,
    '</svg>\n',
  ].join('');
}

/** Characters of East Asian scripts and emoji are twice as wide. */
const characterWidth = (character: string): number =>
  (character.codePointAt(0) ?? 0) >= 0x1100 &&
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\p{Extended_Pictographic}]/u.test(character)
    ? 2 * charWidth
    : charWidth;
