import type { Step } from './chaining.ts';
import { listSlotsOfTool } from './chaining.ts';
import type { KnownTool } from './tools.ts';

/** A tool that the rules cannot write for, and why. */
interface Unwritable {
  readonly tool: string;
  readonly missing: string;
}

/** Returns the tools that no step uses and that need a value which the rules cannot know. */
export const listUnusedUnwritableTools = (tools: readonly KnownTool[], steps: readonly Step[]): Unwritable[] =>
  tools.flatMap((tool) => {
    if (steps.some((step) => step.tool === tool)) return [];
    const open = listSlotsOfTool(tool).filter((slot) => tool.card.slots[slot]?.samples.length === 0);
    const names = open.map((slot) => `\`${slot}\``).join(', ');
    return open.length === 0 ? [] : [{ tool: tool.name, missing: `a value for ${names} that is on the server` }];
  });
