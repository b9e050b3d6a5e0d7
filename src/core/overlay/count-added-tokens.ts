import type { Tool } from '#core/catalog/tool.ts';
import { estimateSchemaTokens } from '#core/mounting/mountable-catalog.ts';
import { applyOverlay } from './apply-overlay.ts';
import type { Overlay } from './overlay.ts';

/** Returns by how many schema tokens, as estimated, an overlay makes tools longer; negative if it makes them shorter. */
export const countAddedTokens = (overlay: Overlay, tools: readonly Tool[]): number =>
  sumTokens(applyOverlay(overlay, tools).tools) - sumTokens(tools);

const sumTokens = (tools: readonly Tool[]): number => tools.reduce((sum, tool) => sum + estimateSchemaTokens(tool), 0);
