import { z } from 'zod';
import type { ModelCall } from '#core/models/model-call.ts';

/** A rest of an endpoint for which work waits. */
export const awaitedRest = z.object({
  /** The model that cannot be asked. */
  model: z.string(),
  untilMs: z.number(),
});
export type AwaitedRest = Readonly<z.infer<typeof awaitedRest>>;

/** A rest as clients see it. */
export const shownRest = z.object({ model: z.string(), until: z.string() });
export type ShownRest = z.infer<typeof shownRest>;

export const makeShownModelRest = (rest: AwaitedRest | null): ShownRest | null =>
  rest === null ? null : { model: rest.model, until: new Date(rest.untilMs).toISOString() };

/** A stage that stays undone because the endpoint of a model rests. It is started again afterwards. */
export interface UndoneStage extends AwaitedRest {
  readonly kind: 'undone';
  /** What had been paid for by then. */
  readonly calls: readonly ModelCall[];
}
