import { RpcTarget } from 'cloudflare:workers';
import type { Sight } from '#core/access/access.ts';
import type { AgentTransition, BreakdownBy, BreakdownGroup, UnitResult } from '#core/evaluation/breakdown-record.ts';
import { makeEvaluationRecord } from '#core/evaluation/client-view.ts';
import type { AnytimeComparison, AnytimeQuestion } from '#core/evaluation/compare-anytime.ts';
import type { ShownMeasure } from '#core/evaluation/judge-measure/judge-measure.ts';
import type { BenchmarkFloor } from '#core/evaluation/floor.ts';
import type { Offering } from '#core/evaluation/offering.ts';
import type { Comparison, EvaluationResults } from '#core/evaluation/record.ts';
import { judgeAgreementSection } from '#core/evaluation/report/judges-section.ts';
import { refuse } from '#core/values/errors.ts';
import type { Result } from '#core/values/result.ts';
import type { EvaluationLabels } from './evaluation-labels.ts';
import { readIfAllowed, refuseUnlessCreated, refuseUnlessSeesUnits, type EvaluationLife } from './evaluation-life.ts';
import type { EvaluationReader } from './evaluation-reader.ts';
import type { EvaluationTexts } from './evaluation-texts.ts';

/** The results of an evaluation, for those who may see them. */
export class SeenResults extends RpcTarget {
  readonly #life: EvaluationLife;
  readonly #openReader: () => EvaluationReader;
  readonly #labels: EvaluationLabels;
  readonly #texts: EvaluationTexts;

  constructor(
    life: EvaluationLife,
    openReader: () => EvaluationReader,
    { labels, texts }: { readonly labels: EvaluationLabels; readonly texts: EvaluationTexts },
  ) {
    super();
    this.#life = life;
    this.#openReader = openReader;
    this.#labels = labels;
    this.#texts = texts;
  }

  read(): Promise<Result<EvaluationResults>> {
    return readIfAllowed(refuseUnlessCreated(this.#life), () => this.#openReader().computeResults());
  }

  /** Results of units after a cursor, by unit and agent. */
  listByUnit(after: string, limit: number, sight: Sight): Promise<Result<UnitResult[]>> {
    return readIfAllowed(refuseUnlessSeesUnits(this.#life, sight), () =>
      this.#openReader().listUnitResults(after, limit),
    );
  }

  breakdown(by: BreakdownBy, sight: Sight): Promise<Result<BreakdownGroup[]>> {
    return readIfAllowed(refuseUnlessSeesUnits(this.#life, sight), () => this.#openReader().computeBreakdown(by));
  }

  /** Transitions after a cursor, by agent and tools. */
  listTransitions(after: string, limit: number, sight: Sight): Promise<Result<AgentTransition[]>> {
    return readIfAllowed(refuseUnlessSeesUnits(this.#life, sight), () =>
      this.#openReader().listAgentTransitions(after, limit),
    );
  }

  async compare(a: string, b: string): Promise<Result<Comparison>> {
    const created = refuseUnlessCreated(this.#life);
    return created.ok ? this.#openReader().compareAgents(a, b) : created;
  }

  async compareAnytime(asked: AnytimeQuestion): Promise<Result<AnytimeComparison>> {
    const created = refuseUnlessCreated(this.#life);
    if (!created.ok) return created;
    // Its interval is for units that are all as likely to be next.
    if (this.#life.creation.config.stop !== undefined)
      return refuse(
        'wrong-state',
        'the units of this evaluation are drawn with different chances: its record has the decision',
      );
    return this.#openReader().compareAnytime(asked);
  }

  compareOffering(d: number): Promise<Result<Offering>> {
    return readIfAllowed(refuseUnlessCreated(this.#life), () => this.#openReader().compareOffering(d));
  }

  /** Markdown, with what people and other judges say of the verdicts, and with what was deleted. */
  renderReport(
    sight: Sight,
    known: { readonly floor: BenchmarkFloor | null; readonly judges: readonly ShownMeasure[] },
  ): Promise<Result<string>> {
    return readIfAllowed(refuseUnlessSeesUnits(this.#life, sight), async () => {
      const record = makeEvaluationRecord(this.#life.creation, this.#life.standing);
      const report = await this.#openReader().renderReport(record, known);
      const agreement = this.#labels.hasOtherVerdicts() ? this.#labels.measureAgreement() : null;
      const judges = agreement?.ok === true ? judgeAgreementSection(agreement.value) : [];
      return [report, ...judges, ...this.#texts.makeReportSection()].join('\n');
    });
  }
}
