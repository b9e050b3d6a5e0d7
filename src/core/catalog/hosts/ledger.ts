import type { RequestLeave } from './standing.ts';

/** Counts the requests that hosts get of all workspaces that have not proven them. */
export interface HostLedger {
  /** Takes up to `wanted` requests to a host for a workspace. */
  takeRequests(host: string, workspace: string, wanted: number): Promise<RequestLeave>;
  /** Gives back requests of a day that were not made. */
  giveBack(host: string, day: number, requests: number): Promise<void>;
}
