import { describe, expect, test } from 'vitest';
import { findingBy, type CheckFinding } from '#core/reports/check/finding.ts';
import { ruleIds, type RuleId } from '#core/reports/check/rules.ts';
import { kindsOfDefinitions, rulesOfFaults } from '../../../bench/check/rules-of-faults.ts';
import { scoreChecks, type CheckedServer } from '../../../bench/check/score.ts';
import { checkFigureLines } from '../../../bench/check/text.ts';
import { faultKinds } from '../../fixtures/servers/fixture.ts';

const found = (rule: RuleId, tool: string | null, more: Partial<CheckFinding> = {}): CheckFinding => ({
  ...findingBy(rule, {
    server: 'shop',
    tool: tool === null ? null : `shop/${tool}`,
    sentence: `${rule} here`,
    proposal: 'mend it',
  }),
  ...more,
});

const shop = (more: Partial<CheckedServer>): CheckedServer => ({
  server: 'shop',
  tools: ['get_order', 'fetch_order', 'list_orders', 'delete_order'].map((name) => ({
    name,
    changes: name === 'delete_order',
  })),
  faults: [],
  unnamed: [],
  findings: [],
  leftOut: [],
  calls: [],
  seconds: 1,
  failed: null,
  ...more,
});

const statuses = (more: Partial<CheckedServer>): string[] =>
  scoreChecks([shop(more)]).faults.map(({ status }) => status);

describe('a planted fault', () => {
  const hangs = { kind: 'hangs', tool: 'get_order' } as const;

  test('is found by a finding of its rule, or of a related one, at its tool', () => {
    expect(statuses({ faults: [hangs], findings: [found('hangs', 'get_order')] })).toEqual(['found']);
    expect(statuses({ faults: [hangs], findings: [found('crashes', 'get_order')] })).toEqual(['found']);
  });

  test('is missed if the finding is at another tool, or of another rule', () => {
    expect(statuses({ faults: [hangs], findings: [found('hangs', 'list_orders')] })).toEqual(['missed']);
    expect(statuses({ faults: [hangs], findings: [found('slow', 'get_order')] })).toEqual(['missed']);
  });

  test('is found by a finding at another tool that names its own among the others', () => {
    const twin = { kind: 'twin-by-definition', tool: 'fetch_order', twin: 'get_order' } as const;
    const finding = found('twin-by-definition', 'get_order', { others: ['shop/fetch_order'] });
    expect(statuses({ faults: [twin], findings: [finding] })).toEqual(['found']);
  });

  test('that no kind names is in no share, its tool is not clean, and what was found there is shown', () => {
    const figures = scoreChecks([
      shop({ unnamed: [{ tool: 'get_order', what: 'counts hours as days' }], findings: [found('slow', 'get_order')] }),
    ]);
    expect(figures.detection.faults).toBe(0);
    expect(figures.falseAlarms).toMatchObject({ cleanTools: 3, alarmed: 0 });
    const lines = checkFigureLines(figures).join('\n');
    expect(lines).toContain('shop/get_order: counts hours as days\n    shop/get_order: slow: slow here');
  });

  test('of the server is found by a finding about the server alone', () => {
    const loops = { kind: 'paging-loops', tool: null } as const;
    expect(statuses({ faults: [loops], findings: [found('paging-loops', null)] })).toEqual(['found']);
    expect(statuses({ faults: [loops], findings: [found('paging-loops', 'get_order')] })).toEqual(['missed']);
  });

  test('counts apart if all that speaks of it is of low severity', () => {
    const findings = [found('hangs', 'get_order', { severity: 'low' })];
    expect(statuses({ faults: [hangs], findings })).toEqual(['foundLow']);
    expect(statuses({ faults: [hangs], findings: [...findings, found('hangs', 'get_order')] })).toEqual(['found']);
  });

  test('counts apart if only calls show it and its tool may not be called, and is missed if the definition shows it', () => {
    const faults = [
      { kind: 'hangs', tool: 'delete_order' },
      { kind: 'description-vague', tool: 'delete_order' },
    ] as const;
    expect(statuses({ faults, leftOut: ['delete_order'] })).toEqual(['notCalled', 'missed']);
  });
});

describe('the figures of a check', () => {
  const figures = scoreChecks([
    shop({
      faults: [
        { kind: 'hangs', tool: 'get_order' },
        { kind: 'huge-result', tool: 'get_order' },
      ],
      findings: [
        found('hangs', 'get_order'),
        found('unhelpful-error', 'get_order'),
        found('bounds-ignored', 'list_orders'),
        found('missing-accepted', 'list_orders'),
        found('effect-undeclared', 'fetch_order'),
        found('list-costly', null, { severity: 'medium' }),
      ],
      calls: ['get_order', 'delete_order', 'delete_order', 'no_such_tool'],
    }),
  ]);

  test('count faults in all and by kind, with the interval of the share', () => {
    expect(figures.detection).toMatchObject({ faults: 2, found: 1, missed: 1, share: 0.5 });
    expect(figures.detection.low).toBeCloseTo(0.0945, 3);
    expect(figures.detection.high).toBeCloseTo(0.9055, 3);
    expect(figures.byKind.map(({ kind, found }) => [kind, found])).toEqual([
      ['hangs', 1],
      ['huge-result', 0],
    ]);
  });

  test('count a clean tool with two alarms once, and findings of low severity not at all', () => {
    expect(figures.falseAlarms).toMatchObject({ cleanTools: 3, alarmed: 1 });
    expect(figures.falseAlarms.list.map(({ tool, rule }) => [tool, rule])).toEqual([
      ['list_orders', 'bounds-ignored'],
      ['list_orders', 'missing-accepted'],
    ]);
  });

  test('list apart what is said about the server, and what is said of a faulty tool beside its fault', () => {
    expect(figures.falseAlarms.atServers.map(({ rule }) => rule)).toEqual(['list-costly']);
    expect(figures.beside.map(({ tool, rule }) => [tool, rule])).toEqual([['get_order', 'unhelpful-error']]);
  });

  test('list the calls of tools that change something', () => {
    expect(figures.callsAboveEffect).toEqual([{ server: 'shop', tool: 'delete_order', calls: 2 }]);
  });

  test('are shown with what was missed and what was a false alarm', () => {
    const lines = checkFigureLines(figures);
    expect(lines).toContain('  shop/get_order: huge-result (missed)');
    expect(lines).toContain('  shop/list_orders: bounds-ignored: bounds-ignored here');
    expect(lines).toContain('  shop/delete_order: 2');
  });

  test('have no share where nothing was planted', () => {
    expect(scoreChecks([shop({})]).detection).toMatchObject({ faults: 0, share: null, low: 0, high: 1 });
  });

  test('say which server could not be checked, and count its faults as missed', () => {
    const faults = [{ kind: 'hangs', tool: 'get_order' }] as const;
    const broken = scoreChecks([shop({ faults, failed: 'it does not start' })]);
    expect(broken.detection.missed).toBe(1);
    expect(checkFigureLines(broken)).toContain('shop ended early: it does not start');
  });
});

test('each kind of fault has the rule of its own name, if there is one, before related ones', () => {
  const rules: readonly string[] = ruleIds;
  const own = faultKinds.filter((kind) => rules.includes(kind));
  expect(own.filter((kind) => rulesOfFaults[kind][0] !== kind)).toEqual([]);
  expect(faultKinds.filter((kind) => !rules.includes(kind))).toEqual(['argument-undescribed']);
});

test('what a definition shows is decided for kinds alone that exist', () => {
  expect([...kindsOfDefinitions].filter((kind) => !faultKinds.includes(kind))).toEqual([]);
});
