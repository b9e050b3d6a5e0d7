import { z } from 'zod';
import type { CalledTool } from '../effect-of-call.ts';
import { isolationKind, mustAttemptsTakeTurns, type SharedServer } from './isolation.ts';

/** How attempts were kept apart on a server: figures depend on it. */
export const serverIsolation = z.object({
  server: z.string(),
  isolation: isolationKind,
  /** Whether attempts could change what others see there. They then used it one at a time. */
  shared: z.boolean(),
});
export type ServerIsolation = z.infer<typeof serverIsolation>;

/** Returns how attempts with these tools are kept apart, server by server. */
export const listIsolationOfServers = (
  servers: readonly SharedServer[],
  tools: readonly CalledTool[],
): ServerIsolation[] =>
  servers.map((server) => ({
    server: server.name,
    isolation: server.isolation.kind,
    shared: mustAttemptsTakeTurns(server, tools),
  }));

const listed = new Intl.ListFormat('en-GB');

/** Returns what a reader of figures has to know; nothing if no attempt could see what another did. */
export function isolationSentences(servers: readonly ServerIsolation[]): string[] {
  const namesOf = (kind: ServerIsolation['isolation']): string[] =>
    servers.filter(({ isolation, shared }) => shared && isolation === kind).map(({ server }) => server);
  const [open, reset] = [namesOf('none'), namesOf('reset')];
  return [
    ...(open.length === 0
      ? []
      : [`Attempts could see what earlier ones had changed on ${listed.format(open)}: nothing resets it.`]),
    ...(reset.length === 0 ? [] : [`Reset for each attempt: ${listed.format(reset)}.`]),
  ];
}
