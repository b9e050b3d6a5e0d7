import type { Settings } from '#adapters/settings.ts';
import type { RunProgram } from '#core/ports.ts';
import { makeIsolateRunner } from './isolate.ts';
import { makeProcessRunner } from './process.ts';

/** The Worker Loader of a deployment, if it has one. */
export interface ProgramBindings {
  readonly PROGRAM_LOADER?: WorkerLoader | undefined;
}

/** Returns what runs programs: in processes where `npm start` gives them, else in isolates of the platform; null if there are neither. */
export function findProgramRunner(
  { PROGRAM_LOADER: loader }: ProgramBindings,
  { PROGRAM_PROCESSES_URL: address }: Pick<Settings, 'PROGRAM_PROCESSES_URL'>,
): RunProgram | null {
  if (address !== undefined) return makeProcessRunner(address);
  return loader === undefined ? null : makeIsolateRunner(loader);
}
