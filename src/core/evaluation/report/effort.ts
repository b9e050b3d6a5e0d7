import { fixedDigitsText } from '../figure-texts.ts';
import type { AgentResult, EvaluationRecord } from '../record.ts';
import { escapeMarkdown, markdownTableLines, sectionLines } from './markdown.ts';

const textOrNone = (value: number | null, text: (value: number) => string): string =>
  value === null ? 'none' : text(value);

/** What the agents and the judges used. */
export const costAndTokensSection = (agents: readonly AgentResult[], { judgeUsage }: EvaluationRecord): string[] =>
  sectionLines(
    'Cost and tokens',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ name }) => escapeMarkdown(name) },
        { title: 'attempts', of: ({ attempts }) => attempts },
        { title: 'tokens', of: ({ tokens }) => textOrNone(tokens, String) },
        {
          title: 'tokens per attempt',
          of: ({ tokensPerAttempt }) => textOrNone(tokensPerAttempt, (tokens) => fixedDigitsText(tokens, 0)),
        },
        { title: 'cost', of: ({ costUsd }) => textOrNone(costUsd, dollarsText) },
        { title: 'cost per attempt', of: ({ costUsdPerAttempt }) => textOrNone(costUsdPerAttempt, dollarsText) },
        { title: 'median time', of: ({ durationMs }) => textOrNone(durationMs?.median ?? null, secondsText) },
        { title: '95th percentile', of: ({ durationMs }) => textOrNone(durationMs?.p95 ?? null, secondsText) },
      ],
      agents,
    ),
    '',
    'What an evaluated attempt took, on average:',
    '',
    ...markdownTableLines(
      [
        { title: 'agent', of: ({ name }) => escapeMarkdown(name) },
        { title: 'turns', of: ({ perAttempt }) => textOrNone(perAttempt.turns, meanText) },
        { title: 'different tools', of: ({ perAttempt }) => textOrNone(perAttempt.tools, meanText) },
        { title: 'calls', of: ({ perAttempt }) => textOrNone(perAttempt.calls, meanText) },
        { title: 'routes', of: ({ perAttempt }) => textOrNone(perAttempt.routes, meanText) },
      ],
      agents,
    ),
    '',
    `The judges took ${judgeUsage.promptTokens + judgeUsage.completionTokens} tokens and ${dollarsText(judgeUsage.costUsd)} on top.`,
  );

const meanText = (value: number): string => fixedDigitsText(value, 2);
const dollarsText = (value: number): string => `$${value.toFixed(4)}`;
const secondsText = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;
