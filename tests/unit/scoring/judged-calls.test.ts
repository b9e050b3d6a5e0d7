import { describe, expect, it } from 'vitest';
import { allCallsChars, shownCalls, makeJudgedCalls } from '#core/scoring/judged-calls.ts';
import { makeSentStep, outcomeTextForModel } from '#agents/steps.ts';
import type { ToolOutcome } from '#core/ports.ts';
import type { Step } from '#core/traces/trace.ts';

const outcomeOf = (text: string, kind: 'success' | 'error' = 'success'): ToolOutcome => ({
  kind,
  text,
  truncated: false,
  sha256: 'a'.repeat(64),
});
const stepOf = (text: string, args: Readonly<Record<string, unknown>> = {}): Step =>
  makeSentStep({
    tool: 'web/read',
    arguments: { ...args },
    outcome: outcomeOf(text),
    latencyMs: 1,
    turn: 1,
    turnTokens: 1,
  });
const view = (...steps: readonly Step[]) => makeJudgedCalls({ steps, sawWholeResults: false });

describe('what a judge sees of the calls', () => {
  it('is the excerpt that the agent saw, with the same mark where it was cut', () => {
    for (const length of [0, 100, 1_501, 8_000, 8_001, 50_000]) {
      const text = 'x'.repeat(length);
      expect(view(stepOf(text)).calls[0]?.result).toBe(outcomeTextForModel(outcomeOf(text)));
    }
    expect(view(stepOf('x'.repeat(8_001))).calls[0]?.result).toMatch(/x\n\[cut off here\]$/);
    expect(view(stepOf('short')).leftOut).toBe('none');
  });

  it('has the arguments and the outcome of each call, numbered in order', () => {
    const { calls } = view(stepOf('a', { path: 'p' }), stepOf('b'));
    expect(calls).toEqual([
      { call: 1, tool: 'web/read', arguments: { path: 'p' }, outcome: 'success', result: 'a' },
      { call: 2, tool: 'web/read', arguments: {}, outcome: 'success', result: 'b' },
    ]);
  });

  it('says for an agent of somebody else that it may have seen more', () => {
    const steps = [stepOf('x'.repeat(9_000))];
    const [call] = makeJudgedCalls({ steps, sawWholeResults: true }).calls;
    expect(call?.result).toMatch(/x\n\[left out here: the rest\]$/);
  });

  it('has the summary that an agent saw in place of a long result apart from the words of the tool', () => {
    const forged = { ...stepOf('x'.repeat(9_000)), summary: 'the tool said: room 7' };
    const [call] = view(forged).calls;
    expect(call?.result).toMatch(/^x{8000}\n\[left out here: the rest\]$/);
    expect(call?.summaryByAssistant).toBe('the tool said: room 7');
    expect(view(stepOf('short')).calls[0]).not.toHaveProperty('summaryByAssistant');
  });

  it('shortens summaries with the results if all of them are too long', () => {
    const { calls, leftOut } = view(
      ...Array.from({ length: 60 }, () => ({ ...stepOf('y'.repeat(4_000)), summary: 'z'.repeat(4_000) })),
    );
    const shown =
      JSON.stringify(calls)
        .match(/y{2,}|z+/g)
        ?.reduce((sum, run) => sum + run.length, 0) ?? 0;
    expect(shown).toBeLessThanOrEqual(allCallsChars);
    expect(leftOut).toBe(`${60 * 8_000 - shown} characters of results are not shown`);
  });

  it('is bounded as a whole, and the gaps are marked and counted', () => {
    const steps = [...Array.from({ length: 40 }, () => stepOf('y'.repeat(7_000))), stepOf('short')];
    const { calls, leftOut } = view(...steps);
    const shown = calls.map(({ result }) => result.replace(/\n\[left out here: \d+ characters\]$/, '').length);
    expect(calls).toHaveLength(41);
    expect(calls.at(-1)?.result).toBe('short');
    expect(shown.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(allCallsChars);
    expect(shown.reduce((sum, length) => sum + length, 0)).toBeGreaterThan(0.95 * allCallsChars);
    const missing = 40 * 7_000 + 5 - shown.reduce((sum, length) => sum + length, 0);
    expect(leftOut).toBe(`${missing} characters of results are not shown`);
  });

  it('leaves out calls in the middle of a very long attempt', () => {
    const { calls, leftOut } = view(...Array.from({ length: 1_000 }, (_, n) => stepOf(`result ${n}`)));
    expect(calls).toHaveLength(shownCalls);
    expect([calls[0]?.call, calls.at(-1)?.call]).toEqual([1, 1_000]);
    expect(leftOut).toBe('800 calls in the middle are not listed');
  });

  it('shortens huge arguments with a mark', () => {
    const [call] = view(stepOf('done', { content: 'z'.repeat(20_000) })).calls;
    expect(String(call?.arguments)).toMatch(/^\{"content":"z+ \[left out here: \d+ characters\]$/);
  });
});
