import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import { evaluationConfig } from '#core/evaluation/config.ts';
import { buildRecordByScorer } from '#core/evaluation/scorers.ts';
import { exitCodeFor } from '../../client/command-line/error-output.ts';
import { fakeApi, json } from './fake-api.ts';
import { evaluation } from './records.ts';
import { runVerb } from './run-verb.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const [steady, hasty] = evaluation().agents;
const side = (id: string, agent: typeof steady, changes: Partial<EvaluationRecord> = {}) =>
  json(evaluation({ id, status: 'completed', agents: agent === undefined ? [] : [agent], ...changes }));

/** Results of two agents, of which the one of this name has these values. */
const results = (agent: string, value: number) =>
  json({
    items: Array.from({ length: 10 }, (_, place) => ({
      unit: `u${place}`,
      agent,
      trials: 1,
      scores: { ...buildRecordByScorer(() => null), success: value, tcs: value },
      passes: null,
      patterns: [],
    })),
    nextCursor: null,
  });

/** Two evaluations: each is read, then its results; both at once, so each answer fits both. */
const apiOf = (candidateValue: number) =>
  fakeApi(side('evl_1', steady), side('evl_1', steady), results('steady', 0.8), results('steady', candidateValue));

const line = (...more: readonly string[]) =>
  ['gate', '--baseline', 'evl_1', '--candidate', 'evl_1', '--min-effect', '0.1', ...more] as const;

async function failureOf(attempt: Promise<unknown>): Promise<readonly [message: string, exitCode: number]> {
  const error: unknown = await attempt.then(
    () => null,
    (cause: unknown) => cause,
  );
  if (error === null) throw new Error('it did not fail');
  return [error instanceof Error ? error.message : '', exitCodeFor(error)];
}

test('"gate" passes a candidate that is as good, and writes what it compared', async () => {
  await using api = await apiOf(0.8);
  const [markdown, junit] = [join(folder, 'gate.md'), join(folder, 'gate.xml')];
  const { lines } = await runVerb(api, ...line('--markdown', markdown, '--junit', junit, '--min', 'tcs=0.5'));
  expect(lines[0]).toMatch(/^steady of evl_1 is not worse than steady of evl_1 by 0.1 or more\.$/);
  expect(readFileSync(markdown, 'utf8')).toContain(
    '| metric | baseline | candidate | advantage | tells | units | verdict |',
  );
  const xml = readFileSync(junit, 'utf8');
  expect(xml).toContain('tests="2" failures="0" errors="0"');
});

test('"gate" exits with 4 where the candidate is worse, and still writes its reports', async () => {
  await using api = await apiOf(0.3);
  const junit = join(folder, 'gate.xml');
  const [message, code] = await failureOf(runVerb(api, ...line('--junit', junit)));
  expect(message).toContain('is worse than');
  expect(code).toBe(4);
  expect(readFileSync(junit, 'utf8')).toMatch(/failures="1".*<failure message="advantage/s);
});

test('"gate" exits with 4 where a required mean is missed, although the candidate is as good', async () => {
  await using api = await apiOf(0.8);
  const [message, code] = await failureOf(runVerb(api, ...line('--min', 'success=0.9')));
  expect(message).toContain('is 0.800, and 0.9 is required');
  expect(code).toBe(4);
});

test('"gate" exits with 6 while an evaluation continues', async () => {
  const running = side('evl_1', steady, { status: 'running' });
  await using api = await fakeApi(running, running);
  expect(await failureOf(runVerb(api, ...line()))).toEqual(['evl_1 is running: 0 of 10 units are done', 6]);
});

test('"gate" exits with 5 where an evaluation did not complete, or the units are too few to say', async () => {
  await using cancelled = await fakeApi(side('evl_1', steady, { status: 'cancelled' }));
  expect(await failureOf(runVerb(cancelled, ...line()))).toEqual([expect.stringContaining('is cancelled'), 5]);
  const none = json({ items: [], nextCursor: null });
  await using empty = await fakeApi(side('evl_1', steady), side('evl_1', steady), none, none);
  expect(await failureOf(runVerb(empty, ...line()))).toEqual([expect.stringContaining('too few units to say'), 5]);
});

test('"gate" refuses evaluations of different benchmarks, unnamed agents, and metrics that the protocol lacks', async () => {
  const other = evaluationConfig.parse({ benchmark: 'bm_2' });
  await using different = await fakeApi(
    side('evl_1', steady),
    side('evl_1', steady, { config: other }),
    results('steady', 1),
    results('steady', 1),
  );
  expect(await failureOf(runVerb(different, ...line()))).toEqual([expect.stringContaining('different benchmarks'), 2]);
  const both = json(evaluation({ status: 'completed' }));
  await using several = await fakeApi(both, both);
  expect(await failureOf(runVerb(several, ...line()))).toEqual([
    `evl_1 has the agents ${steady?.name}, ${hasty?.name}; name one of them`,
    2,
  ]);
  await using lacking = await apiOf(1);
  const [message, code] = await failureOf(runVerb(lacking, ...line('--metric', 'outcome')));
  expect([message, code]).toEqual([expect.stringContaining('has no metric outcome'), 2]);
});

test('"gate" says of agents that follow rules that the verdict is no evidence', async () => {
  const rules = side('evl_1', steady, { ruleAgents: [steady?.name ?? ''] });
  await using api = await fakeApi(rules, rules, results('steady', 0.8), results('steady', 0.8));
  const markdown = join(folder, 'gate.md');
  const { lines } = await runVerb(api, ...line('--markdown', markdown));
  expect(lines.join('\n')).toContain('steady follows rules in place of a model');
  expect(readFileSync(markdown, 'utf8')).toContain('steady follows rules in place of a model');
  await using models = await apiOf(0.8);
  expect((await runVerb(models, ...line())).lines.join('\n')).not.toContain('rules');
});

test('"gate" says which difference its units tell, and how many would do where they are too few', async () => {
  const scored = (values: readonly number[]) =>
    json({
      items: values.map((success, place) => ({
        unit: `u${place}`,
        agent: 'steady',
        trials: 1,
        scores: { ...buildRecordByScorer(() => null), success },
        passes: null,
        patterns: [],
      })),
      nextCursor: null,
    });
  const before = [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0];
  const after = [1, 0, 0, 1, 1, 0, 1, 0, 0, 1, 1, 0];
  const apiOfUnits = () => fakeApi(side('evl_1', steady), side('evl_1', steady), scored(before), scored(after));
  await using api = await apiOfUnits();
  const { lines } = await runVerb(api, ...line('--fail-if', 'worse'));
  expect(lines[0]).toMatch(/too few units to say, and about \d{3} units would do\.$/);
  expect(lines.find((each) => each.startsWith('success'))).toMatch(/ 0\.5\d +12 +undecided/);
  expect(lines.join('\n')).toContain('Tells: the smallest true difference');
});

test('"gate" refuses a smallest difference of 0', async () => {
  await using api = await fakeApi();
  await expect(
    runVerb(api, 'gate', '--baseline', 'evl_1', '--candidate', 'evl_2', '--min-effect', '0'),
  ).rejects.toThrow('give a number above 0');
});

test('"gate --fail-if worse" exits with 4 where the candidate is worse, and with 0 where the units are too few to say', async () => {
  await using worse = await apiOf(0.3);
  expect((await failureOf(runVerb(worse, ...line('--fail-if', 'worse'))))[1]).toBe(4);
  const none = json({ items: [], nextCursor: null });
  await using empty = await fakeApi(side('evl_1', steady), side('evl_1', steady), none, none);
  const { lines } = await runVerb(empty, ...line('--fail-if', 'worse'));
  expect(lines[0]).toContain('too few units to say');
});

test('"gate --fail-if worse:KEY" compares that metric too, and nothing else but --min fails it', async () => {
  await using named = await apiOf(0.3);
  expect((await failureOf(runVerb(named, ...line('--fail-if', 'worse:tcs'))))[1]).toBe(4);
  await using other = await apiOf(0.3);
  const junit = join(folder, 'gate.xml');
  const { lines } = await runVerb(other, ...line('--metric', 'success', '--fail-if', 'worse:uic', '--junit', junit));
  expect(lines.join('\n')).toMatch(/is worse than/);
  expect(readFileSync(junit, 'utf8')).toContain('tests="2" failures="0" errors="0"');
  await using missed = await apiOf(0.3);
  const required = line('--metric', 'success', '--fail-if', 'worse:uic', '--min', 'success=0.5');
  expect((await failureOf(runVerb(missed, ...required)))[1]).toBe(4);
});

test.each(['better', 'worse:', 'worse:nothing', 'worse:tcs:uic', ''])(
  '"gate" refuses --fail-if "%s"',
  async (given) => {
    await using api = await fakeApi();
    await expect(runVerb(api, ...line('--fail-if', given))).rejects.toThrow('--fail-if');
  },
);

test('"gate --until decided" takes the decision of an evaluation that drew its units, and refuses what it did not decide by', async () => {
  const drawn = side('evl_1', undefined, {
    agents: evaluation().agents,
    config: evaluationConfig.parse({ benchmark: 'bm_1', stop: { kind: 'decided' } }),
    decision: {
      difference: 0.1,
      error: 0.05,
      units: 12,
      of: 100,
      isDecided: true,
      best: 'steady',
      pairs: [
        {
          a: 'steady',
          b: 'hasty',
          difference: -0.6,
          low: -0.9,
          high: -0.2,
          verdict: 'worse',
          decidedAfter: 12,
          units: 12,
          unscored: 0,
        },
      ],
      means: [],
    },
  });
  const words = ['--until', 'decided', '--baseline-agent', 'steady', '--candidate-agent', 'hasty'];
  const answers = () => [drawn, drawn, drawn, results('steady', 0.8), results('hasty', 0.8)] as const;
  await using api = await fakeApi(...answers());
  const [message, code] = await failureOf(runVerb(api, ...line(...words)));
  expect([message, code]).toEqual(['hasty is worse than steady.', 4]);
  await using other = await fakeApi(...answers());
  const [refused] = await failureOf(runVerb(other, ...line(...words, '--metric', 'tcs')));
  expect(refused).toContain('were drawn until its agents were told apart by success');
  await using whole = await fakeApi(side('evl_1', steady));
  const [unfit] = await failureOf(runVerb(whole, ...line('--until', 'decided')));
  expect(unfit).toContain('evl_1 takes all of its units; start one with evaluate --until decided');
});
