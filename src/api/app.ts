import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import { Admission } from '#adapters/network/admission.ts';
import { harnessVersion } from '#core/harness.ts';
import type { Api, ApiEnv, Services } from './context.ts';
import { fixedDocument } from './fixed-document.ts';
import { newId } from './ids.ts';
import { KnownKeys } from './known-keys.ts';
import { jsonBodies } from './middleware/body.ts';
import { fromPageCache } from './middleware/page-cache.ts';
import { countRequests } from './middleware/rate-limit.ts';
import { problemResponse, refusal, Refusal } from './problem.ts';
import { endpoints } from './routes/index.ts';

/** The whole API over the given services. It knows nothing of Cloudflare. */
export function createApp(services: Services): Api {
  const api: Api = new OpenAPIHono<ApiEnv>({
    defaultHook: (result) => {
      if (result.success) return;
      const where = result.target === 'json' ? '' : result.target;
      const issues = result.error.issues.slice(0, 20).map((issue) => ({
        where: `${where}/${issue.path.join('/')}`,
        message: issue.message,
      }));
      throw refusal('invalid-request', issues.map(({ where: at, message }) => `${at}: ${message}`).join('; '), issues);
    },
  });

  const knownKeys = new KnownKeys();
  api.use(async (c, next) => {
    c.set('services', services);
    c.set('knownKeys', knownKeys);
    c.set('admission', new Admission());
    c.set('requestId', newId('req', new Date()));
    await next();
    const { headers } = c.res;
    headers.set('x-request-id', c.var.requestId);
    headers.set('x-content-type-options', 'nosniff');
    // Only what says so itself may be kept by anybody.
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  });
  for (const counted of ['/v1/*', '/mcp/*', '/leaderboards/*', '/docs/*', '/openapi.json'])
    api.use(counted, countRequests);
  for (const cached of ['/v1/leaderboards/*', '/leaderboards/*']) api.use(cached, fromPageCache);
  api.use(jsonBodies);
  for (const add of endpoints) add(api);

  api.openAPIRegistry.registerComponent('securitySchemes', 'key', { type: 'http', scheme: 'bearer' });
  api.get(
    '/openapi.json',
    fixedDocument({
      contentType: 'application/json',
      text: () =>
        JSON.stringify(
          api.getOpenAPI31Document({
            openapi: '3.1.0',
            info: { title: 'Sextant', version: harnessVersion, description: 'Charts the tool space of MCP servers.' },
            security: [{ key: [] }],
          }),
        ),
    }),
  );

  api.notFound((c) => {
    const { path, method } = c.req;
    const allowed = api.routes
      .filter((route) => route.method !== 'ALL' && matches(route.path, path))
      .map((route) => route.method);
    if (allowed.length === 0)
      return problemResponse({ code: 'not-found', detail: `nothing is at ${path}` }, c.var.requestId);
    const offered = [...new Set(allowed)].join(', ');
    const detail = `${path} offers ${offered}, not ${method}`;
    const response = problemResponse({ code: 'method-not-allowed', detail }, c.var.requestId);
    response.headers.set('allow', offered);
    return response;
  });
  api.onError((error, c) => {
    const requestId = c.var.requestId;
    if (error instanceof Refusal) return problemResponse(error.problem, requestId);
    if (error instanceof HTTPException && error.status === 400) {
      return problemResponse({ code: 'malformed-json', detail: 'the body cannot be read as JSON' }, requestId);
    }
    console.error(JSON.stringify({ requestId, error: error.message, stack: error.stack }));
    return problemResponse({ code: 'internal-error', detail: `quote ${requestId} when you report this` }, requestId);
  });
  return api;
}

/** Whether a path fits a route's pattern, in which `:name` stands for one segment. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/');
  const given = path.split('/');
  return wanted.length === given.length && wanted.every((part, place) => part.startsWith(':') || part === given[place]);
}
