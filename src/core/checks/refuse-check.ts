import { effectOf } from '#core/catalog/effect.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ToolOutcome } from '#core/ports.ts';

/**
 * Returns what a check gets in place of an answer if it may not call its tool, because the catalog lacks it, or because the
 * tool destroys. Null if it may.
 */
export function findCheckRefusal(name: string, tools: readonly Tool[]): Extract<ToolOutcome, { kind: 'fault' }> | null {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return makeCheckRefusal(name, 'the benchmark does not have this tool');
  return effectOf(tool) === 'destroys' ? makeCheckRefusal(name, 'checks do not call tools that destroy') : null;
}

const makeCheckRefusal = (name: string, detail: string) =>
  ({ kind: 'fault', fault: { where: 'server', name, code: 'internal', detail } }) as const;
