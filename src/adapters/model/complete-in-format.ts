import { dialect, type StructuredOutput } from '#core/models/dialect.ts';
import type { Completion } from './completion.ts';
import type { Question } from './compose-request.ts';
import type { Endpoint } from './endpoint.ts';
import type { EndpointAnswer } from './exchange.ts';

const formats = dialect.shape.structuredOutput.options;

/**
 * What endpoints took that had refused something stricter, by address, model and form: an endpoint may refuse the schema of
 * one form and take those of others. It lasts as long as the process and is only a shortcut: without it the stricter formats
 * are refused once more.
 */
const accepted = new Map<string, StructuredOutput>();
const mostRemembered = 1_000;

/** Statuses with which endpoints refuse a request whose fields they do not take. */
const refusals: ReadonlySet<number | undefined> = new Set([400, 422]);

interface FormQuestion extends Omit<Question, 'form' | 'functions' | 'parallelCalls'> {
  readonly prompt: string;
  /** Name of the form, and its JSON schema. */
  readonly name: string;
  readonly form: Record<string, unknown>;
}

/**
 * Asks for an answer in a form, beginning with the strictest format of the endpoint's dialect. An endpoint that refuses the
 * request is asked again with less strict formats, and once it takes one, later requests for this form begin with it. If it
 * refuses all of them, returns the first refusal. A conversation that is too long or filtered is no refused request but a
 * completion, and is not asked about again.
 */
export async function completeInStrictestAcceptedFormat(
  to: Endpoint,
  { prompt, name, form: schema, ...question }: FormQuestion,
): Promise<EndpointAnswer<Completion>> {
  const published = to.structuredOutput;
  const ask = async (format: StructuredOutput): Promise<EndpointAnswer<Completion>> => {
    const answer = await to.complete({ prompt, question: { ...question, form: { format, name, schema } } });
    if (!answer.ok || format === published) return answer;
    const { adaptations = [] } = answer.call;
    return { ...answer, call: { ...answer.call, adaptations: [...adaptations, `structuredOutput: ${format}`] } };
  };
  const key = `${to.address} ${name}`;
  const strictest = accepted.get(key) ?? to.structuredOutputTaken;
  const first = await ask(strictest);
  if (!isFormatRefused(first)) return first;
  for (const format of formats.slice(formats.indexOf(strictest) + 1)) {
    const answer = await ask(format);
    if (isFormatRefused(answer)) continue;
    // An endpoint that could not read or write the whole conversation may not have looked at its format.
    if (answer.ok && answer.value.finish === 'stop') cacheAcceptedFormat(key, format);
    return answer;
  }
  return first;
}

/** Returns the format in which an endpoint took a form, as far as this process knows. */
export const getAcceptedOrConfiguredFormat = (to: Endpoint, name: string): StructuredOutput =>
  accepted.get(`${to.address} ${name}`) ?? to.structuredOutputTaken;

const isFormatRefused = (answer: EndpointAnswer<Completion>): boolean => !answer.ok && refusals.has(answer.status);

function cacheAcceptedFormat(key: string, format: StructuredOutput): void {
  if (accepted.size >= mostRemembered) accepted.clear();
  accepted.set(key, format);
}
