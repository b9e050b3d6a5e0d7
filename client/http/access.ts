import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { defaultFolder, startCommand } from '../../engine/installation.ts';
import { findStarted } from '../../engine/started.ts';
import { CommandError, UsageError } from '../../engine/usage-error.ts';

/** The address of a Sextant that was started without a port. */
export const defaultUrl = 'http://127.0.0.1:8787';
const secretsFile = z.object({ key: z.string() });

/** Says where the key comes from that is sent, for a person whose key is refused. */
export const keySourceText = (
  { key }: Pick<GivenAccess, 'key'>,
  environment: Readonly<Record<string, string | undefined>>,
): string => {
  if (key !== undefined) return 'the key is that of --key';
  if (environment['SEXTANT_KEY'] !== undefined) return 'the key is that of SEXTANT_KEY';
  return `the key is that of the Sextant that "${startCommand}" started last on this machine`;
};

/** What is given on the command line. */
export interface GivenAccess {
  readonly url: string | undefined;
  readonly key: string | undefined;
}

/**
 * Finds the API's address and key: from the command line, from the environment, or those of the Sextant that was started last on this
 * machine. Public data needs no key.
 */
export function findApiAddressAndKey(
  given: GivenAccess,
  environment: Readonly<Record<string, string | undefined>>,
  isOpen: boolean,
  home = defaultFolder,
): { url: string; key: string } {
  const started = findStarted(home);
  const url = given.url ?? environment['SEXTANT_URL'] ?? started?.url ?? defaultUrl;
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new UsageError(`"${url}" is no address of an API; give one such as ${defaultUrl}`);
  }
  if (given.key === undefined && environment['SEXTANT_KEY'] === '')
    throw new UsageError('SEXTANT_KEY is empty; set it to a key, or remove it from the environment');
  const folder = started !== null && parsed.origin === new URL(started.url).origin ? started.folder : home;
  const key =
    given.key ?? environment['SEXTANT_KEY'] ?? (isLocalHost(parsed.hostname) ? readDevelopmentKey(folder) : undefined);
  if (key === undefined && !isOpen)
    throw new CommandError(
      `no key: give one with --key or in SEXTANT_KEY; "${startCommand}" makes one for this machine`,
    );
  return { url, key: key ?? '' };
}

// The development key is only for this machine's own service.
const isLocalHost = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

function readDevelopmentKey(folder: string): string | undefined {
  const file = join(folder, 'secrets.json');
  return existsSync(file) ? secretsFile.parse(JSON.parse(readFileSync(file, 'utf8'))).key : undefined;
}
