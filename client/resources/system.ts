import { z } from 'zod';
import type { Transport } from '../http/transport.ts';

const health = z.object({ offline: z.boolean() });

/** The deployment itself. */
export const makeSystemClient = (transport: Transport) => ({
  /** Returns whether rules stand in for the deployment's models. */
  health: (): Promise<z.infer<typeof health>> =>
    transport.requestJson(health, { method: 'GET', path: '/health', repeatable: true }),
});
