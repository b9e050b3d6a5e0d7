import { z } from 'zod';
import { loopPrompts, prompts, render } from '#adapters/prompts/index.ts';
import type { ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import {
  dialectWithChange,
  listDifferencesOfTwoDialects,
  type Dialect,
  type DialectSetting,
  type StructuredOutput,
} from '#core/models/dialect.ts';
import type { Trial } from '#core/models/preflight.ts';
import type { FunctionDefinition } from '#core/ports.ts';
import type { ModelCall, ModelRole } from '#core/models/model-call.ts';
import { getOrMakeStrictJsonSchema } from './answer-schema.ts';
import type { Completion } from './completion.ts';
import { completeInStrictestAcceptedFormat, getAcceptedOrConfiguredFormat } from './complete-in-format.ts';
import { makeEndpoint, type Endpoint } from './endpoint.ts';
import type { EndpointAnswer } from './exchange.ts';
import { parseJsonOrLastObjectInText } from './find-json.ts';
import type { ModelConfig } from './model-config.ts';
import { modelAnswerBounds } from './openai.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { providerWordsWithoutSecretsOrNull } from '#core/models/quote-provider.ts';

/** What a model is asked to see whether it works. */
export type TestQuestion =
  | { readonly kind: 'form' }
  | {
      readonly kind: 'turn';
      readonly loop: ModelLoop;
      /** The values for the prompt that opens the conversation. */
      readonly variables: Readonly<Record<string, unknown>>;
      readonly functions: readonly FunctionDefinition[];
      readonly parallelCalls: boolean;
    }
  | { readonly kind: 'vector' };

/** What a test question came to, and what was learnt of the endpoint. */
export interface TriedModel {
  readonly trial: Trial;
  readonly call: ModelCall | null;
  readonly learnt: DialectSetting;
  readonly adaptations: readonly string[];
  /** How the endpoint was spoken to. */
  readonly wire: Dialect['wire'];
  /** What the endpoint took; null if it was not asked for a form. */
  readonly structuredOutput: StructuredOutput | null;
}

/** Contains what the forms of real questions contain, so that an endpoint that cannot read these refuses it. */
const testForm = z.object({
  ready: z.boolean(),
  sample: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('word'), word: z.string().max(100) }),
      z.object({ kind: z.literal('number'), number: z.int() }),
    ])
    .nullable(),
  remarks: z.array(z.string()).max(5),
});
const formName = 'preflight';
const word = 'chart';
const seed = 1;

/** One test question to a model. */
interface Test {
  readonly role: ModelRole;
  readonly config: ModelConfig;
  readonly question: TestQuestion;
  readonly admission: Admission;
  /** Whether models may be at private and loopback addresses. */
  readonly allowLocal: boolean;
}

export type TryModel = (test: Test) => Promise<TriedModel>;

/** Asks a model one test question, and once more if trouble may pass at once. */
export const askModelTestQuestion: TryModel = ({ role, config, question, admission, allowLocal }) => {
  const fetch = makeGuardedFetch({ admission, allowLocal, ...modelAnswerBounds });
  return askTestQuestionAndReportLearnt(
    makeEndpoint(role, config, { admission, fetch, maxRetries: 1, maxWaitMs: 2_000 }),
    config,
    question,
  );
};

/** Asks an endpoint one test question. */
export async function askTestQuestionAndReportLearnt(
  endpoint: Endpoint,
  { apiKey }: Pick<ModelConfig, 'apiKey'>,
  question: TestQuestion,
): Promise<TriedModel> {
  const { trial, call } = await askTestQuestion(endpoint, question, apiKey);
  const { published, known } = endpoint.dialect();
  const format = question.kind === 'form' ? getAcceptedOrConfiguredFormat(endpoint, formName) : null;
  const learntFormat = format === null || format === published.structuredOutput ? {} : { structuredOutput: format };
  const learnt = { ...pickChangedDialectFields(published, known), ...learntFormat };
  const adaptations = listDifferencesOfTwoDialects(published, dialectWithChange(published, learnt));
  return { trial, call, learnt, adaptations, wire: known.wire, structuredOutput: format };
}

type TrialAndCall = Pick<TriedModel, 'trial' | 'call'>;

function askTestQuestion(endpoint: Endpoint, question: TestQuestion, apiKey: string): Promise<TrialAndCall> {
  switch (question.kind) {
    case 'form':
      return tryStructuredAnswer(endpoint, apiKey);
    case 'turn':
      return tryAgentTurn(endpoint, question, apiKey);
    case 'vector':
      return tryEmbedding(endpoint, apiKey);
  }
}

async function tryStructuredAnswer(endpoint: Endpoint, apiKey: string): Promise<TrialAndCall> {
  const form = getOrMakeStrictJsonSchema(testForm);
  const prompt = render(prompts.preflight, { word });
  const messages = [
    {
      role: 'user' as const,
      content: [prompt, render(prompts.answerForm, { form })]
        .flatMap((each) => each.messages.map(({ content }) => content))
        .join('\n\n'),
    },
  ];
  const answer = await completeInStrictestAcceptedFormat(endpoint, {
    prompt: prompt.id,
    messages,
    seed,
    name: formName,
    form,
  });
  return makeTrialOfAnswer(answer, apiKey, ({ content }) => {
    const json = parseJsonOrLastObjectInText(content);
    if (!json.ok) return { kind: 'formless', detail: 'its answer is not JSON' };
    const parsed = testForm.safeParse(json.value);
    return parsed.success
      ? { kind: 'answered', called: false }
      : { kind: 'formless', detail: z.prettifyError(parsed.error).replaceAll(/\s+/g, ' ').slice(0, 300) };
  });
}

async function tryAgentTurn(
  endpoint: Endpoint,
  { loop, variables, functions, parallelCalls }: Extract<TestQuestion, { kind: 'turn' }>,
  apiKey: string,
): Promise<TrialAndCall> {
  const prompt = render(loopPrompts[loop][0], variables);
  const question = { messages: prompt.messages, functions, parallelCalls, seed };
  const answer = await endpoint.complete({ prompt: prompt.id, question });
  return makeTrialOfAnswer(answer, apiKey, ({ toolCalls }) => ({ kind: 'answered', called: toolCalls.length > 0 }));
}

async function tryEmbedding(endpoint: Endpoint, apiKey: string): Promise<TrialAndCall> {
  const answer = await endpoint.embed([`This only tests the connection: ${word}`]);
  if (answer.ok) return { trial: { kind: 'answered', called: false }, call: answer.call };
  return makeTrialAndCallOfFailedAnswer(answer, apiKey);
}

function makeTrialOfAnswer(
  answer: EndpointAnswer<Completion>,
  apiKey: string,
  read: (completion: Completion) => Trial,
): TrialAndCall {
  if (!answer.ok) return makeTrialAndCallOfFailedAnswer(answer, apiKey);
  const { value, call } = answer;
  if (value.overflowed === true) return { trial: { kind: 'overflowed' }, call };
  if (value.finish === 'refused')
    return { trial: { kind: 'stopped', detail: 'the model or a filter declined the test question' }, call };
  if (value.finish === 'length')
    return { trial: { kind: 'stopped', detail: 'the answer to the test question was cut' }, call };
  return { trial: read(value), call };
}

const makeTrialAndCallOfFailedAnswer = (
  {
    fault,
    said,
    tooManyFunctions,
    call,
  }: Pick<Extract<EndpointAnswer<never>, { ok: false }>, 'fault' | 'said' | 'tooManyFunctions' | 'call'>,
  apiKey: string,
): TrialAndCall => ({
  trial: {
    kind: 'fault',
    fault,
    tooManyFunctions: tooManyFunctions === true,
    quoted: providerWordsWithoutSecretsOrNull(said, apiKey),
  },
  call: call ?? null,
});

/** Returns the fields in which a dialect differs from another. */
function pickChangedDialectFields(published: Readonly<Record<string, unknown>>, known: DialectSetting): DialectSetting {
  return Object.fromEntries(
    Object.entries(known).filter(([name, value]) => JSON.stringify(published[name]) !== JSON.stringify(value)),
  );
}
