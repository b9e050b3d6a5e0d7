import { expect, test } from 'vitest';
import { threeMostFrequentFaultTexts } from '#core/evaluation/common-fault-texts.ts';
import { caseAfterStageResult, newCase, type EvaluationCase } from '#core/evaluation/case.ts';
import type { InfrastructureFault } from '#core/models/faults.ts';
import { traceWith } from './cases.ts';

const context = { chain: [], origins: [], judges: true };
const model: InfrastructureFault = { where: 'model', name: 'agent', code: 'http-status', detail: 'HTTP status 401' };
const server: InfrastructureFault = { where: 'server', name: 'time', code: 'unreachable', detail: 'no connection' };

/** A case whose first attempt a fault broke for good; none where it is null. */
function caseWith(n: number, fault: InfrastructureFault | null): EvaluationCase {
  const trace = { ...traceWith([]), fault };
  const made = { kind: 'attempt', side: 'source', trace, fault, calls: [], elsewhere: { relaunched: true } } as const;
  return caseAfterStageResult(
    newCase({ id: `${n}`, unit: 'u', agent: 'a', trial: n, requests: ['source'] }),
    made,
    context,
  );
}

test('faults are listed with their counts, most frequent first', () => {
  const faults = [null, server, model, server, null];
  expect(threeMostFrequentFaultTexts(faults.map((fault, n) => caseWith(n, fault)))).toEqual([
    'the server time: no connection (2 times)',
    "the agent's model: HTTP status 401 (1 time)",
  ]);
  expect(threeMostFrequentFaultTexts([caseWith(1, null)])).toEqual([]);
});

test('at most three kinds of faults are listed', () => {
  const faults = Array.from({ length: 9 }, (_, n) => ({ ...server, name: `s${n}` }));
  expect(threeMostFrequentFaultTexts(faults.map((fault, n) => caseWith(n, fault)))).toHaveLength(3);
});
