import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import type { ShownInstructions } from '#core/catalog/shown-instructions.ts';
import type { OverlaidTools } from '#core/evaluation/overlay/apply-overlay.ts';

/** What is open for an attempt's calls while its object lives. */
export interface Mounted {
  /** As the agent reads them. */
  readonly shown: OverlaidTools;
  readonly instructions: readonly ShownInstructions[];
  readonly connections: ServerConnections;
}
