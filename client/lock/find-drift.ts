import { deriveEffect } from '#core/catalog/effect.ts';
import { listDrift, type Drift } from '#core/reports/lock/drift.ts';
import { lockFile, type LockFile } from '#core/reports/lock/lock-file.ts';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { UsageError } from '../../engine/usage-error.ts';
import type { CheckTarget } from '../check/check-target.ts';
import { readTextFile } from '../files/read-text-file.ts';
import { observeServer, type ObservedServer } from './observe-server.ts';

/** Reads a lock that a line names; null if it names none. */
export async function readLock(file: string | undefined): Promise<LockFile | null> {
  if (file === undefined) return null;
  const json = parseJsonWithinLimits(await readTextFile(file));
  const parsed = lockFile.safeParse(json.ok ? json.value : null);
  if (parsed.success) return parsed.data;
  throw new UsageError(`${file} is no lock: "lock" writes one`);
}

/** Returns how servers differ from a lock. A server that only one of the two has is a change too. */
export async function findDrift(
  { servers: locked }: LockFile,
  target: CheckTarget,
  { isStatic, signal }: { readonly isStatic: boolean; readonly signal: AbortSignal },
): Promise<Drift[]> {
  const names = target.kind === 'list' ? [target.server.name] : target.entries.map(({ name }) => name);
  const missing = [
    ...locked
      .filter(({ name }) => !names.includes(name))
      .map(({ name }) => serverDrift(name, 'the server is gone', 'breaking')),
    ...names
      .filter((name) => !locked.some((each) => each.name === name))
      .map((name) => serverDrift(name, 'the server is new', 'widening')),
  ];
  const found: Drift[] = [];
  for (const before of locked) {
    const now = await observe(before, target, { isStatic, signal });
    if (now !== null) found.push(...listDrift(before, now.definitions, now.repeated));
  }
  return [...found, ...missing];
}

const serverDrift = (server: string, what: string, name: Drift['class']): Drift => ({
  server,
  tool: null,
  class: name,
  what,
});

async function observe(
  { name, calls }: LockFile['servers'][number],
  target: CheckTarget,
  { isStatic, signal }: { readonly isStatic: boolean; readonly signal: AbortSignal },
): Promise<ObservedServer | null> {
  if (target.kind === 'list') {
    const { server } = target;
    if (server.name !== name) return null;
    const tools = server.tools.map((tool) => ({ ...tool, effect: deriveEffect(tool) }));
    return { definitions: { ...server, tools }, repeated: [] };
  }
  const entry = target.entries.find((each) => each.name === name);
  return entry === undefined ? null : observeServer(entry, isStatic ? [] : calls, signal);
}
