import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';

/** Reads a `.dev.vars` file: what a person set for this machine, without what is empty; nothing if there is no file. */
export function readDevVars(file: string): Map<string, string> {
  if (!existsSync(file)) return new Map();
  const given = Object.entries(parseEnv(readFileSync(file, 'utf8')));
  return new Map(given.flatMap(([name, value = '']): [string, string][] => (value === '' ? [] : [[name, value]])));
}

const modelVar =
  /^(OPENAI|WRITER|CRITIC|AGENT|JUDGE|EMBEDDER)_|^(PROMPT|COMPLETION|CACHED|CACHE_WRITE)_PRICE_PER_MTOK$/;

/** Returns the variables without those that say which models are asked, where, with which key and at which price. */
export const withoutModelVars = (vars: ReadonlyMap<string, string>): Map<string, string> =>
  new Map([...vars].filter(([name]) => !modelVar.test(name)));
