import { beforeAll, describe, expect, it } from 'vitest';
import { getPromptOrThrow, render } from '#adapters/prompts/index.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { makeBasisFromCases } from '#core/evaluation/results-basis.ts';
import { makeRandom, type Random } from '#core/values/random.ts';
import { defaultScoring } from '#core/scoring/parameters.ts';
import type { Score } from '#core/scoring/score.ts';
import type { Judges } from '#core/scoring/scorer.ts';
import { success } from '#core/scoring/success.ts';
import { step, type Step } from '#core/traces/trace.ts';
import { replyToChatOrThrow } from '../../offline/models/answering.ts';
import { chatRequest } from '../../offline/models/protocol.ts';
import { finished } from '../unit/evaluation/cases.ts';
import { stepFrom } from '../unit/scoring/steps.ts';
import { testCards } from './models-cards.ts';

/**
 * Agents whose probability of success is known, measured by the scorer, its judge and the results: does the interval
 * hold the probability? Which attempts of a unit succeed is drawn; what they did is real calls and answers, in several
 * variants, and the judge has to tell them apart.
 */
const runs = 200;
const units = 30;
const probabilities = [0, 0.2, 0.5, 0.8, 1];
const promised = 0.93;

interface Made {
  readonly request: string;
  readonly goals: readonly string[];
  readonly steps: Step[];
  readonly response: string;
}

const called = (tool: string, args: Readonly<Record<string, unknown>>, text: string, failed = false): Step =>
  step.parse({ ...stepFrom(`${tool}${failed ? '!' : ''}`), arguments: args, text });

/** An attempt that does all that is asked, with values of its own. */
function solved(n: number): Made & { readonly lines: readonly string[] } {
  const [text, path, exponent] = [`grey gull ${n}`, `note-${n}.txt`, 5 + n];
  const digest = (0x5d_4c_01 + n * 7_919).toString(16);
  const goals = [
    `compute the SHA-256 checksum of "${text}"`,
    `save the SHA-256 digest under the path "${path}"`,
    `raise 2 to the power of ${exponent}`,
  ];
  const results = [`digest: ${digest}`, `{"path": "${path}"}`, String(2 ** exponent)];
  const lines = goals.map((goal, at) => `I was to ${goal}, and got: ${results[at]}`);
  return {
    request: `First, ${goals[0]}, then ${goals[1]}, and finally ${goals[2]}.`,
    goals,
    steps: [
      called('calc/hash_text', { text, algorithm: 'sha256' }, results[0] ?? ''),
      called('files/write_note', { content: digest, path }, results[1] ?? ''),
      called('calc/power_of', { base: 2, exponent }, results[2] ?? ''),
    ],
    lines,
    response: lines.join('\n'),
  };
}

/** Ways to fail at it, with plausible answers. */
const failures: Readonly<Record<string, (whole: ReturnType<typeof solved>) => Made>> = {
  'knows the answer without a tool': (whole) => ({ ...whole, steps: whole.steps.slice(0, 2) }),
  'gives no answer': (whole) => ({ ...whole, response: '' }),
  'calls nothing': (whole) => ({ ...whole, steps: [] }),
  'invents a value': (whole) => ({ ...whole, response: whole.response.replace(/got: \d+$/u, 'got: 4711') }),
  'leaves out a goal': (whole) => ({ ...whole, response: whole.lines.slice(0, 2).join('\n') }),
  'calls with empty arguments': (whole) => ({
    ...whole,
    steps: whole.steps.map((each) => ({ ...each, arguments: {} })),
  }),
  'passes the words for a value': (whole) => ({
    ...whole,
    steps: whole.steps.map((each) =>
      each.tool === 'files/write_note'
        ? { ...each, arguments: { ...each.arguments, content: 'the SHA-256 digest' } }
        : each,
    ),
  }),
  'reports a failure honestly': (whole) => ({
    ...whole,
    steps: [...whole.steps.slice(0, 2), called('calc/power_of', { base: 2 }, 'out of order', true)],
    response: [...whole.lines.slice(0, 2), 'I tried to raise 2 to a power, which failed: out of order'].join('\n'),
  }),
  'promises to do it': (whole) => ({ ...whole, response: 'I will compute, save and raise what you asked for.' }),
};

const variants = 12;
/** Scores of attempts: first of those that do what is asked, then of failures. */
const scores: Score[] = [];
const cases = new Map<string, EvaluationCase>();

beforeAll(async () => {
  for (let n = 0; n < variants; n += 1) scores.push(await measured(solved(n)));
  for (const fail of Object.values(failures))
    for (let n = 0; n < variants / 3; n += 1) scores.push(await measured(fail(solved(n))));
});

/** The score of an attempt by the scorer and the offline judge. */
async function measured({ request, goals, steps, response }: Made): Promise<Score> {
  const judges: Judges = {
    ask: async ({ form, prompt, schema }, variables) => {
      const response_format = { type: 'json_schema', json_schema: { name: form, strict: true, schema: {} } };
      const { messages } = render(getPromptOrThrow(prompt), variables);
      const reply = replyToChatOrThrow(
        chatRequest.parse({ model: 'offline-judge', seed: 1, messages, response_format }),
        testCards,
      );
      if (!('text' in reply)) throw new Error('the judge did not answer');
      return { ok: true, value: schema.parse(JSON.parse(reply.text)) };
    },
    soleJudge: null,
    askPanel: async (question, variables) => [{ judge: 'judge', answer: await judges.ask(question, variables) }],
    embed: async () => ({ ok: false, reason: 'embedder-unreachable' }),
    getSubIntents: async () => ({ ok: true, value: goals }),
  };
  const scoring = defaultScoring;
  const score = await success.grade({ scoring, request, response, steps, sawWholeResults: false }, judges);
  const scoreOf = (): Score => {
    throw new Error('success needs no other score');
  };
  return score({ scoring, chain: [], origins: [], trace: { steps, finalText: response }, scoreOf });
}

/** What results say of an agent that solves each case with probability `p`. A failed case has a failed attempt or two. */
function planted(p: number, run: number, trials: number) {
  const random = makeRandom(run, 'planted', p, trials);
  const about = Array.from({ length: units }, (_, n) => ({ id: `u${String(n).padStart(2, '0')}`, chain: [] }));
  const made = about.flatMap(({ id }) =>
    Array.from({ length: trials }, (_, at) => {
      const solves = random.next() < p;
      const followsUp = solves || random.next() < 0.5;
      return { ...drawCase(random, solves, followsUp), unit: id, trial: at + 1 };
    }),
  );
  const basis = makeBasisFromCases(made, { protocol: 'sgvef', units: about, tools: [], trials, seed: run });
  return makeAgentResult('planted', basis);
}

/** A finished case whose attempts have the scores of two that were measured. */
function drawCase(random: Random, solves: boolean, followsUp: boolean): EvaluationCase {
  const [source, followUp] = [draw(random, solves), draw(random, followsUp)];
  const key = `${source} ${followUp}`;
  const known = cases.get(key);
  if (known !== undefined) return known;
  const built = finished({ unit: 'u', agent: 'planted' }, attemptWith(source), attemptWith(followUp));
  cases.set(key, built);
  return built;
}

function attemptWith(at: number): Parameters<typeof finished>[1] {
  const score = scores[at];
  if (score === undefined) throw new Error(`nothing was measured as ${at}`);
  return { tools: [], grades: { success: score } };
}

const draw = (random: Random, solves: boolean): number =>
  solves ? Math.floor(random.next() * variants) : variants + Math.floor(random.next() * (scores.length - variants));

const holds = ({ low, high }: { readonly low: number | null; readonly high: number | null }, p: number): boolean =>
  low !== null && high !== null && low <= p && p <= high;

describe('the figure of success', () => {
  it('tells attempts that do what was asked from those that fail in any of nine ways', () => {
    expect(scores.map(({ value }) => value)).toEqual(scores.map((_, at) => (at < variants ? 1 : 0)));
  });

  for (const p of probabilities)
    for (const trials of [1, 3])
      it(`has an interval that holds the probability ${p} of a planted agent, measured in ${trials} trials a unit`, () => {
        const held = Array.from({ length: runs }, (_, run) => planted(p, run, trials)).filter(({ scores }) =>
          holds(scores.success, p),
        ).length;
        expect(held / runs).toBeGreaterThanOrEqual(promised);
      });
});
