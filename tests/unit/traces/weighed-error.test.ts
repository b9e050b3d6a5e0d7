import { describe, expect, it } from 'vitest';
import { findErrorByRule } from '#core/traces/error-by-rule.ts';
import { findRuleOfReportedErrorOrNull } from '#core/traces/reported-error.ts';
import { errorThreshold, isErrorByWeight, weighError } from '#core/traces/weighed-error.ts';
import weights from '#core/traces/error-weights.json' with { type: 'json' };
import { readLabelledRows } from '../../../scripts/error-weights/labelled-rows.ts';
import { learnWeights } from '../../../scripts/error-weights/learn.ts';
import { weighWithoutOwnServer } from '../../../scripts/error-weights/measure.ts';

const rows = readLabelledRows('tests/fixtures/labelled-results.jsonl');

describe('a result that no rule calls an error', () => {
  it.each([
    ['parts/get_part', { part: 'left hinge' }, 'Sorry, we do not have a part called left hinge. Did you mean "hinge"?'],
    ['parts/get_part', { part: 'left hinge' }, 'Not found: left hinge'],
    ['parts/set_colour', { colour: 'glue' }, 'The colour glue is not supported. Please use red or green.'],
    ['parts/order_part', { part: 'hinge' }, '下单失败: fetch failed'],
    ['parts/get_part', { part: 'hinge' }, '{"part":"hinge","message":"Could not reach the shop"}'],
    ['parts/get_part', { part: 'hinge' }, '{"ok":true,"part":"hinge","data":{"error":"Part not found: hinge"}}'],
  ])('is one of %s %j by the weight of its words: %s', (tool, args, text) => {
    expect(findErrorByRule(text, tool)).toBeNull();
    expect(findRuleOfReportedErrorOrNull(text, tool, args)).toBe('weighed');
  });

  it.each([
    ['parts/search_parts', { query: 'left hinge' }, 'No parts found for "left hinge".'],
    ['parts/search_parts', { query: 'left hinge' }, '{"query":"left hinge","total":0,"items":[]}'],
    ['parts/create_part', { name: 'hinge' }, 'Created part hinge'],
    ['parts/get_part', { name: 'hinge' }, '{"name":"hinge","colour":null,"inStock":false}'],
    ['parts/validate_part', { part: '{}' }, '{"valid":false,"errors":["name is required"]}'],
    ['parts/calculate', { expression: '1+1' }, '2'],
    [
      'parts/get_rule',
      { rule: 'no-glue' },
      `# no-glue\n\nGlue must not be used.\n\n${'Hinges are screwed on. '.repeat(40)}`,
    ],
  ])('is none of %s %j: %s', (tool, args, text) => {
    expect(findRuleOfReportedErrorOrNull(text, tool, args)).toBeNull();
  });

  it('weighs the words of the server, not those that it repeats of the arguments', () => {
    const query = 'error: the file was not found, invalid argument';
    const said = `Found 2 notes for "${query}"`;
    const knowing = weighError({ text: said, tool: 'search_notes', arguments: { query } });
    const unknowing = weighError({ text: said, tool: 'search_notes', arguments: {} });
    expect(knowing).toBeLessThan(unknowing);
    expect(knowing).toBeLessThan(errorThreshold);
  });

  it('weighs more where a tool gets one thing than where it looks for some', () => {
    const weighedFor = (tool: string) => weighError({ text: 'No note found', tool, arguments: {} });
    expect(weighedFor('get_note')).toBeGreaterThan(weighedFor('search_notes'));
  });
});

describe('the weights', () => {
  it('are those that the labelled results give', () => {
    const learned = learnWeights(rows);
    const kept = Object.entries(weights);
    expect(kept.length).toBeGreaterThan(300);
    expect(kept.filter(([trait, weight]) => Math.abs((learned.get(trait) ?? 0) - weight) > 0.0006)).toEqual([]);
    expect(
      [...learned].filter(([trait, weight]) => Math.abs(weight) >= 0.006 && !Object.hasOwn(weights, trait)),
    ).toEqual([]);
  });

  it('find more errors of servers that they were not learned from than the rules do, and take few other results for errors', () => {
    const real = rows.filter(({ server, marked }) => !marked && !server.startsWith('written-'));
    const missed = real.filter(({ error, isErrorByRule }) => error && !isErrorByRule);
    const servers = [...new Set(missed.map(({ server }) => server))].slice(0, 6);
    const weighed = weighWithoutOwnServer(rows, servers);
    const errors = weighed.filter(({ error, isErrorByRule }) => error && !isErrorByRule);
    const others = weighed.filter(({ error }) => !error);
    const countHeavy = (list: typeof weighed) => list.filter(({ weight }) => weight >= errorThreshold).length;
    expect(countHeavy(errors) / errors.length).toBeGreaterThan(0.5);
    expect(countHeavy(others) / others.length).toBeLessThan(0.03);
  });

  it('take no text without words for an error', () => {
    for (const text of ['[]', '{}', '0', '42', 'true', '""', '[image image/png, 20 bytes]'])
      expect(isErrorByWeight({ text, tool: 'get_part', arguments: {} })).toBe(false);
  });
});
