import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { refusal } from '../../problem.ts';
import type { RecordingService } from '../../services.ts';

/** The recording with this id, if it belongs to the caller's workspace; a foreign one looks like none at all. */
export async function findRecording(c: Context<ApiEnv>, id: string): Promise<RecordingService> {
  const found = await c.var.services.workspace(c.var.caller.workspace).findResource('recording', id);
  if (found === null) throw refusal('not-found', `there is no recording ${id}`);
  return c.var.services.recording(found.object);
}
