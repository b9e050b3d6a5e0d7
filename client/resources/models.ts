import { z } from 'zod';
import type { ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import type { modelChoice } from '#core/models/choices.ts';
import { modelCheck } from '#core/models/preflight.ts';
import type { Mounting } from '#core/units/mounting/mounting.ts';
import type { ModelRole } from '#core/models/model-call.ts';
import type { Transport } from '../http/transport.ts';

const checkedModels = z.object({ works: z.boolean(), models: z.array(modelCheck) });
export type CheckedModels = z.infer<typeof checkedModels>;

/** Which models are checked, and with which tools. */
export interface ModelsToCheck {
  readonly roles?: readonly ModelRole[] | undefined;
  readonly models?: { readonly [Role in ModelRole]?: z.input<typeof modelChoice> };
  readonly loop?: ModelLoop | undefined;
  readonly catalog?: string | undefined;
  readonly mounting?: Mounting | undefined;
}

/** The models of the deployment, and others. */
export const makeModelsClient = (transport: Transport) => ({
  /** Asks each model one test question, which costs tokens, so the call is not repeated by itself. */
  check: (asked: ModelsToCheck = {}): Promise<CheckedModels> =>
    transport.requestJson(checkedModels, {
      method: 'POST',
      path: '/v1/models/check',
      json: asked,
      repeatable: false,
    }),
});
