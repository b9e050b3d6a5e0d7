import { effectOfTool } from '#core/catalog/effect.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ToolOutcome } from '#core/ports.ts';

/**
 * Returns what a check gets in place of an answer if it may not call its tool, because the catalog lacks it, or because the
 * tool destroys. Null if it may.
 */
export function makeFaultIfCheckMayNotCallTool(
  name: string,
  tools: readonly Tool[],
): Extract<ToolOutcome, { kind: 'fault' }> | null {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) return makeCheckRefusalFault(name, 'the benchmark does not have this tool');
  return effectOfTool(tool) === 'destroys'
    ? makeCheckRefusalFault(name, 'checks do not call tools that destroy')
    : null;
}

const makeCheckRefusalFault = (name: string, detail: string) =>
  ({ kind: 'fault', fault: { where: 'server', name, code: 'internal', detail } }) as const;
