import type { Turns } from '#adapters/mcp/shared-servers.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';
import { makeRetryingObjectCaller } from '../caller.ts';

/** Returns the workspace with this id, which gives attempts their turns at servers that they share. */
export interface Workspaces {
  getByName(id: string): RpcOf<Workspace, 'takeTurns' | 'endTurns'>;
}

/** Returns how the attempts of an instance take turns with the others of a workspace. */
export function makeTurns(workspaces: Workspaces, id: string, admission: Admission): Turns {
  const call = makeRetryingObjectCaller(() => workspaces.getByName(id), admission);
  return {
    take: (attempt, urls, untilMs) => call((workspace) => workspace.takeTurns(attempt, urls, untilMs)),
    end: (attempt) => call((workspace) => workspace.endTurns(attempt)),
  };
}
