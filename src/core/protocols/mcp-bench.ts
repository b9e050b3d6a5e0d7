import { fuzzyRequest, taskRequest } from '#core/evaluation/case-requests.ts';
import { callSuccess } from '#core/scoring/call-success.ts';
import { dependencies } from '#core/scoring/dependencies.ts';
import { overall } from '#core/scoring/overall.ts';
import { rubric } from '#core/scoring/rubric.ts';
import { validArguments } from '#core/scoring/valid-arguments.ts';
import { validNames } from '#core/scoring/valid-names.ts';
import { requestSide } from '#core/units/unit.ts';
import type { Protocol } from './protocol.ts';

/** A task in a concrete and in a fuzzy wording, for agents that plan in rounds among distractors. */
export const mcpBench = {
  key: 'mcp-bench',
  title: 'MCP-Bench',
  source: 'MCP-Bench (2025), sections 3 to 5',
  unitKind: 'task',
  requests: {
    pair: [requestSide.enum.source, requestSide.enum.followUp],
    task: [taskRequest, fuzzyRequest],
  },
  scorers: [overall.key, rubric.key, validNames.key, validArguments.key, callSuccess.key, dependencies.key],
  headline: overall.key,
  verdict: null,
  defaultMounting: { kind: 'distractors', servers: 10 },
  defaultLoop: 'planning',
} as const satisfies Protocol<'mcp-bench'>;
