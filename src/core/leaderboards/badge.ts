import { listScorersShownInBrief } from './scorers.ts';
import { isSameMounting, mountingName, oracleMounting, standardMounting } from '#core/units/mounting/mounting.ts';
import { badgeSvg } from '#core/values/badge-svg.ts';
import { protocolOfEntryOrDefault, type Entry, type EntryPlace } from './record.ts';
import { scoreOrDashText } from './figure-texts.ts';
import { pickRankingFigures } from './ranking-score.ts';
import { cutVisibleText, showHiddenCharacters } from './visible-text.ts';

const nameLength = 30;
/** There is room for two. */
const shownScorers = 2;

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
  const standing = [
    `rank ${rank} of ${of} (${tier})${tied ? ', tied' : ''}`,
    ...shown.map(({ key, title }) => `${title} ${scoreOrDashText(scores[key]?.mean ?? null)}`),
    ...(isSameMounting(mounting, standardMounting) ? [] : [mountingName(mounting ?? oracleMounting)]),
  ].join(', ');
  return badgeSvg([
    { text: 'Sextant', fill: '#24344d' },
    { text: who, fill: '#3d5578' },
    { text: standing, fill: '#1f6f54' },
  ]);
}
