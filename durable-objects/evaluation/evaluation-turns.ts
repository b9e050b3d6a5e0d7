import type { ServerConnection } from '#core/catalog/server.ts';
import type { EvaluationConfig } from '#core/evaluation/config.ts';
import { listServersWithTurns } from '#core/catalog/isolation/isolation.ts';
import type { RpcOf } from '#durable-objects/shared/rpc.ts';
import type { EvaluationMountings } from './evaluation-mountings.ts';
import type { Workspace } from '#durable-objects/workspace/workspace.ts';

/** What the turns of claims need from their evaluation. */
interface ClaimedRun {
  readonly workspace: string;
  readonly serversOf?: string | undefined;
  readonly config: Pick<EvaluationConfig, 'recording'>;
  readonly servers: readonly ServerConnection[];
}

type WorkspaceStub = RpcOf<Workspace, 'takeTurns' | 'endTurns'>;

/** The turns of external agents' attempts at servers that attempts share: they have them before they are handed out. */
export class EvaluationTurns {
  readonly #run: () => ClaimedRun;
  readonly #mountings: Pick<EvaluationMountings, 'listMountedToolsOfCase'>;
  readonly #workspaces: { getByName(id: string): WorkspaceStub };

  constructor(
    run: () => ClaimedRun,
    mountings: Pick<EvaluationMountings, 'listMountedToolsOfCase'>,
    workspaces: { getByName(id: string): WorkspaceStub },
  ) {
    this.#run = run;
    this.#mountings = mountings;
    this.#workspaces = workspaces;
  }

  /** Whether its attempts are made with an agent of another workspace than that of the servers. */
  get isOfStranger(): boolean {
    const { serversOf, workspace } = this.#run();
    return serversOf !== undefined && serversOf !== workspace;
  }

  /** Returns the servers that the attempt of a case shares with others. */
  listSharedServersOfCase(id: string): { readonly name: string; readonly url: string }[] {
    const { servers, config } = this.#run();
    if (config.recording === 'replay' || servers.every(({ isolation }) => isolation.kind === 'session')) return [];
    return listServersWithTurns(servers, this.#mountings.listMountedToolsOfCase(id));
  }

  /** Takes the turn at servers at once, or not at all. */
  takeTurnsNowIfFree(attempt: string, urls: readonly string[], untilMs: number): Promise<boolean> {
    return this.#getWorkspaceStub().takeTurns(attempt, urls, untilMs, 0, this.isOfStranger ? 'stranger' : 'owner');
  }

  endTurnsOfAttempt(attempt: string): Promise<void> {
    return this.#getWorkspaceStub().endTurns(attempt);
  }

  #getWorkspaceStub(): WorkspaceStub {
    const { serversOf, workspace } = this.#run();
    return this.#workspaces.getByName(serversOf ?? workspace);
  }
}
