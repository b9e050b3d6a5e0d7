import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Card } from '../../offline/cards/card.ts';
import { cards as realCards } from '../../offline/cards/index.ts';
import { statedValueText } from '../../offline/models/literals.ts';
import { makeDice } from '../../offline/models/seeded.ts';
import { toolsOfPrompt } from '../../offline/models/tools.ts';
import { interpretRequest } from '../../offline/models/understanding.ts';
import { testCards } from './models-cards.ts';
import {
  auditForm,
  catalogPairsForm,
  converse,
  fillIn,
  gradeOf,
  pairAnswerForm,
  refinementForm,
  scenarioForm,
  toolOf,
  type ListedTool,
  type MadeCall,
  type WrittenPair,
} from './models-support.ts';

/** The real cards, but every output stands on a line of its own, so that a result can be made up. */
const cards: ReadonlyMap<string, Card> = new Map(
  [...realCards].map(([name, card]) => [
    name,
    {
      ...card,
      gives: card.gives.map((output) => ({
        ...output,
        pick: { pattern: `(?:^|\n)${output.noun.replace(/[.*+?^${}()|[\]\\]/gu, '\\$&')}: (.*)` },
      })),
    },
  ]),
);
const catalog = [...cards.values()].map(toolOf);

const resultOf = (tool: string, nth: number): string =>
  (cards.get(tool)?.gives ?? []).map((output, index) => `${output.noun}: made-up-${nth}-${index}`).join('\n') || 'fine';

const accepted = (pair: WrittenPair): boolean => {
  const tools = catalog.filter((tool) => pair.chain.includes(tool.name));
  return gradeOf(auditForm.parse(fillIn(cards, 'offline-critic', 'audit', { tools, pair }, 1))) >= 90;
};

interface Unit {
  readonly candidates: readonly ListedTool[];
  readonly pair: WrittenPair;
  readonly seed: number;
}

const writeUnit = (seed: number): Unit | null => {
  const dice = makeDice('candidates', seed);
  const candidates = dice.shuffle(catalog).slice(0, 3 + dice.below(4));
  const { scenario } = scenarioForm.parse(
    fillIn(cards, 'offline-writer', 'scenario', { tools: candidates, known: [] }, seed),
  );
  if (scenario === null) return null;
  const { pair } = pairAnswerForm.parse(
    fillIn(cards, 'offline-writer', 'metamorphic-pair', { tools: candidates, scenario, facts: [] }, seed),
  );
  return pair === null ? null : { candidates, pair, seed };
};

const units = Array.from({ length: 150 }, (_, seed) => writeUnit(seed)).filter((unit) => unit !== null);
const sound = units.filter((unit) => accepted(unit.pair));

/** The tools of the same servers are mounted too. */
const run = (model: string, { pair, seed }: Unit, which: 'source' | 'followUp'): MadeCall[] => {
  const servers = new Set(pair.chain.map((name) => name.split('/')[0]));
  const mounted = catalog.filter((tool) => servers.has(tool.name.split('/')[0]));
  return converse(cards, model, pair[which], mounted, (tool, _, nth) => resultOf(tool, nth), seed).calls;
};

const share = <T>(list: readonly T[], holds: (one: T) => boolean): number =>
  list.filter(holds).length / Math.max(1, list.length);

const recallAndOrder = (chain: readonly string[], trace: readonly string[]): [number, number] => {
  const lengths = chain.map(() => 0);
  for (const tool of trace) {
    const at = chain.indexOf(tool);
    if (at >= 0) lengths[at] = 1 + Math.max(0, ...lengths.slice(0, at));
  }
  return [share(chain, (tool) => trace.includes(tool)), Math.max(0, ...lengths) / chain.length];
};

const transitions = (chain: readonly string[]): string[] => chain.slice(1).map((to, index) => `${chain[index]} ${to}`);

describe('the offline writer', () => {
  it('finds a task for most candidate sets, and accepts each candidate set once', () => {
    expect(units.length).toBeGreaterThan(100);
    for (const { pair, candidates } of units) {
      expect(new Set(pair.chain).size).toBe(pair.chain.length);
      for (const name of pair.chain) expect(candidates.map((tool) => tool.name)).toContain(name);
    }
  });

  it('writes about one flawed pair in eight, and repairs about half of those', () => {
    const flawed = units.filter(({ pair }) => !accepted(pair));
    expect(flawed.length / units.length).toBeGreaterThan(0.05);
    expect(flawed.length / units.length).toBeLessThan(0.3);
    const mended = flawed.filter(({ pair, seed }) => {
      const tools = catalog.filter((tool) => pair.chain.includes(tool.name));
      const answer = fillIn(cards, 'offline-writer', 'refinement', { tools, pair, diagnosis: [] }, seed);
      return accepted({ ...pair, ...refinementForm.parse(answer) });
    });
    expect(mended.length).toBeGreaterThan(0);
    expect(mended.length).toBeLessThan(flawed.length);
  });

  it('states in both requests every value that an argument comes from', () => {
    for (const { pair } of sound) {
      for (const { source } of pair.arguments) {
        if (source.kind !== 'span') continue;
        expect(pair.source).toContain(source.text);
        expect(pair.followUp).toContain(source.text);
      }
    }
  });

  it('never uses the name of a tool of several words', () => {
    for (const { pair, candidates } of units) {
      for (const { name } of candidates) {
        const own = name.slice(name.indexOf('/') + 1);
        if (!/[_-]/u.test(own)) continue;
        expect(`${pair.source} ${pair.followUp}`).not.toContain(own);
      }
    }
  });

  it('prefers steps that were not seen before', () => {
    const tools = [...testCards.values()].slice(0, 5).map(toolOf);
    const chainFor = (known: unknown, seed: number): string[] => {
      const { scenario } = scenarioForm.parse(fillIn(testCards, 'offline-writer', 'scenario', { tools, known }, seed));
      const { pair } = pairAnswerForm.parse(
        fillIn(testCards, 'offline-writer', 'metamorphic-pair', { tools, scenario, facts: [] }, seed),
      );
      return pair?.chain ?? [];
    };
    let before = 0;
    let after = 0;
    for (let seed = 0; seed < 20; seed += 1) {
      const seen = transitions(chainFor([], seed));
      const known = seen.map((pair) => pair.split(' '));
      before += seen.length;
      after += transitions(chainFor(known, seed + 100)).filter((pair) => seen.includes(pair)).length;
    }
    expect(after / before).toBeLessThan(0.25);
  });

  it('finds no task for unrelated tools', () => {
    const strangers = ['files/delete_note', 'time/today_date'].flatMap((name) => {
      const card = testCards.get(name);
      return card === undefined ? [] : [toolOf(card)];
    });
    const answer = scenarioForm.parse(
      fillIn(testCards, 'offline-writer', 'scenario', { tools: strangers, known: [] }, 1),
    );
    expect(answer.scenario).toBeNull();
  });

  it('uses the schema if a tool has no card', () => {
    const tools = [
      {
        name: 'shop/fetch_price_list',
        category: 'shop',
        description: 'Fetches the current price list of a shop. Fast.',
        inputSchema: {
          type: 'object',
          properties: { query: { type: 'string' }, limit: { type: 'integer' } },
          required: ['query', 'limit'],
        },
      },
      {
        name: 'shop/compare_offers',
        category: 'shop',
        description: 'Compares offers written in a text.',
        inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      },
    ];
    const { scenario } = scenarioForm.parse(fillIn(new Map(), 'offline-writer', 'scenario', { tools, known: [] }, 3));
    const { pair } = pairAnswerForm.parse(
      fillIn(new Map(), 'offline-writer', 'metamorphic-pair', { tools, scenario, facts: [] }, 3),
    );
    const { calls } = converse(new Map(), 'offline-steady', pair?.source ?? '', tools, () => 'apples 3, pears 4', 3);
    expect(calls.map((call) => call.tool)).toEqual(pair?.chain);
  });

  it('rates passages and uses none', () => {
    const [unit] = sound;
    const scenario = { request: unit?.pair.source ?? '', factQuery: 'x' };
    const facts = [{ text: scenario.request }, { text: 'Penguins live in the south.' }];
    const { pair } = pairAnswerForm.parse(
      fillIn(cards, 'offline-writer', 'metamorphic-pair', { tools: unit?.candidates, scenario, facts }, 1),
    );
    expect(pair?.facts.map((fact) => fact.passage)).toEqual([1, 2]);
    for (const fact of pair?.facts ?? []) expect(fact.relevance).toBeLessThan(0.9);
  });

  it('returns to its favourites when it sees the whole catalog', () => {
    const used = new Map<string, number>();
    for (let seed = 0; seed < 20; seed += 1) {
      const answer = fillIn(cards, 'offline-writer', 'catalog-pairs', { tools: catalog, count: 5 }, seed);
      const { pairs } = catalogPairsForm.parse(answer);
      expect(pairs).toHaveLength(5);
      for (const tool of pairs.flatMap((pair) => pair.chain)) used.set(tool, (used.get(tool) ?? 0) + 1);
    }
    const counts = [...used.values()].toSorted((one, other) => other - one);
    const total = counts.reduce((sum, count) => sum + count, 0);
    expect(counts.slice(0, 20).reduce((sum, count) => sum + count, 0) / total).toBeGreaterThan(0.6);
  });
});

describe('the offline agents', () => {
  it('recognize every wording of every card with all tools mounted', () => {
    const tools = toolsOfPrompt(catalog, cards);
    for (const card of cards.values()) {
      for (const phrase of card.phrases) {
        const clause = phrase.replace(/\{([^{}]+)\}/gu, (_, slot: string) =>
          statedValueText(card.slots[slot]?.samples[0] ?? ''),
        );
        const clauses = interpretRequest(`First, ${clause}, and finally ${clause}.`, tools);
        expect(
          clauses.map(({ readings }) => readings[0]?.tool.name),
          clause,
        ).toEqual([card.tool, card.tool]);
      }
    }
  });

  it('reproduce the chain and pass values if steady', () => {
    const runs = sound
      .slice(0, 80)
      .flatMap((unit) =>
        (['source', 'followUp'] as const).map((which) => ({ unit, which, calls: run('offline-steady', unit, which) })),
      );
    const same = share(runs, ({ unit, calls }) => calls.map((call) => call.tool).join() === unit.pair.chain.join());
    expect(same).toBeGreaterThan(0.9);
    const steps = runs.flatMap(({ unit, which, calls }) => calls.slice(1).map((call) => ({ unit, which, call })));
    const passed = share(steps, ({ call }) => JSON.stringify(call.arguments).includes('made-up-'));
    expect(passed).toBeGreaterThan(0.4);
  });

  it('rank in the order steady, hasty, forgetful', () => {
    const scores = ['offline-steady', 'offline-hasty', 'offline-forgetful'].map((model) => {
      const each = sound.slice(0, 50).map((unit) =>
        recallAndOrder(
          unit.pair.chain,
          run(model, unit, 'source').map((call) => call.tool),
        ),
      );
      return each.reduce((sum, [recall, order]) => sum + (recall + order) / 2, 0) / each.length;
    });
    const [steady = 0, hasty = 0, forgetful = 0] = scores;
    expect(steady).toBeGreaterThan(hasty + 0.08);
    expect(hasty).toBeGreaterThan(forgetful + 0.08);
  });

  it('retry once with a corrected argument if steady, and then continue', () => {
    const tools = [...testCards.values()].map(toolOf).map((tool) =>
      tool.name === 'calc/power_of'
        ? {
            ...tool,
            inputSchema: {
              type: 'object',
              properties: { base: { type: 'number' }, exponent: { type: 'number' }, mode: { enum: ['exact', 'fast'] } },
              required: ['base', 'exponent'],
            },
          }
        : tool,
    );
    const request = 'First raise 2 to the power of 7, then delete "b.md" from the folder.';
    const told: string[] = [];
    const { calls, final } = converse(
      testCards,
      'offline-steady',
      request,
      tools,
      (tool, args) => {
        told.push(`${tool} ${JSON.stringify(args)}`);
        return tool === 'calc/power_of' ? 'Error: mode is required' : 'deleted';
      },
      1,
    );
    expect(calls.map((call) => call.tool)).toEqual(['calc/power_of', 'calc/power_of', 'files/delete_note']);
    expect(told[1]).toContain('"mode":"exact"');
    expect(final).toContain('failed');
  });
});

describe('the offline models', () => {
  it('give the same answers in another process', () => {
    const [, unit] = sound;
    const tools = unit?.candidates ?? [];
    const ask = { model: 'offline-writer', form: 'scenario', variables: { tools, known: [] }, seed: 11 };
    const here = JSON.stringify(fillIn(realCards, ask.model, ask.form, ask.variables, ask.seed));
    const script = `
      import { fillIn } from './tests/offline/models-support.ts';
      import { cards } from './offline/cards/index.ts';
      const ask = JSON.parse(process.argv[1]);
      console.log(JSON.stringify(fillIn(cards, ask.model, ask.form, ask.variables, ask.seed)));`;
    const there = execFileSync(
      process.execPath,
      ['--experimental-strip-types', '--no-warnings', '--input-type=module', '-e', script, JSON.stringify(ask)],
      { encoding: 'utf8' },
    ).trim();
    expect(createHash('sha256').update(there).digest('hex')).toBe(createHash('sha256').update(here).digest('hex'));
  });
});
