import { describe, expect, it } from 'vitest';
import type { CalledTool } from '#core/catalog/effect-of-call.ts';
import { listWritingCalls, traceWithWritingCallsMarked } from '#core/traces/writes.ts';
import type { Step, Trace } from '#core/traces/trace.ts';

const step = (tool: string, more: Partial<Step> = {}): Step => ({
  tool,
  arguments: {},
  outcome: 'success',
  text: 'done',
  truncated: false,
  sha256: '0'.repeat(64),
  fault: null,
  failure: null,
  turn: 1,
  turnTokens: null,
  latencyMs: 1,
  ...more,
});
const fault = (code: 'timeout' | 'not-allowed' | 'unreachable' | 'connection-lost'): Partial<Step> => ({
  outcome: 'failure',
  sha256: null,
  fault: { where: 'server', name: 'notes', code, detail: '' },
  failure: { source: 'rule', class: 'network-instability', rule: `fault-${code}` },
});
const trace = (...steps: readonly Step[]): Trace => ({
  steps: [...steps],
  finalText: '',
  end: 'answered',
  fault: null,
  turns: 1,
  promptTokens: 0,
  completionTokens: 0,
  costUsd: 0,
  durationMs: 1,
  startedAt: '2026-01-01T00:00:00.000Z',
});
const tools: readonly CalledTool[] = [
  { name: 'notes/list', effect: 'reads' },
  { name: 'notes/add', effect: 'writes' },
  { name: 'notes/drop', effect: 'destroys' },
  { name: 'notes/run' },
  { name: 'notes/lie', effect: 'reads' },
  { name: 'notes/try', effect: 'reads', forced: { dryRun: true } },
];
const servers = [{ name: 'notes', effects: { lie: 'writes', try: 'writes' } }] as const;
const effectsOf = (...steps: readonly Step[]) =>
  traceWithWritingCallsMarked(trace(...steps), tools, servers).steps.map(({ effect }) => effect);

describe('the calls of an attempt that may have changed something', () => {
  it('are those of tools that do more than read, by the owner before the catalog', () => {
    const names = ['list', 'add', 'drop', 'run', 'lie', 'try'].map((name) => step(`notes/${name}`));
    expect(effectsOf(...names)).toEqual([undefined, 'writes', 'destroys', 'unknown', 'writes', undefined]);
  });

  it('include those that failed and those of which nobody knows, but none that never reached the server', () => {
    expect(
      effectsOf(
        step('notes/add', { outcome: 'failure', failure: { source: 'rule', class: 'resource-contention', rule: 'r' } }),
        step('notes/add', fault('timeout')),
        step('notes/add', fault('connection-lost')),
        step('notes/add', fault('not-allowed')),
        step('notes/add', fault('unreachable')),
        step('notes/add', {
          outcome: 'failure',
          sha256: null,
          code: -32602,
          failure: { source: 'rule', class: 'syntactic-malformation', rule: 'r' },
        }),
        step('notes/none'),
      ),
    ).toEqual(['writes', 'writes', 'writes', undefined, undefined, undefined, undefined]);
  });

  it('are listed with their place', () => {
    const marked = traceWithWritingCallsMarked(
      trace(step('notes/list'), step('notes/drop', { turn: 2 })),
      tools,
      servers,
    );
    expect(listWritingCalls(marked, { of: 'u1', request: 'source' })).toEqual([
      {
        of: 'u1',
        request: 'source',
        turn: 2,
        tool: 'notes/drop',
        effect: 'destroys',
        outcome: 'success',
        attemptStartedAt: '2026-01-01T00:00:00.000Z',
      },
    ]);
  });
});
