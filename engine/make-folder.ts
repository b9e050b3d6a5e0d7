import { accessSync, constants, existsSync, mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { whyNotText } from './why-not.ts';
import { CommandError } from './usage-error.ts';

/**
 * Makes a folder and those above it, unless they are there. Throws a CommandError that says which of them cannot be made, or that
 * nothing can be written there.
 */
export function makeWritableFolder(folder: string): void {
  for (const missing of listMissingFolders(folder)) makeFolder(missing, folder);
  requireWritableFolder(folder);
}

/** Lists the folders that are missing, the highest first. */
const listMissingFolders = (folder: string): string[] =>
  existsSync(folder) || dirname(folder) === folder ? [] : [...listMissingFolders(dirname(folder)), folder];

/** Not `recursive`: where the system refuses a folder as missing, as in /proc, Node would try for ever. */
function makeFolder(missing: string, wanted: string): void {
  try {
    mkdirSync(missing);
  } catch (cause) {
    // Another process may have made it in the meantime.
    if (existsSync(missing)) return;
    const part = missing === wanted ? '' : `, because ${missing} cannot`;
    throw new CommandError(`the folder ${wanted} cannot be made${part}: ${whyNoFolderText(cause, missing)}`, { cause });
  }
}

/** The folder above is there, so "no such file" is not why. */
const whyNoFolderText = (cause: unknown, folder: string): string =>
  cause instanceof Error && 'code' in cause && cause.code === 'ENOENT'
    ? `${dirname(folder)} takes no folders`
    : whyNotText(cause);

function requireWritableFolder(folder: string): void {
  try {
    if (!statSync(folder).isDirectory()) throw new CommandError('it is no folder');
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new CommandError(`nothing can be kept in ${folder}: ${whyNotText(cause)}`, { cause });
  }
}
