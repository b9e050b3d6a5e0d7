import { fixed } from '../figures.ts';
import type { AgentResult, EvaluationRecord } from '../record.ts';
import { escaped, markdownTable, section } from './markdown.ts';

const or = (value: number | null, text: (value: number) => string): string => (value === null ? 'none' : text(value));

/** What the agents and the judges used. */
export const effortSection = (agents: readonly AgentResult[], { judgeUsage }: EvaluationRecord): string[] =>
  section(
    'Cost and tokens',
    ...markdownTable(
      [
        { title: 'agent', of: ({ name }) => escaped(name) },
        { title: 'attempts', of: ({ attempts }) => attempts },
        { title: 'tokens', of: ({ tokens }) => or(tokens, String) },
        {
          title: 'tokens per attempt',
          of: ({ tokensPerAttempt }) => or(tokensPerAttempt, (tokens) => fixed(tokens, 0)),
        },
        { title: 'cost', of: ({ costUsd }) => or(costUsd, dollars) },
        { title: 'cost per attempt', of: ({ costUsdPerAttempt }) => or(costUsdPerAttempt, dollars) },
        { title: 'median time', of: ({ durationMs }) => or(durationMs?.median ?? null, seconds) },
        { title: '95th percentile', of: ({ durationMs }) => or(durationMs?.p95 ?? null, seconds) },
      ],
      agents,
    ),
    '',
    `The judges took ${judgeUsage.promptTokens + judgeUsage.completionTokens} tokens and ${dollars(judgeUsage.costUsd)} on top.`,
  );

const dollars = (value: number): string => `$${value.toFixed(4)}`;
const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
