import { isStorageFull } from '#adapters/network/platform-errors.ts';
import { issueText } from '#core/values/issue-text.ts';
import { OpenAPIHono, type Hook } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { methodNotAllowed } from 'hono/method-not-allowed';
import { Admission } from '#adapters/network/admission.ts';
import { harnessVersion } from '#core/values/harness-version.ts';
import type { Api, ApiEnv, Services } from './context.ts';
import { makeFixedDocumentHandler } from './fixed-document.ts';
import { newId } from './ids.ts';
import { KnownKeys } from './known-keys.ts';
import { checkSmallBody } from './middleware/check-small-body.ts';
import { checkRequestHead } from './middleware/check-request-head.ts';
import { readBearerKey } from './middleware/identify.ts';
import { answerFromPageCache } from './middleware/page-cache.ts';
import { countRequests } from './middleware/rate-limit.ts';
import { challenge, problemResponse, refusal, Refusal } from './problem.ts';
import { endpoints } from './routes/index.ts';

/** Requests to these are counted by caller. */
const countedPaths = [
  '/v1/*',
  '/mcp/*',
  '/models/*',
  '/leaderboards/*',
  '/cards/*',
  '/docs/*',
  '/oauth/*',
  '/openapi.json',
] as const;

/** Builds the whole API over the given services. It knows nothing about Cloudflare. */
export function createApp(services: Services): Api {
  const api: Api = new OpenAPIHono<ApiEnv>({ defaultHook: throwIfRequestInvalid });
  const knownKeys = new KnownKeys();
  const admissions = new WeakMap<Request, Admission>();
  api.use(async (c, next) => {
    const admission = admissions.get(c.req.raw) ?? new Admission();
    c.set('services', services);
    c.set('knownKeys', knownKeys);
    c.set('admission', admission);
    c.set('askApi', (request) => {
      // The places of one invocation are for all of its requests.
      admissions.set(request, admission);
      return Promise.resolve(api.fetch(request, c.env));
    });
    c.set('requestId', newId('req', new Date()));
    await next();
    const { headers } = c.res;
    headers.set('x-request-id', c.var.requestId);
    headers.set('x-content-type-options', 'nosniff');
    // Responses may be cached only if they say so themselves.
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  });
  api.use(checkRequestHead);
  for (const counted of countedPaths) api.use(counted, countRequests);
  for (const cached of ['/v1/leaderboards/*', '/leaderboards/*']) api.use(cached, answerFromPageCache);
  api.use(checkSmallBody);
  api.use(methodNotAllowed({ app: api, onMethodNotAllowed: methodNotAllowedResponse }));
  for (const add of endpoints) add(api);
  addOpenApiRoute(api);
  api.notFound((c) => problemResponse({ code: 'not-found', detail: `nothing is at ${c.req.path}` }, c.var.requestId));
  api.onError(convertErrorToProblemResponse);
  return api;
}

/** Converts zod's findings on a request to a refusal. */
const throwIfRequestInvalid: Hook<unknown, ApiEnv, string, unknown> = (result) => {
  if (result.success) return;
  const where = result.target === 'json' ? '' : result.target;
  const issues = result.error.issues.slice(0, 20).map((issue) => ({
    where: `${where}/${issue.path.join('/')}`,
    message: issueText(issue),
  }));
  throw refusal('invalid-request', issues.map(({ where: at, message }) => `${at}: ${message}`).join('; '), issues);
};

function methodNotAllowedResponse(c: Context<ApiEnv>, methods: readonly string[]): Response {
  const offered = methods.join(', ');
  const detail = `${c.req.path} offers ${offered}, not ${c.req.method}`;
  const response = problemResponse({ code: 'method-not-allowed', detail }, c.var.requestId);
  response.headers.set('allow', offered);
  return response;
}

/** Serves the OpenAPI document. */
function addOpenApiRoute(api: Api): void {
  api.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' });
  const text = () =>
    JSON.stringify(
      api.getOpenAPI31Document({
        openapi: '3.1.0',
        info: { title: 'Sextant', version: harnessVersion, description: 'Charts the tool space of MCP servers.' },
        security: [{ key: [] }],
      }),
    );
  api.get('/openapi.json', makeFixedDocumentHandler({ contentType: 'application/json', text }));
}

function convertErrorToProblemResponse(error: Error, c: Context<ApiEnv>): Response {
  const { requestId } = c.var;
  if (error instanceof Refusal) {
    const response = problemResponse(error.problem, requestId);
    // RFC 6750, section 3.1: only a client that sent a key is told that it is of no use.
    if (response.status === 401 && readBearerKey(c) !== undefined)
      response.headers.set('www-authenticate', `${challenge}, error="invalid_token"`);
    return response;
  }
  if (error instanceof HTTPException && error.status === 400)
    return problemResponse({ code: 'malformed-json', detail: 'the body cannot be read as JSON' }, requestId);
  console.error(JSON.stringify({ requestId, error: error.message, stack: error.stack }));
  if (isStorageFull(error))
    return problemResponse({ code: 'storage-full', detail: 'nothing of this request was kept' }, requestId);
  return problemResponse({ code: 'internal-error', detail: `quote ${requestId} when you report this` }, requestId);
}
