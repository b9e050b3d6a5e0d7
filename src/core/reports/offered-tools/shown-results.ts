import { z } from 'zod';
import type { AgentResult, EvaluationResults } from '#core/evaluation/record.ts';
import { durations } from '#core/evaluation/results-record.ts';
import { listShownScorers } from '#core/evaluation/shown-scorers.ts';
import { getProtocol, protocolKey } from '#core/benchmarks/protocols/protocols.ts';
import { summary } from '#core/statistics/summary.ts';

const shownScore = summary.extend({
  scorer: z.string(),
  floor: z.number().nullable().describe('What agents that know nothing score; null if nobody has measured it'),
});

const shownAgent = z.object({
  name: z.string(),
  units: z.int(),
  attempts: z.int(),
  notEvaluated: z.int().describe('Attempts that faults broke, which count for and against nobody'),
  scores: z.array(shownScore),
  passAt1: summary.nullable().describe('Share of trials that pass, by the verdict of the protocol; null without one'),
  failedCalls: z.int(),
  calls: z.int(),
  costUsd: z.number().nullable().describe('Null where no model call of the agent was seen'),
  tokens: z.int().nullable(),
  durationMs: durations,
});

/** The results of an evaluation as a model reads them: the figures of each agent. */
export const shownResults = z.object({
  protocol: protocolKey,
  headline: z.string().describe('The scorer that orders the agents'),
  scorers: z
    .array(z.object({ key: z.string(), title: z.string(), best: z.enum(['higher', 'lower', 'zero']) }))
    .describe('What the scores are called, and which of their values are best'),
  agents: z.array(shownAgent),
});
export type ShownResults = z.infer<typeof shownResults>;

export function makeShownResults({ protocol, agents, floor }: EvaluationResults): ShownResults {
  const scorers = listShownScorers({ protocol, agents });
  const floorScores = floor?.state === 'measured' ? floor.scores : {};
  const showAgent = (agent: AgentResult): z.infer<typeof shownAgent> => ({
    ...agent,
    scores: scorers.map(({ key }) => ({ ...agent.scores[key], scorer: key, floor: floorScores[key]?.value ?? null })),
    passAt1: agent.passes?.atK.find(({ k }) => k === 1)?.passAtK ?? null,
    failedCalls: agent.failures.failedCalls,
    calls: agent.failures.calls,
  });
  return {
    protocol,
    headline: getProtocol(protocol).headline,
    scorers: scorers.map(({ key, title, direction }) => ({ key, title, best: direction })),
    agents: agents.map(showAgent),
  };
}

/** Returns a line for each agent with its headline, such as `steady: Success 0.52 [0.40, 0.63] over 30 units`. */
export function resultsText({ headline, scorers, agents }: ShownResults): string {
  const title = scorers.find(({ key }) => key === headline)?.title ?? headline;
  const lines = agents.map(({ name, scores, notEvaluated }) => {
    const found = scores.find(({ scorer }) => scorer === headline);
    const broken = notEvaluated === 0 ? '' : `, ${notEvaluated} attempts not evaluated`;
    if (found === undefined || found.mean === null) return `${name}: no ${title} yet${broken}`;
    const { mean, low, high, n } = found;
    const interval = low === null || high === null ? '' : ` [${low.toFixed(2)}, ${high.toFixed(2)}]`;
    return `${name}: ${title} ${mean.toFixed(2)}${interval} over ${n} units${broken}`;
  });
  return lines.join('\n');
}
