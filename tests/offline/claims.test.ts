import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { findClaimProblemOrNull, type FactUsed } from '#core/units/grounding.ts';
import { firstStatementOf, parseNamesBeforeColon } from '../../offline/knowledge/names.ts';
import { readEmbeddedPassages } from '../../offline/knowledge/passages.ts';
import { formatStatement } from '../../offline/models/claims.ts';
import { misstateOrNull } from '../../offline/models/misstating.ts';
import { makeDice } from '../../offline/models/seeded.ts';
import { passageSupportsStatement } from '../../offline/models/support.ts';
import { auditOf, catalog } from './grounded-units.ts';

const statement = z.strictObject({ statement: z.string(), passage: z.string(), true: z.boolean() });
const statements = readFileSync(join(import.meta.dirname, '../fixtures/statements.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => statement.parse(JSON.parse(line)));

const passages = await Array.fromAsync(readEmbeddedPassages());
const textOf = (id: string): string => passages.find((one) => one.id === id)?.text ?? '';

/** What a writer claims that says a statement in both requests and names a passage for it. */
const claimFor = (said: string, text: string): { claim: FactUsed; source: string; followUp: string } => {
  const [name = ''] = parseNamesBeforeColon(text);
  const quote = firstStatementOf(text);
  const claim = { id: 'x', text, source: 's', licence: null, score: 0.9, relevance: 0.95, name, settles: said, quote };
  const sentence = `To be clear, ${said}.`;
  return {
    claim,
    source: `First, save "the road to ${name}" as "a.md", and finally list what is in the folder "data". ${sentence}`,
    followUp: `Could you write "the road to ${name}" to the file "a.md"? In the end, show the entries of the directory "data". ${sentence}`,
  };
};

/** Whether core has nothing against a claim by its words and the critic finds that the passage supports it. */
const isKept = (said: string, text: string): boolean => {
  const { claim, ...requests } = claimFor(said, text);
  const { name, settles, quote, id, source, licence, score } = claim;
  const audit = auditOf(
    catalog.filter((tool) => ['files/write_file', 'files/list_directory'].includes(tool.name)),
    {
      ...requests,
      chain: ['files/write_file', 'files/list_directory'],
      arguments: [],
      facts: [{ passage: 1, relevance: 0.95, use: { name, settles, quote } }],
    },
    [{ id, text, source, licence, score }],
    1,
  );
  const supported = audit.facts.length === 1 && audit.facts.every(({ verdict }) => verdict !== 'unsupported');
  const madeUp = audit.issues.some(({ type }) => type === 'hallucination');
  return findClaimProblemOrNull(claim, requests) === null && supported && !madeUp;
};

describe('the check of a claim against a passage', () => {
  it('accepts nine true statements in ten and no false one, although similarity cannot distinguish them', () => {
    const kept = statements.filter((one) => isKept(one.statement, textOf(one.passage)));
    expect(statements).toHaveLength(80);
    expect(kept.filter((one) => !one.true).map((one) => one.statement)).toEqual([]);
    expect(kept.length / 40).toBeGreaterThanOrEqual(0.9);
  });

  it('refuses a statement about something else', () => {
    const others = statements.map((one, index) => ({
      said: one.statement,
      text: textOf(statements[(index + 20) % 80]?.passage ?? ''),
    }));
    expect(others.filter(({ said, text }) => isKept(said, text))).toEqual([]);
  });

  it('accepts what passages say, but not with a changed number, direction or name', () => {
    let kept = 0;
    const wrong: string[] = [];
    const whole = passages.filter(({ text }) => firstStatementOf(text) !== '');
    for (const { id, text } of whole) {
      const [name = ''] = parseNamesBeforeColon(text);
      const said = firstStatementOf(text);
      if (passageSupportsStatement(text, formatStatement(name, said))) kept += 1;
      const changed = misstateOrNull(said, makeDice('misstated', id));
      if (changed !== null && passageSupportsStatement(text, formatStatement(name, changed)))
        wrong.push(`${name} is ${changed}`);
    }
    expect(kept / whole.length).toBeGreaterThan(0.99);
    expect(wrong).toEqual([]);
  });

  it.each([
    ['Kenya: the capital is Nairobi (1 17 S, 36 49 E).', 'Kenya is the capital is Kenya'],
    [
      'Netherlands: the capital is Amsterdam (52 21 N, 4 55 E); note - The Hague is the seat of government.',
      'The Hague is the capital of the Netherlands',
    ],
    [
      'Egypt: the total area is 1,001,450 sq km, land 995,450 sq km, water 6,000 sq km.',
      'The total area of Egypt is 6,000 sq km',
    ],
    [
      'Belgium: the languages are Dutch (official) 60%, German (official) less than 1%.',
      'In Belgium German is 1% of the languages',
    ],
    ['Ratum: a former unit of weight equal to 3 pounds.', 'A Ratum is a unit of weight equal to 3 pounds'],
    [
      'Lake Michigan, Michigan: the 3rd largest of the Great Lakes; the largest freshwater lake.',
      'Of the Great Lakes, Michigan is the largest',
    ],
    ['Cambridge: a city in Massachusetts just to the north of Boston.', 'Boston is a city to the north of Cambridge'],
    ['Thunder Bay: a port city in Ontario on Lake Superior.', 'Thunder Bay is a port city in Superior on Lake Ontario'],
  ])('refuses words that the passage has elsewhere: %s', (text, said) => {
    expect(passageSupportsStatement(text, said)).toBe(false);
  });
});
