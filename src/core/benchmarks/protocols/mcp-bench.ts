import { fuzzyRequest, taskRequest } from './case-requests.ts';
import { callSuccess } from '#core/scoring/call-success.ts';
import { dependencies } from '#core/scoring/dependencies.ts';
import { handleKept } from '#core/scoring/handle-kept.ts';
import { overall } from '#core/scoring/overall.ts';
import { rubric } from '#core/scoring/rubric.ts';
import { validArguments } from '#core/scoring/valid-arguments.ts';
import { validNames } from '#core/scoring/valid-names.ts';
import { requestSide } from '#core/units/unit.ts';
import { noTokens, type Protocol } from './protocol.ts';

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
  scorers: [overall, rubric, validNames, validArguments, callSuccess, dependencies, handleKept],
  headline: overall.key,
  verdict: null,
  mountings: [{ kind: 'distractors', servers: 10 }],
  defaultLoop: 'planning',
  ifTooManyTools: 'route',
  // Five gradings.
  judging: { judge: { promptTokens: 27_502, completionTokens: 633 }, panelMember: noTokens, embedder: noTokens },
} as const satisfies Protocol<'mcp-bench'>;
