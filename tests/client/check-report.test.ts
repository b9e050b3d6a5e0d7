import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findingBy, worstFirst } from '#core/reports/check/finding.ts';
import { gradeFamilies } from '#core/reports/check/grade.ts';
import type { CheckedTool, CheckReport } from '#core/reports/check/report.ts';
import { ruleIds } from '#core/reports/check/rules.ts';
import { widthOf } from '../../client/command-line/text.ts';
import { checkBadgeSvg, checkJunitXml, checkMarkdown, checkSarif } from '../../client/display/check-files.ts';
import { checkLines, type RepeatCommand } from '../../client/display/check-lines.ts';
import { checkPage } from '../../client/report/check-page.ts';

const tool = (name: string, changes: Partial<CheckedTool> = {}): CheckedTool => ({
  tool: `orders/${name}`,
  effect: 'reads',
  tokens: 120,
  calls: 12,
  p50Ms: 4.4,
  p95Ms: 1_250,
  ...changes,
});

const reportWith = (changes: Partial<CheckReport> = {}): CheckReport => {
  const report = {
    servers: ['orders'],
    static: false,
    allows: 'reads' as const,
    seconds: 4.2,
    tools: ['get_order', 'delete_order', 'list_orders', 'a', 'b', 'c', 'd', 'e'].map((name) => tool(name)),
    findings: [],
    accepted: 0,
    notes: [],
    ...changes,
  };
  return { ...report, findings: worstFirst(report.findings), grades: gradeFamilies(report) };
};

const server = 'orders';
const contradicted = findingBy('effect-contradicted', {
  server,
  tool: 'orders/delete_order',
  sentence: 'it declares that it only reads, and its name says that it deletes',
  proposal: 'declare `destructiveHint: true`',
  call: { tool: 'delete_order', arguments: { id: 1, why: "it's  old" }, answer: 'deleted\nfor ever' },
});
const undescribed = ['get_order', 'list_orders', 'a', 'b', 'c', 'd', 'e'].map((name) =>
  findingBy('description-missing', {
    server,
    tool: `orders/${name}`,
    sentence: 'it has no description',
    proposal: 'say what it does.',
  }),
);
const lowOnes = ['a', 'b'].map((name) =>
  findingBy('arguments-undescribed', {
    server,
    tool: `orders/${name}`,
    sentence: `arguments of ${name} have no description`,
    evidence: ['q', 'limit'],
    proposal: 'describe them',
  }),
);
const ofServer = findingBy('writes-to-stdout', {
  server,
  sentence: 'it writes to its standard output what is no message of the protocol',
  evidence: ['listening on 3000'],
  proposal: 'write logs to standard error',
});
const twin = findingBy('twin-by-behaviour', {
  server,
  tool: 'orders/get_order',
  others: ['orders/a'],
  evidence: ['orders/a'],
  sentence: 'it gives the same results as another tool',
  proposal: 'keep one of them',
});
const report = reportWith({
  findings: [...lowOnes, ...undescribed, twin, contradicted, ofServer],
  notes: ['write_order was not called: it writes'],
  accepted: 2,
});

const repeat: RepeatCommand = ({ tool: name, arguments: given }) =>
  `sextant call mcp.json ${name} '${JSON.stringify(given).replaceAll("'", String.raw`'\''`)}'`;
const none: RepeatCommand = () => null;
const linesOf = (of: CheckReport, changes: Partial<Parameters<typeof checkLines>[1]> = {}): string[] =>
  checkLines(of, { width: 100, verbose: false, repeatCommand: repeat, ...changes });

describe('the text for a terminal', () => {
  test('begins with the verdict and the grades', () => {
    expect(linesOf(report).slice(0, 4)).toEqual([
      '8 of 8 tools need work before agents use them: delete_order (it declares that it only reads, and its name says that it…), get_order (it has no description), a (it has no description), list_orders (it has no description), b (it has no description) and 3 others.',
      'The server itself: it writes to its standard output what is no message of the protocol.',
      'safe D  clear D  distinct B  sturdy A  lean A  conformant C  (overall C)',
      '',
    ]);
  });

  test('shows the worst finding first, with its call, what to do and the command that repeats it', () => {
    expect(linesOf(report).slice(4, 8)).toEqual([
      'HIGH    delete_order  [effect-contradicted] it declares that it only reads, and its name says that it deletes',
      `        call: delete_order {"id":1,"why":"it's old"} → deleted for ever`,
      '        fix: declare `destructiveHint: true`',
      String.raw`        again: sextant call mcp.json delete_order '{"id":1,"why":"it'\''s  old"}'`,
    ]);
  });

  test('names the tools of the same finding together, six at most', () => {
    const lines = linesOf(report);
    expect(lines).toContain(
      'MEDIUM  get_order, list_orders, a, b, c, d and 1 other  [description-missing] it has no description',
    );
    expect(lines.filter((line) => line.includes('[description-missing]'))).toHaveLength(1);
    expect(lines).toContain('MEDIUM  get_order, a  [twin-by-behaviour] it gives the same results as another tool');
    expect(lines).toContain(
      'HIGH    the server itself  [writes-to-stdout] it writes to its standard output what is no message of the protocol (listening on 3000)',
    );
  });

  test('has a line for each rule of low severity, and all of it if somebody wants to know', () => {
    const folded = linesOf(report).filter((line) => line.startsWith('LOW'));
    expect(folded).toEqual([
      'LOW     a, b  [arguments-undescribed] arguments have no description; medium if one of them is required and its name does not say what it is',
    ]);
    const verbose = linesOf(report, { verbose: true });
    expect(verbose.filter((line) => line.startsWith('LOW'))).toEqual([
      'LOW     a  [arguments-undescribed] arguments of a have no description (q; limit)',
      'LOW     b  [arguments-undescribed] arguments of b have no description (q; limit)',
    ]);
    expect(verbose).toContain('        fix: describe them');
  });

  test('ends with a table of the tools, the worst first, and the notes', () => {
    const lines = linesOf(report);
    const start = lines.findIndex((line) => line.startsWith('tool '));
    expect(lines.slice(start, start + 2)).toEqual([
      'tool          effect  calls  p50   p95       tokens  worst',
      'delete_order  reads      12  4 ms  1,250 ms     120  high',
    ]);
    expect(lines.slice(-3)).toEqual(['', 'The baseline accepts 2 findings.', 'write_order was not called: it writes']);
  });

  test('cuts a call to the width, and shows no command that is too long or that there is not', () => {
    const long = { ...contradicted, call: { tool: 'delete_order', arguments: { id: 'x'.repeat(5_000) }, answer: '' } };
    const lines = linesOf(reportWith({ findings: [long] }), { width: 60 });
    const call = lines.find((line) => line.includes('call: ')) ?? '';
    expect(widthOf(call)).toBe(60);
    expect(call.endsWith('…')).toBe(true);
    expect(lines.join('\n')).not.toContain('again:');
    expect(linesOf(report, { repeatCommand: none }).join('\n')).not.toContain('again:');
  });

  test('of the definitions alone says so, and has no columns of calls', () => {
    const lines = linesOf(reportWith({ static: true, tools: [tool('a', { calls: 0, p50Ms: null, p95Ms: null })] }));
    expect(lines).toEqual([
      'By the definitions, the only tool can be used by agents; nothing to improve was found.',
      'safe A  clear A  distinct A  sturdy –  lean A  conformant A  (overall A)',
      '',
      'tool  effect  tokens  worst',
      'a     reads      120',
      '',
      'Only the definitions were looked at: nothing was called.',
    ]);
  });

  test('keeps the servers in the names if there are several', () => {
    const text = linesOf(reportWith({ servers: ['orders', 'crm'], findings: [contradicted, ofServer] })).join('\n');
    expect(text).toContain('HIGH    orders/delete_order  [effect-contradicted]');
    expect(text).toContain('HIGH    the server orders itself  [writes-to-stdout]');
  });
});

const hostile = `x\u001B[31m\u202E\u200B\n| # **b** <script>alert(1)</script> <img src=x> [go](http://evil.test) {0} "' & ]]> \u0000`;
const attacked = reportWith({
  servers: ['orders', hostile],
  tools: [tool(hostile)],
  notes: [hostile],
  findings: [
    findingBy('hangs', {
      server: hostile,
      tool: `orders/${hostile}`,
      others: [`orders/${hostile}2`],
      sentence: hostile,
      evidence: [hostile],
      proposal: hostile,
      call: { tool: hostile, arguments: { [hostile]: hostile }, answer: hostile },
    }),
    findingBy('writes-to-stdout', { server: hostile, sentence: hostile, proposal: hostile }),
    findingBy('effect-undeclared', { server, tool: `orders/${hostile}`, sentence: hostile, proposal: hostile }),
  ],
});
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

describe('what servers say controls no reader', () => {
  test('no line of the terminal has characters that control it or hide text', () => {
    for (const verbose of [false, true])
      for (const line of linesOf(attacked, { verbose })) expect(line).not.toMatch(unprintable);
  });

  test('a command that repeats a call keeps its arguments, with what is hidden as escapes', () => {
    const call = { tool: 'get_order', arguments: { id: 'a\u202Eb  c\u2028d\u{E0041}' }, answer: '' };
    const lines = linesOf(reportWith({ findings: [{ ...contradicted, call }] }));
    const [, json = ''] = /again: .* '(.*)'$/.exec(lines.find((line) => line.includes('again: ')) ?? '') ?? [];
    expect(json).not.toMatch(unprintable);
    expect(JSON.parse(json)).toEqual(call.arguments);
  });

  test('no line of the Markdown has a meaning that a server gave it', () => {
    const text = checkMarkdown(attacked);
    for (const line of text.split('\n')) expect(line).not.toMatch(unprintable);
    expect(text).not.toMatch(/(?<!\\)<|[^\\]\[go|[^\\*]\*\*b/);
    expect(text.split('\n').filter((line) => line.startsWith('#'))).toEqual([]);
    const rows = text.split('\n').filter((line) => line.startsWith('| '));
    const cells = rows.map((row) => row.split(/(?<!\\)\|/).length);
    expect(new Set(cells.slice(0, 3))).toEqual(new Set([9]));
    expect(new Set(cells.slice(3))).toEqual(new Set([9]));
  });

  test('the XML is well formed and has no element of a server', () => {
    const xml = checkJunitXml(attacked);
    expect(xml.replaceAll('\n', '')).not.toMatch(unprintable);
    expect(new Set(xml.match(/<\/?[a-z]+/gi))).toEqual(
      new Set(['testsuite', 'testcase', 'properties', 'failure'].flatMap((name) => [`<${name}`, `</${name}`]))
        .difference(new Set(['</failure']))
        .union(new Set(['<property'])),
    );
    expect(xml.replaceAll(/="[^"<>]*"/g, '')).not.toMatch(/["'&]script|alert/);
  });

  test('the page loads nothing and runs nothing', async () => {
    const html = await checkPage(attacked, repeat);
    expect(html).not.toMatch(/<script|<img|<a |<link| on\w+="/);
    expect(html.replaceAll('\n', '')).not.toMatch(unprintable);
    expect(html).toContain('&lt;script&gt;');
  });

  test('the SARIF has no placeholder and no link of a server', () => {
    const sarif = checkSarif(attacked, { file: 'mcp.json' });
    for (const { message } of readSarif(sarif).results) {
      expect(message.text).not.toMatch(unprintable);
      expect(message.text).not.toMatch(/\]\(|(?<!\{)\{0\}/);
    }
  });
});

test('the Markdown begins with the verdict, and has the grades, the findings and the tools', () => {
  const lines = checkMarkdown(report).split('\n');
  expect(lines[0]).toMatch(/^\*\*8 of 8 tools need work before agents use them: delete\\_order \\\(it declares/);
  expect(lines[2]).toBe('The server itself: it writes to its standard output what is no message of the protocol.');
  expect(lines.slice(4, 7)).toEqual([
    '| overall | safe | clear | distinct | sturdy | lean | conformant |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    '| C | D | D | B | A | A | C |',
  ]);
  expect(lines[8]).toBe(
    String.raw`- **high** delete\_order (effect-contradicted): it declares that it only reads, and its name says that it deletes. Call: delete\_order \{"id":1,"why":"it's old"\} → deleted for ever. Fix: declare \`destructiveHint: true\`.`,
  );
  expect(lines).toContain(String.raw`| delete\_order | reads | 12 | 4 ms | 1,250 ms | 120 | high |`);
  expect(lines).toContain('> The baseline accepts 2 findings.');
});

test('a JUnit report has a test for each tool that fails from medium severity on, and one for the server itself', () => {
  const only = reportWith({ findings: [...lowOnes, twin, ofServer] });
  const lines = checkJunitXml(only).split('\n');
  expect(lines[1]).toBe('<testsuite name="sextant: check of orders" tests="9" failures="3" errors="0">');
  expect(lines[2]).toContain('<property name="grade conformant" value="C"/>');
  const caseOf = (name: string) => lines.find((line) => line.includes(`name="${name}"`)) ?? '';
  expect(caseOf('the server itself')).toContain('<failure message="high: it writes to its standard output');
  for (const name of ['orders/get_order', 'orders/a'])
    expect(caseOf(name)).toContain('<failure message="medium: it gives the same results as another tool');
  expect(caseOf('orders/b')).not.toContain('failure');
  expect(caseOf('orders/b')).toContain('<property name="worst finding" value="low"/>');
  expect(caseOf('orders/b')).toContain('<property name="p95 ms" value="1250"/>');
});

const sarifResult = z.object({
  ruleId: z.string(),
  ruleIndex: z.int(),
  level: z.enum(['error', 'warning', 'note']),
  message: z.object({ text: z.string().min(1) }),
  locations: z.tuple([
    z.object({
      physicalLocation: z.object({
        artifactLocation: z.object({ uri: z.string(), uriBaseId: z.string().optional() }),
        region: z.object({ startLine: z.int(), startColumn: z.int(), endLine: z.int(), endColumn: z.int() }),
      }),
      logicalLocations: z.array(z.object({ name: z.string(), fullyQualifiedName: z.string(), kind: z.string() })),
    }),
  ]),
  partialFingerprints: z.object({ primaryLocationLineHash: z.string().regex(/^[0-9a-f]{16}:\d+$/) }),
});
const text = z.object({ text: z.string().min(1).max(1_024) });
const sarifLog = z.object({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.object({
      tool: z.object({
        driver: z.object({
          name: z.literal('Sextant'),
          semanticVersion: z.string().regex(/^\d+\.\d+\.\d+$/),
          rules: z.array(
            z.object({
              id: z.string(),
              shortDescription: text,
              fullDescription: text,
              help: text,
              properties: z.json(),
            }),
          ),
        }),
      }),
      results: z.array(sarifResult),
    }),
  ]),
});
/** Reads what GitHub's code scanning requires of SARIF. */
const readSarif = (sarif: string) => {
  const [run] = sarifLog.parse(JSON.parse(sarif)).runs;
  return { rules: run.tool.driver.rules, results: run.results };
};

describe('the SARIF', () => {
  test('has all rules, and a result for each finding with what GitHub requires', () => {
    const { rules, results } = readSarif(checkSarif(report, { file: './servers/my mcp.json' }));
    expect(rules.map(({ id }) => id)).toEqual(ruleIds);
    expect(results).toHaveLength(report.findings.length);
    for (const { ruleId, ruleIndex } of results) expect(rules[ruleIndex]?.id).toBe(ruleId);
    const [first] = results;
    expect(first).toMatchObject({
      ruleId: 'effect-contradicted',
      level: 'error',
      message: {
        text: `orders/delete_order: it declares that it only reads, and its name says that it deletes. Call: delete_order {{"id":1,"why":"it's old"}} → deleted for ever. Fix: declare \`destructiveHint: true\`.`,
      },
    });
    expect(first?.locations[0]).toEqual({
      physicalLocation: {
        artifactLocation: { uri: 'servers/my%20mcp.json', uriBaseId: '%SRCROOT%' },
        region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
      },
      logicalLocations: [{ name: 'delete_order', fullyQualifiedName: 'orders/delete_order', kind: 'function' }],
    });
  });

  test('has fingerprints that are the same in the next check and different for each result', () => {
    const fingerprints = (of: CheckReport) =>
      readSarif(checkSarif(of, { file: 'mcp.json' })).results.map(
        (result) => result.partialFingerprints.primaryLocationLineHash,
      );
    const now = fingerprints(report);
    expect(new Set(now).size).toBe(report.findings.length);
    const reworded = report.findings.map((each) => ({ ...each, sentence: 'said otherwise', severity: 'low' as const }));
    expect(fingerprints({ ...report, findings: reworded })).toEqual(now);
    const [again = '', third = ''] = fingerprints({ ...report, findings: [twin, twin] });
    expect(now).toContain(again);
    expect(third).toBe(again.replace(/:1$/, ':2'));
  });

  test.each([
    ['mcp.json', 'mcp.json', '%SRCROOT%'],
    [String.raw`.\conf\mcp.json`, 'conf/mcp.json', '%SRCROOT%'],
    ['/srv/my mcp.json', 'file:///srv/my%20mcp.json', undefined],
    ['https://tools.example/mcp', 'https://tools.example/mcp', undefined],
    ['a:b/<c>.json', 'a%3Ab/%3Cc%3E.json', '%SRCROOT%'],
  ])('locates results in %s at %s', (file, uri, uriBaseId) => {
    const [result] = readSarif(checkSarif(report, { file })).results;
    expect(result?.locations[0].physicalLocation.artifactLocation).toEqual(
      uriBaseId === undefined ? { uri } : { uri, uriBaseId },
    );
  });
});

/** Returns the contrast of white on a colour such as `#24344d`, by WCAG 2.2. */
function contrastWithWhite(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}

describe('the badge', () => {
  test('shows the grade of all families together and the count of tools', () => {
    const badge = checkBadgeSvg(report);
    expect(badge).toContain('>sextant</text>');
    expect(badge).toContain('>check C</text>');
    expect(badge).toContain('>8 tools</text>');
    expect(badge).toContain('<title>sextant: check C: 8 tools</title>');
    expect(checkBadgeSvg(reportWith({ static: true }))).toContain('>8 tools, definitions only</text>');
    expect(checkBadgeSvg(reportWith({ tools: [] }))).toContain('>check –</text>');
  });

  test.each(['A', 'B', 'C', 'D', 'F', null] as const)('has readable text with the grade %s', (grade) => {
    const grades = { safe: grade, clear: grade, distinct: grade, sturdy: grade, lean: grade, conformant: grade };
    const fills = Array.from(
      checkBadgeSvg({ ...report, grades }).matchAll(/<rect [^>]*fill="(#[0-9a-f]{6})"/g),
      ([, fill = '']) => fill,
    );
    expect(fills).toHaveLength(3);
    for (const fill of fills) expect(contrastWithWhite(fill)).toBeGreaterThanOrEqual(4.5);
  });
});

test('the page has the verdict as its title, the grades, the findings with their calls and the tools', async () => {
  const html = await checkPage(report, repeat);
  expect(html).toMatch(/<h1>8 of 8 tools need work before agents use them<\/h1>\s*<p class="lead">delete_order \(/);
  expect(html).toMatch(/<dt>overall<\/dt>\s*<dd class="warn">C<\/dd>/);
  expect(html).toMatch(/<dt>safe<\/dt>\s*<dd class="bad">D<\/dd>/);
  expect(html.match(/<span class="label status/g)).toHaveLength(6);
  expect(html).toMatch(/[1-9] findings? of low severity/);
  expect(html).toContain('<pre>sextant call mcp.json delete_order &#39;{&quot;id&quot;:1');
  expect(html).toContain('→ deleted for ever</pre>');
  expect(html).toMatch(/<th scope="row" class="text">delete_order<\/th>/);
});
