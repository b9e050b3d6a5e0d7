import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { fixedDigitsText } from '#core/evaluation/figure-texts.ts';
import { getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { pickRankingFigures } from '#core/leaderboards/ranking-score.ts';
import type { Entry, LeaderboardRecord } from '#core/leaderboards/record.ts';
import type { SubmissionTier } from '#core/leaderboards/submissions/state.ts';
import type { LinkPicture, PictureRow } from './link-picture.ts';
import { offlineCaveat, sayBasis } from './picture-basis.ts';

/** An entry with its rank in its tier by the headline. */
interface PicturedEntry {
  readonly rank: number;
  readonly ranked: boolean;
  readonly entry: Entry;
}

/** Some consecutive entries of a tier of a leaderboard, in its order by the headline. */
export interface PicturedTier {
  readonly board: LeaderboardRecord;
  readonly tier: SubmissionTier;
  /** How many entries the tier has. */
  readonly total: number;
  readonly rows: readonly PicturedEntry[];
  readonly floor: number | null;
}

/** Returns what a link to a leaderboard shows: its first entries, and whether they can be told apart. */
export const makeBoardPicture = (shown: PicturedTier): LinkPicture => ({
  kind: 'Leaderboard',
  title: shown.board.name,
  id: shown.board.id,
  verdict: leadersSentence(shown),
  caveat: shown.board.offline ? offlineCaveat : null,
  basis: basisOfTier(shown),
  content: contentOfTier(shown, null),
});

/** Returns what a link to an entry shows: where it stands, among those around it. */
export function makeEntryPicture(shown: PicturedTier, { entry, rank, ranked }: PicturedEntry): LinkPicture {
  const { board, tier, total, rows } = shown;
  const isTied = rows.some((row) => row.entry.id !== entry.id && row.ranked && row.rank === rank);
  const place = ranked ? `Rank ${rank} of ${total}${isTied ? ' (tied)' : ''}` : `Not ranked among ${total}`;
  return {
    kind: 'Leaderboard entry',
    title: entry.name,
    id: entry.id,
    verdict: `${place} in the tier ${tier} of ${board.name}${figureText(shown, entry)}.`,
    caveat: board.offline ? offlineCaveat : null,
    basis: basisOfTier(shown),
    content: contentOfTier(shown, entry.id),
  };
}

function leadersSentence(shown: PicturedTier): string {
  const { rows, total, tier } = shown;
  const leaders = rows.filter(({ rank, ranked }) => ranked && rank === 1);
  const [first] = leaders;
  if (first === undefined) return 'Nobody has been ranked here yet.';
  const of = `the ${countEntries(total)} of the tier ${tier}`;
  if (total === 1) return `${first.entry.name} is the only entry of the tier ${tier}${figureText(shown, first.entry)}.`;
  if (leaders.length === 1)
    return `${first.entry.name} leads ${of} and is told apart from all others${figureText(shown, first.entry)}.`;
  const more = `${leaders.length === rows.length && total > rows.length ? 'at least ' : ''}${leaders.length - 1} more`;
  return `${first.entry.name} and ${more} share the first place of ${of}: they cannot be told apart.`;
}

const countEntries = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'entry' : 'entries'}`;

function figureText({ board }: PicturedTier, entry: Entry): string {
  const { headline } = getProtocol(board.protocol);
  const { mean = null, low = null, high = null } = pickRankingFigures(entry).scores[headline] ?? {};
  if (mean === null) return '';
  const interval = low === null || high === null ? '' : ` (${fixedDigitsText(low)} to ${fixedDigitsText(high)})`;
  return `: ${getScorerOrThrow(headline).title} ${fixedDigitsText(mean)}${interval}`;
}

const basisOfTier = ({ board: { publicUnits, privateUnits, protocol } }: PicturedTier): string =>
  sayBasis([`${publicUnits} public and ${privateUnits} private units`, `protocol ${getProtocol(protocol).title}`]);

function contentOfTier({ board, rows, floor }: PicturedTier, marked: string | null): LinkPicture['content'] {
  const { headline } = getProtocol(board.protocol);
  const { title, range } = getScorerOrThrow(headline);
  return {
    kind: 'rows',
    rows: rows.map(({ rank, ranked, entry }): PictureRow => {
      const { mean = null, low = null, high = null } = pickRankingFigures(entry).scores[headline] ?? {};
      return {
        name: entry.name,
        ...(ranked ? { rank } : {}),
        mean,
        low,
        high,
        isMarked: entry.id === marked,
      };
    }),
    scale: { title, range, floor },
  };
}
