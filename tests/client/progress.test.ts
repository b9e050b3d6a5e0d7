import { expect, onTestFinished, test, vi } from 'vitest';
import type { EventBody } from '#core/reports/events.ts';
import type { UnitStatus } from '#core/units/unit.ts';
import type { Sink } from '../../client/command-line/output.ts';
import { widthOf } from '../../client/command-line/text.ts';
import { canRedraw, makeProgressDisplay } from '../../client/progress/display.ts';
import {
  explorationBlockLines,
  makeExplorationDrawing,
  explorationLine,
} from '../../client/progress/exploration-drawing.ts';
import {
  advanceExplorationView,
  shareOfRoundsDone,
  initialExplorationView,
} from '../../client/progress/exploration-view.ts';
import { evaluation, event, exploration, reading } from './records.ts';

const usage = { calls: 40, promptTokens: 100_000, completionTokens: 2_345, costUsd: 1.239 };
const ended = (unit: string, status: UnitStatus, probe = false): EventBody => ({
  type: 'unit.ended',
  unit,
  probe,
  status,
  reason: '',
});
const committed = (round: number): EventBody => ({
  type: 'round.committed',
  round,
  units: reading().units,
  reading: reading({ round }),
  grounding: { searched: 11, grounded: 4, failed: 1 },
  usage,
  rowsWritten: 10,
});

const after = (...bodies: readonly EventBody[]) =>
  bodies
    .map((body, index) => event(index + 1, body))
    .reduce(advanceExplorationView, initialExplorationView(exploration()));

test('the progress of a run is empty before its first event', () => {
  expect(initialExplorationView(exploration())).toMatchObject({
    status: 'running',
    rounds: { committed: 0, of: 4 },
    open: null,
    reading: null,
    endedAt: null,
  });
  expect(shareOfRoundsDone(initialExplorationView(exploration()))).toBe(0);
});

test('units are counted as they end, probes separately, with their round', () => {
  const view = after(
    { type: 'run.created' },
    { type: 'grounding.unavailable', reason: 'none' },
    { type: 'round.opened', round: 1, units: 4 },
    { type: 'unit.written', unit: 'a', chain: ['x/y'] },
    ended('a', 'accepted'),
    ended('b', 'lost'),
    ended('p', 'accepted', true),
  );
  expect(view.units).toEqual({ accepted: 1, review: 0, rejected: 0, lost: 1, dropped: 0, probes: 1 });
  expect(view.open).toEqual({ round: 1, units: 4, ended: 3 });
  expect(shareOfRoundsDone(view)).toBe(0.75 / 4);
});

test('a commit updates the estimates and the counts', () => {
  const view = after({ type: 'round.opened', round: 1, units: 2 }, ended('a', 'accepted'), committed(1));
  expect(view).toMatchObject({
    open: null,
    units: reading().units,
    reading: reading(),
    usage,
    rounds: { committed: 1, of: 4 },
  });
  expect(shareOfRoundsDone(view)).toBe(0.25);
});

test('events of evaluations change nothing', () => {
  expect(
    after({ type: 'unit.evaluated', unit: 'a', progress: evaluation().progress, usage, judgeUsage: usage }),
  ).toEqual(after());
});

const grounded = exploration({
  config: { ...exploration().config, knowledge: { index: 'kn_1', namespace: 'main', passages: 3 } },
});

test('grounding is shown if there is an index, and failures of the index as they occur', () => {
  expect(after(committed(1)).grounding).toBeNull();
  const failed: EventBody = { type: 'grounding.failed', unit: 'a', code: 'timeout', detail: '' };
  const begun = [failed, failed]
    .map((body, index) => event(index + 1, body))
    .reduce(advanceExplorationView, initialExplorationView(grounded));
  expect(begun.grounding).toEqual({ searched: 0, grounded: 0, failed: 2 });
  const view = advanceExplorationView(begun, event(3, committed(1)));
  expect(view.grounding).toEqual({ searched: 11, grounded: 4, failed: 1 });
  const line = '4 of 11 units grounded in a fact, 1 without the index, which failed';
  expect(explorationBlockLines(view, 0)).toContain(`  grounding       ${line}`);
  expect(explorationLine(view, 0)).toContain(` | ${line} | `);
});

test('a unit that is parked and decided on later is counted once', () => {
  const opened: EventBody = { type: 'round.opened', round: 1, units: 3 };
  const parked = after(opened, ended('a', 'review'), ended('p', 'review', true), ended('b', 'review'));
  expect(parked.units).toMatchObject({ review: 2, accepted: 0, probes: 1 });
  expect(parked.open?.ended).toBe(3);
  const decided = after(
    opened,
    ended('a', 'review'),
    ended('p', 'review', true),
    ended('b', 'review'),
    { type: 'review.decided', unit: 'a', decision: 'approve', reviewer: 'key_1' },
    ended('a', 'accepted'),
    ended('p', 'rejected', true),
    // An edit that was not good enough comes back.
    ended('b', 'review'),
  );
  expect(decided.units).toMatchObject({ review: 1, accepted: 1, probes: 1 });
  expect(decided.open?.ended).toBe(3);
});

test('reviews that a round waits for are shown until they are decided or time is over', () => {
  const awaited = (unit: string): EventBody => ({ type: 'review.awaited', unit, score: 85 });
  const waiting = after(awaited('a'), awaited('b'), awaited('c'), awaited('a'));
  expect(waiting.awaited).toEqual(['b', 'c', 'a']);
  expect(explorationBlockLines(waiting, 0)).toContain('  waits           for a decision on b, c, a');
  const going = [
    event(5, { type: 'review.decided', unit: 'a', decision: 'edit', reviewer: 'key_1' }),
    event(6, ended('b', 'review')),
  ].reduce(advanceExplorationView, waiting);
  expect(going.awaited).toEqual(['c']);
  expect(makeExplorationDrawing(exploration()).newsText(event(1, awaited('a')))).toBe(
    'the round waits for a decision on a, audited at 85; see: reviews show exp_1 a',
  );
});

test('servers are shown when they go down and when they recover', () => {
  const down: EventBody = { type: 'server.down', server: 'calc', untilRound: 4 };
  expect(after(down, down).serversDown).toEqual(['calc']);
  expect(after(down, { type: 'server.retried', server: 'calc' }).serversDown).toEqual(['calc']);
  expect(after(down, { type: 'server.recovered', server: 'calc' }).serversDown).toEqual([]);
});

test('pausing, resuming and ending are shown', () => {
  expect(after({ type: 'run.paused' }).status).toBe('paused');
  expect(after({ type: 'run.paused' }, { type: 'run.resumed' }).status).toBe('running');
  const over = after(committed(1), { type: 'run.ended', status: 'cancelled', reason: 'cancelled by its owner' });
  expect(over).toMatchObject({
    status: 'cancelled',
    reason: 'cancelled by its owner',
    endedAt: Date.parse('2026-01-01T00:01:05Z'),
  });
  expect(shareOfRoundsDone(over)).toBe(1);
});

test('the progress block explains probeCoverage, and the estimate of all transitions', () => {
  const view = after(
    { type: 'round.opened', round: 1, units: 2 },
    committed(1),
    { type: 'round.opened', round: 2, units: 11 },
    ended('a', 'accepted'),
  );
  const lines = explorationBlockLines(view, Date.parse('2026-01-01T00:00:42Z'));
  expect(lines).toEqual([
    'exploration exp_1: running, frontier, seed 1',
    '  rounds          ████████░░░░░░░░░░░░░░░░░░░░░░ 1 of 4, 1 of 11 units of the next',
    '  units           8 accepted, 1 review, 1 rejected, 1 lost, 0 dropped, 1 probe',
    '  probe coverage  50.0% (95%: 31.0% to 69.0%; however often one looks: at least 12.5%)',
    '                  chance that a transition of a fresh, unsteered unit is known already',
    '  transitions     1,234 executed, 411 of them passing a value',
    '                  about 2,400 transitions in all, 1,800 to 4,000',
    '                  counts those not found as no rarer than those found, so rather too low',
    '  tools           112 of 143 executed (78.3%), 3 set aside because they never worked',
    '  spent           102,345 tokens, $1.24, 42 s, about 1 min 52 s left',
    '  models          offline: rules, no evidence about models',
  ]);
});

test('a strategy without feedback gets the other caveat', () => {
  const run = exploration();
  const view = advanceExplorationView(
    initialExplorationView({ ...run, config: { ...run.config, strategy: 'gve' } }),
    event(1, committed(1)),
  );
  expect(explorationBlockLines(view, 0).join('\n')).toContain('Chao1, a lower bound in expectation');
});

test('names of servers and reasons cannot control the terminal', () => {
  const view = after(
    { type: 'server.down', server: 'a\u001B[2J', untilRound: 2 },
    { type: 'run.ended', status: 'failed', reason: 'b\u001B]0;c\n' },
  );
  expect([...explorationBlockLines(view, 0), explorationLine(view, 0)].join('')).not.toMatch(/\p{Cc}/u);
});

function screen(columns: number | undefined, isTTY: boolean) {
  const written: string[] = [];
  const sink: Sink = { isTTY, write: (text) => written.push(text), ...(columns !== undefined && { columns }) };
  return { written, sink };
}

test('only the first line of a run has the caveats that hold for all of them', () => {
  const [first, second] = [committed(1), committed(2)].map((body) => explorationLine(after(body), 0));
  expect(first).toContain('rather too low');
  expect(first).toContain('no evidence about models');
  expect(second).toContain('| about 2,400 transitions in all, 1,800 to 4,000 |');
  expect(second).not.toMatch(/too low|no evidence/);
});

test('without a terminal there is a line for each round and for each change of a server or the run', () => {
  const { written, sink } = screen(80, false);
  const display = makeProgressDisplay(makeExplorationDrawing(exploration()), sink);
  display.showEvent(event(1, ended('a', 'accepted')));
  display.showEvent(event(2, { type: 'server.down', server: 'calc', untilRound: 4 }));
  display.showEvent(event(3, committed(1)));
  display.showEvent(event(4, { type: 'run.ended', status: 'completed', reason: 'budget: rounds used up' }));
  display.end();
  expect(written).toEqual([
    'server calc is out of reach; its tools rest until round 4\n',
    expect.stringMatching(
      /^round 1\/4 \| 7 accepted, .* \| probe coverage 50\.0% .* \| about 2,400 transitions in all, .* \| 102,345 tokens, \$1\.24, 1 min 05 s, about 3 min 15 s left \| models offline: rules, no evidence about models\n$/,
    ),
    'exploration exp_1: completed (budget: rounds used up)\n',
  ]);
});

test('on a terminal the block is redrawn in place, and no line is too wide', () => {
  const { written, sink } = screen(60, true);
  const display = makeProgressDisplay(makeExplorationDrawing(exploration()), sink);
  display.showEvent(event(1, committed(1)));
  display.showNote('a line that stays');
  display.end();
  const [first = '', second = '', last = ''] = written;
  const rows = first.split('\n').length - 1;
  expect(second).toBe(`\u001B[${rows}A\r\u001B[Ja line that stays\n`);
  expect(last.startsWith('\u001B')).toBe(false);
  for (const line of `${first}${last}`.split('\n')) expect(widthOf(line)).toBeLessThan(60);
});

test('a terminal that is narrow or cannot move its cursor gets lines, not a block that is redrawn', () => {
  const terminal = (columns: number): Sink => screen(columns, true).sink;
  expect(canRedraw(terminal(80), { TERM: 'xterm' })).toBe(true);
  expect(canRedraw(terminal(0), { TERM: 'xterm' })).toBe(true);
  expect(canRedraw(terminal(40), { TERM: 'xterm' })).toBe(false);
  expect(canRedraw(terminal(20), { TERM: 'xterm' })).toBe(false);
  expect(canRedraw(terminal(80), { TERM: 'dumb' })).toBe(false);
  expect(canRedraw(screen(80, false).sink, { TERM: 'xterm' })).toBe(false);
});

test.each([0, undefined])('a terminal that reports %s columns is treated as one of 80', (columns) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const drawnOn = (width: number | undefined) => {
    const { written, sink } = screen(width, true);
    makeProgressDisplay(makeExplorationDrawing(exploration()), sink).end();
    return written.join('');
  };
  expect(drawnOn(columns)).toBe(drawnOn(80));
  expect(drawnOn(columns)).toContain('exploration exp_1');
});
