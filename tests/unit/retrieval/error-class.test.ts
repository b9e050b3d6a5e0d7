import { describe, expect, it } from 'vitest';
import { classifyRoutingError, listNeededToolsNotFound } from '#core/traces/error-class.ts';
import type { Step, Trace } from '#core/traces/trace.ts';

const called = (tool: string, outcome: Step['outcome'], more: Partial<Step> = {}): Step => ({
  tool,
  arguments: {},
  outcome,
  text: '',
  truncated: false,
  sha256: null,
  fault: null,
  failure: outcome === 'failure' ? { source: 'undecided' } : null,
  turn: 1,
  turnTokens: null,
  latencyMs: 0,
  ...more,
});

/** An attempt whose one search returned these tools. */
const searched = (found: readonly string[], steps: readonly Step[] = []): Pick<Trace, 'steps' | 'routes'> => ({
  steps: [...steps],
  routes: [
    { query: 'news', tools: found.map((name) => ({ name, fit: 0.5 })), after: 0, turn: 1, latencyMs: 0 },
    { query: '', tools: [], problem: 'Nothing was searched for.', after: 0, turn: 2, latencyMs: 0 },
  ],
});

const needed = ['news/today', 'pdf/write'];
const nothing = new Set<string>();

describe('the class of a failed attempt that searched for tools', () => {
  it('is query if the words of the task find a tool that no query found', () => {
    expect(classifyRoutingError(needed, searched(['news/today']), new Set(['pdf/write']))).toBe('query');
  });

  it('is retrieve if the words of the task do not find it either', () => {
    expect(classifyRoutingError(needed, searched(['news/today']), new Set(['news/today']))).toBe('retrieve');
  });

  it('is tool if a tool was found and every call of it failed', () => {
    const steps = [called('news/today', 'success'), called('pdf/write', 'failure'), called('pdf/write', 'failure')];
    expect(classifyRoutingError(needed, searched(needed, steps), nothing)).toBe('tool');
  });

  it('is tool if a result that is marked as a success reports an error', () => {
    const reported = { rule: 'error-object' } as const;
    const steps = [
      called('pdf/write', 'success', { reported: { rule: reported.rule }, failure: { source: 'undecided' } }),
    ];
    expect(classifyRoutingError(needed, searched(needed, steps), nothing)).toBe('tool');
  });

  it('is other if the environment spoilt the calls, for which the agent is not to blame', () => {
    const steps = [called('news/today', 'success'), called('pdf/write', 'failure', { cause: 'environment' })];
    expect(classifyRoutingError(needed, searched(needed, steps), nothing)).toBe('other');
  });

  it('is other if all tools were found and none was called in vain', () => {
    expect(classifyRoutingError(needed, searched(needed), nothing)).toBe('other');
    const steps = [called('pdf/write', 'failure'), called('pdf/write', 'success')];
    expect(classifyRoutingError(needed, searched(needed, steps), nothing)).toBe('other');
  });

  it('is empty if no search found anything, unless the tools were called all the same', () => {
    expect(classifyRoutingError(needed, searched([]), new Set(needed))).toBe('empty');
    expect(classifyRoutingError(needed, { steps: [], routes: [] }, nothing)).toBe('empty');
    expect(classifyRoutingError(needed, { steps: [], routes: [], shown: needed }, nothing)).toBe('other');
    const steps = needed.map((name) => called(name, 'success'));
    expect(classifyRoutingError(needed, searched([], steps), nothing)).toBe('other');
  });

  it('is undecided for a unit that does not say which tools it needs', () => {
    expect(classifyRoutingError([], searched(['news/today']), nothing)).toBe('undecided');
  });
});

describe('the needed tools that were not found', () => {
  it('leave out one that was called with success although no search returned it', () => {
    expect(listNeededToolsNotFound(needed, searched(['news/today'], [called('pdf/write', 'success')]))).toEqual([]);
  });

  it('are named once each, and are all of them without a search', () => {
    expect(listNeededToolsNotFound([...needed, 'pdf/write'], { steps: [] })).toEqual(needed);
  });
});
