import { statedLimits, type StatedLimits } from '#core/catalog/stated-limits.ts';
import type { Command, Given } from '../command-line/command.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import { findServerIdByNameElseKeepId } from './find-server.ts';

const server = { name: 'server', about: 'the name or the id of a server' };

const concurrency = optionalOption(
  'concurrency',
  'N',
  'the most requests to it that may be under way at once, over all runs of the workspace',
  makeSchemaNumberParser(statedLimits.shape.concurrency.unwrap()),
);
const perMinute = optionalOption(
  'per-minute',
  'N',
  'the most requests to it within any 60 seconds, over all runs of the workspace',
  makeSchemaNumberParser(statedLimits.shape.perMinute.unwrap()),
);

/** The options by which a server is registered with how many requests it takes. */
export const limitOptions = { concurrency, perMinute } as const;

export function readLimitOptions(given: Given): StatedLimits {
  const [atOnce, inMinute] = [given.parseOptionValue(concurrency), given.parseOptionValue(perMinute)];
  return {
    ...(atOnce === undefined ? {} : { concurrency: atOnce }),
    ...(inMinute === undefined ? {} : { perMinute: inMinute }),
  };
}

/** Says in a few words how many requests a server takes. */
export function limitsText({ concurrency: atOnce, perMinute: inMinute }: StatedLimits): string {
  const parts = [
    ...(atOnce === undefined ? [] : [`${atOnce} at once`]),
    ...(inMinute === undefined ? [] : [`${inMinute} a minute`]),
  ];
  return parts.length === 0 ? 'none' : parts.join(', ');
}

export const limitServer: Command = {
  verb: 'servers limit',
  about: 'Say how many requests a server takes, in place of what was said before',
  more: 'Without options there is no limit any more. Runs under way keep to the limits that they began with.',
  operands: [server],
  options: [concurrency, perMinute],
  async run(given, { client, output }) {
    const id = await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server));
    const changed = await client.servers.change(id, { limits: readLimitOptions(given) });
    output.writeAsJsonOrLines(changed, () => [`${changed.name}: limits: ${limitsText(changed.limits)}`]);
  },
};
