import { bodyLimit } from 'hono/body-limit';
import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../context.ts';
import { refusal } from '../problem.ts';

const jsonBytes = 1024 * 1024;

/** Uploads are the only bodies that are not JSON and may be larger; their endpoints limit them. */
const uploadPath =
  /^\/v1\/(benchmarks\/import|servers\/import|submissions\/upload|recordings\/import|knowledge\/[^/]+\/passages)$/;

const modelPath = /^\/models\/attempts\//;

const checkJsonSize = bodyLimit({
  maxSize: jsonBytes,
  onError: () => {
    throw refusal('body-too-large', `a JSON body may have ${jsonBytes} bytes`);
  },
});

/** Checks size and content type of JSON bodies before anything reads them. */
export const checkJsonBody = createMiddleware<ApiEnv>(async (c, next) => {
  if (uploadPath.test(c.req.path) || !['POST', 'PUT', 'PATCH'].includes(c.req.method)) return next();
  const type = c.req.header('content-type');
  const empty = c.req.raw.body === null || c.req.header('content-length') === '0';
  if (!empty && !/^application\/json(\s*;|$)/i.test(type ?? '')) {
    throw refusal('unsupported-media-type', `send the body as application/json, not as ${type ?? 'nothing'}`);
  }
  // The model gateway reads bodies of its own bound.
  return modelPath.test(c.req.path) ? next() : checkJsonSize(c, next);
});
