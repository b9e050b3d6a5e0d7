import { deriveEffect } from '#core/catalog/effect.ts';
import type { LockedCall, LockedServer } from '#core/reports/lock/lock-file.ts';
import type { RepeatedCall } from '#core/reports/lock/drift.ts';
import { listedTool } from '#core/reports/check/listed-tool.ts';
import { openCheckSession } from '../check/session.ts';
import type { ServerEntry } from '../serve/server-file.ts';

/** How long a call may take. */
const callMs = 10_000;

/** What a server offers now, and what calls came to. */
export interface ObservedServer {
  readonly definitions: Omit<LockedServer, 'calls'>;
  readonly repeated: readonly RepeatedCall[];
}

/** Lists a server's tools, and repeats calls of those that still only read. Rejects if it does not start. */
export async function observeServer(
  entry: ServerEntry,
  calls: readonly LockedCall[],
  signal: AbortSignal,
): Promise<ObservedServer> {
  const session = await openCheckSession(entry, { onNoise: () => undefined, signal });
  try {
    const { tools } = await session.list();
    const listed = tools.flatMap((each) => listedTool.safeParse(each).data ?? []);
    const definitions = {
      name: entry.name,
      ...(session.instructions === undefined ? {} : { instructions: session.instructions }),
      tools: listed.map((tool) => ({ ...tool, effect: deriveEffect(tool) })),
    };
    const reading = new Set(definitions.tools.flatMap(({ name, effect }) => (effect === 'reads' ? [name] : [])));
    const repeated: RepeatedCall[] = [];
    for (const call of calls) {
      signal.throwIfAborted();
      if (!reading.has(call.tool) || session.isOver()) continue;
      repeated.push({ call, answer: await session.call(call.tool, call.arguments, callMs) });
    }
    return { definitions, repeated };
  } finally {
    await session.close();
  }
}
