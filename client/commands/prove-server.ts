import { hostOf, type HostRecord } from '#core/catalog/hosts/proof.ts';
import type { Command } from '../command-line/command.ts';
import { flagOption } from '../command-line/options.ts';
import type { Output } from '../command-line/output.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { ApiError } from '../http/errors.ts';
import { findServerIdByNameElseKeepId } from './find-server.ts';

const server = { name: 'server', about: 'the name or the id of a server' };

const show = flagOption('show', 'only say what is to be published, and whether the host is proven');

/** Says what an owner has to publish. */
const howToProveLines = ({ host, line, file, record }: HostRecord): string[] => [
  `To prove that ${host} is yours, publish the line`,
  `  ${line}`,
  `in a DNS record (TXT) ${record}`,
  `or, among other lines, in ${file} (text/plain).`,
];

function proofLines(known: HostRecord): string[] {
  const { host, limit, unprovenToday, proof } = known;
  if (proof !== null) return [`${host} is proven (${proof.by}) until ${proof.until.slice(0, 10)}`];
  const counted =
    limit === null
      ? 'this deployment sends a host any number of requests'
      : `it got ${unprovenToday} of ${limit} requests today`;
  return [`${host} is not proven: ${counted}`, ...howToProveLines(known)];
}

const printProof = (output: Output, known: HostRecord): void =>
  output.writeAsJsonOrLines(known, () => proofLines(known));

export const proveServer: Command = {
  verb: 'servers prove',
  about: "Prove that a server's host is yours, so that it gets any number of requests",
  more: 'Without a proof a deployment may send a host only so many requests a day. Run it once to learn what to publish, and again when that is done.',
  operands: [server],
  options: [show],
  async run(given, { client, output }) {
    const { url, name } = (
      await client.servers.get(await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server)))
    ).server;
    if (url === null) throw new UsageError(`${name} is only described: it has no address`);
    const host = hostOf(new URL(url));
    if (given.parseOptionValue(show)) return printProof(output, await client.servers.readProof(host));
    try {
      printProof(output, await client.servers.prove(host));
    } catch (error) {
      if (error instanceof ApiError && error.code === 'host-not-proven')
        printProof(output, await client.servers.readProof(host));
      throw error;
    }
  },
};
