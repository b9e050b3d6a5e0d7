import { beforeAll, describe, expect, test } from 'vitest';
import { benchmarkRecord } from '#core/benchmarks/benchmark.ts';
import { toolReport, type ToolReport } from '#core/reports/tool-report/record.ts';
import { evaluateToEnd, withRules, type TestBed } from '../support/evaluation.ts';
import { endOf, exploreToEnd, prepare, type Ground } from '../support/exploration.ts';
import type { Rule, ServerSpec } from '../support/script.ts';
import { expectStatus, problemOf } from '../support/workspace.ts';
import { tools } from '../support/world.ts';

/** Units for one tool on a server with planted siblings, and agents that take one for the other at a known rate. */

const noteTool = (name: string, description: string) => ({
  name,
  description,
  inputSchema: { type: 'object', properties: { code: { type: 'string' } }, required: ['code'] },
});
const servers: Readonly<Record<string, ServerSpec>> = {
  notes: {
    tools: [noteTool('note1', 'Adds text as a new note'), noteTool('note2', 'Appends text to a known note')],
  },
  winds: { tools: tools('mistral', 'sirocco', 'zephyr') },
};
const [first, second] = ['notes/note1', 'notes/note2'] as const;

const plantedShare = 0.3;
/** Runs of 30 units take some seconds, and longer where other tests run beside them. */
const patienceMs = 120_000;

/** Confuses the first tool alone: the second one is never taken for it. */
const takesFirstForSecond = (model: string): Rule => ({
  form: 'turn',
  model,
  behaviour: { kind: 'confuses', instead: 'notes__note1', calls: 'notes__note2', share: plantedShare },
});

const reportAt = async ({ workspace }: Ground, path: string): Promise<ToolReport> =>
  toolReport.parse(expectStatus(await workspace.get(path), 200));

const confusionIn = ({ confusions }: ToolReport) =>
  confusions.find(({ expected, called }) => expected === first && called === second);

const holdsPlantedShare = (report: ToolReport): boolean => {
  const interval = confusionIn(report)?.attempts.interval ?? { low: 1, high: 0 };
  return interval.low <= plantedShare && plantedShare <= interval.high;
};

describe('an exploration with units for one tool', () => {
  test(
    'writes them for each of two siblings, with a chain of one call, and accepts them though the agent confuses them',
    async () => {
      const ground = await prepare({ servers, rules: [takesFirstForSecond('scripted')] });
      const { run, units } = await exploreToEnd(ground, { batch: 30, more: { siblingUnits: 28 } });
      const singles = units.map(({ unit }) => unit).filter(({ draws }) => draws[0]?.siblings !== undefined);
      expect(singles).toHaveLength(28);
      for (const unit of singles) {
        const [draw] = unit.draws;
        expect(unit.pair?.chain).toEqual(draw?.tools);
        expect([draw?.tools, draw?.siblings]).toEqual(
          draw?.tools[0] === first ? [[first], [second]] : [[second], [first]],
        );
        expect(endOf(unit).status).toBe('accepted');
        expect(unit.scenario).toBeNull();
        expect(unit.prompts).toEqual(expect.arrayContaining(['sibling-pair@v1', 'sibling-audit@v1']));
        expect(unit.prompts).not.toContain('refine@v4');
      }
      expect(singles.filter(({ pair }) => pair?.chain[0] === first)).toHaveLength(14);
      const report = await reportAt(ground, `/v1/explorations/${run}/tools`);
      expect(confusionIn(report)?.attempts.of).toBeGreaterThanOrEqual(28);
      expect(holdsPlantedShare(report)).toBe(true);
      expect(report.confusions.filter(({ expected }) => expected === second)).toEqual([]);
      // Rules played the agent: its confusion is a figure, and no finding about the tool.
      expect(report.findings.filter(({ kind }) => kind === 'confused')).toEqual([]);
    },
    patienceMs,
  );

  test('shows the siblings to the writer and the critic, and not as tools of the chain', async () => {
    const ground = await prepare({ servers });
    const { units } = await exploreToEnd(ground, { batch: 2, more: { siblingUnits: 2 } });
    expect(units.filter(({ unit }) => unit.draws[0]?.siblings !== undefined)).toHaveLength(2);
    const asked = (await ground.model.asked()).filter(({ messages }) =>
      messages.some(({ content }) => content.includes('<data name="siblings">')),
    );
    expect(asked.map(({ form }) => form).toSorted()).toEqual([
      'audit',
      'audit',
      'metamorphic-pair',
      'metamorphic-pair',
    ]);
    for (const { messages } of asked) {
      const text = messages.map(({ content }) => content).join('\n');
      const block = (name: string) => new RegExp(`<data name="${name}">\n(.*)\n</data>`).exec(text)?.[1] ?? '';
      expect(block('tools')).not.toBe('');
      expect(block('tools').includes('note1')).toBe(block('siblings').includes('note2'));
      expect(block('tools').includes('note1')).not.toBe(block('tools').includes('note2'));
    }
  });

  test('is the same run without them where no tool has a sibling, and is refused where a round is too small', async () => {
    const ground = await prepare();
    const { units } = await exploreToEnd(ground, { batch: 2, more: { siblingUnits: 1 } });
    expect(units.every(({ unit }) => unit.draws.every(({ siblings }) => siblings === undefined))).toBe(true);
    const refused = await ground.workspace.post('/v1/explorations', {
      catalog: ground.catalog,
      batch: 2,
      siblingUnits: 3,
    });
    expect(problemOf(refused)[0]).toBe(400);
  });
});

describe('an evaluation of agents that take a tool for its sibling at a known rate', () => {
  const agents = ['a', 'b', 'c'].map((letter) => `confused-${letter}`);
  let bed: TestBed;
  beforeAll(async () => {
    const ground = await prepare({ servers });
    const { run } = await exploreToEnd(ground, { batch: 30, more: { siblingUnits: 30 } });
    const frozen = await ground.workspace.post('/v1/benchmarks', {
      explorations: [run],
      privateShare: 0,
      floor: false,
    });
    const benchmark = benchmarkRecord.parse(expectStatus(frozen, 201));
    bed = { ...(await withRules({ ...ground, benchmark }, ...agents.map(takesFirstForSecond))), benchmark };
  }, patienceMs);

  test(
    'has a report for each agent whose interval holds the rate, and one of a careful agent without confusions',
    async () => {
      const { run } = await evaluateToEnd(bed, [...agents, 'careful'], { judges: false });
      const reports = await Promise.all(
        agents.map((agent) => reportAt(bed, `/v1/evaluations/${run}/tools?agent=${agent}`)),
      );
      for (const report of reports) {
        expect(confusionIn(report)?.attempts.of).toBe(bed.benchmark.units);
        expect(report.confusions.filter(({ expected }) => expected === second)).toEqual([]);
      }
      expect(reports.map(holdsPlantedShare)).toEqual(agents.map(() => true));
      const careful = await reportAt(bed, `/v1/evaluations/${run}/tools?agent=careful`);
      expect(careful.confusions).toEqual([]);
      expect(careful.tools.find(({ tool }) => tool === first)?.missed).toMatchObject({ count: 0 });
    },
    patienceMs,
  );
});
