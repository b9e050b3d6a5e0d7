import type { Context } from 'hono';
import type { ApiEnv } from '../../context.ts';
import { ownedObject } from '../../owned.ts';
import type { RecordingService } from '../../services.ts';

/** The recording with this id in the caller's workspace. */
export const findRecording = async (c: Context<ApiEnv>, id: string): Promise<RecordingService> =>
  c.var.services.recording(await ownedObject(c, 'recording', id));
