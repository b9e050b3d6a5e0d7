import type { Context } from 'hono';
import type { ApiEnv } from './context.ts';
import { newId } from './ids.ts';
import type { ObjectKind, Objects } from './services.ts';

/** An object that an upload is written to, until it has become something. */
export interface UploadObject<Kind extends ObjectKind> {
  readonly name: string;
  readonly object: Objects[Kind];
  /** Deletes what is in it, and keeps it for the workspace's next upload. */
  discard(): Promise<void>;
}

/**
 * Returns the object for an upload: one whose upload failed before, or a new one. `empty` deletes everything in it, and
 * its begin has to make it usable again.
 */
export async function takeUploadObject<Kind extends 'benchmark' | 'recording' | 'submission'>(
  { var: { services, caller } }: Context<ApiEnv>,
  kind: Kind,
  prefix: string,
  empty: (object: Objects[Kind]) => Promise<void>,
): Promise<UploadObject<Kind>> {
  const workspace = () => services.object('workspace', caller.workspace);
  const name = (await workspace().takeSpareObject(kind)) ?? newId(prefix, new Date());
  return {
    name,
    object: services.object(kind, name),
    async discard() {
      // The stub that threw may stay broken.
      await empty(services.object(kind, name));
      await workspace().keepSpareObject(kind, name);
    },
  };
}
