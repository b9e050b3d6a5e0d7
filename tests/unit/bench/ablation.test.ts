import type { TransitionRecord } from '#core/exploration/counts.ts';
import { expect, test } from 'vitest';
import { explorationMounting } from '#core/units/mounting/mounting.ts';
import { explorationConfig } from '#core/exploration/config.ts';
import {
  ablationRunOfExploration,
  summarizeByStrategy,
  mergeExecutedTransitions,
} from '../../../bench/studies/ablation/figures.ts';
import { rankingCautions } from '../../../bench/studies/ablation/cautions.ts';
import { configWithout, parseAblationOptionsOrHelp } from '../../../bench/studies/ablation/options.ts';
import { runLine, summaryTableLines } from '../../../bench/studies/ablation/text.ts';
import { roundedJsonLine } from '../../../bench/shared/json-line.ts';
import { exploration, reading } from '../../client/records.ts';

const counts = { accepted: 15, review: 0, rejected: 2, lost: 3, dropped: 0, probes: 2 };
const transition = (from: string, to: string, executed: number, valuePassed = 0): TransitionRecord => ({
  from,
  to,
  executed,
  expected: 1,
  valuePassed,
});

/** An exploration of 22 units that executed so many transitions. */
const run = (strategy: 'gve' | 'sgvef' | 'frontier', seed: number, transitions: number, tokens = 1_000) =>
  ablationRunOfExploration(
    exploration({
      status: 'completed',
      config: explorationConfig.parse({ catalog: 'cat_1', strategy, seed }),
      units: counts,
      transitions,
      valuesPassed: 4,
      reading: reading({ nodeCoverage: { value: 0.5, covered: 6, of: 12, setAside: 0 } }),
      usage: { calls: 9, promptTokens: tokens - 100, completionTokens: 100, costUsd: 0 },
      endedAt: '2026-01-01T00:01:05.000Z',
    }),
    [transition('a/x', 'b/y', 2, 1), transition('a/x', 'b/z', 0)],
  );

test('the figures of a run cover all of its units in every state', () => {
  const { units, figures, executed } = run('gve', 2, 33, 6_600);
  expect(units).toBe(22);
  expect(figures).toMatchObject({
    transitions: 33,
    per100Units: 150,
    nodeCoverage: 0.5,
    valuesPassed: 4,
    tokens: 6_600,
    tokensPerTransition: 200,
    accepted: 15,
    lost: 3,
    rejected: 2,
    dropped: 0,
    seconds: 65,
  });
  expect(executed).toEqual([transition('a/x', 'b/y', 2, 1)]);
});

test('a figure without a value in a run is null and left out of the spread', () => {
  const barren = run('gve', 1, 0);
  expect(barren.figures.tokensPerTransition).toBeNull();
  expect(
    summarizeByStrategy([barren, run('gve', 2, 10)])
      .get('gve')
      ?.get('tokensPerTransition'),
  ).toEqual({
    median: 100,
    min: 100,
    max: 100,
  });
  expect(summarizeByStrategy([barren]).get('gve')?.get('tokensPerTransition')).toBeNull();
});

test('each strategy is summarized over its own seeds, in the order of the first runs', () => {
  const runs = [run('sgvef', 1, 30), run('gve', 1, 10), run('sgvef', 2, 50), run('gve', 2, 20), run('sgvef', 3, 31)];
  const summaries = summarizeByStrategy(runs);
  expect([...summaries.keys()]).toEqual(['sgvef', 'gve']);
  expect(summaries.get('sgvef')?.get('transitions')).toEqual({ median: 31, min: 30, max: 50 });
  expect(summaries.get('gve')?.get('transitions')).toEqual({ median: 15, min: 10, max: 20 });
});

test('the union of all runs has each directed transition once, with its counts added up', () => {
  const union = mergeExecutedTransitions([
    { executed: [transition('a', 'b', 2, 1), transition('b', 'a', 1)] },
    { executed: [transition('a', 'b', 3, 2)] },
  ]);
  expect(union).toEqual([
    { from: 'a', to: 'b', executed: 5, expected: 2, valuePassed: 3 },
    { from: 'b', to: 'a', executed: 1, expected: 1, valuePassed: 0 },
  ]);
  expect(mergeExecutedTransitions([])).toEqual([]);
});

test('a run is printed on one line', () => {
  expect(runLine(run('gve', 2, 33))).toBe(
    'gve, seed 2: 33 transitions in 22 units (150.0 per 100), 4 passing a value; node coverage 50.0%; 15 accepted, 3 lost, 2 rejected, 0 dropped; 1 min 05 s',
  );
});

test('the table has a column for each strategy, and a spread only if there is one', () => {
  const lines = summaryTableLines(summarizeByStrategy([run('gve', 1, 11), run('sgvef', 1, 22), run('sgvef', 2, 44)]));
  expect(lines.slice(0, 3)).toEqual([
    '                               gve                    sgvef',
    'executed transitions            11            33 (22 to 44)',
    'per 100 units                 50.0   150.0 (100.0 to 200.0)',
  ]);
});

test('the JSON line has the same figures', () => {
  const strategies = summarizeByStrategy([run('gve', 1, 3)]);
  expect(JSON.parse(roundedJsonLine({ strategies }))).toMatchObject({
    strategies: { gve: { per100Units: { median: 13.6364, min: 13.6364, max: 13.6364 } } },
  });
});

const cautionsOf = (runs: readonly ReturnType<typeof run>[], seeds = 3): string[] =>
  rankingCautions(summarizeByStrategy(runs), { units: 22, seeds });

test('strategies whose runs found overlapping numbers of transitions are not ranked', () => {
  const apart = [run('gve', 1, 10), run('gve', 2, 19), run('sgvef', 1, 20), run('sgvef', 2, 30)];
  expect(cautionsOf(apart)).toEqual([]);
  expect(cautionsOf([...apart, run('gve', 3, 20)])).toEqual([
    'sgvef and gve are not ranked: the transitions of their runs overlap (20 to 30, and 10 to 20).',
  ]);
});

test('fewer than three seeds rank no strategies, and one strategy needs no ranking', () => {
  expect(cautionsOf([run('gve', 1, 10), run('sgvef', 1, 30)], 1)).toEqual([
    '1 seed cannot rank strategies: runs of one strategy differ too; give --seeds 3 or more.',
  ]);
  expect(cautionsOf([run('gve', 1, 10)], 1)).toEqual([]);
});

test('units are too few for frontier while tools wait for their first success', () => {
  const caution =
    '22 units are too few to show what frontier can do: with 50.0% of the tools reached, it still drew for breadth.';
  expect(cautionsOf([run('frontier', 1, 10)])).toEqual([caution]);
  const reached = run('frontier', 1, 10);
  expect(cautionsOf([{ ...reached, figures: { ...reached.figures, nodeCoverage: 1 } }])).toEqual([]);
});

test('an exploration without the critic accepts every score and repairs nothing', () => {
  expect(parseAblationOptionsOrHelp(['--without', 'critic'])).toMatchObject({ without: 'critic' });
  expect(() => parseAblationOptionsOrHelp(['--without', 'writer'])).toThrow(
    '--without "writer": give one of critic, refinement',
  );
  for (const config of Object.values(configWithout))
    expect(explorationConfig.parse({ catalog: 'cat_1', ...config })).toMatchObject(config);
});

test('units are rounded up to whole rounds, and seeds are counted from 1', () => {
  expect(parseAblationOptionsOrHelp(['--units', '110', '--seeds', '2', '--strategy', 'sgvef, gve', '--json'])).toEqual({
    strategies: ['sgvef', 'gve'],
    seeds: [1, 2],
    rounds: 10,
    mounting: explorationMounting,
    blindWriter: false,
    without: null,
    json: true,
  });
  expect(parseAblationOptionsOrHelp(['--units', '111', '--strategy', 'gve'])).toMatchObject({ rounds: 11 });
  expect(parseAblationOptionsOrHelp(['--strategy', 'gve'])).toMatchObject({
    rounds: 19,
    seeds: [1, 2, 3],
    json: false,
  });
  expect(parseAblationOptionsOrHelp(['--mounting', 'oracle'])).toMatchObject({ mounting: { kind: 'oracle' } });
  expect(parseAblationOptionsOrHelp(['--blind-writer'])).toMatchObject({ blindWriter: true });
  expect(parseAblationOptionsOrHelp(['--help'])).toMatchObject({ help: expect.stringContaining('--units') });
});

test.each([
  [['--units', '0'], '--units "0"'],
  [['--units', '2.5'], '--units "2.5"'],
  [['--units', 'many'], '--units "many": give a number'],
  [['--seeds', '0'], '--seeds "0"'],
  [['--seeds'], '--seeds wants a value'],
  [['--strategy', 'gve,lucky'], '--strategy "gve,lucky": there is no strategy "lucky"; give some of frontier'],
  [['--strategy', ''], '--strategy ""'],
  [['--strategy', 'gve,gve'], 'gve is named twice'],
  [['--round', '3'], 'no option --round'],
])('the options %j are refused with a sentence that names the wrong one', (argv, sentence) => {
  expect(() => parseAblationOptionsOrHelp(argv)).toThrow(sentence);
});
