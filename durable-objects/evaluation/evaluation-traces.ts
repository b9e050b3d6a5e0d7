import { isNegativeBenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { getProtocol, type ProtocolKey } from '#core/benchmarks/protocols/protocols.ts';
import {
  configurationOfAgent,
  modelsOfAgent,
  type AgentConfiguration,
  type EvaluationConfig,
  type StoredAgent,
} from '#core/evaluation/config.ts';
import type { StoredModel } from '#core/models/choices.ts';
import type { PriceSource } from '#core/models/list-prices.ts';
import type { AttemptRecord, EvaluationCase } from '#core/evaluation/case.ts';
import { requestTextOrThrow } from '#core/benchmarks/protocols/case-requests.ts';
import { listMadeAttemptsOfCase } from '#core/evaluation/case-figures.ts';
import { makeCaseId } from '#core/evaluation/new-cases.ts';
import type { Provenance } from '#core/evaluation/record.ts';
import type { JsonObject } from '#core/values/json-schema/json-object.ts';
import { isDefaultScoring } from '#core/scoring/parameters.ts';
import { findingsOfSplitDifference } from '#core/leaderboards/split-difference.ts';
import type { ScoredSubmission, SubmissionFigures } from '#core/leaderboards/scored-submission.ts';
import { callsDigestOrNull, makeSketchOfAttempts } from '#core/leaderboards/submissions/sketch.ts';
import {
  noHabits,
  habitsAfterAttempt,
  findingsOfFailingCalls,
  findingsOfManyRelaunches,
  findingsOfSuspiciousHabits,
} from '#core/leaderboards/submissions/habits.ts';
import {
  configurationDigest,
  digestLine,
  sealOfTraceHeader,
  sealAfterLineDigest,
  traceFileFormat,
  type TraceHeader,
  type TraceLine,
  listStatedScorerKeys,
} from '#core/leaderboards/submissions/trace-file.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/**
 * Cases that are read at once: each has two traces of up to 1 MiB, and a call between objects carries at most 32 MiB.
 */
const casesPerRead = 8;

/** What traces need from their evaluation. */
interface TracedRun {
  readonly protocol: ProtocolKey;
  readonly config: EvaluationConfig;
  readonly provenance: Provenance;
  readonly at: string;
  readonly endedAt: string;
}

/** One agent's attempts of an ended evaluation: as a file, and as the basis for scoring a submission. */
export class EvaluationTraces {
  readonly #store: EvaluationStore;
  readonly #run: TracedRun;
  readonly #agent: StoredAgent;
  readonly #configuration: AgentConfiguration;

  constructor(store: EvaluationStore, run: TracedRun, agent: StoredAgent) {
    this.#store = store;
    this.#run = run;
    this.#agent = agent;
    this.#configuration = configurationOfAgent(agent);
  }

  makeTraceHeader(): TraceHeader {
    const { config, provenance, endedAt } = this.#run;
    return {
      type: 'traces',
      format: traceFileFormat,
      benchmark: config.benchmark,
      protocol: this.#run.protocol,
      catalog: provenance.catalog,
      harness: provenance.harness,
      prompts: [...provenance.prompts],
      agent: this.#agent.name,
      configuration: this.#configuration,
      // A published seal covers its header, so the defaults stay unsaid.
      ...(isDefaultScoring(config.scoring) ? {} : { scoring: config.scoring }),
      trials: config.trials,
      split: 'public',
      seed: config.seed,
      createdAt: endedAt,
    };
  }

  /** Returns the attempts of some cases after a cursor, public units only, in the order of the file. */
  async makeNextPublicTraceLines(after: Pick<TraceLine, 'unit' | 'trial'> | null): Promise<TraceLine[]> {
    const open = this.#store.unitIdsOfSplit('public');
    const agent = this.#agent.name;
    const from = after === null ? '' : makeCaseId({ ...after, agent });
    const cases = this.#store.listCasesOfAgent(agent, from, open, casesPerRead);
    const digest = await configurationDigest(this.#configuration);
    return (await Promise.all(cases.map((each) => this.#makeLinesOfCase(each, digest)))).flat();
  }

  /** Returns everything that an entry of a leaderboard needs. */
  async makeScoredSubmission({
    figures,
    values,
    mounted,
    isolation,
    splits,
  }: SubmissionFigures): Promise<ScoredSubmission> {
    const { provenance } = this.#run;
    const agent = this.#agent.name;
    const begin = await sealOfTraceHeader(this.makeTraceHeader());
    const seals = { public: { attempts: 0, sha256: begin }, private: { attempts: 0, sha256: begin } };
    const digest = await configurationDigest(this.#configuration);
    const schemas = new Map<string, JsonObject | undefined>();
    const findInputSchema = (tool: string): JsonObject | undefined => {
      if (!schemas.has(tool)) schemas.set(tool, this.#store.listToolsWithNames([tool])[0]?.inputSchema);
      return schemas.get(tool);
    };
    const actions: string[] = [];
    const hasGatewayModels = this.#agent.loop === 'external' && modelsOfAgent(this.#agent).length > 0;
    let habits = noHabits;
    let relaunched = 0;
    for (let after = ''; ;) {
      const cases = this.#store.listCasesOfAgent(agent, after, null, casesPerRead);
      const last = cases.at(-1);
      if (last === undefined) break;
      after = last.id;
      for (const each of cases) {
        relaunched += listMadeAttemptsOfCase(each).filter((attempt) => attempt.relaunched).length;
        const { unit } = this.#store.getUnitAndSubIntentPlanOrThrow(each.unit);
        const seal = seals[unit.split];
        for (const line of await this.#makeLinesOfCase(each, digest)) {
          seal.attempts += 1;
          seal.sha256 = await sealAfterLineDigest(seal.sha256, line.sha256);
          // An agent that calls nothing where no tool fits has no habit of making answers up.
          if (!isNegativeBenchmarkUnit(unit))
            habits = habitsAfterAttempt(habits, requestTextOrThrow(unit, line.side), line.trace, hasGatewayModels);
          // Nothing that a private unit led to may leave this object, not even as a comparable digest.
          const action =
            unit.split === 'public' ? await callsDigestOrNull(unit.id, line.side, line.trace, findInputSchema) : null;
          if (action !== null) actions.push(action);
        }
      }
    }
    return {
      configuration: this.#configuration,
      priceSource: findCommonPriceSource(modelsOfAgent(this.#agent)),
      prompts: provenance.prompts,
      figures,
      mounted,
      isolation,
      values,
      traces: { public: seals.public, private: seals.private.attempts === 0 ? null : seals.private },
      sketch: makeSketchOfAttempts(actions),
      findings: [
        ...findingsOfSuspiciousHabits(habits),
        ...findingsOfManyRelaunches(relaunched, habits.attempts),
        ...findingsOfSplitDifference(splits),
        ...findingsOfFailingCalls(figures.scores, getProtocol(this.#run.protocol).verdict),
      ],
    };
  }

  async #makeLinesOfCase(each: EvaluationCase, configuration: string): Promise<TraceLine[]> {
    const traces = this.#store.readTracesOfCase(each.id);
    const found: TraceLine[] = [];
    for (const side of each.requests) {
      const [trace, attempt] = [traces[side], each.attempts[side]];
      if (trace === undefined || attempt === undefined) continue;
      const line = {
        type: 'attempt' as const,
        unit: each.unit,
        trial: each.trial,
        side,
        agent: this.#agent.name,
        configuration,
        spent: pickTokensAndRelaunched(attempt),
        scores: Object.fromEntries(
          listStatedScorerKeys(this.#run.protocol).map((key) => [key, attempt.scores[key].value]),
        ),
        // For attempts without a start time, only the start of the evaluation is known.
        trace: { ...trace, startedAt: trace.startedAt ?? this.#run.at },
      };
      found.push({ ...line, sha256: await digestLine(line) });
    }
    return found;
  }
}

/** Returns where the price of an agent's main model was published, if those of all its models were: another one could do the work for nothing. */
const findCommonPriceSource = (models: readonly StoredModel[]): PriceSource | undefined =>
  models.every(({ priceSource }) => priceSource !== undefined) ? models[0]?.priceSource : undefined;

const pickTokensAndRelaunched = ({ usage: { promptTokens, completionTokens }, relaunched }: AttemptRecord) => ({
  promptTokens,
  completionTokens,
  relaunched,
});
