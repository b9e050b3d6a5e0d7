import { canonicalJson } from '#core/values/canonical.ts';
import type { Tool } from './tool.ts';

/** How a server's listing differs from the one in a catalog, for one tool. */
export interface ToolChange {
  readonly tool: string;
  readonly change: 'added' | 'removed' | 'changed';
}

/** Returns the tools that differ between two listings of the same servers, by name. */
export function listChangedTools(before: readonly Tool[], now: readonly Tool[]): ToolChange[] {
  const textsBefore = new Map(before.map((tool) => [tool.name, canonicalJson(tool)]));
  const textsNow = new Map(now.map((tool) => [tool.name, canonicalJson(tool)]));
  return [...new Set([...textsBefore.keys(), ...textsNow.keys()])].toSorted().flatMap((tool) => {
    const [old, present] = [textsBefore.get(tool), textsNow.get(tool)];
    if (old === present) return [];
    return [{ tool, change: old === undefined ? 'added' : present === undefined ? 'removed' : 'changed' } as const];
  });
}
