import type { ToolFindings, ToolReport } from '#core/reports/tool-report/record.ts';

const share = (count: number, of: number) => ({
  count,
  of,
  share: of === 0 ? null : count / of,
  interval: of < 2 ? null : { low: 0.2, high: 0.55 },
});
const findings = (tool: string, changes: Partial<ToolFindings> = {}): ToolFindings => ({
  tool,
  effect: 'reads',
  verdict: 'works',
  success: share(8, 8),
  unanswered: 0,
  missed: share(0, 4),
  unexpected: 0,
  commonFailure: null,
  commonError: null,
  medianMs: 12,
  schemaTokens: 120,
  ...changes,
});
/** Three tools of which one works. */
export const report: ToolReport = {
  offline: false,
  final: true,
  units: 10,
  attempts: 20,
  schemaTokens: 1_360,
  tools: [
    findings('files/append', {
      verdict: 'fails',
      success: share(0, 6),
      commonFailure: { class: 'invalid-artifact-reference', count: 5 },
      commonError: { text: 'no such \u001b[31mnote', count: 4, unit: 'r1-u1' },
    }),
    findings('files/list', { verdict: 'not-called', success: share(0, 0), medianMs: null }),
    findings('files/add', { schemaTokens: 1_120 }),
  ],
  negativeAttempts: 8,
  taken: [{ tool: 'files/list', attempts: share(3, 8), units: ['r1-u9'] }],
  confusions: [{ expected: 'files/append', called: 'files/add', attempts: share(7, 20), units: ['r1-u1'] }],
  findings: [
    {
      kind: 'failing',
      severity: 'high',
      tool: 'files/append',
      sentence: '6 of 6 calls failed',
      evidence: [],
      units: [],
      proposal: 'say why',
    },
    ...['files/add', 'files/list'].map((tool) => ({
      kind: 'slow' as const,
      severity: 'low' as const,
      tool,
      sentence: 'it is slow',
      evidence: [],
      units: [],
      proposal: 'be quick',
    })),
    {
      kind: 'list-costly',
      severity: 'low',
      tool: null,
      sentence: 'the list is long',
      evidence: ['files/add: 1120', 'files/list: 120'],
      units: [],
      proposal: 'be brief',
    },
  ],
};
