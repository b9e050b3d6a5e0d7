import { expect, test } from 'vitest';
import { caseAfterStageResult, newCase, type EvaluationCase } from '#core/evaluation/case.ts';
import { makeImportedAttempt } from '#core/leaderboards/submissions/imported-attempt.ts';
import type { TraceLine } from '#core/leaderboards/submissions/trace-file.ts';
import { attemptAt, chains, header } from '../../support/trace-file.ts';

const place = { id: 'c', unit: 'u_1', agent: 'steady', trial: 1, requests: ['source', 'followUp'] };
const context = { chain: chains['u_1'] ?? [], origins: [], judges: true };
const fault = { where: 'model', name: 'agent', code: 'unreachable', detail: 'gone' } as const;

const imported = (line: Pick<TraceLine, 'side' | 'trace' | 'spent'>, configuration = header.configuration) =>
  caseAfterStageResult(newCase(place), makeImportedAttempt(line, configuration), context);

const source = ({ attempts }: EvaluationCase) => attempts.source ?? expect.fail('no attempt');

test('the cost of an imported attempt follows from its tokens, not from the file', async () => {
  const line = await attemptAt('u_1', 1, 'source');
  const boasting = { ...line, trace: { ...line.trace, costUsd: 0 } };
  expect(source(imported(boasting)).usage).toEqual({
    calls: 1,
    promptTokens: 250,
    completionTokens: 60,
    costUsd: 0.0043,
  });
  const { prices: _, ...unpriced } = header.configuration;
  expect(source(imported(line, unpriced)).usage).toMatchObject({ promptTokens: 250, costUsd: 0 });
  expect(makeImportedAttempt(boasting, header.configuration).trace.costUsd).toBe(0.0043);
});

test('the cost of an imported attempt includes a try that a fault broke', async () => {
  const line = await attemptAt('u_1', 1, 'source');
  const spent = { promptTokens: 350, completionTokens: 60, relaunched: true };
  const attempt = source(imported({ ...line, spent }));
  expect(attempt).toMatchObject({ relaunched: true, evaluated: true, usage: { promptTokens: 350, costUsd: 0.0053 } });
});

test('the cost of an imported attempt counts what the model gateway saw of caches', async () => {
  const line = await attemptAt('u_1', 1, 'source');
  const { prices } = header.configuration;
  const cached = {
    ...header.configuration,
    model: 'm',
    prices: { promptPricePerMTok: 10, completionPricePerMTok: 30, cachedPricePerMTok: 1 },
  };
  const request = {
    model: 'm',
    wire: 'messages',
    status: 200,
    promptTokens: 250,
    completionTokens: 60,
    latencyMs: 1,
    calls: [],
  } as const;
  const modelRequests = [{ ...request, calls: [], cachedTokens: 200, costUsd: 1 }];
  const trace = { ...line.trace, modelRequests };
  expect(prices).toBeDefined();
  // 50 prompt tokens at 10, 200 cached ones at 1, 60 of the completion at 30 dollars a million.
  expect(source(imported({ ...line, trace }, cached)).usage.costUsd).toBeCloseTo(0.0025, 12);
  const other = [{ ...request, calls: [], model: 'small', costUsd: 0.5 }];
  expect(source(imported({ ...line, trace: { ...line.trace, modelRequests: other } }, cached)).usage.costUsd).toBe(0.5);
});

test('an imported attempt that a fault broke is not repeated here', async () => {
  const line = await attemptAt('u_1', 1, 'source');
  const after = imported({ ...line, trace: { ...line.trace, end: 'fault', fault } });
  expect(after.stage).toEqual({ kind: 'attempt', side: 'followUp' });
  expect(source(after)).toMatchObject({ evaluated: false, relaunched: false });
});

test('an imported attempt of an unseen agent has no usage', async () => {
  const line = await attemptAt('u_1', 1, 'source');
  const spent = { promptTokens: 0, completionTokens: 0, relaunched: false };
  expect(source(imported({ ...line, spent })).usage.calls).toBe(0);
});
