import { z } from 'zod';
import type { ModelCall } from '#core/ports.ts';

/** A rest of an endpoint for which work waits. */
export const awaitedRest = z.object({
  /** The model that cannot be asked. */
  model: z.string(),
  untilMs: z.number(),
});
export type AwaitedRest = Readonly<z.infer<typeof awaitedRest>>;

/** A stage that stays undone because the endpoint of a model rests. It is started again afterwards. */
export interface UndoneStage extends AwaitedRest {
  readonly kind: 'undone';
  /** What had been paid for by then. */
  readonly calls: readonly ModelCall[];
}
