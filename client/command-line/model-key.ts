import { text as textOf } from 'node:stream/consumers';
import type { Given } from './command.ts';
import { flagOption, optionalOption, parseNonEmptyText } from './options.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** The source of a model's key. On the command line, everybody on the machine could read it. */
export const modelKeyOptions = {
  variable: optionalOption(
    'model-key-env',
    'VARIABLE',
    "the environment variable that holds the endpoint's key",
    parseNonEmptyText,
  ),
  stdin: flagOption('model-key-stdin', "read the endpoint's key from the standard input"),
};

/** Returns the given key, or undefined. */
export async function readModelKeyIfGiven(given: Given): Promise<string | undefined> {
  const variable = given.parseOptionValue(modelKeyOptions.variable);
  const fromStdin = given.parseOptionValue(modelKeyOptions.stdin);
  if (variable !== undefined && fromStdin) throw new UsageError('give one of --model-key-env and --model-key-stdin');
  if (fromStdin) return requireNonEmpty((await textOf(process.stdin)).trim(), 'the standard input holds no key');
  if (variable === undefined) return undefined;
  return requireNonEmpty(process.env[variable]?.trim() ?? '', `the environment has no ${variable}`);
}

function requireNonEmpty(key: string, otherwise: string): string {
  if (key === '') throw new UsageError(otherwise);
  return key;
}
