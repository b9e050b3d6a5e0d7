import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { evaluationCase, type EvaluationCase } from '#core/evaluation/case.ts';
import { evaluateToEnd, frozen, withRules, type TestBed } from '../support/evaluation.ts';
import { call, expectStatus, keyFor, newWorkspace, pageOf, problemOf } from '../support/workspace.ts';

let bed: TestBed;
let run: string;
let cases: readonly EvaluationCase[];
beforeAll(async () => {
  const idle = { form: 'turn', model: 'idle', behaviour: { kind: 'content', content: 'It is done.' } } as const;
  bed = await withRules(await frozen(3), idle);
  ({ run, cases } = await evaluateToEnd(bed, ['steady', 'idle'], { trials: 2 }));
});

const pathOf = (of: string, query: Readonly<Record<string, string>>): string =>
  `/v1/evaluations/${of}/cases?${new URLSearchParams(query).toString()}`;

/** Reads a list to its end; `pages` has the number of items of each page. */
async function listed(of: string, query: Readonly<Record<string, string>>) {
  const [items, pages]: [EvaluationCase[], number[]] = [[], []];
  for (let cursor: string | null = ''; cursor !== null;) {
    const answer = await bed.workspace.get(pathOf(of, { ...query, cursor }));
    const page: { items: EvaluationCase[]; nextCursor: string | null } = pageOf(evaluationCase).parse(
      expectStatus(answer, 200),
    );
    items.push(...page.items);
    pages.push(page.items.length);
    cursor = page.nextCursor;
  }
  return { ids: items.map(({ id }) => id), pages };
}

const idsWhere = (isWanted: (each: EvaluationCase) => boolean): string[] => cases.filter(isWanted).map(({ id }) => id);

const callsOf = ({ attempts }: EvaluationCase) => Object.values(attempts).flatMap(({ calls }) => calls);

describe('the cases of an evaluation', () => {
  test('are listed by agent, unit, tool and outcome, also page by page', async () => {
    const unit = cases[0]?.unit ?? '';
    const tool = cases.flatMap(callsOf)[0]?.tool ?? '';
    expect((await listed(run, { agent: 'idle' })).ids).toEqual(idsWhere(({ agent }) => agent === 'idle'));
    expect((await listed(run, { unit })).ids).toEqual(idsWhere((each) => each.unit === unit));
    const withTool = idsWhere((each) => callsOf(each).some((call) => call.tool === tool));
    expect(withTool.length).toBeGreaterThan(0);
    expect(withTool.length).toBeLessThan(cases.length);
    expect((await listed(run, { tool })).ids).toEqual(withTool);
    expect((await listed(run, { tool, agent: 'idle' })).ids).toEqual([]);
    expect((await listed(run, { outcome: 'under-way' })).ids).toEqual([]);
    const two = await listed(run, { agent: 'steady', limit: '2' });
    expect(two.ids).toEqual(idsWhere(({ agent }) => agent === 'steady'));
    expect(Math.max(...two.pages)).toBe(2);
  });

  test('are looked at 500 at a time, however few of them a filter wants', async () => {
    const [first] = cases;
    if (first === undefined) throw new Error('there is no case');
    const grown = (await evaluateToEnd(bed, ['steady'])).run;
    await runInDurableObject(env.EVALUATION_RUN.getByName(grown), (_object, { storage: { sql } }) => {
      for (let n = 0; n < 1_200; n += 1) {
        const [id, unit, agent] = [`zz-${String(n).padStart(4, '0')}`, 'zz', n === 1_100 ? 'steady' : 'another'];
        const json = JSON.stringify({ ...first, id, unit, agent });
        sql.exec(
          "INSERT INTO cases (id, unit, agent, waits, json) VALUES (?, ?, ?, 'nobody', ?)",
          id,
          unit,
          agent,
          json,
        );
      }
    });
    const { ids, pages } = await listed(grown, { agent: 'steady' });
    expect(ids.at(-1)).toBe('zz-1100');
    expect(ids).toHaveLength(4);
    expect(pages).toEqual([3, 0, 1]);
  });

  test('are refused for a filter that none of them can have, with what would be right', async () => {
    const refused = async (query: Readonly<Record<string, string>>) => {
      const answer = await bed.workspace.get(pathOf(run, query));
      return [problemOf(answer), JSON.stringify(answer.body)] as const;
    };
    const agent = await refused({ agent: 'nobody' });
    expect(agent[0]).toEqual([404, 'not-found']);
    expect(agent[1]).toContain('it has steady, idle');
    expect((await refused({ unit: 'none' }))[0]).toEqual([404, 'not-found']);
    const tool = await refused({ tool: 'none/such' });
    expect(tool[0]).toEqual([404, 'not-found']);
    expect(tool[1]).toMatch(/such as [^ ,"]+\/[^ ,"]+/);
    const failure = await refused({ failure: 'wrong' });
    expect(failure[0]).toEqual([400, 'invalid-request']);
    expect(failure[1]).toContain('invalid-artifact-reference');
    expect((await refused({ outcome: 'wrong' }))[0]).toEqual([400, 'invalid-request']);
  });

  test('stay hidden with any filter where a key may not see the units', async () => {
    const whole = (await evaluateToEnd(bed, ['steady'], { split: 'all' })).run;
    const reader = await keyFor(bed.workspace.id, 'read');
    for (const query of [{}, { agent: 'steady' }, { agent: 'nobody' }, { unit: 'none' }, { tool: 'none/such' }])
      expect(problemOf(await call(reader, 'GET', pathOf(whole, query)))).toEqual([403, 'forbidden']);
    const stranger = await newWorkspace();
    expect(problemOf(await stranger.get(pathOf(run, { agent: 'steady' })))).toEqual([404, 'not-found']);
  });
});
