import type { Tool } from '#core/catalog/tool.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { Step } from '#core/traces/trace.ts';
import type { AuditAnswer, Pair, RefinementAnswer } from '#core/units/answers.ts';
import {
  unitAfterStageOrThrow,
  newUnit,
  type StageResult,
  type UnitPlace,
  type UnitRules,
} from '#core/units/progress.ts';
import type { RelationKind } from '#core/units/relation-kinds.ts';
import type { Decision, Verdict } from '#core/units/review.ts';
import type { Lineage, Unit } from '#core/units/unit.ts';
import { makeStep, makeTrace } from '../../support/traces.ts';

/** Units on their way, and what their stages may come to. */

const tool = (name: string): Tool => ({
  name,
  server: name.split('/')[0] ?? '',
  domain: 'travel',
  category: 'search',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
});

export const [places, route, hotels] = [tool('maps/find_place'), tool('maps/route'), tool('beds/hotels')] as const;
export const allTools = [places, route, hotels];

export const pair = (changes: Partial<Pair> = {}): Pair => ({
  source: 'How do I get to the Old Town Hall?',
  followUp: 'Show me the way to the Old Town Hall.',
  chain: [places.name, route.name],
  arguments: [1, 2].map((step) => ({
    step,
    argument: 'query',
    source: { kind: 'span' as const, text: 'the Old Town Hall' },
  })),
  facts: [],
  ...changes,
});

export const rules = (changes: Partial<UnitRules> = {}): UnitRules => ({
  passScore: 80,
  acceptScore: 90,
  maxRefinements: 1,
  review: 'park',
  grounding: true,
  ...changes,
});

const seedOf = (unit: string, chain: readonly string[]) => ({ unit, chain: [...chain] });

export const entities: Lineage = {
  evolution: 1,
  kind: 'entities',
  seeds: [seedOf('r0001-u00', [places.name, route.name])],
};

export const begun = (changes: Partial<UnitPlace> = {}): Unit =>
  newUnit({
    id: 'r0001-u01',
    round: 1,
    index: 1,
    probe: false,
    lineage: null,
    relation: 'paraphrase',
    draws: [{ tools: allTools.map(({ name }) => name), known: [] }],
    ...changes,
  });

/** A model's call, told from others by its prompt. */
export const modelCall = (prompt: string): ModelCall => ({
  role: 'writer',
  model: 'm',
  prompt,
  promptTokens: 10,
  completionTokens: 2,
  costUsd: 0.5,
  latencyMs: 1,
  retries: 0,
});

export const passage = (id: string, text = 'The Old Town Hall stands in Prague.') => ({
  id,
  text,
  source: 'a book',
  licence: null,
  score: 0.8,
});

const answered = <T>(value: T) => ({ ok: true as const, value, calls: [] });

export const written = (kind: 'scenario' | 'variant' = 'scenario'): StageResult => ({
  kind,
  answer: answered({
    scenario: { flow: [], request: 'Find the way', factQuery: 'Where is it?' },
    unwritable: [],
    why: 'it fits',
  }),
});

export const refused = (kind: 'scenario' | 'variant' = 'scenario'): StageResult => ({
  kind,
  answer: answered({ scenario: null, unwritable: [], why: 'they do not fit' }),
});

export const searched = (...facts: readonly ReturnType<typeof passage>[]): StageResult => ({
  kind: 'grounding',
  found: { ok: true, value: facts, calls: [modelCall('fact-query@v1')] },
});

export const searchFailed: StageResult = {
  kind: 'grounding',
  found: {
    ok: false,
    fault: { where: 'index', name: 'knowledge', code: 'unreachable', detail: 'nobody answers' },
    calls: [],
  },
};

export const paired = (changes: Partial<Pair> | null = {}, relation: RelationKind = 'paraphrase'): StageResult => ({
  kind: 'pair',
  answer: answered({ pair: changes === null ? null : pair(changes), relation, why: 'it fits' }),
});

export const audited = (score: number, changes: Partial<AuditAnswer> = {}): StageResult => ({
  kind: 'audit',
  answer: answered({
    semanticEquivalence: score,
    parameterSolvability: 100,
    issues: [],
    suggestions: [],
    facts: [],
    ...changes,
  }),
});

interface Called {
  readonly tool: string;
  readonly error?: string;
}

const step = ({ tool, error }: Called): Step =>
  error === undefined
    ? makeStep(tool)
    : makeStep(tool, { outcome: 'failure', text: error, failure: { source: 'undecided' } });

/** An execution that the agent's model broke off. */
export const brokenOff = (side: 'source' | 'followUp'): StageResult => ({
  kind: 'execution',
  side,
  trace: makeTrace([]),
  fault: { where: 'model', name: 'agent', code: 'unreachable', detail: 'nobody answers' },
  calls: [],
});

/** An execution with these calls, by default one of each tool of the chain, in order and with success. */
export const executed = (
  side: 'source' | 'followUp',
  calls: readonly Called[] = pair().chain.map((name) => ({ tool: name })),
): StageResult => ({
  kind: 'execution',
  side,
  trace: makeTrace(calls.map(step)),
  fault: null,
  calls: [],
});

export const refined = (changes: Partial<RefinementAnswer> = {}): StageResult => {
  const { source, followUp, arguments: origins } = pair();
  return { kind: 'refinement', answer: answered({ source, followUp, arguments: origins, ...changes }) };
};

/** The unit after these stages, one after the other. */
export const after = (unit: Unit, results: readonly StageResult[], changes: Partial<UnitRules> = {}): Unit =>
  results.reduce((now, result) => unitAfterStageOrThrow(now, result, allTools, rules(changes)), unit);

export const decision = (verdict: Verdict, score = 85): Decision => ({
  verdict,
  reviewer: 'key_1',
  at: '2026-01-01T00:00:00.000Z',
  score,
});
