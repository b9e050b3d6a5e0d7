import type { AskConsent } from '#adapters/mcp/oauth/tokens.ts';
import type { Turns } from '#adapters/mcp/shared-servers.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { HostLedger } from '#core/catalog/hosts/ledger.ts';
import type { ServerSecrets } from '#core/catalog/server.ts';
import type { Consent } from '#durable-objects/consent/consent.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import { makeRetryingObjectCaller } from '../caller.ts';

/** Returns what is known of a host. */
interface Hosts {
  getByName(host: string): HostLedger;
}

/** Returns how an instance calls hosts. A call that arrives twice takes twice, which spares the host. */
function makeHostCaller(hosts: Hosts, admission: Admission): HostLedger {
  const call = (host: string) => makeRetryingObjectCaller(() => hosts.getByName(host), admission);
  return {
    takeRequests: (host, workspace, wanted) => call(host)((each) => each.takeRequests(host, workspace, wanted)),
    giveBack: (host, day, requests) => call(host)((each) => each.giveBack(host, day, requests)),
  };
}

/** Returns the workspace with this id. */
interface Workspaces {
  getByName(id: string): RpcOf<Workspace, 'takeTurns' | 'endTurns' | 'listServerSecrets'>;
}

/** Returns the consent with this id. */
interface Consents {
  getByName(id: string): RpcOf<Consent, 'giveToken'>;
}

/** The bindings through which attempts reach what their servers' owner has said and given. */
export interface ServerBindings {
  readonly WORKSPACE: Workspaces;
  readonly CONSENT: Consents;
  readonly SERVER_HOST: Hosts;
}

/** What attempts need from the workspace of their servers: turns at those that they share, the present secrets, tokens, and requests to their hosts. */
interface ServerWorkspace {
  readonly workspace: string;
  readonly hosts: HostLedger;
  readonly turns: Turns;
  readonly secrets: (names: readonly string[]) => Promise<readonly ServerSecrets[]>;
  readonly consents: (id: string) => AskConsent;
}

/** Returns how the attempts of an instance call their workspace. */
export function makeServerWorkspaceCaller(env: ServerBindings, id: string, admission: Admission): ServerWorkspace {
  const call = makeRetryingObjectCaller(() => env.WORKSPACE.getByName(id), admission);
  return {
    workspace: id,
    hosts: makeHostCaller(env.SERVER_HOST, admission),
    turns: {
      take: (attempt, urls, untilMs) => call((workspace) => workspace.takeTurns(attempt, urls, untilMs)),
      end: (attempt) => call((workspace) => workspace.endTurns(attempt)),
    },
    secrets: (names) => call((workspace) => workspace.listServerSecrets(names)),
    consents: (consent) => {
      const callConsent = makeRetryingObjectCaller(() => env.CONSENT.getByName(consent), admission);
      return (spent) => callConsent((object) => object.giveToken(spent));
    },
  };
}
