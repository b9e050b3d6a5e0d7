import type { Turns } from '#adapters/mcp/shared-servers.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { ServerSecrets } from '#core/catalog/server.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import { makeRetryingObjectCaller } from '../caller.ts';

/** Returns the workspace with this id. */
export interface Workspaces {
  getByName(id: string): RpcOf<Workspace, 'takeTurns' | 'endTurns' | 'listServerSecrets'>;
}

/** What attempts need from the workspace of their servers: turns at those that they share, and the present secrets. */
interface ServerWorkspace {
  readonly turns: Turns;
  readonly secrets: (names: readonly string[]) => Promise<readonly ServerSecrets[]>;
}

/** Returns how the attempts of an instance call their workspace. */
export function openServerWorkspace(workspaces: Workspaces, id: string, admission: Admission): ServerWorkspace {
  const call = makeRetryingObjectCaller(() => workspaces.getByName(id), admission);
  return {
    turns: {
      take: (attempt, urls, untilMs) => call((workspace) => workspace.takeTurns(attempt, urls, untilMs)),
      end: (attempt) => call((workspace) => workspace.endTurns(attempt)),
    },
    secrets: (names) => call((workspace) => workspace.listServerSecrets(names)),
  };
}
