import { z } from 'zod';
import { defaultScoring } from '#core/scoring/parameters.ts';

/**
 * The stub models' answers: a chain of the first three candidates, an agent that calls what a request names, judges
 * that praise.
 */

/** The fields that are read from a chat completion request. */
export const askedOfStub = z.looseObject({
  model: z.string(),
  // The stub answers in no other form.
  stream: z.literal(true),
  stream_options: z.looseObject({ include_usage: z.literal(true) }),
  seed: z.number(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.string().nullish() })),
  tools: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string(), description: z.string().optional() }) }))
    .optional(),
  response_format: z.looseObject({ json_schema: z.looseObject({ name: z.string() }) }).optional(),
});
export type AskedOfStub = z.infer<typeof askedOfStub>;

export type StubMessage =
  | { readonly content: string }
  | { readonly content: null; readonly tool_calls: readonly object[] };

/** Whether it is a test question, which no run counts. */
export const isTestQuestion = ({ messages }: AskedOfStub): boolean =>
  messages.some(({ content }) => content?.includes('This only tests the connection') === true);

const toolList = z.array(z.looseObject({ name: z.string() }));
const chainLength = 3;

export function stubAnswer(asked: AskedOfStub): StubMessage {
  const form = asked.response_format?.json_schema.name;
  if (form === undefined) return isTestQuestion(asked) ? makeCallOfFirstTool(asked) : makeCallOrFinalAnswer(asked);
  const text = asked.messages.map(({ content }) => content ?? '').join('\n');
  const forms: Record<string, () => unknown> = {
    scenario: () => ({ scenario: { request: 'Do three things with "alpha".', factQuery: 'alpha' }, why: 'they fit' }),
    'metamorphic-pair': () => ({ pair: makePairForTools(text), why: 'they fit' }),
    variant: () => ({
      scenario: { request: 'Do three other things with "alpha".', factQuery: 'alpha' },
      why: 'they fit',
    }),
    audit: () => ({ ...makeAuditGrades(asked.model), issues: [], suggestions: [], facts: [] }),
    success: () => makeVerdictByCalledTools(text),
    'sub-intents': () => ({ subIntents: ['Have it done'] }),
    preflight: () => ({ ready: true, sample: { kind: 'word', word: 'chart' }, remarks: [] }),
    failure: () => ({ class: 'network-instability', why: 'it was so' }),
    'attempt-reading': () => {
      const { goals, ...rest } = makeVerdictByCalledTools(text);
      return {
        goals: goals.map((goal) => ({ ...goal, covered: 0.9, nothingFound: false })),
        relevance: { score: 0.9, why: 'it fits' },
        ...rest,
      };
    },
    // Contains the seed, so that each judgement asks for its own vectors.
    'back-requests': () => ({
      requests: Array.from({ length: defaultScoring.ar.backRequests }, () => `Do it (${asked.seed}).`),
    }),
  };
  return { content: JSON.stringify(forms[form]?.() ?? null) };
}

/** A critic with this name sends every pair to review. */
export const doubtfulCritic = 'doubtful';

const makeAuditGrades = (model: string) => ({
  semanticEquivalence: model === doubtfulCritic ? 87 : 95,
  parameterSolvability: 95,
});

/** How a request names a tool of the stub servers without its name; an agent derives its calls from this. */
export const placeTextOfToolName = (tool: string): string => /step-(\d+)-(\d+)$/.exec(tool)?.slice(1).join('.') ?? '';

function makePairForTools(text: string) {
  const chain = toolList
    .parse(JSON.parse(textOfPromptVariable(text, 'tools') || '[]'))
    .slice(0, chainLength)
    .map(({ name }) => name);
  const places = chain.map(placeTextOfToolName).join(' ');
  return {
    source: `With "alpha", do what stands at ${places}.`,
    followUp: `Please take "alpha" and go through ${places}, in this order.`,
    chain,
    arguments: chain.map((_, index) => ({
      step: index + 1,
      argument: 'text',
      source: { kind: 'span', text: 'alpha' },
    })),
    facts: [],
  };
}

/** A success if every tool that the request names was called; the plan has one goal. */
function makeVerdictByCalledTools(text: string) {
  const request = textOfPromptVariable(text, 'request');
  const called = textOfPromptVariable(text, 'calls');
  const missing = listPlacesInRequest(request).filter((place) => !called.includes(`${toolNameOfPlace(place)}"`));
  const why = missing.length === 0 ? 'all of it was called' : `not called: ${missing.join(', ')}`;
  const success = missing.length === 0;
  return { goals: [{ goal: 1, why, achieved: success }], why, success };
}

const textOfPromptVariable = (text: string, name: string): string =>
  new RegExp(`<data name="${name}">\n(.*)\n</data>`).exec(text)?.[1] ?? '';

const listPlacesInRequest = (request: string): string[] =>
  [...request.matchAll(/\b\d+\.\d+\b/g)].map(([place]) => place);

/** Returns the name of the tool that a request calls by its place, such as `1.2`. */
const toolNameOfPlace = (place: string): string => `step-${place.replace('.', '-')}`;

function makeCallOfFirstTool({ tools = [] }: AskedOfStub): StubMessage {
  const [first] = tools;
  if (first === undefined) return { content: 'There are no tools.' };
  const { name } = first.function;
  return { content: null, tool_calls: [{ id: 'call-0', type: 'function', function: { name, arguments: '{}' } }] };
}

function makeCallOrFinalAnswer(asked: AskedOfStub): StubMessage {
  const said = asked.messages.findLast(({ role }) => role === 'user')?.content ?? '';
  const places = listPlacesInRequest(said).map(toolNameOfPlace);
  const done = asked.messages.filter(({ role }) => role === 'tool').length;
  const wanted = places[done];
  const name =
    wanted === undefined ? undefined : asked.tools?.find((tool) => tool.function.name.endsWith(wanted))?.function.name;
  if (name === undefined) return { content: 'All of it is done.' };
  return {
    content: null,
    tool_calls: [{ id: `call-${done}`, type: 'function', function: { name, arguments: '{"text":"alpha"}' } }],
  };
}
