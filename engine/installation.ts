import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where the parts of Sextant are: in a clone of the repository as sources, in the package of `npm pack` built into `dist`. */

/** Whether this code was built for the package. */
export const isPackage = import.meta.filename.endsWith('.js');

/** The folder of the clone, or of the package. What is built is one folder deep as well. */
export const root = join(import.meta.dirname, '..');

/** Where keys and stored data are without `--folder`: a package may be where its user cannot write. */
export const defaultFolder = join(isPackage ? homedir() : root, '.sextant');

/** Where the settings of this machine are. */
export const devVarsFile = (): string => join(isPackage ? process.cwd() : root, '.dev.vars');

/** How the command line is called, and how Sextant is started. */
export const commandName = isPackage ? 'sextant' : 'npm run sextant --';
export const startCommand = isPackage ? 'sextant start' : 'npm start';
/** How Sextant is started with options. */
export const startCommandWithOptions = isPackage ? startCommand : `${startCommand} --`;

/** The program that serves MCP servers and offline models. */
export const offlineProgram = join(root, isPackage ? 'dist/offline.js' : 'offline/main.ts');

/** The Worker of a package, in one file, and that of a process for a program. A clone builds its own. */
export const builtWorker = join(root, 'dist/worker/index.js');
export const builtProgramWorker = join(root, 'dist/program-worker/index.js');
/** The source of the latter, from the root. */
export const programWorkerEntry = 'engine/programs/process-worker.ts';
