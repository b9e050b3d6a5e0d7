import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { errorText, exitCodeFor } from '../../client/command-line/error-output.ts';
import { flagOption, makeSchemaNumberParser, optionalOption, type Option } from '../../client/command-line/options.ts';
import { parseBenchOptionsOrHelp } from './bench-line.ts';

/** The options of every measurement. */
export interface BenchOptions {
  /** Print the figures as one line of JSON; progress goes to standard error. */
  readonly json: boolean;
  /** Measure as little as shows that the measurement works: its figures say nothing. */
  readonly smallest: boolean;
  readonly port: number;
  readonly gatewayPort: number;
  readonly modelsPort: number;
}

const parsePort = makeSchemaNumberParser(z.int().min(1).max(65_535));
const usual = { port: 18_787, gatewayPort: 18_970, modelsPort: 18_971 } as const;
const portOption = (name: string, about: string, byDefault: number) =>
  optionalOption(name, 'PORT', `${about} (${byDefault} without it)`, parsePort);

const options = {
  json: flagOption('json', 'end with one line of JSON; progress goes to the standard error'),
  smallest: flagOption('smallest', 'measure as little as shows that it works; the figures say nothing'),
  port: portOption('port', 'where the API is', usual.port),
  gatewayPort: portOption('gateway-port', 'where the MCP servers are', usual.gatewayPort),
  modelsPort: portOption('models-port', 'where the offline models are', usual.modelsPort),
};

/**
 * Reads the options of the measurement that runs, and whether its own flags are given. With --help it prints what the measurement is about and ends the process, and so it
 * does with what is wrong with the line, with exit code 2.
 */
export function readBenchOptions(
  about: string,
  own: readonly Option<boolean>[] = [],
): BenchOptions & { readonly isGiven: (flag: Option<boolean>) => boolean } {
  try {
    const file = process.argv[1] ?? '';
    const isStudy = basename(dirname(file)) === 'studies';
    const name = basename(file, '.ts');
    const more = 'docs/measurements.md has what it measured. Options stand behind two hyphens.';
    const given = parseBenchOptionsOrHelp(process.argv.slice(2), {
      verb: isStudy ? name : `bench:${name}`,
      about,
      more,
      options: [...Object.values(options), ...own],
    });
    if ('help' in given) {
      console.log(given.help);
      process.exit(0);
    }
    return {
      isGiven: (flag) => given.parseOptionValue(flag),
      json: given.parseOptionValue(options.json),
      smallest: given.parseOptionValue(options.smallest),
      port: given.parseOptionValue(options.port) ?? usual.port,
      gatewayPort: given.parseOptionValue(options.gatewayPort) ?? usual.gatewayPort,
      modelsPort: given.parseOptionValue(options.modelsPort) ?? usual.modelsPort,
    };
  } catch (error) {
    console.error(errorText(error));
    process.exit(exitCodeFor(error));
  }
}

/** Reports progress to a person; keeps it out of JSON output. */
export const makeLogOutsideJson =
  ({ json }: Pick<BenchOptions, 'json'>) =>
  (line: string): void =>
    json ? console.error(line) : console.log(line);
