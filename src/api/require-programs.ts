import type { Services } from './context.ts';
import { refusal } from './problem.ts';

/** Refuses an agent with the loop `code` where nothing can run its programs: each of its attempts would only fail. */
export function requireProgramsIfCode(
  { name, loop }: { readonly name: string; readonly loop: string },
  { runsPrograms }: Pick<Services, 'runsPrograms'>,
): void {
  if (loop === 'code' && !runsPrograms)
    throw refusal(
      'invalid-request',
      `agents: ${name} has the loop code, and this deployment has no isolates for its programs: it needs a Worker Loader bound as PROGRAM_LOADER`,
    );
}
