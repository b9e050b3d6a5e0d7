import { describe, expect, it } from 'vitest';

import { classifyFailedCallByRules, type FailureContext } from '#core/traces/classify-failure.ts';
import { ambiguousTextRules, defectRule, ownTextRules, unambiguousTextRules } from '#core/traces/failure-texts.ts';
import {
  categoryOfFailure,
  failureCategory,
  failureClass,
  type FailureClass,
  failureLayer,
  failureVerdict,
  layerOfFailure,
} from '#core/traces/failure.ts';

import { failureMessages, undecidedMessages } from './failure-messages.ts';

const sound: FailureContext = { toolExists: true, unknownKeys: [], violatesSchema: false };
/** Nothing is known but the text. */
const unchecked = { violatesSchema: null };
const rules = [...ownTextRules, defectRule, ...unambiguousTextRules, ...ambiguousTextRules];

const classify = (text: string, context: Partial<FailureContext> = {}, code?: number) =>
  classifyFailedCallByRules({ arguments: {}, text, ...(code === undefined ? {} : { code }) }, { ...sound, ...context });

const by = (rule: string, failure: FailureClass) => ({ source: 'rule', class: failure, rule });

describe('the taxonomy of failures', () => {
  it('puts every class into one category, and every category into one layer', () => {
    const categories = new Set(failureClass.options.map((each) => categoryOfFailure[each]));
    expect([...categories].toSorted()).toEqual(failureCategory.options.toSorted());
    const layers = new Set(failureCategory.options.map((each) => layerOfFailure[each]));
    expect([...layers].toSorted()).toEqual(failureLayer.options.toSorted());
  });

  it('stores what decided the class', () => {
    expect(failureVerdict.safeParse(classify('INVALID_USER_KEY')).success).toBe(true);
    expect(failureVerdict.safeParse(classify('Something broke')).success).toBe(true);
    expect(failureVerdict.safeParse({ source: 'rule', class: 'bad-luck', rule: 'x' }).success).toBe(false);
  });
});

describe('classification by text', () => {
  it.each(rules.flatMap((rule) => rule.examples.map((text) => ({ rule, text }))))(
    '$rule.name decides: $text',
    ({ rule, text }) => {
      expect(classify(text, unchecked)).toEqual(by(rule.name, rule.class));
    },
  );

  it('uses a table of at least 60 messages that covers every class', () => {
    expect(failureMessages.length).toBeGreaterThanOrEqual(60);
    expect(new Set(failureMessages.map(([, failure]) => failure))).toEqual(new Set(failureClass.options));
  });

  it.each(failureMessages)('%s -> %s', (text, failure) => {
    expect(classify(text, unchecked)).toMatchObject({ source: 'rule', class: failure });
  });

  it.each(undecidedMessages)('leaves to a model: %s', (text) => {
    expect(classify(text)).toEqual({ source: 'undecided' });
  });

  it('uses rules with different names and stateless patterns', () => {
    expect(new Set(rules.map(({ name }) => name)).size).toBe(rules.length);
    for (const { patterns } of rules) for (const { flags } of patterns) expect(flags).not.toMatch(/[gy]/);
  });

  it('stays fast on long adversarial texts', () => {
    const started = performance.now();
    for (const piece of ['please ', 'a', 'must be ', 'not ', 'session ', '<html ', 'browser ', 'exceed ', 'either or '])
      classify(piece.repeat(4_000 / piece.length));
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe('classification by facts about the call', () => {
  it.each<{ name: string; verdict: unknown; rule: string; failure: FailureClass }>([
    {
      name: 'a tool that does not exist, whatever the text',
      verdict: classify('Request timed out', { toolExists: false }),
      rule: 'unknown-tool',
      failure: 'invalid-artifact-reference',
    },
    {
      name: 'arguments that are no object',
      verdict: classifyFailedCallByRules({ arguments: null, text: 'not called' }, sound),
      rule: 'malformed-arguments',
      failure: 'syntactic-malformation',
    },
    {
      name: 'a parse error by code',
      verdict: classify('Parse', {}, -32700),
      rule: 'parse-error-code',
      failure: 'syntactic-malformation',
    },
    {
      name: 'a turn that was no call, and so names no tool',
      verdict: classify('It is not JSON.', { toolExists: false }, -32700),
      rule: 'parse-error-code',
      failure: 'syntactic-malformation',
    },
    {
      name: 'a key that the schema forbids',
      verdict: classify('failed', { unknownKeys: ['symbol'], violatesSchema: true }),
      rule: 'unknown-key',
      failure: 'undefined-parameter-key',
    },
    {
      name: 'an unnamed key that the text speaks of',
      verdict: classify('what is "symbol"?', { unknownKeys: ['symbol'], violatesSchema: null }),
      rule: 'unknown-key',
      failure: 'undefined-parameter-key',
    },
    {
      name: 'a violation of the schema, before a text that may follow from it',
      verdict: classify('Entity with name undefined not found', { violatesSchema: true }),
      rule: 'schema-violation',
      failure: 'syntactic-malformation',
    },
    {
      name: 'a plain text, before the schema',
      verdict: classify('getaddrinfo ENOTFOUND x.example', { violatesSchema: true, unknownKeys: ['limit'] }),
      rule: 'network-text',
      failure: 'network-instability',
    },
    {
      name: 'an ignored extra key beside another cause',
      verdict: classify("ENOENT: no such file or directory, open '/a'", { unknownKeys: ['encoding'] }),
      rule: 'missing-thing-text',
      failure: 'invalid-artifact-reference',
    },
    {
      name: 'parameters that fit the schema and are refused',
      verdict: classify('Invalid params', {}, -32602),
      rule: 'parameters-refused',
      failure: 'implicit-business-constraint',
    },
    {
      name: 'a missing resource by code',
      verdict: classify('nope', {}, -32002),
      rule: 'resource-not-found-code',
      failure: 'invalid-artifact-reference',
    },
    {
      name: 'a text, before the code that came with it',
      verdict: classify('Tag not found: v9', {}, -32600),
      rule: 'missing-thing-text',
      failure: 'invalid-artifact-reference',
    },
    {
      name: 'an invalid request by code',
      verdict: classify('no', {}, -32600),
      rule: 'invalid-request-code',
      failure: 'syntactic-malformation',
    },
  ])('decides $name', ({ verdict, rule, failure }) => {
    expect(verdict).toEqual(by(rule, failure));
  });

  it('leaves refused parameters to a model if the schema could not be checked', () => {
    expect(classify('Invalid params', { violatesSchema: null }, -32602)).toEqual({ source: 'undecided' });
    expect(classify('Something broke', {}, -32603)).toEqual({ source: 'undecided' });
  });
});
