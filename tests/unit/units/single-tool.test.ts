import { describe, expect, test } from 'vitest';
import { listCandidatesAndChain } from '#core/units/progress.ts';
import { unit as unitSchema, type Unit } from '#core/units/unit.ts';
import { after, audited, begun, executed, hotels, paired, places, route } from './units.ts';

const draw = { tools: [places.name], known: [], siblings: [hotels.name] };
const single = (): Unit => begun({ draws: [draw, { ...draw, tools: [hotels.name], siblings: [places.name] }] });
const alone = {
  chain: [places.name],
  arguments: [{ step: 1, argument: 'query', source: { kind: 'span' as const, text: 'the Old Town Hall' } }],
};

describe('a unit for one tool', () => {
  test('is written without a scenario and accepted with a chain of one call', () => {
    const unit = after(single(), [
      paired(alone),
      audited(95),
      executed('source', [{ tool: places.name }]),
      executed('followUp', [{ tool: places.name }]),
    ]);
    expect(unit.stage).toMatchObject({ kind: 'done', status: 'accepted' });
    expect(unit.pair?.chain).toEqual([places.name]);
    expect(unitSchema.parse(unit)).toEqual(unit);
  });

  test('keeps its wording when the agent calls a sibling: that is what it is to find', () => {
    const unit = after(single(), [
      paired(alone),
      audited(95),
      executed('source', [{ tool: hotels.name }]),
      executed('followUp', [{ tool: hotels.name }]),
    ]);
    expect(unit.stage).toMatchObject({ kind: 'done', status: 'accepted' });
    expect(unit.earlierExecution).toBeNull();
    expect(unit.witness).toEqual({ source: [], followUp: [] });
  });

  test.each([[[hotels.name]], [[places.name, places.name]], [[places.name, hotels.name]], [[]]])(
    'tries its next tool if the writer gives the chain %j',
    (chain) => {
      const unit = after(single(), [paired({ ...alone, chain })]);
      expect(unit).toMatchObject({ drawn: 2, stage: { kind: 'pair' }, pair: null });
      const last = after(single(), [paired({ ...alone, chain }), paired({ ...alone, chain: [route.name] })]);
      expect(last.stage).toMatchObject({ kind: 'done', status: 'lost' });
    },
  );

  test('names neither its tool nor a sibling, or it is refined', () => {
    const unit = after(single(), [
      paired({ ...alone, source: 'I want no maps/find_place: how do I get to the Old Town Hall?' }),
      audited(95),
    ]);
    expect(unit.stage).toEqual({ kind: 'refinement' });
    const sibling = after(single(), [
      paired({ ...alone, source: 'Without beds/hotels, how do I get to the Old Town Hall?' }),
      audited(95),
    ]);
    expect(sibling.stage).toEqual({ kind: 'refinement' });
    expect(sibling.audits[0]?.violations).toEqual(['source names the tool beds/hotels']);
    expect(listCandidatesAndChain(sibling)).toContain(hotels.name);
  });
});
