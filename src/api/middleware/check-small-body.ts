import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../context.ts';
import { refusal } from '../problem.ts';

const jsonBytes = 1024 * 1024;

/** Uploads are the only bodies that are not JSON and may be larger; their endpoints limit them. */
const uploadPath =
  /^\/v1\/(benchmarks\/import|servers\/import|submissions\/upload|recordings\/import|knowledge\/[^/]+\/passages)$/;

/** The model gateway reads bodies of its own bound. */
const modelPath = /^\/models\/attempts\//;

/** The only address that a form of our own pages is sent to. */
export const consentPagePath = '/oauth/consent';

const jsonType = { name: 'application/json', pattern: /^application\/json(\s*;|$)/i };
const formType = { name: 'application/x-www-form-urlencoded', pattern: /^application\/x-www-form-urlencoded(\s*;|$)/i };

const checkSize = bodyLimit({
  maxSize: jsonBytes,
  onError: () => {
    throw refusal('body-too-large', `a body may have ${jsonBytes} bytes here`);
  },
});

/** Checks size and content type of bodies that are no uploads before anything reads them: JSON, except from a form of our own pages. */
export const checkSmallBody = createMiddleware<ApiEnv>(async (c, next) => {
  if (uploadPath.test(c.req.path) || !['POST', 'PUT', 'PATCH'].includes(c.req.method)) return next();
  const type = c.req.header('content-type');
  const empty = c.req.raw.body === null || c.req.header('content-length') === '0';
  const wanted = c.req.path === consentPagePath ? formType : jsonType;
  if (!empty && !wanted.pattern.test(type ?? '')) {
    throw refusal('unsupported-media-type', `send the body as ${wanted.name}, not as ${type ?? 'nothing'}`);
  }
  return modelPath.test(c.req.path) ? next() : checkSize(c, next);
});
