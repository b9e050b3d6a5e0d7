import type { Turns } from '#adapters/mcp/shared-servers.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';

interface Workspaces {
  getByName(id: string): RpcOf<Workspace, 'takeTurns' | 'endTurns'>;
}

/** Returns the turns of a workspace; each call uses a fresh stub, because one that threw may stay broken. */
export const makeTurnsOfWorkspace = (workspaces: Workspaces, id: string): Turns => ({
  take: (attempt, urls, untilMs) => workspaces.getByName(id).takeTurns(attempt, urls, untilMs),
  end: (attempt) => workspaces.getByName(id).endTurns(attempt),
});
