import { describe, expect, it } from 'vitest';
import type { Tool } from '#core/catalog/tool.ts';
import { applyOverlay, traceWithOriginalToolNames } from '#core/evaluation/overlay/apply-overlay.ts';
import { countAddedTokens } from '#core/evaluation/overlay/count-added-tokens.ts';
import {
  findOverlayProblem,
  findSizeProblemOfOverlays,
  overlayWithHash,
  overlay,
  overlayProblemText,
  makeShownOverlay,
  storedOverlay,
  type Overlay,
} from '#core/evaluation/overlay/overlay.ts';
import { listUnitsThatWordingsWereWrittenFrom } from '#core/evaluation/overlay/written-from.ts';
import { makeStep, makeTrace } from '../../support/traces.ts';

const tool = (name: string, description = `Does ${name}`): Tool => ({
  name,
  server: name.split('/')[0] ?? '',
  domain: 'general',
  category: 'other',
  description,
  inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { readOnlyHint: false },
  effect: 'writes',
  forced: { dryRun: true },
});
const tools = [tool('notes/add'), tool('notes/append'), tool('mail/send')];
const unit = (n: number): string => `u_${String(n).padStart(24, '0')}`;
const parse = (given: Partial<Overlay>): Overlay => overlay.parse({ name: 'new', ...given });

describe('an overlay', () => {
  it('changes name, title, description and schema, and nothing that says what a tool does', () => {
    const inputSchema = { type: 'object', required: ['text'] };
    const change = { name: 'create_note', title: 'Create', description: 'Creates a note', inputSchema };
    const { tools: shown } = applyOverlay(parse({ tools: { 'notes/add': change } }), tools);
    expect(shown[0]).toEqual({ ...tools[0], ...change, name: 'notes/create_note' });
    expect(shown.slice(1)).toEqual(tools.slice(1));
  });

  it('keeps what it does not change', () => {
    const { tools: shown } = applyOverlay(parse({ tools: { 'notes/add': { title: 'Create' } } }), tools);
    expect(shown[0]).toEqual({ ...tools[0], title: 'Create' });
  });

  it('maps the names that agents read back to the tools, even where two have exchanged their names', () => {
    const { originalOf, shownNames } = applyOverlay(
      parse({ tools: { 'notes/add': { name: 'append' }, 'notes/append': { name: 'add' } } }),
      tools,
    );
    expect(['notes/append', 'notes/add', 'mail/send', 'none/such'].map(originalOf)).toEqual([
      'notes/add',
      'notes/append',
      'mail/send',
      'none/such',
    ]);
    expect([...shownNames].toSorted()).toEqual(['mail/send', 'notes/add', 'notes/append']);
  });

  it('does not know a tool by the name that it has taken away', () => {
    const { shownNames } = applyOverlay(parse({ tools: { 'notes/add': { name: 'create' } } }), tools);
    expect(shownNames.has('notes/add')).toBe(false);
  });

  it('lists some tools first, in its order, and leaves the others in theirs', () => {
    const { tools: shown } = applyOverlay(parse({ first: ['mail/send', 'notes/append'] }), tools);
    expect(shown.map(({ name }) => name)).toEqual(['mail/send', 'notes/append', 'notes/add']);
  });

  it('passes over tools that an attempt does not see', () => {
    const { tools: shown } = applyOverlay(
      parse({ tools: { 'mail/send': { name: 'post' } }, first: ['mail/send'] }),
      tools.slice(0, 2),
    );
    expect(shown).toEqual(tools.slice(0, 2));
  });

  it('leaves everything as it is where there is none', () => {
    const { tools: shown, originalOf } = applyOverlay(undefined, tools);
    expect(shown).toBe(tools);
    expect(originalOf('notes/add')).toBe('notes/add');
  });

  it('gives traces the tools their own names again, those of tools that were left out too', () => {
    const { originalOf } = applyOverlay(parse({ tools: { 'notes/add': { name: 'create' } } }), tools);
    const made = {
      ...makeTrace(['notes/create', 'mail/send', 'made up'].map((name) => makeStep(name))),
      leftOut: [{ tool: 'notes/create', reason: 'refused' as const, pointer: null }],
    };
    const kept = traceWithOriginalToolNames(made, originalOf);
    expect(kept.steps.map((step) => step.tool)).toEqual(['notes/add', 'mail/send', 'made up']);
    expect(kept.leftOut).toEqual([{ tool: 'notes/add', reason: 'refused', pointer: null }]);
  });

  it('has the same hash under any name and in any order of keys, and another one for another change', async () => {
    const change = { title: 'T', description: 'D' };
    const first = await overlayWithHash(parse({ tools: { 'notes/add': change, 'mail/send': { title: 'M' } } }));
    const second = await overlayWithHash(
      overlay.parse({
        name: 'other',
        tools: { 'mail/send': { title: 'M' }, 'notes/add': { description: 'D', title: 'T' } },
      }),
    );
    expect(second.sha256).toBe(first.sha256);
    expect(first.sha256).toMatch(/^[0-9a-f]{64}$/);
    const reordered = await overlayWithHash(parse({ tools: { 'notes/add': change }, first: ['mail/send'] }));
    expect(reordered.sha256).not.toBe(first.sha256);
  });

  it('has the same hash regardless of its author, and says how many units a model saw', async () => {
    const tools = { 'notes/add': { title: 'T' } };
    const from = { evaluation: 'evl_1', units: [unit(1), unit(2)], model: 'm', prompt: 'p@v1', offline: false };
    const [own, models] = [
      await overlayWithHash(parse({ tools })),
      await overlayWithHash(parse({ tools, writtenFrom: from })),
    ];
    expect(models.sha256).toBe(own.sha256);
    expect(storedOverlay.parse(models).writtenFrom).toEqual(from);
    expect(makeShownOverlay(models)).toMatchObject({ writtenFrom: { evaluation: 'evl_1', units: 2 } });
    expect(makeShownOverlay(own)).toEqual({ name: 'new', sha256: own.sha256 });
    const agents = [{ overlay: models }, { overlay: own }, { overlay: { ...models } }, { loop: 'null' as const }];
    expect(listUnitsThatWordingsWereWrittenFrom(agents)).toEqual([unit(1), unit(2)]);
  });

  it('counts the tokens that it adds to definitions, and those that it saves', () => {
    const longer = parse({ tools: { 'notes/add': { description: 'Creates a note. '.repeat(40) } } });
    const shorter = parse({ tools: { 'notes/add': { description: '' } } });
    expect(countAddedTokens(longer, tools)).toBeGreaterThan(100);
    expect(countAddedTokens(shorter, tools)).toBeLessThan(0);
    expect(countAddedTokens(longer, tools.slice(1))).toBe(0);
  });
});

describe('an overlay that does not fit', () => {
  const names = tools.map(({ name }) => name);
  it('names a tool that the benchmark lacks, as changed or as first', () => {
    const problem = findOverlayProblem(parse({ tools: { 'notes/gone': { title: 'x' } } }), names);
    expect(problem).toEqual({ reason: 'unknown-tool', tool: 'notes/gone' });
    expect(overlayProblemText({ reason: 'unknown-tool', tool: 'notes/gone' })).toContain('no tool notes/gone');
    expect(findOverlayProblem(parse({ first: ['x/y'] }), names)).toEqual({ reason: 'unknown-tool', tool: 'x/y' });
  });

  it('gives two tools one name', () => {
    const problem = findOverlayProblem(parse({ tools: { 'notes/add': { name: 'append' } } }), names);
    expect(problem).toEqual({ reason: 'same-name', name: 'notes/append' });
    expect(problem === null ? '' : overlayProblemText(problem)).toContain('the name append on notes');
    const same = parse({ tools: { 'notes/add': { name: 'send' } } });
    expect(findOverlayProblem(same, names)).toBeNull();
  });

  it('is larger than an evaluation can store', () => {
    const long = parse({
      tools: Object.fromEntries(Array.from({ length: 70 }, (_, n) => [`s/t${n}`, { description: 'ß'.repeat(4_000) }])),
    });
    expect(findSizeProblemOfOverlays([long])).toMatchObject({ reason: 'too-large', most: 500_000 });
    expect(findSizeProblemOfOverlays([])).toBeNull();
  });

  it.each([
    ['changes nothing', { name: 'x' }],
    ['changes nothing of a tool', { name: 'x', tools: { 'a/b': {} } }],
    ['names a tool without its server', { name: 'x', tools: { b: { title: 'x' } } }],
    ['changes what a tool does', { name: 'x', tools: { 'a/b': { effect: 'reads' } } }],
    ['moves a tool to another server', { name: 'x', tools: { 'a/b': { name: 'c/b' } } }],
    [
      'names no unit that a model saw',
      {
        name: 'x',
        tools: { 'a/b': { title: 'x' } },
        writtenFrom: { evaluation: 'evl_1', units: [], model: 'm', prompt: 'p@v1', offline: false },
      },
    ],
    ['lists a tool first twice', { name: 'x', first: ['a/b', 'a/b'] }],
  ])('is refused where it %s', (_what, given) => {
    expect(overlay.safeParse(given).success).toBe(false);
  });
});
