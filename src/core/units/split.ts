import { z } from 'zod';

/** The parts of a benchmark; private units are shown to nobody but their workspace. */
export const split = z.enum(['public', 'private']);
export type Split = z.infer<typeof split>;
