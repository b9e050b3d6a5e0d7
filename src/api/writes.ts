import { documented } from '#api/documented.ts';
import { z } from '@hono/zod-openapi';
import { numberedWrite } from '#core/traces/writes.ts';

/** A call in the list of those that may have changed a server's state. */
export const listedWrite = documented(numberedWrite, 'WritingCall');

/** The number of the last call of the page before. */
export const writesCursor = documented(z.coerce.number().int().min(0).default(0), {
  description: '`nextCursor` of the page before',
});

export const writesDescription =
  'Calls of tools that do more than read, by their effects, that reached their servers or may have: those of agents, not those that reset a server. In the order in which their attempts ended; attempts that were repeated are included. The arguments are in the traces.';
