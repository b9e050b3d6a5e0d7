import { sgvef } from '#core/benchmarks/protocols/sgvef.ts';
import type { PairUnit } from '#core/benchmarks/benchmark.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { AttemptRecord, EvaluationCase } from '#core/evaluation/case.ts';
import { makeCaseId } from '#core/evaluation/new-cases.ts';
import type { Scorer } from '#core/scoring/scorer.ts';
import { makeScore, makeUnscored, type Score } from '#core/scoring/score.ts';
import { buildRecordByAttemptScorer, getScorerOrThrow } from '#core/evaluation/scorers.ts';
import { pick, makeRandom, type Random } from '#core/values/random.ts';
import { failureClass } from '#core/traces/failure.ts';
import { noUsage } from '#core/models/usage.ts';

/** The classes that release 0.2.0 had, so that the same seed gives the same cases. */
const classesOfPaper = failureClass.exclude(['server-defect']).options;

const servers = ['atlas', 'clock', 'ledger', 'post', 'quill', 'scout'] as const;
const domains = ['maps', 'planning', 'finance', 'travel'] as const;
const categories = ['read', 'write', 'search', 'other'] as const;
const toolsPerServer = 5;

/** Tools that no server has, enough for transitions and groups of several servers and domains. */
export const syntheticTools: readonly Tool[] = servers.flatMap((server, s) =>
  Array.from({ length: toolsPerServer }, (_, t) => ({
    name: `${server}/tool-${t + 1}`,
    server,
    domain: domains[(s + (t === 0 ? 1 : 0)) % domains.length] ?? 'maps',
    category: categories[t % categories.length] ?? 'other',
    inputSchema: { type: 'object' },
  })),
);

/** The n-th unit; the same n gives the same one, and ids sort by n. One in ten is private. */
export function syntheticUnit(n: number): PairUnit {
  const random = makeRandom('synthetic unit', n);
  const chain = Array.from({ length: 2 + random.below(4) }, () => pickToolName(random));
  return {
    id: `u_${String(n).padStart(24, '0')}`,
    split: n % 10 === 9 ? 'private' : 'public',
    source: `Request ${n}: ${drawWordsText(random, 40)}`,
    followUp: `Request ${n} in other words: ${drawWordsText(random, 40)}`,
    chain,
    arguments: [],
    facts: [],
    semanticEquivalence: 90,
    parameterSolvability: 90,
    provenance: { exploration: 'exp_synthetic', unit: `r1-${n}`, round: 1, models: {}, prompts: [], harness: 'bench' },
  };
}

/** A finished case of an agent with its own level; about one attempt in fifty broke. */
export function syntheticCase(
  unit: Pick<PairUnit, 'id' | 'chain'>,
  agent: string,
  trial: number,
  responseChars = 800,
): EvaluationCase {
  const id = makeCaseId({ unit: unit.id, agent, trial });
  const level = 0.3 + 0.6 * makeRandom('synthetic level', agent).next();
  const random = makeRandom('synthetic case', id);
  const attempt = (): AttemptRecord => syntheticAttempt(unit.chain, level, random, responseChars);
  return {
    id,
    unit: unit.id,
    agent,
    trial,
    requests: [...sgvef.requests.pair],
    revision: 4,
    stage: { kind: 'done' },
    faults: 0,
    wasted: noUsage,
    attempts: Object.fromEntries(sgvef.requests.pair.map((name) => [name, attempt()])),
    scores: {},
    judgeUsage: { calls: 8, promptTokens: 4_000, completionTokens: 400, costUsd: 0.002 },
  };
}

function syntheticAttempt(
  chain: readonly string[],
  level: number,
  random: Random,
  responseChars: number,
): AttemptRecord {
  const usage = {
    calls: 1 + random.below(6),
    promptTokens: 1_000 + random.below(9_000),
    completionTokens: 100 + random.below(900),
    costUsd: 0.01 * random.next(),
  };
  const relaunched = random.next() < 0.03;
  const durationMs = 1_000 + random.below(60_000);
  if (random.next() < 0.02) {
    const server = pick(random, servers) ?? 'atlas';
    const fault = { where: 'server', name: server, code: 'timeout', detail: `${server} did not answer in time` };
    const scores = buildRecordByAttemptScorer(() => makeUnscored('not-evaluated', {}));
    return {
      evaluated: false,
      relaunched: true,
      calls: [],
      end: 'fault',
      response: '',
      unreturned: null,
      fault,
      scores,
      usage,
      durationMs,
    };
  }
  const calls: AttemptRecord['calls'] = chain.flatMap((tool) => {
    const tried = random.next() < level ? tool : pickToolName(random);
    if (random.next() < 0.05) return [];
    if (random.next() < 0.1)
      return [
        { tool: `${tried}-gone`, outcome: 'failure' as const, failure: pick(random, classesOfPaper) ?? null },
        { tool: tried, outcome: 'success' as const, failure: null },
      ];
    return [
      { tool: tried, outcome: random.next() < 0.05 ? ('failure' as const) : ('success' as const), failure: null },
    ];
  });
  const share = calls.filter(({ tool }) => chain.includes(tool)).length / chain.length;
  const luck = random.below(2 ** 31);
  return {
    evaluated: true,
    relaunched,
    calls,
    end: 'answered',
    response: drawWordsText(random, responseChars / 8).slice(0, responseChars),
    unreturned: luck % 11 === 0 ? null : luck % 7 === 0,
    fault: null,
    scores: buildRecordByAttemptScorer((key) => syntheticScore(getScorerOrThrow(key), { share, level, luck })),
    usage,
    durationMs,
  };
}

/** One score in fifty is missing. Each scorer has its own stream, so a new one changes no other figure. */
function syntheticScore(
  { key, direction, binary }: Scorer,
  { share, level, luck }: { readonly share: number; readonly level: number; readonly luck: number },
): Score {
  const random = makeRandom('synthetic score', luck, key);
  if (random.next() < 0.02) return makeUnscored('judge-unparsed', {});
  const value = binary ? Number(random.next() < level) : (share + random.next()) / 2;
  return makeScore(direction === 'lower' ? 1 - value : value, { share });
}

const pickToolName = (random: Random): string => pick(random, syntheticTools)?.name ?? '';

const drawWordsText = (random: Random, count: number): string =>
  Array.from({ length: count }, () =>
    random
      .below(2 ** 31)
      .toString(36)
      .padStart(7, 'x'),
  ).join(' ');
