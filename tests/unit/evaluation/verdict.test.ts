import { describe, expect, it } from 'vitest';
import { makeAgentResult } from '#core/evaluation/agent-result.ts';
import { caseAfterStageResult, type EvaluationCase } from '#core/evaluation/case.ts';
import { makeFiguresOfFinishedCaseOrNull } from '#core/evaluation/case-figures.ts';
import { compareAgents } from '#core/evaluation/compare-agents.ts';
import { failedCaseSection } from '#core/evaluation/report/failed-cases.ts';
import { passAtKSection } from '#core/evaluation/report/scores.ts';
import { makeResultOfAgentInUnit } from '#core/evaluation/unit-results.ts';
import {
  getProtocol,
  protocolKey,
  scorerKeysOfProtocol,
  type ProtocolKey,
} from '#core/benchmarks/protocols/protocols.ts';
import { makeScore } from '#core/scoring/score.ts';
import { getScorerOrThrow, type AttemptScorerKey } from '#core/evaluation/scorers.ts';
import type { Trace } from '#core/traces/trace.ts';
import { basisOf } from './basis.ts';
import { begun, chain, made, paid, traceWith } from './cases.ts';

const units = Array.from({ length: 8 }, (_, at) => ({ id: `u${at}`, chain }));
const taskProtocols = ['live-mcp-bench', 'mcp-verse', 'mcp-bench'] as const;

/** A finished case at a task, with a judge's 1 or 0 by one scorer. */
function judgedCase(
  unit: string,
  agent: string,
  protocol: ProtocolKey,
  { scorer, value, trace = {} }: { scorer: AttemptScorerKey; value: number; trace?: Partial<Trace> },
): EvaluationCase {
  const about = { chain, origins: [], judges: true, asked: scorerKeysOfProtocol(protocol) };
  const attempt = { ...made('request'), trace: traceWith(chain, trace) };
  const judgement = {
    kind: 'judgement',
    side: 'request',
    scores: { [scorer]: makeScore(value, {}) },
    classes: [],
    calls: [{ ...paid, role: 'judge' }],
  } as const;
  return [attempt, judgement].reduce<EvaluationCase>(
    (before, result) => caseAfterStageResult(before, result, about),
    begun({ id: `${unit}.${agent}.01`, unit, agent, requests: ['request'] }),
  );
}

/** Agent `right` passes at all units and `wrong` at none, by one scorer. */
const basisUnder = (protocol: ProtocolKey, scorer: AttemptScorerKey, trace: Partial<Trace> = {}) =>
  basisOf(
    units.flatMap(({ id }) => [
      judgedCase(id, 'right', protocol, { scorer, value: 1, trace }),
      judgedCase(id, 'wrong', protocol, { scorer, value: 0, trace }),
    ]),
    { protocol, units },
  );

describe('the verdict of a protocol', () => {
  it('is a yes or no that the protocol asks for, or there is none', () => {
    for (const key of protocolKey.options) {
      const { verdict } = getProtocol(key);
      if (verdict === null) continue;
      expect(scorerKeysOfProtocol(key)).toContain(verdict);
      expect(getScorerOrThrow(verdict).binary).toBe(true);
    }
    expect(getProtocol('mcp-verse').verdict).toBe('outcome');
    expect(getProtocol('mcp-bench').verdict).toBeNull();
  });

  it.each([
    ['live-mcp-bench', 'success'],
    ['mcp-verse', 'outcome'],
  ] as const)('decides passes and the test of pairs: %s', (protocol, scorer) => {
    const basis = basisUnder(protocol, scorer);
    expect(makeAgentResult('right', basis).passes?.atK[0]?.passHatK).toMatchObject({ mean: 1, n: 8 });
    expect(makeAgentResult('wrong', basis).passes?.atK[0]?.passAtK).toMatchObject({ mean: 0, n: 8 });
    expect(compareAgents('right', 'wrong', basis).passes).toMatchObject({
      scorer,
      onlyA: 8,
      onlyB: 0,
      verdict: 'better',
    });
    const [line] = passAtKSection([makeAgentResult('right', basis)], protocol).filter((each) => each.includes('**'));
    expect(line).toContain(`**${scorer}**`);
  });

  it('leaves nothing to pass where there is none, and a report says so', () => {
    const basis = basisUnder('mcp-bench', 'rubric');
    const result = makeAgentResult('right', basis);
    expect(result.passes).toBeNull();
    expect(compareAgents('right', 'wrong', basis).passes).toBeNull();
    for (const section of [passAtKSection([result], 'mcp-bench'), failedCaseSection([], ['right'], 'mcp-bench')])
      expect(section.join('\n')).toContain('MCP-Bench marks attempts and says of none that it passed');
  });

  it.each(taskProtocols)('counts the passed trials of a unit, or none: %s', (protocol) => {
    const { verdict } = getProtocol(protocol);
    const one = judgedCase('u0', 'right', protocol, { scorer: verdict ?? 'rubric', value: 1 });
    const figures = makeFiguresOfFinishedCaseOrNull(one, chain, new Map(), { protocol });
    if (figures === null) throw new Error('the case is not done');
    expect(makeResultOfAgentInUnit([figures], protocol).passes).toEqual(
      verdict === null ? null : { scored: 1, passed: 1 },
    );
  });
});

describe('the errors of an agent that searches', () => {
  const routes = { routes: [] };

  it('are unknown where attempts failed and none has a class', () => {
    const basis = basisUnder('live-mcp-bench', 'success', routes);
    expect(makeAgentResult('wrong', basis).routingErrors).toBeNull();
  });

  it('are unknown where nobody judged, and none where all attempts passed', () => {
    expect(makeAgentResult('right', basisUnder('mcp-bench', 'rubric', routes)).routingErrors).toBeNull();
    expect(makeAgentResult('right', basisUnder('live-mcp-bench', 'success', routes)).routingErrors).toEqual({
      query: 0,
      retrieve: 0,
      tool: 0,
      other: 0,
      undecided: 0,
      empty: 0,
    });
  });
});

describe('the turns of an attempt', () => {
  it('are unknown where no model was seen', () => {
    const unseen = { turns: 3, promptTokens: 0, completionTokens: 0, costUsd: 0 };
    const attempt = { ...made('request'), trace: traceWith(chain, unseen), calls: [] };
    const about = { chain, origins: [], judges: false, asked: scorerKeysOfProtocol('mcp-verse') };
    const one = caseAfterStageResult(begun({ requests: ['request'] }), attempt, about);
    const turnsOf = (each: EvaluationCase) =>
      makeFiguresOfFinishedCaseOrNull(each, chain, new Map(), { protocol: 'mcp-verse' })?.attempts[0]?.turns;
    expect(turnsOf(one)).toBeNull();
    expect(turnsOf(judgedCase('u0', 'a', 'mcp-verse', { scorer: 'outcome', value: 1 }))).toBe(1);
  });
});
