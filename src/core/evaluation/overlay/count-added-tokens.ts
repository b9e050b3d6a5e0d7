import type { Tool } from '#core/catalog/tool.ts';
import { estimateSchemaTokens } from '#core/units/mounting/mountable-catalog.ts';
import { applyOverlay } from './apply-overlay.ts';
import type { Overlay } from './overlay.ts';

/** Returns by how many schema tokens, as estimated, an overlay makes tools longer; negative if it makes them shorter. */
export const countAddedTokens = (overlay: Overlay, tools: readonly Tool[]): number =>
  sumSchemaTokens(applyOverlay(overlay, tools).tools) - sumSchemaTokens(tools);

const sumSchemaTokens = (tools: readonly Tool[]): number =>
  tools.reduce((sum, tool) => sum + estimateSchemaTokens(tool), 0);
