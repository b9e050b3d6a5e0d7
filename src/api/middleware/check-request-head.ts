import { createMiddleware } from 'hono/factory';
import type { ApiEnv } from '../context.ts';
import { refusal } from '../problem.ts';

/** The most characters of all headers together, with `: ` and the end of each line. */
export const mostHeaderChars = 32 * 1024;

/** The most characters of an address with its query; Cloudflare's network takes no longer one either. */
export const longestAddressChars = 16 * 1024;

/** Refuses headers and addresses that no client needs before anything else is done with a request. */
export const checkRequestHead = createMiddleware<ApiEnv>(async (c, next) => {
  const { url, headers } = c.req.raw;
  if (url.length > longestAddressChars)
    throw refusal(
      'invalid-request',
      `an address may have ${longestAddressChars} characters; this one has ${url.length}`,
    );
  const chars = countHeaderChars(headers);
  if (chars > mostHeaderChars)
    throw refusal(
      'headers-too-large',
      `the headers of a request may have ${mostHeaderChars} characters together; these have ${chars}`,
    );
  await next();
});

function countHeaderChars(headers: Headers): number {
  let chars = 0;
  for (const [name, value] of headers) chars += name.length + value.length + ': \r\n'.length;
  return chars;
}
