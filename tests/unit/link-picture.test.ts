import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { beforeAll, describe, expect, it } from 'vitest';
import { drawLinkPicture, type LinkPicture } from '#core/pictures/link-picture.ts';
import {
  breakIntoEvenLines,
  breakIntoLines,
  cutToWidth,
  drawableText,
  isMostlyDrawable,
  widthOfText,
} from '#core/pictures/picture-text.ts';

const root = join(import.meta.dirname, '../..');
const fontBuffers = ['regular', 'semibold'].map((name) =>
  readFileSync(join(root, `src/adapters/pictures/fonts/inter-${name}.ttf`)),
);
beforeAll(() => initWasm(readFileSync(join(root, 'node_modules/@resvg/resvg-wasm/index_bg.wasm'))));

const render = (svg: string) => new Resvg(svg, { font: { fontBuffers, defaultFontFamily: 'Inter' } });

const row = { name: 'one', mean: 0.8, low: 0.7, high: 0.9 };
const picture: LinkPicture = {
  kind: 'Evaluation',
  title: 'A run',
  id: 'evl_1',
  verdict: 'one is better than two.',
  caveat: 'Rules stood in for models.',
  basis: '40 units',
  content: { kind: 'rows', rows: [row], scale: { title: 'Success', range: [0, 1], floor: 0.2 } },
};
const withRows = (...rows: readonly (typeof row)[]): LinkPicture => ({
  ...picture,
  content: { kind: 'rows', rows, scale: { title: 'Success', range: [0, 1], floor: null } },
});

describe('a text of a picture', () => {
  it('is as wide as the font draws it', () => {
    for (const [weight, number] of [
      ['regular', 400],
      ['semibold', 600],
    ] as const)
      for (const text of ['HHHHHHHHHH', 'mmmmmmmmmm', '8888888888']) {
        const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="2000" height="100"><text x="20" y="60" font-family="Inter" font-size="40" font-weight="${number}">${text}</text></svg>`;
        const drawn = render(svg).innerBBox()?.width ?? 0;
        // What is drawn begins and ends within the first and the last character.
        expect(Math.abs(widthOfText(text, 40, weight) - drawn), `${text} ${weight}`).toBeLessThan(8);
      }
    expect(widthOfText('1111', 20, 'regular')).toBe(widthOfText('8888', 20, 'regular'));
  });

  it('has a dot for each sign that the font lacks, and shows hidden characters', () => {
    expect(drawableText('Prüfung  an\nłódź')).toBe('Prüfung an łódź');
    expect(drawableText('評価 ok 👩‍👩‍👧')).toBe('·· ok ·');
    expect(drawableText('a\u202eb\u0007')).toBe('a·b·');
    expect([isMostlyDrawable('Board 評価'), isMostlyDrawable('評価'), isMostlyDrawable(' ')]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('is broken between words and cut to the width', () => {
    const room = { size: 20, weight: 'regular', width: 120 } as const;
    const lines = breakIntoLines('one two three four five six seven eight', room, 2);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/…$/);
    for (const line of [...lines, ...breakIntoLines('W'.repeat(200), room, 2)])
      expect(widthOfText(line, 20, 'regular')).toBeLessThanOrEqual(120);
    expect(cutToWidth('short', room)).toBe('short');
    expect(breakIntoLines('one two three four', { ...room, width: 140 }, 2)).toEqual(['one two three', 'four']);
    expect(breakIntoEvenLines('one two three four', { ...room, width: 140 }, 2)).toEqual(['one two', 'three four']);
  });
});

describe('the picture of a link', () => {
  it('has its size and stays within its margins, however long its texts are', () => {
    const long = 'W'.repeat(300);
    const drawn = render(
      drawLinkPicture({
        ...withRows(...Array.from({ length: 9 }, () => ({ ...row, name: long, low: -3, high: 7 }))),
        title: `${long} ${long} ${long}`,
        verdict: `${long} ${long} ${long}`,
        basis: long,
      }).replace(/<rect width="1200"[^>]*>/, ''),
    );
    expect([drawn.width, drawn.height]).toEqual([1200, 630]);
    const box = drawn.innerBBox();
    expect(box?.x).toBeGreaterThan(60);
    expect((box?.x ?? 0) + (box?.width ?? 9_999)).toBeLessThan(1_140);
    expect((box?.y ?? 0) + (box?.height ?? 9_999)).toBeLessThan(620);
  });

  it('says title, verdict, figures, scale and what they rest on', () => {
    const svg = drawLinkPicture(picture);
    for (const text of [
      'Evaluation',
      'A run',
      'one is better than two.',
      '40 units',
      'Rules stood in for models.',
      '0.80',
      'floor 0.20',
    ])
      expect(svg).toContain(text);
    expect(svg).toContain('stroke-dasharray');
    expect(drawLinkPicture(withRows(row))).not.toContain('stroke-dasharray');
  });

  it('has five rows at most, and says where one has no mean', () => {
    const svg = drawLinkPicture(withRows(...Array.from({ length: 9 }, (_, n) => ({ ...row, name: `agent ${n}` }))));
    expect(svg).toContain('agent 4');
    expect(svg).not.toContain('agent 5');
    const content = { kind: 'rows', rows: [{ name: 'x', mean: null, low: null, high: null }] } as const;
    const scale = { title: 'TFD', range: [0, Number.POSITIVE_INFINITY], floor: null } as const;
    const unscored = drawLinkPicture({ ...picture, content: { ...content, scale } });
    expect(unscored).toContain('>none<');
    expect(unscored).not.toMatch(/NaN|Infinity/);
  });

  it('escapes texts from outside, and has the id for a title that it cannot draw', () => {
    const svg = drawLinkPicture({ ...picture, title: '<script>"&', verdict: '\u202e<b>' });
    expect(svg).toContain('&lt;script&gt;&quot;&amp;');
    expect(svg).not.toContain('<script>');
    expect(svg).toContain('·&lt;b&gt;');
    expect(drawLinkPicture({ ...picture, title: '評価' })).toContain('>evl_1<');
  });
});
