import { z } from '@hono/zod-openapi';

/** The header that makes a creating call repeatable. */
export const idempotencyHeader = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, '1 to 200 visible ASCII characters')
    .optional(),
});
