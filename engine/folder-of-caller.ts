import { isPackage } from './installation.ts';

/** npm runs the scripts of a clone in the clone's folder. Goes back to the user's, so that relative paths mean what they say. */
export function useFolderOfCaller(): void {
  const folder = process.env['INIT_CWD'];
  const script = process.env['npm_lifecycle_event'] ?? '';
  if (!isPackage && folder !== undefined && ['sextant', 'start', 'demo'].includes(script)) process.chdir(folder);
}
