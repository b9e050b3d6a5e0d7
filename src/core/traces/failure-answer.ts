import { z } from 'zod';
import { failureClass } from './failure.ts';

/** What a judge answers about a failure that no rule decided. */
export const failureAnswer = z.object({ class: failureClass, why: z.string().max(2_000) });
