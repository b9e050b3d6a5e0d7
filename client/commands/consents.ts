import { setTimeout as sleep } from 'node:timers/promises';
import type { NewConsent, OwnersAuth } from '#core/catalog/server-auth.ts';
import type { Command } from '../command-line/command.ts';
import type { CommandContext } from '../command-line/context.ts';
import { makePrintableLine } from '../command-line/text.ts';
import { CommandError } from '../../engine/usage-error.ts';
import { findServerIdByNameElseKeepId } from './find-server.ts';
import { clientOptions, authText, readConsentClient } from './server-auth.ts';

const pollMs = 2_000;

/** Asks for a consent, shows where a person gives it, and waits until they have. Fails if they do not. */
export async function askForConsentAndWait(
  asked: NewConsent,
  { client, output, signal }: Pick<CommandContext, 'client' | 'output' | 'signal'>,
): Promise<Extract<OwnersAuth, { readonly type: 'authorization-code' }>> {
  const { consent, page } = await client.consents.ask(asked);
  output.writeNote(`Open this address in a browser until ${consent.expiresAt}, and consent there:`);
  output.writeNote(page);
  for (let known = consent; ; known = await client.consents.get(consent.id)) {
    if (known.state === 'given') return { type: 'authorization-code', consent: known.id };
    if (known.state !== 'waiting')
      throw new CommandError(
        `nobody has consented: ${makePrintableLine(known.problem ?? `the consent is ${known.state}`)}`,
      );
    await sleep(pollMs, undefined, { signal });
  }
}

const server = { name: 'server', about: 'the name or the id of a server' };

const consentAgain: Command = {
  verb: 'servers consent',
  about: 'Consent in a browser to the use of a registered server, for the first time or again',
  more: 'Shows an address to open, and waits. Attempts that begin later use the new consent, also those of runs under way.',
  operands: [server],
  options: clientOptions,
  async run(given, context) {
    const { client, output } = context;
    const id = await findServerIdByNameElseKeepId(client, given.firstOperandWordOrThrow(server));
    const { server: known } = await client.servers.get(id);
    if (known.url === null) throw new CommandError(`${known.name} is only described: nobody can be asked for consent`);
    const auth = await askForConsentAndWait({ url: known.url, ...readConsentClient(given) }, context);
    const changed = await client.servers.change(known.id, { auth });
    output.writeAsJsonOrLines(changed, () => [`${changed.name}: ${authText(changed)}`]);
  },
};

/** Verbs on the consents of people. */
export const consentCommands: readonly Command[] = [consentAgain];
