import { effectOfTool, findOwnersEffect, type OwnersEffects, type ToolEffect } from './effect.ts';
import { toolNameWithoutServer, type Tool } from './tool.ts';

/** A tool as far as the effect of its calls goes. */
export type CalledTool = Pick<Tool, 'name' | 'title' | 'description' | 'annotations' | 'effect' | 'forced'>;

/**
 * Returns what calls of a tool do: the owner's word at the beginning of the run counts before the catalog's, unless the catalog
 * forces dry runs, whose effect is the catalog's.
 */
export const effectOfCall = (tool: CalledTool, owners: OwnersEffects): ToolEffect =>
  tool.forced === undefined
    ? (findOwnersEffect(owners, toolNameWithoutServer(tool.name)) ?? effectOfTool(tool))
    : effectOfTool(tool);
