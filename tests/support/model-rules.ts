import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { AskedQuestion } from './script.ts';

/**
 * The normal answers of the scripted models: rules that depend only on the question. Tools are named with plain words,
 * and a request lists the words in the order of the chain, where the agent reads them.
 */

const shownTool = z.looseObject({
  name: z.string(),
  inputSchema: z.looseObject({ required: z.array(z.string()).default([]) }),
  outputSchema: z.looseObject({ properties: z.record(z.string(), z.unknown()).default({}) }).optional(),
});
type ShownTool = z.infer<typeof shownTool>;
const shownTools = z.array(shownTool);
const shownPair = z.looseObject({ source: z.string(), followUp: z.string(), arguments: z.array(z.unknown()) });

const shownSeeds = z.array(z.looseObject({ chain: z.array(z.string()) }));
const shownFacts = z.array(z.looseObject({ passage: z.int(), text: z.string() }));

const shownRubric = z.array(z.looseObject({ parts: z.array(z.looseObject({ part: z.string() })) }));

const longestChain = 3;
const mostIntents = 10;

const backRequests = (response: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${['Do', 'Please do', 'Kindly do'][at % 3]}: ${response}`);

const dimensions = 16;

/**
 * Returns a vector from the hashes of a text's words: texts that share words are similar, and no cosine is negative.
 */
export function vectorOf(text: string): number[] {
  const vector = Array.from({ length: dimensions }, () => 0.1);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    const place = (createHash('sha256').update(word).digest()[0] ?? 0) % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

/** The JSON of a fenced block of the prompt. */
function block(question: AskedQuestion, name: string): unknown {
  const text = question.messages.map(({ content }) => content).join('\n');
  const found = new RegExp(`<data name="${name}">\\n(.*)\\n</data>`).exec(text)?.[1];
  if (found === undefined) throw new Error(`the prompt has no block ${name}`);
  return JSON.parse(found);
}

const hasBlock = (question: AskedQuestion, name: string): boolean =>
  question.messages.some(({ content }) => content.includes(`<data name="${name}">\n`));

/** As many tools as the task says, if it is a variant's. */
function wantedLength(question: AskedQuestion): number {
  const { request } = z.looseObject({ request: z.string() }).parse(block(question, 'scenario'));
  return Number(/over (\d+) tools/.exec(request)?.[1] ?? longestChain);
}

/** The first passage is used: the text before its colon is what both requests then mean. */
function groundedIn(
  [fact]: z.infer<typeof shownFacts>,
  pair: ReturnType<typeof pairOver>,
): Omit<ReturnType<typeof pairOver>, 'facts'> & { readonly facts: readonly unknown[] } {
  if (fact === undefined) return pair;
  const [name = '', quote = ''] = fact.text.split(': ');
  const use = { name, settles: `which ${name} is meant`, quote };
  const { source, followUp } = pair;
  const said = { source: `${source} It is about ${name}.`, followUp: `About ${name}: ${followUp}` };
  return { ...pair, ...said, facts: [{ passage: fact.passage, relevance: 0.95, use }] };
}

const factVerdicts = (question: AskedQuestion) =>
  shownFacts
    .parse(hasBlock(question, 'facts') ? block(question, 'facts') : [])
    .map(({ passage }) => ({ passage, verdict: 'needed', why: 'it settles it' }));

export function sensibleAnswer(question: AskedQuestion): unknown {
  switch (question.form) {
    case 'scenario':
      return {
        scenario: {
          request: `An errand with ${shownTools.parse(block(question, 'tools')).length} tools`,
          factQuery: 'What is it?',
        },
        why: 'they belong together',
      };
    case 'metamorphic-pair': {
      // A unit for one tool has no scenario.
      if (hasBlock(question, 'siblings'))
        return { pair: pairOver(shownTools.parse(block(question, 'tools')), question.seed), why: 'only it does this' };
      const pair = pairOver(shownTools.parse(block(question, 'tools')).slice(0, wantedLength(question)), question.seed);
      return { pair: groundedIn(shownFacts.parse(block(question, 'facts')), pair), why: 'they chain' };
    }
    case 'negative-pair': {
      // Without the name of a tool, so that the agent finds nothing to call.
      const [tool] = shownTools.parse(block(question, 'tools'));
      const code = createHash('sha256')
        .update(JSON.stringify([tool?.name, question.seed]))
        .digest('hex')
        .slice(0, 7);
      return {
        pair: { source: `Carve N${code} into oak.`, followUp: `I want N${code} cut into oak wood.` },
        relation: 'paraphrase',
        why: 'nothing here carves',
      };
    }
    case 'negative-audit':
      return { issues: [], suggestions: [], semanticEquivalence: 95, unserved: 95 };
    case 'noticing':
      return { why: 'Nothing in the answer says so.', noticed: false };
    case 'refusal':
      return { why: 'its words', refused: /cannot/.test(z.string().parse(block(question, 'response'))) };
    case 'variant': {
      const [first] = shownSeeds.parse(block(question, 'seeds'));
      const length = (first?.chain.length ?? 0) + (block(question, 'kind') === 'entities' ? 0 : 1);
      return { scenario: { request: `A variant over ${length} tools`, factQuery: 'What is it?' }, why: 'it follows' };
    }
    case 'catalog-pairs': {
      const tools = shownTools.parse(block(question, 'tools'));
      const count = z.int().parse(block(question, 'count'));
      const pairs = Array.from({ length: count }, (_, i) => pairOver(window(tools, i), `${question.seed}-${i}`));
      return { pairs };
    }
    case 'audit':
      return {
        semanticEquivalence: 95,
        parameterSolvability: 95,
        issues: [],
        suggestions: [],
        facts: factVerdicts(question),
      };
    case 'task-quality':
      return {
        solvabilityReason: 'everything is said',
        solvability: 9,
        utilityReason: 'somebody needs it',
        utility: 7,
        suggestions: [],
      };
    case 'fuzzy-request':
      return { request: `Somehow I need this. ${z.string().parse(block(question, 'request'))}` };
    case 'refinement': {
      const pair = shownPair.parse(block(question, 'pair'));
      return { source: `Kindly: ${pair.source}`, followUp: `Once more: ${pair.followUp}`, arguments: pair.arguments };
    }
    case 'wording': {
      const tools = z.array(z.looseObject({ n: z.int(), name: z.string() })).parse(block(question, 'tools'));
      return {
        tools: tools.map(({ n, name }) => ({
          n,
          title: null,
          description: `Takes care of every ${ownName(name)} by its code`,
          arguments: [],
        })),
      };
    }
    case 'relevance':
      return { why: 'it says what the tools said', score: 0.8 };
    case 'success': {
      const goals = z.array(z.unknown()).parse(block(question, 'goals'));
      return {
        goals: goals.map((_, place) => ({ goal: place + 1, why: 'a tool gave it', achieved: true })),
        why: 'everything was done',
        success: true,
      };
    }
    case 'rubric':
      return {
        marks: shownRubric
          .parse(block(question, 'rubric'))
          .flatMap(({ parts }) => parts.map(({ part }) => ({ part, why: 'it was counted', mark: 8 }))),
      };
    case 'user-answer': {
      const quote = z.string().parse(block(question, 'request')).split(' ').slice(0, 2).join(' ');
      return { why: 'it says so', answers: [{ field: 'colour', value: 'blue', quote }] };
    }
    case 'outcome':
      return { why: 'it says the same', agrees: true };
    case 'back-requests':
      return {
        requests: backRequests(z.string().parse(block(question, 'response')), z.int().parse(block(question, 'count'))),
      };
    case 'failure':
      return { class: 'precondition-violation', why: 'something has to come first' };
    case 'sub-intents':
      return {
        subIntents: z.array(z.string()).parse(block(question, 'requests'))[0]?.split(',').slice(0, mostIntents),
      };
    case 'sub-intent-scores': {
      const intents = z.array(z.unknown()).parse(block(question, 'intents'));
      return {
        scores: intents.map((_, place) => ({ subIntent: place + 1, score: 0.9, nothingFound: false, why: 'answered' })),
      };
    }
    case 'attempt-reading': {
      const goals = z.array(z.unknown()).parse(block(question, 'goals'));
      return {
        goals: goals.map((_, place) => ({
          goal: place + 1,
          why: 'a tool gave it',
          achieved: true,
          covered: 0.9,
          nothingFound: false,
        })),
        relevance: { score: 0.8, why: 'it says what the tools said' },
        why: 'everything was done',
        success: true,
      };
    }
    default:
      throw new Error(`no sensible answer to ${question.form}`);
  }
}

const window = (tools: readonly ShownTool[], from: number): ShownTool[] =>
  Array.from({ length: Math.min(longestChain, tools.length) }, (_, i) => tools[(from + i) % tools.length]).filter(
    (tool) => tool !== undefined,
  );

const ownName = (tool: string): string => tool.slice(tool.indexOf('/') + 1);

function pairOver(tools: readonly ShownTool[], seed: unknown) {
  const chain = tools.map(({ name }) => name);
  const code = `K${parseInt(
    createHash('sha256')
      .update(JSON.stringify([chain, seed]))
      .digest('hex')
      .slice(0, 7),
    16,
  )}`;
  const words = chain.map(ownName);
  return {
    source: `Please take care of ${code}: ${words.join(', then ')}.`,
    followUp: `For ${code} I would like ${words.join(' and after that ')}.`,
    chain,
    arguments: tools.flatMap(({ inputSchema }, index) =>
      inputSchema.required.map((argument) => {
        const giver = tools[index - 1]?.outputSchema?.properties;
        const passed = argument === 'reference' && giver !== undefined && 'reference' in giver;
        const source = passed ? { kind: 'field', step: index, field: 'reference' } : { kind: 'span', text: code };
        return { step: index + 1, argument, source };
      }),
    ),
    facts: [],
  };
}

export interface AgentFunction {
  readonly name: string;
  readonly required: readonly string[];
}

const foundTools = z.array(
  z.looseObject({ server: z.string(), tool: z.string(), inputSchema: shownTool.shape.inputSchema }),
);

/** Returns whether a request is in a share of all requests, drawn by its words and the name of the model that is asked. */
export function isRequestWithinShare({ model, seed, messages }: AskedQuestion, share: number): boolean {
  const request = messages.find(({ role }) => role === 'user')?.content ?? '';
  const hash = createHash('sha256')
    .update(JSON.stringify([model, seed, request]))
    .digest();
  return hash.readUInt32BE() / 2 ** 32 < share;
}

/** The agent's next call, or null when it is done. One that searches for its tools searches once, for the whole request. */
export function nextCall(question: AskedQuestion, functions: readonly AgentFunction[]) {
  const request = question.messages.find(({ role }) => role === 'user')?.content ?? '';
  const results = question.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  if (functions.some(({ name }) => name === 'run_code'))
    return results.length > 0 ? null : { name: 'run_code', arguments: { code: programFor(request, question) } };
  if (functions.some(({ name }) => name === 'tool_search')) {
    if (results.length === 0) return { name: 'tool_search', arguments: { query: request } };
    return nextCallOfTool(request, results.slice(1), functions.slice(1));
  }
  if (!functions.some(({ name }) => name === 'route')) return nextCallOfTool(request, results, functions);
  const [found, ...own] = results;
  if (found === undefined) return { name: 'route', arguments: { query: request } };
  const tools = foundTools.parse(JSON.parse(found));
  const next = nextCallOfTool(
    request,
    own,
    tools.map(({ server, tool, inputSchema }) => ({ name: `${server}__${tool}`, required: inputSchema.required })),
  );
  if (next === null) return null;
  const [server, tool] = next.name.split('__');
  return { name: 'execute', arguments: { server, tool, arguments: next.arguments } };
}

/** A program with all calls that the request names, each of which passes the last result's reference on. */
function programFor(request: string, { messages }: AskedQuestion): string {
  const listed = messages.find(({ role }) => role === 'system')?.content ?? '';
  const functions = [...listed.matchAll(/(\w+__\w+)\(args: \{ ([^}]*) \}\)/g)].map(([, name = '', args = '']) => ({
    name,
    required: [...args.matchAll(/(?:^|; )(?:\/\*\*.*?\*\/ )?(\w+): /g)].flatMap(([, argument]) => argument ?? []),
  }));
  const lines = wantedFunctions(request, functions).map(({ name, required }) => {
    const args = required.map((each) => `${each}: ${each === 'reference' ? 'last.reference ?? code' : 'code'}`);
    return `last = await tools.${name}({ ${args.join(', ')} });`;
  });
  const code = /\bK\d+\b/.exec(request)?.[0] ?? '';
  return [`const code = '${code}';`, 'let last = {};', ...lines, 'return last;'].join('\n');
}

/** The functions that a request names, in its order. */
const wantedFunctions = (request: string, functions: readonly AgentFunction[]) =>
  functions
    .map((each) => ({ ...each, at: new RegExp(`\\b${each.name.split('__')[1]}\\b`).exec(request)?.index ?? -1 }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);

function nextCallOfTool(request: string, results: readonly string[], functions: readonly AgentFunction[]) {
  const next = wantedFunctions(request, functions)[results.length];
  if (next === undefined) return null;
  const code = /\bK\d+\b/.exec(request)?.[0] ?? '';
  const reference = /R-[a-z]+-\w+/.exec(results.at(-1) ?? '')?.[0] ?? code;
  return {
    name: next.name,
    arguments: Object.fromEntries(next.required.map((name) => [name, name === 'reference' ? reference : code])),
  };
}
