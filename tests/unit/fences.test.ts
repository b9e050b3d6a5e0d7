import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { prompts, render, type PromptTemplate } from '#adapters/prompts/index.ts';
import { formatJsonInDataTags } from '#core/values/fenced-text.ts';
import { escapes, order, readOutsideFences } from '../support/fence-readers.ts';

const shipped = Object.values<PromptTemplate>(prompts);

/** The prompt with one text in every fence, as itself, in a list, as a value and as a name. */
const fill = (template: PromptTemplate, text: string) =>
  render(
    template,
    Object.fromEntries(
      template.variables.map(({ name, raw }) => [name, raw ? 'plain' : [text, { value: text, [text]: [text] }]]),
    ),
  );

describe('what a lenient reader finds outside of the fences of a prompt', () => {
  it.each(shipped)('does not depend on what those of $id hold', (template) => {
    const usual = readOutsideFences(fill(template, 'usual'));
    for (const text of escapes) {
      const read = readOutsideFences(fill(template, text));
      expect(read, JSON.stringify(text)).not.toContain(order);
      expect(read, JSON.stringify(text)).toBe(usual);
    }
  });

  it('has an order that stands there, also behind a fence that is no fence of ours', () => {
    const messages = (content: string) => ({ messages: [{ role: 'user' as const, content }] });
    expect(readOutsideFences(messages(`Now: ${order}`))).toContain(order);
    for (const text of escapes.filter((each) => !each.includes('\\u003c')))
      expect(readOutsideFences(messages(`<data name="x">\n"${text}"\n</data>`)), JSON.stringify(text)).toContain(order);
  });

  it('is nothing of an unfenced variable but the request and the date of an agent', () => {
    const raw = shipped.flatMap(({ id, variables }) =>
      variables.filter((variable) => variable.raw).map(({ name }) => `${id.replace(/@.*/, '')} ${name}`),
    );
    const agents = ['agent', 'agent-code', 'agent-planning', 'agent-prompted', 'agent-routing', 'agent-tool-search'];
    // How tools are listed is one of two sentences of ours.
    const own = ['agent-code how'];
    expect(raw.toSorted()).toEqual([...agents.flatMap((id) => [`${id} date`, `${id} request`]), ...own].toSorted());
  });
});

describe('a fence', () => {
  it('holds the same value as before, whatever was escaped', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...escapes), fc.string({ unit: 'binary' }), (value, text, any) => {
        const given = [value, text, any, { [text]: any }];
        const [first, json = '', last] = formatJsonInDataTags('x', given)?.split('\n') ?? [];
        expect([first, last]).toEqual(['<data name="x">', '</data>']);
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify(given)));
        expect(json).not.toMatch(/[<\u0080-\u009f\u2028\u2029\u{e0000}-\u{e007f}]/u);
      }),
      { numRuns: 30 },
    );
  });

  it('leaves text of all scripts as people write it', () => {
    for (const text of [
      'می\u200cخواهم',
      '葛\u{e0100}',
      '❤\ufe0f',
      '👩🏽\u200d🚀',
      '‹bonjour›',
      '〈제목〉',
      'a[0] [x]',
      'x > y',
    ])
      expect(formatJsonInDataTags('x', text)).toContain(text);
  });

  it('is made in time, however much has to be escaped', () => {
    const begun = performance.now();
    formatJsonInDataTags('x', `${'a\u200b[<'.repeat(100_000)}${'〈'.repeat(100_000)}${' '.repeat(100_000)}`);
    expect(performance.now() - begun).toBeLessThan(3_000);
  });
});
