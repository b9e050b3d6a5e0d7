import { expect, test } from 'vitest';
import { pickReportOfServer } from '#core/reports/tool-report/report-of-server.ts';
import { report } from '../../client/tool-reports.ts';

test('the report of one server has its tools, their tokens, and what was found about them', () => {
  const others = report.tools.map((each) => ({ ...each, tool: each.tool.replace('files/', 'files-old/') }));
  const both = {
    ...report,
    tools: [...report.tools, ...others],
    schemaTokens: 2 * report.schemaTokens,
    confusions: [
      ...report.confusions,
      ...report.confusions.map((each) => ({ ...each, expected: 'notes/a', called: 'files/add' })),
      ...report.confusions.map((each) => ({ ...each, expected: 'notes/a', called: 'notes/b' })),
    ],
  };
  const picked = pickReportOfServer(both, 'files');
  expect(picked.tools).toEqual(report.tools);
  expect(picked.schemaTokens).toBe(report.schemaTokens);
  expect(picked.confusions.map(({ expected }) => expected)).toEqual(['files/append', 'notes/a']);
  expect(picked.findings).toEqual(report.findings.filter(({ tool }) => tool !== null));
});

test('a server that has no tools in a run has an empty report', () => {
  expect(pickReportOfServer(report, 'notes')).toMatchObject({
    tools: [],
    schemaTokens: 0,
    findings: [],
    confusions: [],
  });
});
