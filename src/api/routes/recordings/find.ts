import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { ownedObject } from '../../owned.ts';
import { unwrap } from '../../problem.ts';
import type { RecordingService } from '../../services.ts';
import { requireForPrivate } from '../benchmarks/find.ts';

/** The recording with this id in the caller's workspace. */
export const findRecording = async (c: Context<ApiEnv>, id: string): Promise<RecordingService> =>
  c.var.services.recording(await ownedObject(c, 'recording', id));

/** The same, for its calls: where those of private units may be among them, the caller needs `admin`. */
export async function findCalls(c: Context<ApiEnv>, id: string): Promise<RecordingService> {
  const recording = await findRecording(c, id);
  requireForPrivate(c, unwrap(await recording.get()).private ? 'all' : 'public');
  return recording;
}
