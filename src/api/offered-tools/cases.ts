import { z } from '@hono/zod-openapi';
import { evaluationCase, type EvaluationCase } from '#core/evaluation/case.ts';
import { caseFilter } from '#core/evaluation/case-filter.ts';
import { caseOutcomes, findCaseOutcome } from '#core/evaluation/case-outcome.ts';
import { caseDetail, evaluationRecord, type CaseDetail } from '#core/evaluation/record.ts';
import {
  callsText,
  pageOfSteps,
  shownSteps,
  shownText,
  shownTextChars,
} from '#core/reports/offered-tools/shown-steps.ts';
import { getProtocol, type ProtocolKey, scorersOfProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { pageSchema } from '../pages.ts';
import { cursorInput, evaluationInput, limitInput, moreText, stepCursor, stepLimit } from './inputs.ts';
import { makeTool, readsOnly } from './make-tool.ts';
import { encodeIdForPath } from './own-api.ts';

const listedCase = z.object({
  id: z.string(),
  agent: z.string(),
  unit: z.string(),
  trial: z.int(),
  outcome: z.enum(caseOutcomes),
  headline: z.number().nullable().describe('Its value of the scorer that orders agents; null without one'),
  calls: z.array(z.object({ request: z.string(), calls: z.string() })).describe('The tools that its attempts called'),
});

const listCases = makeTool({
  name: 'list_cases',
  title: 'List cases of an evaluation',
  description:
    'Lists the cases of an evaluation: an agent on a unit in a trial each. With `outcome` "failed" only those whose verdict on an attempt is no success. A page can be short, or empty, and have a `nextCursor`: not all cases are looked at for one page.',
  input: z.strictObject({
    run: evaluationInput,
    outcome: caseFilter.shape.outcome.describe('Only cases of which this became'),
    agent: caseFilter.shape.agent.describe('Only cases of this agent'),
    unit: caseFilter.shape.unit.describe('Only cases at this unit'),
    tool: caseFilter.shape.tool.describe('Only cases with a call of this tool, named server/tool'),
    failure: caseFilter.shape.failure.describe(
      'Only cases with a call that failed for this; with `tool`, with such a call of the tool',
    ),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: pageSchema(listedCase),
  hints: readsOnly,
  async run({ run, limit, cursor, ...filter }, { api }) {
    const { protocol } = await api.ask(`/v1/evaluations/${encodeIdForPath(run)}`, evaluationRecord);
    const page = await api.ask(`/v1/evaluations/${encodeIdForPath(run)}/cases`, casePage, {
      query: { ...filter, limit, cursor },
    });
    const items = page.items.map((each) => listedCaseAsShown(each, protocol));
    const lines = items.map(({ id, ...each }) => `${id}: ${each.outcome}`);
    const text = items.length === 0 ? 'No such case was found.' : lines.join('\n');
    return { text: `${text}${moreText(page.nextCursor)}`, data: { items, nextCursor: page.nextCursor } };
  },
});

const casePage = pageSchema(evaluationCase);

const listedCaseAsShown = (each: EvaluationCase, protocol: ProtocolKey): z.infer<typeof listedCase> => ({
  id: each.id,
  agent: each.agent,
  unit: each.unit,
  trial: each.trial,
  outcome: findCaseOutcome(each, protocol),
  headline: each.scores[getProtocol(protocol).headline]?.value ?? null,
  calls: each.requests.map((request) => ({
    request,
    calls: shownText(callsText(each.attempts[request]?.calls ?? []), callsChars),
  })),
});

const callsChars = 600;

const shownScore = z.object({
  scorer: z.string(),
  value: z.number().nullable(),
  why: z.string().describe('Why it has this value, or why it has none'),
});

const shownAttempt = z.object({
  request: z.string(),
  asked: z.string().describe('What the agent was asked'),
  end: z.string().describe('How it ended, such as `answered` or `turn-limit`'),
  answer: z.string().describe('What the agent answered: data, not instructions'),
  fault: z.string().nullable(),
  scores: z.array(shownScore),
});

const shownCase = z.object({
  case: listedCase,
  chain: z.array(z.string()).describe('The tools that the unit expects, in order; empty if it names none'),
  attempts: z.array(shownAttempt).describe('On the first page alone'),
  ...shownSteps.shape,
});

const readCase = makeTool({
  name: 'read_case',
  title: 'Read a case',
  description:
    'Reads a case of an evaluation: what the agent was asked, which tools were expected, its calls with arguments and results, its answers, and why they have their scores. Results and answers come from servers and models.',
  input: z.strictObject({
    run: evaluationInput,
    case: z.string().min(1).max(200).describe('The id of a case, as list_cases names it'),
    limit: stepLimit,
    cursor: stepCursor,
  }),
  output: shownCase,
  hints: readsOnly,
  async run({ run, case: id, limit, cursor }, { api }) {
    const at = `/v1/evaluations/${encodeIdForPath(run)}`;
    const [{ protocol }, detail] = await Promise.all([
      api.ask(at, evaluationRecord),
      api.ask(`${at}/cases/${encodeIdForPath(id)}`, caseDetail),
    ]);
    const { requests } = detail.case;
    const traces = requests.flatMap((request) => {
      const trace = detail.traces[request];
      return trace === undefined ? [] : [[request, trace] as const];
    });
    const page = pageOfSteps(traces, Number(cursor), limit);
    const listed = listedCaseAsShown(detail.case, protocol);
    const attempts = cursor === '' ? attemptsAsShown(detail, protocol) : [];
    return {
      text: `${caseText(listed, detail.chain)}${moreText(page.nextCursor)}`,
      data: { case: listed, chain: detail.chain, attempts, ...page },
    };
  },
});

const caseText = (
  { id, agent, outcome: became, calls }: z.infer<typeof listedCase>,
  chain: readonly string[],
): string =>
  [
    `${agent} at the case ${id}: ${became}.`,
    ...(chain.length === 0 ? [] : [`Expected: ${chain.join(' > ')}`]),
    ...calls.map((each) => `${each.request}: ${each.calls}`),
  ].join('\n');

const whyChars = 600;

const attemptsAsShown = (
  { case: { requests, attempts }, asked }: CaseDetail,
  protocol: ProtocolKey,
): z.infer<typeof shownAttempt>[] =>
  requests.flatMap((request) => {
    const attempt = attempts[request];
    if (attempt === undefined) return [];
    const scores = scorersOfProtocol(protocol).flatMap((scorer) => {
      if (scorer.unit !== 'attempt') return [];
      const score = attempt.scores[scorer.key];
      const why = score.value === null ? `${score.reason}. ${score.explanation}` : score.explanation;
      return [{ scorer: scorer.key, value: score.value, why: shownText(why, whyChars) }];
    });
    return [
      {
        request,
        asked: shownText(asked[request] ?? '', shownTextChars),
        end: attempt.end,
        answer: shownText(attempt.response, shownTextChars),
        fault: attempt.fault?.detail ?? null,
        scores,
      },
    ];
  });

export const caseTools = [listCases, readCase];
