import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { errorCatalog, errorCodes, type ErrorCode, type Problem } from '#core/values/errors.ts';
import type { Result } from '#core/values/result.ts';

/** A problem thrown to `app.ts`, which turns it into the response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.code);
    this.problem = problem;
  }
}

/** Returns the value of a result, or refuses the request. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Refusal(result.problem);
}

export const refusal = (code: ErrorCode, detail: string, issues?: Problem['issues']): Refusal =>
  new Refusal(issues === undefined ? { code, detail } : { code, detail, issues });

/** An RFC 9457 document with a code of the error catalog. */
export const problemDocument = documented(
  z.object({
    type: documented(z.string(), { example: '/docs/errors#not-found' }),
    title: z.string(),
    status: z.int(),
    code: z.enum(errorCodes),
    detail: z.string(),
    retryable: z.boolean(),
    requestId: z.string(),
    issues: z.array(z.object({ where: z.string(), message: z.string() })).optional(),
    retryAfter: documented(z.int().min(0).optional(), {
      description: 'Seconds until the same request may succeed, as in the header `Retry-After`.',
    }),
  }),
  'Problem',
);

/** What RFC 6750 has a client told that sends no key. */
export const challenge = 'Bearer realm="sextant"';

/** The only place where a reason becomes a response. */
export function problemResponse(problem: Problem, requestId: string): Response {
  const entry = errorCatalog[problem.code];
  const retryAfter = problem.retryAfterMs === undefined ? undefined : Math.ceil(problem.retryAfterMs / 1_000);
  const body: z.infer<typeof problemDocument> = {
    type: `/docs/errors#${problem.code}`,
    title: entry.title,
    status: entry.status,
    code: problem.code,
    detail: problem.detail,
    retryable: entry.retryable,
    requestId,
    ...(problem.issues === undefined ? {} : { issues: [...problem.issues] }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
  return new Response(JSON.stringify(body), {
    status: entry.status,
    headers: {
      'content-type': 'application/problem+json',
      'x-request-id': requestId,
      ...(entry.status === 401 ? { 'www-authenticate': challenge } : {}),
      ...(retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) }),
    },
  });
}

const problemContent = { 'application/problem+json': { schema: problemDocument } };

type ProblemResponses = Record<string, { description: string; content: typeof problemContent }>;

/** Problems of a JSON body that are found before an endpoint reads it. */
export const bodyProblems = ['malformed-json', 'unsupported-media-type', 'body-too-large'] as const;

/** The declared problem responses of an endpoint that needs a key: the common ones and its own. */
export const describeProblemResponses = (...codes: readonly ErrorCode[]): ProblemResponses =>
  describePublicProblemResponses('unauthorized', 'forbidden', ...codes);

/** The same for a public endpoint. */
export function describePublicProblemResponses(...codes: readonly ErrorCode[]): ProblemResponses {
  const always: readonly ErrorCode[] = [
    'invalid-request',
    'headers-too-large',
    'too-many-requests',
    'storage-full',
    'internal-error',
  ];
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...always, ...codes])) {
    const { status } = errorCatalog[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    Array.from(byStatus, ([status, list]) => [
      String(status),
      { description: list.join(', '), content: problemContent },
    ]),
  );
}
