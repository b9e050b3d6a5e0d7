import type { ShownInstructions } from '#core/catalog/shown-instructions.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { AgentLimits } from '#core/models/limits.ts';

/** What the prompt that opens a conversation may need. */
export interface Opening {
  readonly request: string;
  /** The day of the attempt, in words for the model. */
  readonly date: string;
  readonly tools: readonly Tool[];
  readonly limits: AgentLimits;
  /** What the servers of the tools say about their use. */
  readonly instructions: readonly ShownInstructions[];
}
