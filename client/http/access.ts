import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CommandError, UsageError } from '../command-line/usage-error.ts';

/** The address that `npm start` uses. */
export const defaultUrl = 'http://127.0.0.1:8787';
const secretsFile = z.object({ key: z.string() });

/**
 * Finds the API's address and key: from the command line, from the environment, or as `npm start` stored them. Public
 * data needs no key.
 */
export function findApiAddressAndKey(
  given: { readonly url: string | undefined; readonly key: string | undefined },
  environment: Readonly<Record<string, string | undefined>>,
  isOpen: boolean,
): { url: string; key: string } {
  const url = given.url ?? environment['SEXTANT_URL'] ?? defaultUrl;
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol)) {
    throw new UsageError(`"${url}" is no address of an API; give one such as ${defaultUrl}`);
  }
  const key =
    given.key ?? environment['SEXTANT_KEY'] ?? (isLocalHost(parsed.hostname) ? readDevelopmentKey() : undefined);
  if (key === undefined && !isOpen)
    throw new CommandError('no key: give one with --key or in SEXTANT_KEY; "npm start" makes one for this machine');
  return { url, key: key ?? '' };
}

// The development key is only for this machine's own service.
const isLocalHost = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d+){3}$/.test(host);

function readDevelopmentKey(): string | undefined {
  const file = join(import.meta.dirname, '../../.sextant/secrets.json');
  return existsSync(file) ? secretsFile.parse(JSON.parse(readFileSync(file, 'utf8'))).key : undefined;
}
