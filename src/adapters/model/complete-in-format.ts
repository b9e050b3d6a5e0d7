import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import type { Completion } from './completion.ts';
import type { Endpoint, EndpointAnswer } from './endpoint.ts';

/** What a request says about the form of its answer, strictest first: a schema, that it is JSON, nothing. */
const formats = ['json_schema', 'json_object', 'none'] as const;
type Format = (typeof formats)[number];

/**
 * What endpoints took that had refused something stricter, by address, model and form: an endpoint may refuse the schema of
 * one form and take those of others. It lasts as long as the process and is only a shortcut: without it the stricter formats
 * are refused once more.
 */
const accepted = new Map<string, Format>();
const mostRemembered = 1_000;

/** Statuses with which endpoints refuse a request whose fields they do not take. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 422]);

interface FormQuestion {
  readonly prompt: string;
  readonly messages: ChatCompletionMessageParam[];
  readonly seed: number;
  /** Name of the form, and its JSON schema. */
  readonly name: string;
  readonly form: Record<string, unknown>;
}

/**
 * Asks for an answer in a form. An endpoint that refuses the request is asked again with less strict formats, and once
 * it takes one, later requests for this form begin with it. If it refuses all of them, returns the first refusal. A
 * conversation that is too long or filtered is no refused request but a completion, and is not asked about again.
 */
export async function completeInFormat(
  to: Endpoint,
  { prompt, messages, seed, name, form }: FormQuestion,
): Promise<EndpointAnswer<Completion>> {
  const ask = (format: Format): Promise<EndpointAnswer<Completion>> =>
    to.complete({ prompt, body: { messages, seed, ...responseFormat(format, name, form) } });
  const key = `${to.address} ${name}`;
  const strictest = accepted.get(key) ?? 'json_schema';
  const first = await ask(strictest);
  if (!isRefused(first)) return first;
  for (const format of formats.slice(formats.indexOf(strictest) + 1)) {
    const answer = await ask(format);
    if (isRefused(answer)) continue;
    // An endpoint that could not read or write the whole conversation may not have looked at its format.
    if (answer.ok && answer.value.finish === 'stop') rememberAcceptedFormat(key, format);
    return answer;
  }
  return first;
}

const isRefused = (answer: EndpointAnswer<Completion>): boolean => !answer.ok && refusals.has(answer.status);

function rememberAcceptedFormat(key: string, format: Format): void {
  if (accepted.size >= mostRemembered) accepted.clear();
  accepted.set(key, format);
}

function responseFormat(format: Format, name: string, schema: Record<string, unknown>) {
  switch (format) {
    case 'json_schema':
      return { response_format: { type: format, json_schema: { name, strict: true, schema } } };
    case 'json_object':
      return { response_format: { type: format } };
    case 'none':
      return {};
  }
}
