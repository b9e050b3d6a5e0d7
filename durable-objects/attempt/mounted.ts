import type { ServerConnections } from '#adapters/mcp/server-connections.ts';
import type { ShownInstructions } from '#core/catalog/shown-instructions.ts';
import type { Tool } from '#core/catalog/tool.ts';

/** What is open for an attempt's calls while its object lives. */
export interface Mounted {
  readonly tools: readonly Tool[];
  readonly instructions: readonly ShownInstructions[];
  readonly names: ReadonlySet<string>;
  readonly connections: ServerConnections;
}
