import type { z } from 'zod';
import type { AttemptPlace, NewLabel, NewVotes } from '../labels.ts';
import {
  parseVerdictStrictly,
  type publishedLabels,
  type publishedVerdicts,
} from '#core/benchmarks/formats/live-mcp-bench/verdict.ts';

/** Where each published task was attempted: its place, by the task's id. */
export type PlacesByTask = ReadonlyMap<string, AttemptPlace>;

/** What a file leaves out or cannot say, as `task at its place in the file, from 1`. */
interface LeftOut {
  /** Texts that are no verdict. */
  readonly unparsed: readonly string[];
  /** Tasks without an evaluated attempt, and tasks that are in the file before. */
  readonly unmatched: readonly string[];
}

/** Maximum characters of a reason that are kept. */
const whyChars = 2_000;

/**
 * Returns a judge's published verdicts as votes. A text that is no verdict is a vote with null, and named: it is neither success
 * nor failure, whatever words it has.
 */
export function makeVotesOfPublishedVerdicts(
  published: z.infer<typeof publishedVerdicts>,
  places: PlacesByTask,
): LeftOut & Pick<NewVotes, 'votes'> {
  const { matched, unparsed, unmatched } = matchRecordsToAttempts(published, places, ({ judge }) => judge);
  return {
    votes: matched.map(({ item, place, read }) => ({
      ...place,
      verdict: read === 'unparsed' ? null : read === 'success',
      why: (item.judge_reason ?? '').slice(0, whyChars),
    })),
    unparsed,
    unmatched,
  };
}

/** Returns people's published verdicts as labels. A text that is no verdict is no label, and named. */
export function makeLabelsOfPublishedVerdicts(
  published: z.infer<typeof publishedLabels>,
  places: PlacesByTask,
): LeftOut & { readonly labels: readonly NewLabel[] } {
  const { matched, unparsed, unmatched } = matchRecordsToAttempts(
    published,
    places,
    ({ task_success }) => task_success,
  );
  return {
    labels: matched.flatMap(({ place, read }) => (read === 'unparsed' ? [] : [{ ...place, verdict: read, note: '' }])),
    unparsed,
    unmatched,
  };
}

/** Pairs each record with the attempt at its task and reads what it says. */
function matchRecordsToAttempts<T extends { readonly task_id: string }>(
  published: readonly T[],
  places: PlacesByTask,
  textOf: (item: T) => string,
) {
  const seen = new Set<string>();
  const [unparsed, unmatched]: [string[], string[]] = [[], []];
  const matched = published.flatMap((item, at) => {
    const named = `${item.task_id} at ${at + 1}`;
    const place = places.get(item.task_id);
    if (place === undefined || seen.has(item.task_id)) {
      unmatched.push(named);
      return [];
    }
    seen.add(item.task_id);
    const read = parseVerdictStrictly(textOf(item));
    if (read === 'unparsed') unparsed.push(named);
    return [{ item, place, read }];
  });
  return { matched, unparsed, unmatched };
}
