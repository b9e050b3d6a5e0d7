import { describe, expect, it } from 'vitest';
import { estimateSchemaTokens } from '#core/units/mounting/mountable-catalog.ts';
import {
  mounting,
  mountingName,
  mountingOrStandard,
  parseMountingNameOrNull,
  storedMounting,
  type Mounting,
} from '#core/units/mounting/mounting.ts';
import { describeMounting } from '#core/units/mounting/mounting-texts.ts';

const all: readonly (readonly [string, Mounting])[] = [
  ['oracle', { kind: 'oracle' }],
  ['max-scale', { kind: 'max-scale' }],
  ['standard', { kind: 'standard', tools: 128, schemaTokens: 44_000 }],
  ['standard:64,20000', { kind: 'standard', tools: 64, schemaTokens: 20_000 }],
  ['distractors:10', { kind: 'distractors', servers: 10 }],
];

describe('the name of a mounting', () => {
  it.each(all)('is %s, and gives the mounting back', (name, given) => {
    expect(mountingName(given)).toBe(name);
    expect(parseMountingNameOrNull(name)).toEqual(given);
    expect(describeMounting(given)).not.toBe('');
  });

  it.each([
    '',
    'all',
    'oracle:1',
    'max-scale:2,3',
    'standard:64',
    'standard:0,20000',
    'distractors',
    'distractors:1,2',
    'distractors:-1',
    'Standard',
  ])('"%s" names none', (name) => {
    expect(parseMountingNameOrNull(name)).toBeNull();
  });
});

describe('a mounting', () => {
  it('is standard with 128 tools and 44,000 schema tokens where none is named', () => {
    expect(mountingOrStandard.parse(undefined)).toEqual({ kind: 'standard', tools: 128, schemaTokens: 44_000 });
    expect(mounting.parse({ kind: 'standard' })).toEqual({ kind: 'standard', tools: 128, schemaTokens: 44_000 });
  });

  it.each(['oracle', 'max-scale'] as const)('that an earlier release stored as "%s" is read', (kind) => {
    expect(storedMounting.parse(kind)).toEqual({ kind });
    expect(mounting.safeParse(kind).success).toBe(false);
  });
});

describe('the schema tokens of a tool', () => {
  it('are a quarter of the bytes of its definition, so that other scripts count more than letters', () => {
    const named = (description: string) => estimateSchemaTokens({ name: 's/t', description, inputSchema: {} });
    const bare = named('');
    expect(named('a'.repeat(400)) - bare).toBe(100);
    expect(named('天'.repeat(400)) - bare).toBe(300);
  });
});
