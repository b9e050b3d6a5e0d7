import { describe, expect, test } from 'vitest';
import { caseListHtml } from '#api/html/case-list-page.ts';
import { entryPageHtml } from '#api/html/entry-page.ts';
import { leaderboardListHtml } from '#api/html/leaderboard-list.ts';
import { leaderboardTierPageHtml } from '#api/html/leaderboard-page.ts';
import { costAgainstHeadlinePlot } from '#api/html/cost-plot.ts';
import { executionAgainstCompletionPlot } from '#api/html/trade-off-plot.ts';
import { makeExplainedCase } from '#core/evaluation/explained-case.ts';
import { makeScore } from '#core/scoring/score.ts';
import { finished } from '../evaluation/cases.ts';
import { at, boardId, boardWith, entryWith, placeWith, ranked, vouchedFor } from '../../support/entries.ts';

const nasty = `<img src=x onerror="alert('1')">\u202E\u0000&`;
const shown = '&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;␦␀&amp;';

/** The page as a browser reads it: how its source is broken into lines means nothing. */
const text = async (page: ReturnType<typeof leaderboardListHtml> | null): Promise<string> =>
  ((await page)?.toString() ?? '').replaceAll(/[ \n]+/g, ' ');

const table = (more: Partial<Parameters<typeof leaderboardTierPageHtml>[0]> = {}) =>
  text(
    leaderboardTierPageHtml({
      board: boardWith(),
      tier: 'service',
      metric: 'success',
      rows: [ranked(entryWith())],
      front: [],
      floor: null,
      judges: [],
      from: 0,
      limit: 50,
      total: 1,
      ...more,
    }),
  );

const domain = (name: string) => {
  const { success } = entryWith().scores;
  return { name, units: 2, success, mtc: success, tcs: success };
};

describe('outside names on leaderboard pages', () => {
  const entry = entryWith({
    name: nasty,
    costUsd: 1,
    configuration: { loop: nasty, model: nasty, limits: { [nasty]: 1 } },
    domains: [domain(nasty)],
  });
  const board = boardWith({ name: nasty, judge: { model: nasty, baseUrl: nasty } });
  const paired = { with: 'sub_b', name: nasty, difference: 0.1, low: 0, high: 0.2, units: 2 };

  test.for([
    [
      'in the list',
      leaderboardListHtml(
        [
          {
            id: boardId,
            name: nasty,
            benchmark: 'bm_1',
            protocol: 'sgvef',
            createdAt: at,
            entries: 1_234,
            submissions: null,
          },
        ],
        null,
      ),
    ],
    [
      'in the table',
      leaderboardTierPageHtml({
        board,
        tier: 'service',
        metric: 'success',
        rows: [ranked(entry)],
        front: [entry],
        floor: null,
        judges: [],
        from: 0,
        limit: 50,
        total: 1,
      }),
    ],
    [
      'on the page of an entry',
      entryPageHtml({ board, entry, place: placeWith({ leader: paired, above: paired }), vouched: vouchedFor(entry) }),
    ],
  ] as const)('are escaped %s, with visible marks for invisible characters', async ([, page]) => {
    const html = await text(page);
    expect(html).toContain(shown);
    expect(html).not.toContain('<img src=x');
    expect(html).not.toMatch(/[\0\u202E]/);
    expect(html).not.toContain('<script');
  });
});

describe('the table of a leaderboard', () => {
  test('shows no cost that only the submitter states', async () => {
    const entry = entryWith({ costUsd: 0.004, tier: 'self-reported' });
    expect(await table({ rows: [ranked(entry)], front: [], total: 1 })).not.toContain('Cost and execution');
  });

  test('has rank, name, tier, scores with intervals, cost and the front', async () => {
    const scores = entryWith().scores;
    const entry = entryWith({
      costUsd: 0.004,
      tier: 'gateway',
      scores: { ...scores, success: { mean: 0.5, low: 0.4, high: 0.6, n: 2, unscored: 0 } },
    });
    const html = await table({
      board: boardWith({ entries: { service: 0, gateway: 1, 'self-reported': 0 } }),
      tier: 'gateway',
      rows: [ranked(entry, { position: 3, rank: 2, onFront: true })],
      front: [entry],
      floor: null,
      total: 9,
    });
    expect(html).toMatch(/title="position 3"> ?2 ?<\/td>/);
    expect(html).toContain(`href="/leaderboards/${boardId}/entries/sub_a"`);
    expect(html).toContain('<strong>gateway (1)</strong>');
    expect(html).toContain('recording gateway. Entries rank by the public units.');
    const halved = boardWith({ privateUnits: 3 });
    expect(await table({ board: halved })).toContain('Entries rank by their figures on the private units.');
    expect(await table({ board: halved, tier: 'self-reported' })).toContain('Entries rank by the public units.');
    expect(html).toMatch(/0\.500(?:<\/strong\s*>)?<small>0\.400 to 0\.600<\/small/);
    expect(html).toContain('$0.0040');
    expect(html).toContain('◆');
    expect(html).toContain('<h2>Cost and success</h2>');
    expect(html).toContain('<h2>Execution and completion</h2>');
    expect(html).not.toContain('offline');
  });

  test('says which results come from rules, and that there are no entries yet', async () => {
    expect(await table({ board: boardWith({ offline: true }) })).toContain('offline');
    const empty = await table({ rows: [], total: 0 });
    expect(empty).toContain('Nothing is published in this tier yet.');
    expect(empty).toContain(`npm run sextant -- submit service --model MODEL --leaderboard ${boardId} --name NAME`);
    expect(empty).not.toContain('aria-label="Order"');
    expect(empty).not.toContain('<table');
    expect(empty).not.toContain('<svg');
  });

  test('links to other orders and other pages', async () => {
    const html = await table({ metric: 'cost', from: 50, total: 101 });
    expect(html).toContain('<strong>Cost</strong>');
    expect(html).toContain(`href="/leaderboards/${boardId}?tier=service&amp;metric=success"`);
    expect(html).not.toContain('metric=mtc');
    expect(html).toContain(`href="/leaderboards/${boardId}?tier=service&amp;metric=cost&cursor=0"`);
    expect(html).toContain(`href="/leaderboards/${boardId}?tier=service&amp;metric=cost&cursor=100"`);
    expect(html).toContain('51 to 100 of 101');
    expect(await table()).not.toContain('cursor=');
  });

  test('shows public and private figures separately, with the gap', async () => {
    const { scores } = entryWith({}, [0.2]);
    const gap = { difference: 0.3, low: 0.1, high: 0.5 };
    const hidden = {
      units: 1,
      attempts: 8,
      notEvaluated: 0,
      scores,
      gap: { execution: gap, mtc: gap, tcs: gap, success: gap },
    };
    const html = await table({ rows: [ranked(entryWith({ private: hidden }))] });
    expect(html).toContain('+0.300<small>0.100 to 0.500</small>');
    expect(html).toMatch(/data-of="Private success">\s*0\.200<small><\/small\s*>/);
  });

  test('marks ranks that several entries share, and draws the interval of the score that ranks', async () => {
    const { scores } = entryWith();
    const success = { mean: 0.5, low: 0.25, high: 0.75, n: 2, unscored: 0 };
    const entry = (id: string) => entryWith({ id, scores: { ...scores, success } });
    const rows = [ranked(entry('sub_a')), ranked(entry('sub_b'), { rank: 2 }), ranked(entry('sub_c'), { rank: 2 })];
    const html = await table({ rows, total: 3 });
    expect(Array.from(html.matchAll(/title="position \d+"> ?([^ <]+)/g), ([, rank]) => rank)).toEqual([
      '1',
      '2=',
      '2=',
    ]);
    expect(html.match(/class="interval" x1="25.0" x2="75.0"/g)).toHaveLength(rows.length);
  });

  test('gives no rank by cost to an entry whose cost nobody knows', async () => {
    const rows = [
      ranked(entryWith({ costUsd: 1 })),
      ranked(entryWith({ id: 'sub_b', costUsd: null }), { rank: 2, ranked: false }),
    ];
    const html = await table({ metric: 'cost', rows, total: 2 });
    expect(
      Array.from(html.matchAll(/title="(?:position \d+|listed, not ranked)"> ?([^ <]+)/g), ([, rank]) => rank),
    ).toEqual(['1', '–']);
    expect(html).toContain('more than 0.1 below the tier');
    expect(html).toContain('whose cost is known (1 of 2)');
  });

  test('explains its scores, and has no column for private units where there are none', async () => {
    const html = await table();
    expect(html).toContain('<abbr title="tool call score: Did the agent call');
    expect(html).toContain('It is not a share of right calls');
    expect(html).not.toContain('Private success');
  });

  test('names entries beside their dots, which lead to them, as long as there is room', async () => {
    const entries = (count: number) =>
      Array.from({ length: count }, (_, n) => entryWith({ id: `sub_${n}`, name: `agent ${n}`, costUsd: n + 1 }));
    const plot = (count: number) => text(costAgainstHeadlinePlot('sgvef', entries(count), []));
    expect((await plot(3)).match(/agent \d <\/text>/g)).toHaveLength(3);
    expect(await plot(3)).toContain(`<a href="/leaderboards/${boardId}/entries/sub_2"`);
    expect(await plot(13)).not.toMatch(/agent \d <\/text>/);
  });

  test('has a column for every domain of its entries', async () => {
    const html = await table({
      rows: [
        ranked(entryWith({ domains: [domain('maps')] })),
        ranked(entryWith({ id: 'sub_b', domains: [domain('files')] })),
      ],
    });
    expect(html.indexOf('<bdi>files</bdi>')).toBeLessThan(html.indexOf('<bdi>maps</bdi>'));
    expect(html.indexOf('<bdi>files</bdi>')).toBeGreaterThan(0);
  });
});

describe('the page of an entry', () => {
  const page = (place: Parameters<typeof placeWith>[0]) =>
    text(
      entryPageHtml({
        board: boardWith(),
        entry: entryWith(),
        place: placeWith(place),
        vouched: vouchedFor(entryWith()),
      }),
    );

  test('explains the rank of the entry', async () => {
    const leader = { with: 'sub_b', name: 'B', difference: -0.01, low: -0.03, high: 0.01, units: 120 };
    const above = { with: 'sub_c', name: 'C', difference: -0.2, low: -0.3, high: -0.1, units: 118 };
    const html = await page({ position: 5, rank: 3, of: 40, leader, above });
    expect(html).toContain('Rank <strong>3</strong> of 40');
    expect(html).toContain(': this one less that one is -0.010 (-0.030 to 0.010), over 120 common units.');
    expect(html).toContain(': this one less that one is -0.200 (-0.300 to -0.100), over 118 common units.');
    expect(html).toContain(`/leaderboards/${boardId}/entries/sub_c`);
    const first = await page({});
    expect(first).toContain('No entry of its tier is significantly better.');
    expect(first).not.toContain('cannot be told');
  });

  test('links to the record, the traces, the history and the badge', async () => {
    const html = await page({});
    expect(html).toContain(`"/leaderboards/${boardId}/entries/sub_a/cases"`);
    for (const part of ['record', 'traces', 'history', 'badge.svg'])
      expect(html).toContain(`/v1/leaderboards/${boardId}/entries/sub_a/${part}`);
    expect(html).toContain('a'.repeat(64));
    expect(html).toContain('not tried on private ones');
  });
});

describe("the page of an entry's cases", () => {
  const reason = `${nasty}${'x'.repeat(2_000)}`;
  const success = makeScore(0, { achieved: [false], reasons: [reason], answered: true }, reason);
  const failed = finished({ unit: 'u_1', agent: 'a' }, { tools: ['fruit/apple'], grades: { success } });
  const explained = makeExplainedCase({ ...failed, scores: { success } }, { ok: true, value: [nasty] });
  const page = (next: string | null, cases = [explained]) =>
    text(caseListHtml({ entry: entryWith({ name: nasty }), cases, next }));

  test('shows figures and reasons, escaped and bounded', async () => {
    const html = await page(null);
    expect(html).toContain('<bdi>u_1</bdi>, trial 1');
    expect(html).toContain('Success 0.000');
    expect(html).toContain(`goal 1 (${shown})</bdi> 0.000: <bdi>${shown}`);
    expect(html).not.toContain('<img');
    expect(html).not.toContain('x'.repeat(301));
    expect(html).toContain('1 of 2 expected tools were called in order');
  });

  test('links to the next page, if there is one, and to the same as data', async () => {
    const path = `/leaderboards/${boardId}/entries/sub_a/cases`;
    expect(await page('u_1.a.01"')).toContain(`href="${path}?after=u_1.a.01%22"`);
    const last = await page(null, []);
    expect(last).not.toContain('rel="next"');
    expect(last).toContain('There are no more cases.');
    expect(last).toContain(`href="/v1${path}"`);
  });
});

describe('the plot of execution and completion', () => {
  const mean = (value: number | null) => ({ mean: value, low: null, high: null, n: 1, unscored: 0 });
  const scored = (execution: number | null, ar: number | null, uic: number | null) =>
    entryWith({
      scores: { ...entryWith().scores, execution: mean(execution), ar: mean(ar), uic: mean(uic) },
    });

  test('has a dot for each entry whose calls and answers are scored, on the line if they are worth the same', async () => {
    const svg = await text(
      executionAgainstCompletionPlot([scored(0.5, 0.4, 0.6), scored(0.5, null, 0.6), scored(null, 0.4, 0.6)]),
    );
    expect(svg.match(/<circle/g)).toHaveLength(1);
    expect(svg).toContain('execution 0.500, completion 0.500');
    // The line goes from 0 to 1 in both scores, so its middle is where both are 0.5.
    const line = /x1="([\d.]+)"\s+x2="([\d.]+)"\s+y1="([\d.]+)"\s+y2="([\d.]+)"\s+\/>\s+<circle/.exec(svg);
    const [x1 = 0, x2 = 0, y1 = 0, y2 = 0] = (line ?? []).slice(1).map(Number);
    const [x, y] = (/cx="([\d.]+)"\s+cy="([\d.]+)"/.exec(svg) ?? []).slice(1).map(Number);
    expect([x, y]).toEqual([(x1 + x2) / 2, (y1 + y2) / 2]);
    expect(x1).toBeLessThan(x2);
  });

  test('is omitted if no entry has both figures, and stays inside for scores beyond 0 and 1', async () => {
    expect(executionAgainstCompletionPlot([scored(0.5, null, 0.6)])).toBeNull();
    const inside = await text(executionAgainstCompletionPlot([scored(0, -0.4, 0)]));
    const edge = await text(executionAgainstCompletionPlot([scored(0, 0, 0)]));
    expect(/<circle[^>]*>/.exec(inside)?.[0]).toBe(/<circle[^>]*>/.exec(edge)?.[0]);
  });
});

describe('the plot of cost and execution', () => {
  test('is omitted if no cost is known, and drawn if all costs are zero', async () => {
    expect(costAgainstHeadlinePlot('sgvef', [entryWith()], [])).toBeNull();
    const free = entryWith({ costUsd: 0 });
    const svg = await text(costAgainstHeadlinePlot('sgvef', [free], [free]));
    expect(svg).toContain('<circle class="dot front"');
    expect(svg).not.toContain('NaN');
  });

  test('draws the front as steps, and wide ranges of cost on a logarithmic scale', async () => {
    const cheap = entryWith({ id: 'sub_1', costUsd: 0.001 }, [0.2]);
    const dear = entryWith({ id: 'sub_2', costUsd: 1 }, [0.9]);
    const svg = await text(costAgainstHeadlinePlot('sgvef', [cheap, dear], [cheap, dear]));
    expect(svg).toMatch(/<path class="step" d="M[\d.]+ [\d.]+H[\d.]+V[\d.]+"/);
    expect(svg).toContain('(logarithmic)');
    expect(
      await text(
        costAgainstHeadlinePlot('sgvef', [entryWith({ costUsd: 1 }), entryWith({ id: 'sub_2', costUsd: 2 })], []),
      ),
    ).not.toContain('logarithmic');
  });
});

test('the list of leaderboards counts entries and submissions, with a dash for what nobody knows yet', async () => {
  const listed = { id: boardId, name: 'A board', benchmark: 'bm_1', protocol: 'sgvef', createdAt: at } as const;
  const page = (entries: number | null, submissions: number | null) =>
    text(leaderboardListHtml([{ ...listed, entries, submissions }], null));
  expect(await page(1_234, 0)).toContain('entries: 1,234, submissions: 0<');
  expect(await page(null, null)).toContain('entries: –, submissions: –<');
});
