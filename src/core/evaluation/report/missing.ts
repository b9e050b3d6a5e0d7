import { z } from 'zod';
import { crashSentences, type CrashCounts } from '../crashes.ts';
import { getScorerOrThrow } from '../scorers.ts';
import { agentBasisOrEmpty, type ResultsBasis } from '../results-basis.ts';
import type { AgentResult, EvaluationRecord } from '../record.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

/** Attempts of an agent that one server or model broke for good. */
export const brokenAttempt = z.object({ agent: z.string(), what: z.string(), attempts: z.int() });
export type BrokenAttempts = z.infer<typeof brokenAttempt>;

/** What the figures leave out, and why. */
export function unevaluatedAndUnscoredSection(
  agents: readonly AgentResult[],
  { progress, status }: EvaluationRecord,
  brokenByAll: readonly BrokenAttempts[],
  crashes: readonly CrashCounts[] = [],
): string[] {
  const unmade = progress.attempts - progress.made;
  const broken = agents.flatMap(({ name }) => brokenByAll.filter(({ agent }) => agent === name));
  const unscored = agents.flatMap(({ name, unscoredReasons }) =>
    Object.entries(unscoredReasons).flatMap(([metric, reasons]) =>
      Object.entries(reasons).flatMap(([reason, attempts]) =>
        // Where a tool fits there is nothing to refuse, so nothing is missing.
        reason === 'tool-fits' ? [] : [{ agent: name, scorer: getScorerOrThrow(metric).title, reason, attempts }],
      ),
    ),
  );
  return sectionLines(
    'What was not evaluated',
    `Attempts made: ${progress.made} of ${progress.attempts}. Made a second time after an infrastructure fault: ${progress.relaunched}. Broken twice, and so not evaluated: ${progress.notEvaluated}.`,
    ...(unmade === 0 ? [] : ['', `${unmade} attempts were not made: the evaluation is ${status}.`]),
    ...crashSentences(crashes).flatMap((sentence) => ['', escapeMarkdown(sentence)]),
    ...(broken.length === 0
      ? []
      : [
          '',
          ...markdownTableLines(
            [
              { title: 'agent', of: ({ agent }) => escapeMarkdown(agent) },
              { title: 'what broke', of: ({ what }) => escapeMarkdown(what) },
              { title: 'attempts', of: ({ attempts }) => attempts },
            ],
            broken,
          ),
        ]),
    '',
    ...(unscored.length === 0
      ? ['Every attempt that was made has all its scores.']
      : [
          'Attempts without a score are left out of means; they do not count as zero.',
          '',
          ...markdownTableLines(
            [
              { title: 'agent', of: ({ agent }) => escapeMarkdown(agent) },
              { title: 'scorer', of: ({ scorer }) => scorer },
              { title: 'reason', of: ({ reason }) => reason },
              { title: 'attempts', of: ({ attempts }) => attempts },
            ],
            unscored,
          ),
        ]),
  );
}

/** Counts the attempts that each server or model broke, agent by agent. */
export const countBrokenAttemptsByCause = (
  agents: readonly string[],
  basis: Pick<ResultsBasis, 'agents'>,
): BrokenAttempts[] =>
  agents.flatMap((agent) =>
    Array.from(agentBasisOrEmpty(basis, agent).figures.attempts.broken, ([what, attempts]) => ({
      agent,
      what,
      attempts,
    })),
  );
