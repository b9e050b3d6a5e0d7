import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findErrorByRule } from '#core/traces/error-by-rule.ts';
import { findRuleOfReportedErrorOrNull } from '#core/traces/reported-error.ts';
import { hasFailed, hasSucceeded, isReportedError } from '#core/traces/step-outcome.ts';
import { honestTexts, reportedTexts } from './reported-texts.ts';

const result = z.object({ tool: z.string(), text: z.string() });

/** Results of the bundled servers, up to two of each tool. */
const readHonestResults = () =>
  readFileSync('tests/fixtures/honest-results.jsonl', 'utf8')
    .trim()
    .split('\n')
    .map((line) => result.parse(JSON.parse(line)));

describe('the text of a result that its server marked as a success', () => {
  it.each(reportedTexts)('%s is an error by rule', (text, rule) => {
    expect(findErrorByRule(text)).toBe(rule);
  });

  it.each(honestTexts)('%s is none', (text) => {
    expect(findErrorByRule(text)).toBeNull();
  });

  it('says that nothing was found: an error of what changes things, an answer of what looks for them', () => {
    const rules = ['keeper/restore_checkpoint', 'deleteNote', 'keeper/search_checkpoints', 'list_checkpoints', ''].map(
      (tool) => findErrorByRule('No checkpoint found', tool),
    );
    expect(rules).toEqual(['nothing-to-change', 'nothing-to-change', null, null, null]);
  });

  it('says with a sign what is missing: an error of what needs it, an answer of what checks for it', () => {
    const text = '# Runner\n\n❌ Configuration not found\nPlease create one first.';
    const rules = ['native/analyze_test_coverage', 'doctor/check_environment', 'validateSetup', 'notes_search'].map(
      (tool) => findErrorByRule(text, tool),
    );
    expect(rules).toEqual(['missing-thing', null, null, null]);
  });

  it('refuses a value: an error of what takes it, an answer of what checks or searches', () => {
    const texts = [
      'Invalid colour: glue',
      'Colour "glue" not found. Available colours: red',
      '❌ Colour glue is missing',
    ];
    const rules = (tool: string) => texts.map((text) => findErrorByRule(text, tool));
    expect(rules('paint/list_shades')).toEqual(['refused-value', 'missing-thing', 'signed-statement']);
    expect(rules('paint/validate_colour')).toEqual([null, 'missing-thing', null]);
    expect(rules('paint/search_colours')).toEqual([null, 'missing-thing', null]);
  });

  it('says what is needed beside nothing but the arguments: an error, unlike an answer with anything else in it', () => {
    const rules = [
      '{"part":"hinge","note":"drawings require a licence"}',
      '{"part":"hinge","note":"drawings require a licence","price":3}',
      '{"part":"left hinge","note":"drawings require a licence"}',
      '{"part":"hinge","note":"made of brass"}',
    ].map((text) => findRuleOfReportedErrorOrNull(text, 'parts/get_drawing', { part: 'hinge' }));
    expect(rules).toEqual(['only-lack', null, null, null]);
  });

  it('is none where the bundled servers did what they were asked, by rules and by weights', () => {
    const results = readHonestResults();
    expect(new Set(results.map(({ tool }) => tool)).size).toBeGreaterThan(100);
    expect(results.filter(({ tool, text }) => findRuleOfReportedErrorOrNull(text, tool) !== null)).toEqual([]);
  });

  it('is read in time that does not depend on how it is built', () => {
    const started = performance.now();
    for (const piece of ['Error ', '[', '{"result":', 'error (', 'Error executing ', 'A.', '\n', ' ', 'failed to '])
      findRuleOfReportedErrorOrNull(piece.repeat(60_000 / piece.length), 'get_piece', { piece });
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('a call that its server marked as a success', () => {
  const call = { outcome: 'success' } as const;

  it('has succeeded if nothing reports an error', () => {
    expect([hasSucceeded(call), hasFailed(call), isReportedError(call)]).toEqual([true, false, false]);
  });

  it('has failed if its text reports an error, and if a judge confirms that', () => {
    for (const judged of [undefined, 'confirmed'] as const) {
      const reported = { ...call, reported: { rule: 'error-prefix', judged } };
      expect([hasSucceeded(reported), hasFailed(reported), isReportedError(reported)]).toEqual([false, true, true]);
    }
  });

  it('has succeeded again if a judge overrules the rule', () => {
    const overruled = { ...call, reported: { rule: 'error-prefix', judged: 'overruled' } } as const;
    expect([hasSucceeded(overruled), hasFailed(overruled), isReportedError(overruled)]).toEqual([true, false, false]);
  });

  it('is told apart from one that failed or broke', () => {
    expect([hasSucceeded({ outcome: 'failure' }), hasFailed({ outcome: 'failure' })]).toEqual([false, true]);
    expect([hasSucceeded({ outcome: 'fault' }), hasFailed({ outcome: 'fault' })]).toEqual([false, false]);
  });
});
