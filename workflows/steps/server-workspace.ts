import type { Turns } from '#adapters/mcp/shared-servers.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { HostLedger } from '#core/hosts/ledger.ts';
import type { ServerSecrets } from '#core/catalog/server.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import { makeRetryingObjectCaller } from '../caller.ts';
import { makeHostCaller, type Hosts } from './hosts.ts';

/** Returns the workspace with this id. */
interface Workspaces {
  getByName(id: string): RpcOf<Workspace, 'takeTurns' | 'endTurns' | 'listServerSecrets'>;
}

/** The bindings by which attempts reach what is kept of their servers. */
export interface ServerEnv {
  readonly WORKSPACE: Workspaces;
  readonly SERVER_HOST: Hosts;
}

/** What attempts need from the workspace of their servers: turns at those that they share, the present secrets, and requests to their hosts. */
interface ServerWorkspace {
  readonly workspace: string;
  readonly hosts: HostLedger;
  readonly turns: Turns;
  readonly secrets: (names: readonly string[]) => Promise<readonly ServerSecrets[]>;
}

/** Returns how the attempts of an instance call their workspace. */
export function openServerWorkspace(env: ServerEnv, id: string, admission: Admission): ServerWorkspace {
  const call = makeRetryingObjectCaller(() => env.WORKSPACE.getByName(id), admission);
  return {
    workspace: id,
    hosts: makeHostCaller(env.SERVER_HOST, admission),
    turns: {
      take: (attempt, urls, untilMs) => call((workspace) => workspace.takeTurns(attempt, urls, untilMs)),
      end: (attempt) => call((workspace) => workspace.endTurns(attempt)),
    },
    secrets: (names) => call((workspace) => workspace.listServerSecrets(names)),
  };
}
