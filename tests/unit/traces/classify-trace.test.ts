import { describe, expect, it } from 'vitest';
import { traceWithFailuresClassifiedByRules, traceWithJudgedFailures } from '#core/traces/classify-trace.ts';
import { step as stepForm, type Step } from '#core/traces/trace.ts';
import { traceWithCallsClassifiedByRules } from '#adapters/mcp/failure-rules.ts';
import { traceWith } from '../evaluation/cases.ts';
import { stepFrom } from '../scoring/steps.ts';

const sha256 = 'a'.repeat(64);
const failed = (text: string, more: Partial<Step> = {}): Step => ({ ...stepFrom('s/find!'), sha256, text, ...more });
const traceOf = (...steps: Step[]) => traceWith([], { steps });
const open = { source: 'undecided' } as const;
const sound = { toolExists: true, unknownKeys: [], violatesSchema: false };

describe('the failure classes of a trace', () => {
  const mixed = traceOf(stepFrom('s/find'), failed('INVALID_USER_KEY'), stepFrom('s/find?'), failed('Oops'));

  it('are set for every failure that a rule decides, and for nothing else', () => {
    const seen: string[] = [];
    const after = traceWithFailuresClassifiedByRules(mixed, ({ text }) => {
      seen.push(text);
      return sound;
    });
    expect(seen).toEqual(['INVALID_USER_KEY', 'Oops']);
    expect(after.steps.map(({ failure }) => failure)).toEqual([
      null,
      { source: 'rule', class: 'authentication-deficit', rule: 'authentication-text' },
      null,
      open,
    ]);
    expect(after).toEqual({ ...mixed, steps: after.steps });
    expect(traceWithFailuresClassifiedByRules(after, () => sound)).toEqual(after);
  });

  it('come from a judge if no rule decided, and are then kept', () => {
    const why = 'it says nothing';
    const judged = [0, 1, 2, 3, 4].map((step) => ({ step, class: 'context-invalidation' as const, why }));
    const after = traceWithJudgedFailures(
      traceWithFailuresClassifiedByRules(mixed, () => sound),
      judged,
    );
    expect(after.steps.map(({ failure }) => failure?.source)).toEqual([undefined, 'rule', undefined, 'model']);
    expect(after.steps[3]?.failure).toEqual({ source: 'model', class: 'context-invalidation', why });
    expect(traceWithFailuresClassifiedByRules(after, () => sound)).toEqual(after);
    expect(traceWithJudgedFailures(after, [{ step: 3, class: 'resource-contention', why }])).toEqual(after);
    expect(traceWithJudgedFailures(mixed, [])).toEqual(mixed);
  });

  it('are never set for successes and faults, and every failure has a verdict', () => {
    for (const written of ['s/find', 's/find?'])
      expect(stepForm.safeParse({ ...stepFrom(written), failure: open }).success).toBe(false);
    expect(stepForm.safeParse({ ...failed(''), failure: null }).success).toBe(false);
  });
});

describe('the rules for mounted tools', () => {
  const inputSchema = { type: 'object', properties: { q: { type: 'string' } }, additionalProperties: false };
  const tools = [{ name: 's/find', inputSchema }];
  const decided = (step: Step) => traceWithCallsClassifiedByRules(traceOf(step), tools).steps[0]?.failure;
  const by = (rule: string, failure: string) => ({ source: 'rule', class: failure, rule });

  it.each([
    ['a key of its own', failed('no', { arguments: { qq: 'a' } }), by('unknown-key', 'undefined-parameter-key')],
    ['a wrong type', failed('no', { arguments: { q: 7 } }), by('schema-violation', 'syntactic-malformation')],
    ['an unknown tool', failed('no', { tool: 's/seek' }), by('unknown-tool', 'invalid-artifact-reference')],
    ['no JSON', failed('no', { arguments: null, sha256: null }), by('malformed-arguments', 'syntactic-malformation')],
    [
      "the tool's name where a function's belongs",
      failed('There is no function called "s/find".', { sha256: null }),
      by('unknown-tool', 'invalid-artifact-reference'),
    ],
    ['nothing to go by', failed('no', { arguments: { q: 'a' } }), open],
  ])('decide: %s', (_what, step, verdict) => {
    expect(decided(step)).toEqual(verdict);
  });

  const spoilt = stepFrom('s/find~');
  it.each([
    ['fits', 'a success with arguments of the right form', { ...stepFrom('s/find'), arguments: { q: 'a' } }],
    ['fits', 'a call that the environment spoilt, though it has no result', { ...spoilt, arguments: { q: 'a' } }],
    ['violates', 'a success that the tool let pass', { ...stepFrom('s/find'), arguments: { q: 7 } }],
    ['violates', 'a failure by a key of its own', failed('no', { arguments: { qq: 'a' } })],
    ['violates', 'arguments that are no JSON object', failed('no', { arguments: null, sha256: null })],
    ['no-tool', 'a tool that is not mounted', failed('no', { tool: 's/seek' })],
    ['no-tool', "the tool's name where a function's belongs", failed('There is no such function.', { sha256: null })],
  ])('note that a call %s: %s', (form, _what, step) => {
    expect(traceWithCallsClassifiedByRules(traceOf(step), tools).steps[0]?.form).toBe(form);
  });

  it('check failed calls before others, which stay unchecked where the steps do not suffice', () => {
    const huge = { q: 'a', ...Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`k${at}`, at])) };
    const steps = [
      ...Array.from({ length: 4 }, () => ({ ...stepFrom('s/find'), arguments: huge })),
      failed('no', { arguments: { q: 7 } }),
    ];
    const forms = traceWithCallsClassifiedByRules(traceOf(...steps), [
      { name: 's/find', inputSchema: { properties: { q: {} }, additionalProperties: { type: 'number' } } },
    ]).steps.map(({ form }) => form);
    expect(forms.slice(0, 4)).toContain('unchecked');
    expect(forms[4]).toBe('fits');
  });
});
