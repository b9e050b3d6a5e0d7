import { z } from 'zod';
import { errorCodes } from '#core/values/errors.ts';
import { parseRetryAfterMs } from '#core/values/retry-after.ts';

/** A problem as the API reports it (RFC 9457). An unknown code reads `unknown`. */
const problemDocument = z.object({
  title: z.string(),
  status: z.int(),
  code: z.enum([...errorCodes, 'unknown']).catch('unknown'),
  detail: z.string(),
  retryable: z.boolean(),
  requestId: z.string(),
  issues: z.array(z.object({ where: z.string(), message: z.string() })).optional(),
});
export type ProblemDocument = z.infer<typeof problemDocument>;

/** The API refused a call. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ProblemDocument['code'];
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly retryable: boolean;
  /** Identifies the call in the service's logs; empty if something in front of the service answered. */
  readonly requestId: string;
  readonly issues: readonly { readonly where: string; readonly message: string }[];
  /** When the service asked to be called again, in milliseconds; null if it did not say. */
  readonly retryAfterMs: number | null;

  constructor(problem: ProblemDocument, retryAfterMs: number | null = null) {
    super(`${problem.title}: ${problem.detail}`);
    this.code = problem.code;
    this.status = problem.status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.retryable = problem.retryable;
    this.requestId = problem.requestId;
    this.issues = problem.issues ?? [];
    this.retryAfterMs = retryAfterMs;
  }
}

/** The connection to the API broke: there was no answer, or only a part of one. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  /** Whether certainly nothing arrived. */
  readonly unsent: boolean;

  constructor(message: string, { unsent, cause }: { readonly unsent: boolean; readonly cause?: unknown }) {
    super(message, { cause });
    this.unsent = unsent;
  }
}

/** The API's answer has the wrong form: client and service do not match. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
}

/** Converts a response other than 2xx to an error. */
export async function toApiError(response: Response): Promise<ApiError> {
  const text = await response.text().catch(() => '');
  const retryAfterMs = parseRetryAfterMs(response.headers, Date.now()) ?? null;
  const parsedProblem = problemDocument.safeParse(parseJsonOrNull(text));
  if (parsedProblem.success) return new ApiError(parsedProblem.data, retryAfterMs);
  const problem: ProblemDocument = {
    title: 'The answer is not one of the API',
    status: response.status,
    code: 'unknown',
    detail: `HTTP ${response.status}${text === '' ? '' : `: ${text.slice(0, 200)}`}`,
    retryable: response.status === 429 || response.status >= 500,
    requestId: response.headers.get('x-request-id') ?? '',
  };
  return new ApiError(problem, retryAfterMs);
}

function parseJsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
