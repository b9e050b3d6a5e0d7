import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toolReportsJunitXml, toolReportsLines, toolReportsMarkdown } from '../../client/display/tool-report-files.ts';
import { toolReportsPage } from '../../client/report/tool-section.ts';
import { fakeApi, json } from './fake-api.ts';
import { runVerb } from './run-verb.ts';
import { report } from './tool-reports.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sextant-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const titled = { title: 'Tools of exp_1', notes: [], reports: [{ title: 'exp_1', report }] };

test('a JUnit report has a test for each tool: failed where it fails, skipped where nothing is known', () => {
  const lines = toolReportsJunitXml(titled).split('\n');
  expect(lines[1]).toBe('<testsuite name="sextant: tools of exp_1" tests="3" failures="1" errors="0" skipped="1">');
  const lineOf = (tool: string) => lines.find((line) => line.includes(`name="${tool}"`));
  expect(lineOf('files/append')).toMatch(/<failure message="0 of 6 calls succeeded; most often: no such \[31mnote"\/>/);
  expect(lineOf('files/list')).toContain('<skipped message="no call of it was answered"/>');
  expect(lineOf('files/add')).not.toMatch(/failure|skipped/);
  expect(lineOf('files/add')).toContain('<property name="calls" value="8"/>');
  expect(lineOf('files/add')).toContain('<property name="succeeded" value="100% [20%, 55%]"/>');
});

test('a JUnit report of several agents has a suite for each, in one document', () => {
  const xml = toolReportsJunitXml({
    ...titled,
    reports: [...titled.reports, { title: 'hasty "one" <b>', report }],
  });
  expect(xml.match(/<testsuite /g)).toHaveLength(2);
  expect(xml).toMatch(/^<\?xml[^\n]*\n<testsuites>[\s\S]*<\/testsuites>\n$/);
  expect(xml).toContain('tools of hasty &quot;one&quot; &lt;b&gt;');
  const tests = Array.from(
    xml.matchAll(/classname="([^"]*)" name="([^"]*)"/g),
    ([, subject, name]) => `${subject} ${name}`,
  );
  expect(new Set(tests).size).toBe(6);
});

test('a Markdown report begins with the headline, and has the table, the findings and the confusions', () => {
  const text = toolReportsMarkdown(titled);
  expect(text.split('\n')[0]).toBe(
    '**1 of 3 tools work for agents, 1 always failed, 1 were not called: 20 attempts at 10 units.**',
  );
  expect(text).toContain('| files/append | fails | 6 | 0% \\[20%, 55%\\] |');
  expect(text).toContain('take about 1,360 tokens of each request that offers them all, the most: files/add 1,120,');
  expect(text).toContain('- files/add, files/list: low: it is slow; be quick.');
  expect(text).toContain(
    '- all tools together: low: the list is long \\(files/add: 1120; files/list: 120\\); be brief.',
  );
  expect(text).toContain('- files/add was called in place of files/append in 7 of 20 attempts \\[4, 11\\]');
  expect(text).toContain('no such \\[31mnote');
});

test('each report says which tools were called where none fits, or that none was, and nothing without such requests', async () => {
  const reportsOf = async (changes: Partial<typeof report>) => {
    const changed = { ...titled, reports: [{ title: 'exp_1', report: { ...report, ...changes } }] };
    return [toolReportsMarkdown(changed), await toolReportsPage(changed), toolReportsLines(changed, 100).join('\n')];
  };
  for (const text of await reportsOf({})) {
    expect(text).toContain('Called where no tool fits:');
    expect(text).toMatch(/files\/list was called in 3 of 8 attempts \\?\[1, 5\\?\]/);
  }
  for (const text of await reportsOf({ taken: [] })) expect(text).toContain('no tool was called in 8 attempts');
  for (const text of await reportsOf({ taken: [], negativeAttempts: 0 })) expect(text).not.toContain('no tool fits');
  const lineOf = (xml: string) => xml.split('\n').find((line) => line.includes('name="files/list"'));
  expect(lineOf(toolReportsJunitXml(titled))).toContain('<property name="called where no tool fits" value="3 of 8"/>');
});

test('every report of rules says so before anything else, and calls nothing a success', async () => {
  const offline = { ...titled, reports: [{ title: 'exp_1', report: { ...report, offline: true } }] };
  const markdown = toolReportsMarkdown(offline);
  expect(markdown.split('\n')[0]).toContain('Rules stood in for models');
  const xml = toolReportsJunitXml(offline);
  expect(xml).toContain('<property name="note" value="Rules stood in for models');
  const html = await toolReportsPage(offline);
  expect(html.indexOf('Rules stood in for models')).toBeLessThan(html.indexOf('<table>'));
  for (const text of [markdown, xml, html]) expect(text).not.toMatch(/succe|>works<|work for|missed/);
  expect(toolReportsJunitXml(titled)).toMatch(/failures="[1-9]/);
  expect(xml).toContain('failures="0"');
});

test('the page loads nothing and runs nothing, whatever tools are called', async () => {
  const [first] = report.tools;
  if (first === undefined) throw new Error('there is no tool');
  const hostile = '<script>alert(1)</script>" onload="x\u202E';
  const html = await toolReportsPage({
    title: hostile,
    notes: [hostile],
    reports: [{ title: hostile, report: { ...report, tools: [{ ...first, tool: hostile }] } }],
  });
  expect(html).not.toMatch(/<script|<img|<link| on\w+="|\u202E/);
  expect(html).toContain('files/add was called in place of files/append in 7 of 20 attempts');
});

test('"tools" writes the files that a line names, and tries them before it asks', async () => {
  await using api = await fakeApi(json(report));
  const [markdown, junit, html] = ['a.md', 'a.xml', 'a.html'].map((name) => join(folder, name));
  await expect(runVerb(api, 'tools', 'exp_1', '--junit', join(folder, 'none', 'a.xml'))).rejects.toThrow(
    'cannot be written',
  );
  expect(api.requests).toHaveLength(0);
  await runVerb(api, 'tools', 'exp_1', '--markdown', `${markdown}`, '--junit', `${junit}`, '--html', `${html}`);
  expect(readFileSync(`${markdown}`, 'utf8')).toBe(toolReportsMarkdown(titled));
  expect(readFileSync(`${junit}`, 'utf8')).toBe(toolReportsJunitXml(titled));
  expect(readFileSync(`${html}`, 'utf8')).toContain('<title>Tools of exp_1 – Sextant</title>');
});
