import { z } from 'zod';

/** What an endpoint says of its error, whatever form it says it in. */
export interface EndpointError {
  /** Its names for the error: `code` and `type`. */
  readonly codes: readonly (string | number)[];
  readonly message: string;
  /** The fields of the request that it names, such as `seed` or `tools[0].function.description`. */
  readonly params: readonly string[];
  /** How long it asks to wait, as Gemini writes it (`37s`). */
  readonly retryDelay?: string | undefined;
}

const silent: EndpointError = { codes: [], message: '', params: [] };

const code = z.union([z.string(), z.number()]).optional().catch(undefined);
const fields = z.looseObject({
  code,
  type: code,
  param: z.string().optional().catch(undefined),
  retryDelay: z.string().optional().catch(undefined),
  metadata: z.looseObject({ raw: z.unknown().optional() }).optional().catch(undefined),
  /** FastAPI's form, of Mistral and vLLM: the place of a field and what is wrong with it. */
  loc: z
    .array(z.union([z.string(), z.number()]))
    .optional()
    .catch(undefined),
  msg: z.string().optional().catch(undefined),
});

const deepest = 8;
const mostInList = 50;
const mostMessageChars = 20_000;

/**
 * Reads the body of an error: OpenAI's and Anthropic's (`error`), Gemini's (a list of one), vLLM's (flat), Mistral's
 * (`detail`, or a message that holds one), Ollama's (a text), and OpenRouter's, which quotes the error of the endpoint
 * behind it (`metadata.raw`).
 */
export function parseEndpointError(body: unknown, depth = 0): EndpointError {
  if (depth > deepest) return silent;
  if (typeof body === 'string') return parseErrorText(body, depth);
  if (Array.isArray(body)) {
    return body
      .slice(0, mostInList)
      .map((each) => parseEndpointError(each, depth + 1))
      .reduce(mergeErrors, silent);
  }
  const said = fields.safeParse(body).data;
  if (said === undefined) return silent;
  const own: EndpointError = {
    codes: [said.code, said.type].filter((each) => each !== undefined),
    message: said.msg ?? '',
    retryDelay: said.retryDelay,
    params: [said.param, said.loc === undefined ? undefined : fieldNameOfLocation(said.loc)].filter(
      (each) => each !== undefined,
    ),
  };
  const inner = [said['error'], said['detail'], said['message'], said['details'], said.metadata?.raw];
  return inner.map((each) => parseEndpointError(each ?? null, depth + 1)).reduce(mergeErrors, own);
}

/** A message may hold the JSON of another error. */
function parseErrorText(text: string, depth: number): EndpointError {
  const words = text.slice(0, mostMessageChars);
  if (/^\s*[[{]/.test(words)) {
    try {
      return parseEndpointError(JSON.parse(words), depth + 1);
    } catch {
      return { ...silent, message: words };
    }
  }
  return { ...silent, message: words };
}

/** `body` is where FastAPI looks for all fields. */
const fieldNameOfLocation = (loc: readonly (string | number)[]): string =>
  loc.filter((part) => part !== 'body').join('.');

const mergeErrors = (a: EndpointError, b: EndpointError): EndpointError => ({
  codes: [...a.codes, ...b.codes],
  message: [a.message, b.message].filter((each) => each !== '').join('\n'),
  params: [...a.params, ...b.params],
  retryDelay: a.retryDelay ?? b.retryDelay,
});
