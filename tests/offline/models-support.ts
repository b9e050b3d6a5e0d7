import type { Card } from '../../offline/cards/card.ts';
import { replyToChatOrThrow } from '../../offline/models/answering.ts';
import { chatRequest, type Reply } from '../../offline/models/protocol.ts';
import { z } from 'zod';

/** A tool as prompts list it. */
export interface ListedTool {
  readonly name: string;
  readonly category: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

const typeOfSample = (sample: unknown): Record<string, unknown> => {
  if (Array.isArray(sample)) return { type: 'array', items: { type: typeof sample[0] } };
  return { type: typeof sample };
};

/** The tool that a card speaks of, with a schema that wants every slot. */
export const toolOf = (card: Card): ListedTool => ({
  name: card.tool,
  category: card.tool.split('/')[0] ?? '',
  description: '',
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(card.slots).map(([name, slot]) => [
        name,
        slot.argument === undefined ? typeOfSample(slot.samples[0] ?? '') : {},
      ]),
    ),
    required: Object.keys(card.slots).filter((slot) => card.phrases[0]?.includes(`{${slot}}`)),
  },
});

/** A prompt's variable as the product renders it. */
const fenced = (name: string, value: unknown): string =>
  `<data name="${name}">\n${JSON.stringify(value).replaceAll('<', '\\u003c')}\n</data>`;

/** The body of a request for a form. */
export const formRequest = (
  model: string,
  form: string,
  variables: Readonly<Record<string, unknown>>,
  seed: number,
): Record<string, unknown> => ({
  model,
  seed,
  messages: [
    { role: 'system', content: 'Everything between `<data ...>` and `</data>` is material to look at.' },
    {
      role: 'user',
      content: Object.entries(variables)
        .map(([name, value]) => fenced(name, value))
        .join('\n\n'),
    },
  ],
  response_format: { type: 'json_schema', json_schema: { name: form, strict: true, schema: { type: 'object' } } },
});

/** Lets a model fill in a form, without a network between. */
export const fillIn = (cards: ReadonlyMap<string, Card>, ...asked: Parameters<typeof formRequest>): unknown => {
  const reply = replyToChatOrThrow(chatRequest.parse(formRequest(...asked)), cards);
  return 'text' in reply ? JSON.parse(reply.text) : null;
};

export const scenarioForm = z.object({
  scenario: z.object({ request: z.string().min(1).max(4_000), factQuery: z.string().min(1).max(500) }).nullable(),
  why: z.string(),
});

const origin = z.object({
  step: z.int().min(1),
  argument: z.string().min(1),
  source: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('span'), text: z.string().min(1) }),
    z.object({ kind: z.literal('default') }),
    z.object({ kind: z.literal('field'), step: z.int().min(1), field: z.string().min(1) }),
  ]),
});

const pairForm = z.object({
  source: z.string().min(1).max(4_000),
  followUp: z.string().min(1).max(4_000),
  chain: z.array(z.string()).min(2).max(8),
  arguments: z.array(origin),
  facts: z.array(
    z.object({
      passage: z.int().min(1),
      relevance: z.number().min(0).max(1),
      use: z.object({ name: z.string().min(1), settles: z.string().min(1), quote: z.string().min(1) }).nullable(),
    }),
  ),
});

export type WrittenPair = z.infer<typeof pairForm>;

export const pairAnswerForm = z.object({ pair: pairForm.nullable(), why: z.string() });
export const catalogPairsForm = z.object({ pairs: z.array(pairForm) });
export const refinementForm = pairForm.pick({ source: true, followUp: true, arguments: true });

export const auditForm = z.object({
  semanticEquivalence: z.number().min(0).max(100),
  parameterSolvability: z.number().min(0).max(100),
  issues: z.array(
    z.object({
      request: z.enum(['source', 'followUp', 'both']),
      tool: z.string().nullable(),
      type: z.enum(['missing-parameter', 'semantic-mismatch', 'hallucination']),
      detail: z.string().min(1),
    }),
  ),
  suggestions: z.array(z.string()),
  facts: z.array(
    z.object({ passage: z.int(), verdict: z.enum(['needed', 'unneeded', 'unsupported']), why: z.string() }),
  ),
});

export type Audit = z.infer<typeof auditForm>;

/** The lower of an audit's two grades. */
export const gradeOf = (audit: Pick<Audit, 'semanticEquivalence' | 'parameterSolvability'>): number =>
  Math.min(audit.semanticEquivalence, audit.parameterSolvability);

/** A call that an agent made, and what it was told. */
export interface MadeCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly result: string;
}

type Execute = (tool: string, args: Readonly<Record<string, unknown>>, nth: number) => string;

/** Lets an agent carry out a request with all tools mounted; `execute` stands for the servers. */
export const converse = (
  cards: ReadonlyMap<string, Card>,
  model: string,
  request: string,
  mounted: readonly ListedTool[],
  execute: Execute,
  seed: number,
): { calls: MadeCall[]; final: string } => {
  const byFunction = new Map(mounted.map((tool) => [tool.name.replace('/', '__'), tool.name]));
  const tools = mounted.map((tool) => ({
    type: 'function',
    function: { name: tool.name.replace('/', '__'), description: tool.description, parameters: tool.inputSchema },
  }));
  const messages: unknown[] = [
    { role: 'system', content: 'You carry out a request.' },
    { role: 'user', content: request },
  ];
  const calls: MadeCall[] = [];
  for (let turn = 0; turn < 20; turn += 1) {
    const reply: Reply = replyToChatOrThrow(chatRequest.parse({ model, seed, messages, tools }), cards);
    if ('text' in reply) return { calls, final: reply.text };
    messages.push({
      role: 'assistant',
      content: null,
      tool_calls: reply.calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: JSON.stringify(call.arguments) },
      })),
    });
    for (const call of reply.calls) {
      const tool = byFunction.get(call.name) ?? call.name;
      const result = execute(tool, call.arguments, calls.length);
      calls.push({ tool, arguments: call.arguments, result });
      messages.push({ role: 'tool', tool_call_id: call.id, content: result });
    }
  }
  return { calls, final: '' };
};
