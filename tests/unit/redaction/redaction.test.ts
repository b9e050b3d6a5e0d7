import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patternNames } from '#core/catalog/redaction/named-patterns.ts';
import { makeServerRedaction, type Redaction } from '#core/traces/redaction/redaction.ts';
import { redactReply } from '#core/traces/redaction/reply.ts';
import { noRules, redactionRules, type RedactionRules } from '#core/catalog/redaction/rules.ts';
import { cpuMsOf } from '../../support/cpu-time.ts';

const redactionBy = (rules: Partial<RedactionRules>, headers: Readonly<Record<string, string>> = {}): Redaction =>
  makeServerRedaction({ ...noRules, ...rules }, headers);

describe('redaction by field', () => {
  const bySsn = redactionBy({ fields: ['ssn'] });

  it('replaces a property of that name wherever it is, whatever its value', () => {
    expect(bySsn.value({ ssn: '1', a: [{ SSN: 2, b: { ssn: { c: [3] } } }], e: { ssn: true } })).toEqual({
      ssn: '[redacted]',
      a: [{ SSN: '[redacted]', b: { ssn: '[redacted]' } }],
      e: { ssn: '[redacted]' },
    });
  });

  it('leaves a value that is missing', () => {
    expect(bySsn.value({ ssn: null })).toEqual({ ssn: null });
    expect(bySsn.text(`{'ssn': None, "ssn": null}`)).toBe(`{'ssn': None, "ssn": null}`);
  });

  it('follows a path from the root, through the items of lists', () => {
    const byPath = redactionBy({ fields: ['$.people[*].contact.email', 'a.*.key'] });
    const given = { people: [{ contact: { email: 'x' } }], contact: { email: 'y' }, a: { b: { key: 1 }, key: 2 } };
    expect(byPath.value(given)).toEqual({
      people: [{ contact: { email: '[redacted]' } }],
      contact: { email: 'y' },
      a: { b: { key: '[redacted]' }, key: 2 },
    });
  });

  it('changes nothing else in a text of JSON: not the spaces, the order of keys, or how numbers are written', () => {
    const text = '{ "z" : 1.0,\n  "ssn":"078-05-1120" , "a":12345678901234567890, "u":"\\u0041\\/" }';
    expect(bySsn.text(text)).toBe(text.replace('078-05-1120', '[redacted]'));
  });

  it('looks into JSON within strings of JSON', () => {
    const inner = JSON.stringify({ deep: JSON.stringify({ ssn: 'x', y: 1 }) });
    expect(bySsn.text(inner)).toBe(JSON.stringify({ deep: JSON.stringify({ ssn: '[redacted]', y: 1 }) }));
  });

  it.each([
    ['Found: {"id": 1, "ssn": "078-05-1120"} in 3 ms', 'Found: {"id": 1, "ssn": "[redacted]"} in 3 ms'],
    ["{'id': 1, 'ssn': '078-05-1120', 'b': 2}", "{'id': 1, 'ssn': '[redacted]', 'b': 2}"],
    ['{"ssn": 78051120, "x', '{"ssn": [redacted], "x'],
    ['{"ssn": {"part": "078", "list": [1, "}"]}, "b": tru', '{"ssn": [redacted], "b": tru'],
    ['{"a": 1, "ssn": "078-05', '{"a": 1, "ssn": [redacted]'],
  ])('finds fields in a text that is not JSON as a whole: %s', (text, expected) => {
    expect(bySsn.text(text)).toBe(expected);
  });

  it('takes the last name of a path where the structure is not known', () => {
    const byPath = redactionBy({ fields: ['user.ssn'] });
    expect(byPath.text('user = {"ssn": "078"}')).toBe('user = {"ssn": "[redacted]"}');
    expect(byPath.text('{"ssn": "078"}')).toBe('{"ssn": "078"}');
  });
});

describe('redaction by pattern', () => {
  it.each([
    ['email', 'write to José.O’Neil <jose+x@mail.example.co.uk>!', 'write to José.O’Neil <[redacted]>!'],
    ['phone', 'call +49 (30) 1234-5678 or 555-123-4567, room 1234567', 'call [redacted] or [redacted], room 1234567'],
    ['phone', 'on 2026-11-23 at 10:15:00, order 20261123101500', 'on 2026-11-23 at 10:15:00, order 20261123101500'],
    ['iban', 'to DE89 3704 0044 0532 0130 00 today', 'to [redacted] today'],
    ['iban', 'DE88370400440532013000', 'DE88370400440532013000'],
    ['credit-card', 'card 4111 1111 1111 1111 2028', 'card [redacted] 2028'],
    ['credit-card', 'card 4111111111111112', 'card 4111111111111112'],
    ['bearer-token', 'authorization: bearer abc.def-123456', 'authorization: [redacted]'],
    ['api-key', 'use sk-proj-abcdefghijklmnop1234 now', 'use [redacted] now'],
    ['api-key', 'API_KEY=abcdefgh12345678', '[redacted]'],
    ['K-\\d{4}', 'K-1234, K-12, K-98765', '[redacted], K-12, [redacted]5'],
  ])('%s: %s', (pattern, text, expected) => {
    expect(redactionBy({ patterns: [pattern] }).text(text)).toBe(expected);
  });

  it('replaces a number of JSON by a string, and a name of a property too', () => {
    const byCard = redactionBy({ patterns: ['credit-card', 'email'] });
    expect(byCard.text('{"n": 4111111111111111, "a@b.org": {"x": 1}, "c@d.org": 2}')).toBe(
      '{"n": "[redacted]", "[redacted]": {"x": 1}, "[redacted] 2": 2}',
    );
  });

  it('replaces a whole text that cannot be searched in bounded time', () => {
    const slow = redactionBy({ patterns: ['(?:a(?:[^]*z)?)'] });
    let kept = '';
    const spent = cpuMsOf(() => {
      kept = slow.text('ab'.repeat(300_000));
    });
    expect(kept).toBe('[redacted]');
    expect(spent).toBeLessThan(8_000);
  });

  it('searches a long text by a usual pattern within its steps', () => {
    const usual = redactionBy({ patterns: ['\\bPAT-[0-9]{6}\\b', 'email', 'iban', 'credit-card'] });
    const long = 'an ordinary line of a log, 2026-11-23 10:00:00 GET /items/123\n'.repeat(8_000);
    expect(usual.text(`${long}PAT-123456`)).toBe(`${long}[redacted]`);
  });
});

describe('a text that is made to be slow', () => {
  const every = redactionBy({ fields: ['ssn'], patterns: [...patternNames] });

  it.each([
    '1 ',
    '4111 ',
    'a.',
    '@a.',
    '+1 ',
    'DE12 ',
    'Bearer ',
    'eyJ',
    'sk-',
    'password: ',
    'x"ssn": ',
    '"',
    '[',
    '{"ssn":',
  ])('is searched in time that grows with its length: %s', (unit) => {
    const text = unit.repeat(Math.ceil(300_000 / unit.length));
    expect(cpuMsOf(() => void every.text(text))).toBeLessThan(1_500);
  });
});

describe('redaction of headers', () => {
  const headers = { Authorization: 'Bearer s3cr3t-token', 'X-MCP-Readonly': 'true', 'X-Mode': 'fast' };

  it('hides the values of secret headers without any rule, and no modes', () => {
    const own = redactionBy({}, headers);
    expect(own.value({ echoed: { authorization: 'Bearer s3cr3t-token', readonly: 'true', mode: 'fast' } })).toEqual({
      echoed: { authorization: '[hidden]', readonly: 'true', mode: 'fast' },
    });
    expect(own.text('token=s3cr3t-token; mode=fast')).toBe('token=[hidden]; mode=fast');
  });

  it('has nothing to do where there are neither rules nor secret headers', () => {
    expect(redactionBy({}, { 'X-Mode': 'fast' }).isEmpty).toBe(true);
  });
});

describe("a server's answer", () => {
  const own = redactionBy({ fields: ['content', 'text', 'ssn'], patterns: ['S-\\d+', 'text'] });

  it('keeps the form that the protocol gives it', () => {
    const result = {
      content: [
        { type: 'text', text: '{"ssn":"1","text":"2"} ' },
        { type: 'resource', resource: { uri: 'file:///S-1', mimeType: 'text/plain', blob: btoa('is S-2 é') } },
        { type: 'image', mimeType: 'image/png', data: '/9j/4AAQ' },
        'odd',
      ],
      structuredContent: { ssn: 1, content: { a: 1 } },
      isError: false,
      _meta: { ssn: 'x', note: 'S-3' },
      ssn: 'S',
    };
    expect(redactReply({ kind: 'result', result }, own)).toEqual({
      kind: 'result',
      result: {
        content: [
          { type: 'text', text: '{"ssn":"[redacted]","[redacted]":"[redacted]"} ' },
          { type: 'resource', resource: { uri: 'file:///[redacted]', mimeType: 'text/plain', blob: btoa('is S-2 é') } },
          { type: 'image', mimeType: 'image/png', data: '/9j/4AAQ' },
          'odd',
        ],
        structuredContent: { ssn: '[redacted]', content: '[redacted]' },
        isError: false,
        _meta: { ssn: '[redacted]', note: '[redacted]' },
        ssn: '[redacted]',
      },
    });
  });

  it('is redacted in base64 where that is a text', () => {
    const part = { type: 'resource', resource: { uri: 'a', blob: btoa('key S-2') } };
    expect(redactReply({ kind: 'result', result: { content: [part] } }, own)).toMatchObject({
      result: { content: [{ resource: { blob: btoa('key [redacted]') } }] },
    });
  });

  it('is redacted in the message and the data of an error', () => {
    const error = { code: -32602, message: 'no S-1', data: { ssn: 1, why: ['S-2'] } };
    expect(redactReply({ kind: 'error', error }, own)).toEqual({
      kind: 'error',
      error: { code: -32602, message: 'no [redacted]', data: { ssn: '[redacted]', why: ['[redacted]'] } },
    });
  });
});

describe('for any JSON and any text', () => {
  const all = redactionBy(
    { fields: ['a', 'b.c'], patterns: ['email', 'phone', '^x', '[0-9]{2,}', 'd?acted', '\\]', 'y.*z', '\\bk'] },
    { 'X-Key': 'secret-1' },
  );
  const leaf = fc.oneof(
    fc.constantFrom('secret-1', 'a@b.org', '12', 'x1', 'yxz', '[redacted]', 'k]', '{"a":1}', "{'a': 'b'}", '[1', ''),
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const name = fc.constantFrom('a', 'b', 'c', 'A', 'x@y.org', 'z@y.org', 'plain', '__proto__', '77');
  const json = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('any'), { maxLength: 4 }),
      fc.array(fc.tuple(name, tie('any')), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
    ),
  })).any;

  /** Returns how a value is nested, without what was redacted. */
  const isSameStructure = (before: unknown, after: unknown): boolean => {
    if (after === '[redacted]' || typeof after === 'string') return true;
    if (Array.isArray(before) && Array.isArray(after))
      return before.length === after.length && before.every((item, index) => isSameStructure(item, after[index]));
    if (typeof before !== 'object' || before === null || typeof after !== 'object' || after === null)
      return Object.is(before, after);
    const [inner, kept] = [Object.values(before), Object.values(after)];
    return inner.length === kept.length && inner.every((item, index) => isSameStructure(item, kept[index]));
  };

  it('redacting again changes nothing', () => {
    fc.assert(
      fc.property(json, fc.boolean(), (value, indented) => {
        const once = all.value(value);
        expect(all.value(once)).toEqual(once);
        const text = all.text(JSON.stringify(value, null, indented ? 2 : 0));
        expect(all.text(text)).toBe(text);
      }),
      { numRuns: 500 },
    );
    const pieces = fc.constantFrom(
      '{"a":',
      "'a':",
      '"',
      "'",
      '}',
      '[redacted]',
      'a@b.org',
      'x',
      'yxz',
      '12',
      ' ',
      '\\',
      'k]',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const once = all.text(parts.join(''));
        expect(all.text(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  it('JSON stays JSON of the same structure, written as a text or not', () => {
    fc.assert(
      fc.property(json, fc.boolean(), (value, indented) => {
        // As the text is read again: the keys in their order, and no negative zero.
        const plain: unknown = JSON.parse(JSON.stringify(value));
        expect(isSameStructure(plain, all.value(plain))).toBe(true);
        const text = JSON.stringify(plain, null, indented ? 2 : 0);
        fc.pre(/^[[{]/.test(text));
        expect(JSON.parse(all.text(text))).toEqual(all.value(plain));
      }),
      { numRuns: 500 },
    );
  });

  it('nothing of a secret is left', () => {
    fc.assert(
      fc.property(json, (value) => {
        const kept = JSON.stringify(all.value({ before: value, a: 'PLANTED', list: [{ n: 'it is secret-1' }] }));
        expect(kept).not.toContain('PLANTED');
        expect(kept).not.toContain('secret-1');
        expect(kept).not.toMatch(/@[a-z]\.org/);
      }),
      { numRuns: 300 },
    );
  });
});

describe('rules', () => {
  it.each([
    [{ fields: ['a..b'] }, 'fields'],
    [{ fields: ['a.b*'] }, 'fields'],
    [{ fields: [' '] }, 'fields'],
    [{ patterns: ['(?<=a)b'] }, 'patterns'],
    [{ patterns: ['('] }, 'patterns'],
    [{ patterns: ['(?:a{1000}){1000}'] }, 'patterns'],
    [{ patterns: Array.from({ length: 21 }, () => 'a') }, 'patterns'],
    [{ emails: true }, ''],
  ])('are refused where they cannot be followed: %j', (rules, path) => {
    const parsed = redactionRules.safeParse(rules);
    expect(parsed.error?.issues[0]?.path[0] ?? '').toBe(path);
    expect(parsed.success).toBe(false);
  });
});
