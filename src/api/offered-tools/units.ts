import { z } from '@hono/zod-openapi';
import { unitDetail, unitSummary, type UnitSummary } from '#core/exploration/record.ts';
import {
  callsText,
  pageOfSteps,
  shownSteps,
  shownText,
  shownTextChars,
} from '#core/reports/offered-tools/shown-steps.ts';
import { unitStatus, type Unit } from '#core/units/unit.ts';
import { pageSchema } from '../pages.ts';
import { cursorInput, explorationInput, limitInput, moreText, stepCursor, stepLimit } from './inputs.ts';
import { makeTool, readsOnly } from './make-tool.ts';
import { encodeIdForPath } from './own-api.ts';

const shownUnit = z.object({
  id: z.string(),
  round: z.int(),
  probe: z.boolean(),
  status: unitStatus.nullable().describe('Null while it is worked on'),
  source: z.string().nullable().describe('Its first request'),
  followUp: z.string().nullable().describe('The same in other words'),
  chain: z.array(z.string()).describe('The tools that it expects, in order'),
  score: z.number().nullable().describe('What the critic gave it, 0 to 100'),
});

const unitAsShown = ({
  source,
  followUp,
  ...unit
}: Omit<UnitSummary, 'usage' | 'stage'>): z.infer<typeof shownUnit> => ({
  ...unit,
  source: source === null ? null : shownText(source, shownTextChars),
  followUp: followUp === null ? null : shownText(followUp, shownTextChars),
});

const listUnits = makeTool({
  name: 'list_units',
  title: 'List units of an exploration',
  description:
    'Lists the units of an exploration: two requests that ask for the same thing in different words, and the tools that they need. Units that a benchmark keeps private are left out.',
  input: z.strictObject({
    run: explorationInput,
    status: unitStatus.optional().describe('Only units that ended like this'),
    tool: z.string().max(300).optional().describe('Only units that expect this tool, as `server/tool`'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: pageSchema(shownUnit),
  hints: readsOnly,
  async run({ run, ...query }, { api }) {
    const path = `/v1/explorations/${encodeIdForPath(run)}/units`;
    const { items, nextCursor } = await api.ask(path, pageSchema(unitSummary), { query });
    const lines = items.map(({ id, status, chain }) => `${id}: ${status ?? 'under way'}, ${chain.join(' > ')}`);
    const text = items.length === 0 ? 'There are no such units.' : lines.join('\n');
    return { text: `${text}${moreText(nextCursor)}`, data: { items: items.map(unitAsShown), nextCursor } };
  },
});

const readUnit = makeTool({
  name: 'read_unit',
  title: 'Read a unit of an exploration',
  description:
    'Reads a unit of an exploration: its requests, the tools that they need, and what the base agent did with them, call by call. Results come from servers.',
  input: z.strictObject({
    run: explorationInput,
    unit: z.string().min(1).max(100).describe('The id of a unit, as list_units or read_tool_report names it'),
    limit: stepLimit,
    cursor: stepCursor,
  }),
  output: z.object({
    unit: shownUnit,
    reason: z.string().nullable().describe('Why it ended as it did; null while it is worked on'),
    ...shownSteps.shape,
  }),
  hints: readsOnly,
  async run({ run, unit: id, limit, cursor }, { api }) {
    const path = `/v1/explorations/${encodeIdForPath(run)}/units/${encodeIdForPath(id)}`;
    const { unit, traces } = await api.ask(path, unitDetail);
    const made = (['source', 'followUp'] as const).flatMap((request) => {
      const trace = traces[request];
      return trace === null ? [] : [[request, trace] as const];
    });
    const page = pageOfSteps(made, Number(cursor), limit);
    const done = unit.stage.kind === 'done' ? unit.stage : null;
    const shown = unitAsShown({
      ...unit,
      status: done?.status ?? null,
      source: unit.pair?.source ?? null,
      followUp: unit.pair?.followUp ?? null,
      chain: unit.pair?.chain ?? [],
      score: unit.audits.at(-1)?.score ?? null,
    });
    const text = [
      `The unit ${shown.id} is ${done === null ? 'under way' : done.status}. ${expectationText(unit.pair)}`,
      ...made.map(([request, { steps, end }]) => `${request}: ${shownText(callsText(steps), 600)}; ${end}`),
    ].join('\n');
    return {
      text: `${text}${moreText(page.nextCursor)}`,
      data: { unit: shown, reason: done?.reason ?? null, ...page },
    };
  },
});

/** Says what an agent should do at a unit. */
const expectationText = (pair: Unit['pair']): string =>
  pair?.looksLike === undefined
    ? `It expects ${(pair?.chain ?? []).join(' > ')}.`
    : `It looks like something for ${pair.looksLike}, but no tool fits it.`;

export const unitTools = [listUnits, readUnit];
