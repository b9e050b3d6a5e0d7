import { dialectWithChange, type Dialect, type DialectSetting } from '#core/models/dialect.ts';
import type { EndpointError } from './endpoint-error.ts';

/** Words with which endpoints refuse a field as such. */
const notTaken =
  /\b(?:unknown|unrecogni[sz]ed|unsupported|unexpected|unavailable|not (?:supported|permitted|allowed|recogni[sz]ed)|does ?n[o']t support|forbidden|extra|cannot find field)\b/i;

/** A field of requests that an endpoint may refuse, and the dialect without it. */
interface Optional {
  /** Its name in requests. */
  readonly name: string;
  readonly setting: keyof Dialect;
  readonly without: (error: EndpointError) => DialectSetting;
}

const optionals: readonly Optional[] = [
  { name: 'seed', setting: 'seed', without: () => ({ seed: 'none' }) },
  { name: 'random_seed', setting: 'seed', without: () => ({ seed: 'none' }) },
  { name: 'parallel_tool_calls', setting: 'parallelFlag', without: () => ({ parallelFlag: false }) },
  { name: 'stream_options', setting: 'streamUsage', without: () => ({ streamUsage: false }) },
  { name: 'max_completion_tokens', setting: 'tokenLimit', without: () => ({ tokenLimit: 'max_tokens' }) },
  {
    name: 'max_tokens',
    setting: 'tokenLimit',
    without: ({ message }) => ({
      tokenLimit: message.includes('max_completion_tokens') ? 'max_completion_tokens' : 'none',
    }),
  },
];

/** Says how many completion tokens a model has at most. */
const completionLimits: readonly RegExp[] = [
  /\bat most (\d+) completion tokens/i,
  /> (\d+), which is the maximum allowed number of output tokens/i,
  /\brange of max_(?:completion_)?tokens is \[1, (\d+)\]/i,
  /\bmax_(?:completion_)?tokens`? must be less than or equal to `?(\d+)/i,
];

/**
 * Returns the dialect that an endpoint's refusal asks for: without the optional fields that it names, or within the bounds
 * that it states. Null if it says nothing of the kind, or only of what the client has set. `sent` is the refused request.
 */
export function learnDialectFromRefusal(
  known: Dialect,
  error: EndpointError,
  sent: Readonly<Record<string, unknown>>,
  set: DialectSetting = {},
): Dialect | null {
  const learnt: DialectSetting = {
    ...learnCompletionTokenLimit(error),
    ...learnRefusedOptionalFields(error, sent, set),
    ...learnFunctionSettingsFromError(error, known, set),
    ...learnRefusalOfReturnedFields(error),
    ...learnRefusalOfDeferredFunctions(error, set),
  };
  const next = dialectWithChange(known, learnt);
  return JSON.stringify(next) === JSON.stringify(known) ? null : next;
}

function learnCompletionTokenLimit({ message }: EndpointError): DialectSetting {
  const most = completionLimits.map((words) => words.exec(message)?.[1]).find((each) => each !== undefined);
  return most === undefined || Number(most) < 1 ? {} : { mostCompletionTokens: Number(most) };
}

function learnRefusedOptionalFields(
  error: EndpointError,
  sent: Readonly<Record<string, unknown>>,
  set: DialectSetting,
): DialectSetting {
  if ('mostCompletionTokens' in learnCompletionTokenLimit(error)) return {};
  return optionals
    .filter(({ name, setting }) => name in sent && !(setting in set) && isFieldRefused(error, name))
    .reduce<DialectSetting>((all, { without }) => ({ ...all, ...without(error) }), {});
}

function isFieldRefused({ message, params, codes }: EndpointError, name: string): boolean {
  const isNotTaken = notTaken.test(message) || codes.some((code) => notTaken.test(String(code).replaceAll('_', ' ')));
  if (params.length > 0) return isNotTaken && params.includes(name);
  return isNotTaken && new RegExp(String.raw`(?<!\w)${name}(?!\w)`).test(message);
}

/** The words by which endpoints refuse the schemas of functions. */
const schemaProfiles: readonly (readonly [Dialect['functionSchemas'], RegExp])[] = [
  ['gemini', /\bUnknown name "[^"]+" at '[\w.]*tools\[\d+\]/],
  ['openai', /\bnot have 'oneOf'\/'anyOf'\/'allOf'/],
  ['anthropic', /\binput_schema\b[^\n]*(?:at the top level|\bProperty keys should match)/],
];

function learnFunctionSettingsFromError(
  { message, params, codes }: EndpointError,
  known: Dialect,
  set: DialectSetting,
): DialectSetting {
  const profile = schemaProfiles.find(([, words]) => words.test(message))?.[0];
  if (profile !== undefined && known.functionSchemas === 'any' && set.functionSchemas === undefined)
    return { functionSchemas: profile };
  const isDescription = [...params, message].some((each) => /\btools\[\d+\]\.function\.description\b/.test(each));
  const most = /\bmaximum length (\d+)/i.exec(message)?.[1];
  const isTooLong = codes.includes('string_above_max_length') || /\bstring too long\b/i.test(message);
  return isDescription && isTooLong && most !== undefined && Number(most) > 0
    ? { longestDescription: Number(most) }
    : {};
}

/**
 * Returns whether a refused chat completion is to be a request to the Responses API. OpenAI's models from gpt-5.5 on refuse
 * functions in chat completions with reasoning, some all chat completions, and say so.
 */
export const asksForResponsesApi = ({ message }: EndpointError): boolean =>
  /\b(?:use|only supported in)\s+\/?v1\/responses\b/i.test(message);

/** Groq refuses what its own messages contain. */
const learnRefusalOfReturnedFields = ({ message, params }: EndpointError): DialectSetting => {
  const ofMessages = params.some((param) => /^messages[.[]/.test(param)) || /\bmessages(?:\.\d+|\[\d+\])/.test(message);
  const named = /\b(?:reasoning\w*|extra_content)\b/.test(`${message} ${params.join(' ')}`);
  return ofMessages && named && notTaken.test(message) ? { returnsFields: false } : {};
};

/** An endpoint that looks like one that loads functions, and is not: it gets them as any others. */
const learnRefusalOfDeferredFunctions = ({ message, params }: EndpointError, set: DialectSetting): DialectSetting =>
  set.deferredFunctions === undefined &&
  /\b(?:defer_loading|tool_reference|tool_search(?:_call|_output)?)\b/.test(`${message} ${params.join(' ')}`)
    ? { deferredFunctions: false }
    : {};
