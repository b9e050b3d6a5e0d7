import { listScorersShownInBrief } from './scorers.ts';
import { isSameMounting, mountingName, oracleMounting, standardMounting } from '#core/units/mounting/mounting.ts';
import { escapeXml } from '#core/values/xml.ts';
import { protocolOfEntryOrDefault, type Entry, type EntryPlace } from './record.ts';
import { scoreOrDashText } from './figure-texts.ts';
import { pickRankingFigures } from './ranking-score.ts';
import { cutVisibleText, showHiddenCharacters } from './visible-text.ts';

const nameLength = 30;
/** There is room for two. */
const shownScorers = 2;
/** Wide enough for any letter of the viewer's font; `textLength` makes the text fit. */
const charWidth = 6.5;
const padding = 10;

/** The rank that a badge shows; `tied` if others have the same rank. */
interface BadgePlace extends Pick<EntryPlace, 'rank' | 'of'> {
  readonly tied: boolean;
}

/**
 * Returns an SVG with an entry's rank in its tier and the figures by which it ranks, for the submitter's own page. It names a mounting that
 * is not the standard one.
 */
export function rankBadgeSvg(entry: Entry, { rank, of, tied }: BadgePlace): string {
  const { name, tier, configuration } = entry;
  const { mounting } = configuration;
  const { scores } = pickRankingFigures(entry);
  const shown = listScorersShownInBrief(protocolOfEntryOrDefault(entry)).slice(0, shownScorers);
  const who = cutVisibleText(showHiddenCharacters(name), nameLength);
  const parts = [
    'Sextant',
    who,
    [
      `rank ${rank} of ${of} (${tier})${tied ? ', tied' : ''}`,
      ...shown.map(({ key, title }) => `${title} ${scoreOrDashText(scores[key]?.mean ?? null)}`),
      ...(isSameMounting(mounting, standardMounting) ? [] : [mountingName(mounting ?? oracleMounting)]),
    ].join(', '),
  ];
  let x = 0;
  const placed = parts.map((text) => {
    const width = Math.round(Array.from(text).reduce((sum, each) => sum + characterWidth(each), 2 * padding));
    const part = { text: escapeXml(text), x, width };
    x += width;
    return part;
  });
  const fills = ['#24344d', '#3d5578', '#1f6f54'];
  const boxes = placed.map(
    ({ x: left, width }, n) => `<rect x="${left}" width="${width}" height="22" fill="${fills[n]}"/>`,
  );
  const texts = placed.map(
    ({ text, x: left, width }) =>
      `<text x="${left + width / 2}" y="15" textLength="${width - 2 * padding}" lengthAdjust="spacingAndGlyphs">${text}</text>`,
  );
  const title = escapeXml(parts.join(': '));
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
