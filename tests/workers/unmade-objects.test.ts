import { env } from 'cloudflare:workers';
import { describe, expect, test } from 'vitest';
import type { Result } from '#core/values/result.ts';
import { anyUnit } from '#durable-objects/exploration/exploration-store.ts';
import { stubWithParts } from '../support/platform/parts.ts';
import { unique } from '../support/workspace.ts';

/** An object exists as soon as it is asked. What was never created says so at each read, so that nobody has to ask twice. */

const exploration = () => stubWithParts(env.EXPLORATION_RUN.getByName(unique('exp')));
const evaluation = () => stubWithParts(env.EVALUATION_RUN.getByName(unique('evl')));
const recording = () => env.RECORDING.getByName(unique('rec'));
const benchmark = () => env.BENCHMARK.getByName(unique('bmo'));
const board = () => env.LEADERBOARD.getByName(unique('lb'));
const workspace = () => env.WORKSPACE.getByName(unique('ws'));

const reads: readonly (readonly [string, () => Promise<Result<unknown>>])[] = [
  ['the units of an exploration', () => exploration().units.list(anyUnit, '', 10, 'everything')],
  ['the transitions of an exploration', () => exploration().listTransitions('', 10)],
  ['the readings of an exploration', () => exploration().listReadings(0, 10)],
  ['the domains of an exploration', () => exploration().units.countDomainTransitions()],
  ['the agreement of an exploration', () => exploration().units.measureAgreementWithCritic()],
  ['the evolutions of an exploration', () => exploration().evolutions.list()],
  ['the results of an evaluation', () => evaluation().results.read()],
  ['the results by unit of an evaluation', () => evaluation().results.listByUnit('', 10, 'everything')],
  ['the breakdown of an evaluation', () => evaluation().results.breakdown('server', 'everything')],
  ['the transitions of an evaluation', () => evaluation().results.listTransitions('', 10, 'everything')],
  ['the report of an evaluation', () => evaluation().results.renderReport('everything', { floor: null, judges: [] })],
  ['a comparison in an evaluation', () => evaluation().results.compare('a', 'b')],
  ['the cases of an evaluation', () => evaluation().cases.list({}, '', 10, 'everything')],
  ['a case of an evaluation', () => evaluation().cases.get('c', 'everything')],
  ['the traces of an evaluation', () => evaluation().scoring.traceHeader('a', 'everything')],
  [
    'the calls of a recording',
    () => recording().listAttemptCalls('u', 'a', { after: 0, limit: 10, sight: 'everything' }),
  ],
  ['the file of a recording', () => recording().exportLines(0, 'everything')],
  ['the file of a benchmark', () => benchmark().readExportPage('all', 1, 10)],
  ['the submissions to a leaderboard', () => board().listSubmissionsForModerators('main', null, '', 10)],
  ['the owner of an entry', () => board().getShownEntryOwner('sub_a')],
  ['a catalog', () => workspace().readCatalogWithTools('cat_a')],
  ['a server', () => workspace().readServerWithTools('srv_a')],
  ['what an exploration needs of a catalog', () => workspace().explorationBasis('cat_a')],
];

describe('an object that was never created', () => {
  test.each(reads)('refuses to give %s', async (_what, read) => {
    expect(await read()).toMatchObject({ ok: false, problem: { code: 'not-found' } });
  });
});
