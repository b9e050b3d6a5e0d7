import type { ExplorationRecord } from '#core/exploration/record.ts';
import type { LeaderboardRecord, RankedEntry } from '#core/leaderboards/record.ts';
import { scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import type { SubmissionRecord } from '#core/leaderboards/submissions/record.ts';
import { defaultUrl } from '../http/access.ts';
import type { Client } from '../client.ts';
import type { Sink } from '../command-line/output.ts';
import { countWithNoun, durationText, makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { rankedLegendLines, rankedLines } from '../display/leaderboard-table.ts';
import { makeProgressDisplay } from '../progress/display.ts';
import { makeDrawingOfSubmissions } from '../progress/submissions-drawing.ts';
import { eventsUntilModerationOrEnd } from '../progress/events-until-decision.ts';

/** Few enough to measure three agents in a minute or two. */
const sampledUnits = 60;

/** Agents with configured skill, so that their order is known beforehand. */
export const agentsOfKnownSkill = ['steady', 'hasty', 'forgetful'];

/** The final state of a leaderboard, as the API returned it; or why there is none. */
export type LeaderboardOutcome =
  | {
      readonly made: true;
      readonly board: LeaderboardRecord;
      readonly submissions: readonly SubmissionRecord[];
      /** Best first. */
      readonly ranked: readonly RankedEntry[];
    }
  | { readonly made: false; readonly why: string };

export interface SubmitOptions {
  /** Whether rules replace models. */
  readonly offline: boolean;
  readonly seed: number;
  /** Where progress is shown. */
  readonly progress: Sink;
}

/** Opens a leaderboard on a sample of a run's units and submits the offline agents to it. */
export async function openLeaderboardAndPublishAgents(
  client: Client,
  run: Pick<ExplorationRecord, 'id'>,
  { offline, seed, progress }: SubmitOptions,
): Promise<LeaderboardOutcome> {
  if (!offline) return { made: false, why: 'a real model is set up, and the demo measures the offline agents only' };
  const benchmark = await client.benchmarks.freeze({
    explorations: [run.id],
    name: 'demo leaderboard',
    seed,
    privateShare: 0,
    sample: sampledUnits,
  });
  if (benchmark.publicUnits === 0) return { made: false, why: 'its benchmark has no public units' };
  const board = await client.leaderboards.create({ benchmark: benchmark.id, name: 'demo', trials: 1 });
  progress.write(`leaderboard ${board.id}: ${countWithNoun(board.publicUnits, 'public unit')} of ${benchmark.id}\n`);
  const submitted: SubmissionRecord[] = [];
  for (const name of agentsOfKnownSkill) {
    const agent = { model: `offline-${name}` };
    submitted.push(await client.submissions.create({ tier: 'service', leaderboard: board.id, name, agent }));
  }
  const submissions = await showSubmissionsUntilAllPublished(client, submitted, progress);
  const ranked = await Array.fromAsync(client.leaderboards.entries(board.id));
  return { made: true, board, submissions, ranked };
}

/** Shows submissions until each is settled or waits for a moderator. Throws if one is not published then. */
async function showSubmissionsUntilAllPublished(
  client: Client,
  submitted: readonly SubmissionRecord[],
  progress: Sink,
): Promise<SubmissionRecord[]> {
  const display = makeProgressDisplay(makeDrawingOfSubmissions(submitted), progress);
  try {
    const onLost = (why: string): void => display.showNote(`${makePrintableLine(why)}; trying again until it answers`);
    await Promise.all(
      submitted.map(async ({ id }, of) => {
        for await (const happened of eventsUntilModerationOrEnd(client, id, { onLost }))
          display.showEvent({ of, happened });
      }),
    );
  } finally {
    display.end();
  }
  const ended = await Promise.all(submitted.map(({ id }) => client.submissions.get(id)));
  for (const { name, state, reason } of ended)
    if (state !== 'published')
      throw new CommandError(`the submission ${makePrintableLine(name)} is ${state}: ${makePrintableLine(reason)}`);
  return ended;
}

/** Where a leaderboard can be found, for programs and for people, after the demo's service is restarted. */
export const leaderboardAddresses = ({ id }: Pick<LeaderboardRecord, 'id'>) => ({
  url: `${defaultUrl}/v1/leaderboards/${id}/entries`,
  page: `${defaultUrl}/leaderboards/${id}`,
});

/** The leaderboard, for programs; null if there is none. */
export const leaderboardLinksJson = (outcome: LeaderboardOutcome) =>
  outcome.made
    ? { id: outcome.board.id, benchmark: outcome.board.benchmark, ...leaderboardAddresses(outcome.board) }
    : null;

/** The agents' results, for programs; best first. */
export const agentResultsJson = (outcome: LeaderboardOutcome) =>
  outcome.made
    ? outcome.ranked.map(({ rank, entry: { name, tier, units, attempts, scores, costUsd, tokens } }) => ({
        name,
        rank,
        tier,
        units,
        scores: Object.fromEntries(
          scorersOfProtocol(outcome.board.protocol).map(({ key }) => [key, scores[key] ?? null]),
        ),
        // An entry's figures are per attempt.
        costUsd: costUsd === null ? null : costUsd * attempts,
        tokens: tokens === null ? null : Math.round(tokens * attempts),
      }))
    : [];

/** From the first submission to the last publication; 0 if there was none. */
export function durationOfSubmissionsMs(outcome: LeaderboardOutcome): number {
  if (!outcome.made) return 0;
  const begun = outcome.submissions.map(({ createdAt }) => Date.parse(createdAt));
  const ended = outcome.ranked.map(({ entry }) => Date.parse(entry.publishedAt));
  return Math.max(...ended) - Math.min(...begun);
}

/** The leaderboard's result, for people; `again` is the command that starts its service. */
export function leaderboardResultLines(outcome: LeaderboardOutcome, again: string, width: number): string[] {
  if (!outcome.made) return [`There is no leaderboard: ${outcome.why}.`];
  const { board, ranked } = outcome;
  const { url, page } = leaderboardAddresses(board);
  return [
    `The leaderboard ${board.id}: ${countWithNoun(ranked.length, 'agent')} on ${countWithNoun(board.publicUnits, 'public unit')}, in ${durationText(durationOfSubmissionsMs(outcome))}:`,
    '',
    ...rankedLines(ranked, { protocol: board.protocol, width }),
    '',
    ...rankedLegendLines(board),
    "The agents' skill is configured: their order calibrates the instrument and is no evidence about models.",
    '',
    'The service is stopped now. To see the leaderboard again:',
    `  ${again}`,
    `  ${page} for people, ${url} for programs`,
  ];
}
