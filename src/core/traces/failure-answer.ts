import { z } from 'zod';
import { failureClass } from './failure.ts';

/**
 * A judge's verdict on a call: a failure class; `unclear`, if the call failed and nobody can tell why; `no-failure`, if
 * a result that its server marked as a success is one.
 */
export const judgedClass = z.enum([...failureClass.options, 'unclear', 'no-failure']);
export type JudgedClass = z.infer<typeof judgedClass>;

/** What a judge answers about a failure that no rule decided, or about a reported error. */
export const failureAnswer = z.object({ why: z.string().max(2_000), class: judgedClass });
