import { RpcTarget } from 'cloudflare:workers';
import { z } from 'zod';
import type { Sight } from '#core/access/access.ts';
import { makeBenchmarkUnitIfAccepted, type AcceptedUnit } from '#core/benchmarks/benchmark.ts';
import { refuse } from '#core/values/errors.ts';
import { computeReviewAgreement } from '#core/exploration/agreement.ts';
import { makeUnitSummary } from '#core/exploration/make-records.ts';
import type {
  Agreement,
  DomainTransition,
  ReviewDetail,
  ReviewFilter,
  SeenUnits,
  UnitDetail,
  UnitFilter,
} from '#core/exploration/record.ts';
import { iterateTableValuesUnordered } from '#core/exploration/table.ts';
import { hasToolSucceeded } from '#core/exploration/state.ts';
import { harnessVersion } from '#core/values/harness-version.ts';
import { ok, type Result } from '#core/values/result.ts';
import { isOpenToReview } from '#core/units/progress.ts';
import type { Unit } from '#core/units/unit.ts';
import type { LoggedEvent } from '#durable-objects/shared/logged-events.ts';
import type { ExplorationLife } from './exploration-life.ts';
import { acceptedUnit, anyUnit, type ExplorationStore, type StoredUnitFilter } from './exploration-store.ts';
import type { CommittedState } from './committed-state.ts';
import { charsPerCall } from '#core/evaluation/chars-per-call.ts';

/** Reads an exploration's units as far as the reader may see them; held-out units need a special scope. */
export class ExplorationReader extends RpcTarget {
  readonly #store: ExplorationStore;
  readonly #life: Pick<ExplorationLife, 'creation' | 'callReaderIfExists'>;
  readonly #committed: CommittedState;
  /** Whether an evolution keeps a variant. */
  readonly #isKept: (unit: string) => boolean;

  constructor(of: {
    readonly store: ExplorationStore;
    readonly life: Pick<ExplorationLife, 'creation' | 'callReaderIfExists'>;
    readonly committed: CommittedState;
    readonly isKept: (unit: string) => boolean;
  }) {
    super();
    this.#store = of.store;
    this.#life = of.life;
    this.#committed = of.committed;
    this.#isKept = of.isKept;
  }

  list(filter: UnitFilter, after: string, limit: number, sight: Sight): Result<SeenUnits> {
    return this.#life.callReaderIfExists(() => this.#listVisibleUnits({ ...anyUnit, ...filter }, after, limit, sight));
  }

  get(id: string, sight: Sight): Result<UnitDetail> {
    if (this.isUnitHidden(id, sight)) return withheldUnitRefusal();
    const unit = this.#store.readUnit(id);
    return unit === null
      ? refuse('not-found', `there is no unit ${id}`)
      : ok({ unit, traces: this.#store.readTracesOfUnit(id) });
  }

  listReviews(filter: ReviewFilter, after: string, limit: number, sight: Sight): Result<SeenUnits> {
    const { state: review, ...rest } = filter;
    return this.#life.callReaderIfExists(() =>
      this.#listVisibleUnits({ ...anyUnit, ...rest, review }, after, limit, sight),
    );
  }

  getReview(id: string, sight: Sight): Result<ReviewDetail> {
    if (this.isUnitHidden(id, sight)) return withheldUnitRefusal();
    const unit = this.#store.readUnit(id);
    if (unit === null || (!isOpenToReview(unit) && unit.decisions.length === 0))
      return refuse(
        'not-found',
        unit === null
          ? `there is no unit ${id}`
          : `unit ${id} has never been in review; /v1/explorations/${this.#life.creation.id}/units/${id} has it, and so has the verb "unit"`,
      );
    return ok(this.makeReviewDetail(unit));
  }

  measureAgreementWithCritic(): Result<Agreement> {
    return this.#life.callReaderIfExists(() => this.#measureAgreement());
  }

  #measureAgreement(): Agreement {
    const decided = this.#store.listFilteredUnits({ ...anyUnit, review: 'decided' }, '', -1);
    const open = this.#store.listFilteredUnits({ ...anyUnit, review: 'open' }, '', -1);
    const first = decided.flatMap(({ decisions }) => decisions[0] ?? []);
    return computeReviewAgreement(first, open.length, this.#life.creation.config);
  }

  countDomainTransitions(): Result<DomainTransition[]> {
    return this.#life.callReaderIfExists(() =>
      [...iterateTableValuesUnordered(this.#committed.state.domains)].map((count) => ({ ...count })),
    );
  }

  /**
   * Returns units for a benchmark after a cursor (an id), at most `limit`, fewer if they are large; none only at the
   * end.
   */
  async listUnitsForBenchmark(after: string, limit: number): Promise<AcceptedUnit[]> {
    const exploration = {
      id: this.#life.creation.id,
      harness: harnessVersion,
      hasSuccess: (tool: string) => hasToolSucceeded(this.#committed.state, tool),
    };
    for (let cursor = after; ;) {
      const read = this.#store.listFilteredUnits(acceptedUnit, cursor, limit, charsPerCall);
      const last = read.at(-1);
      if (last === undefined) return [];
      cursor = last.id;
      const units = read.filter((unit) => this.#mayBeInBenchmark(unit));
      const frozen = await Promise.all(
        units.map(async (unit) => ({ cursor: unit.id, unit: await makeBenchmarkUnitIfAccepted(unit, exploration) })),
      );
      const withheld = this.#store.readWithheldUnitIds();
      const found = frozen.flatMap(({ cursor: at, unit }) =>
        unit === null ? [] : [{ cursor: at, unit, withheld: withheld.has(at) }],
      );
      if (found.length > 0) return found;
    }
  }

  /** Whether an event names no held-out unit, so that every reader may see it. */
  readonly isEventPublic = ({ json }: LoggedEvent): boolean => {
    const { unit } = eventOfUnit.parse(JSON.parse(json)).event;
    return unit === undefined || !this.#store.readWithheldUnitIds().has(unit);
  };

  isUnitHidden(unit: string, sight: Sight): boolean {
    return sight === 'public' && this.#store.readWithheldUnitIds().has(unit);
  }

  makeReviewDetail(unit: Unit): ReviewDetail {
    const { chain = [], looksLike } = unit.pair ?? {};
    const tools = this.#store.listToolsWithNames(looksLike === undefined ? chain : [looksLike]);
    return { exploration: this.#life.creation.id, unit, tools, open: isOpenToReview(unit) };
  }

  /** Whether a benchmark may hold the unit: a kept variant, or an explored unit of a committed round that is no near-duplicate. */
  #mayBeInBenchmark({ id, lineage, duplicateOf, round }: Unit): boolean {
    if (lineage !== null) return this.#isKept(id);
    return round <= this.#committed.state.round && duplicateOf === null;
  }

  /** The count covers the whole run, because a filtered one would reveal which tools hidden units have. */
  #listVisibleUnits(filter: StoredUnitFilter, after: string, limit: number, sight: Sight): SeenUnits {
    const withheld = sight === 'public' ? false : null;
    const units = this.#store.listFilteredUnits({ ...filter, withheld }, after, limit).map(makeUnitSummary);
    return { units, withheld: sight === 'public' ? this.#store.readWithheldUnitIds().size : 0 };
  }
}

const eventOfUnit = z.object({ event: z.object({ unit: z.string().optional() }) });

export const withheldUnitRefusal = () =>
  refuse('forbidden', `a benchmark holds this unit out: it needs a key with the scope "admin"`);
