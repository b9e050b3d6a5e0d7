import { getProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { isExternalOrUploadedAgent } from '#core/evaluation/config.ts';
import {
  decideBetweenAgents,
  listUndecidedAgents,
  unitsOfDraw,
  type Decision,
  type DrawnBatch,
  type StopRule,
} from '#core/evaluation/decision.ts';
import { makeResultOfAgentInUnit } from '#core/evaluation/unit-results.ts';
import { groupConsecutiveByUnit } from '#core/evaluation/agent-figures.ts';
import { drawBySpread } from '#core/statistics/draw-by-spread.ts';
import { makeRandom } from '#core/values/random.ts';
import type { StoredDraw } from './draws-table.ts';
import type { EvaluationFigures } from './evaluation-figures.ts';
import type { EvaluationLife } from './evaluation-life.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** What follows once the drawn units are done: others were drawn, or they have told what there is to tell. */
export type NextDraw =
  | { readonly kind: 'drawn'; readonly worker: 'lane' | 'client' }
  | { readonly kind: 'end'; readonly decision: Decision };

/** Draws the units of an evaluation a few at a time, until its agents are told apart. */
export class EvaluationDraws {
  readonly #store: EvaluationStore;
  readonly #figures: EvaluationFigures;
  readonly #life: EvaluationLife;

  constructor(store: EvaluationStore, figures: EvaluationFigures, life: EvaluationLife) {
    this.#store = store;
    this.#figures = figures;
    this.#life = life;
  }

  /**
   * Draws the next units once those before are done, and gives them to the agents that are not told apart; null while they are not. The seed and
   * the batch determine the draw, so one that an interruption undid is the same again.
   */
  drawNextUnitsIfRestDone(): NextDraw | null {
    if (this.#store.draws.isWorkUnderWay()) return null;
    const { agents, config } = this.#life.creation;
    const drawnBefore = this.#store.draws.listDrawn();
    const left = this.#store.draws.listUndrawn();
    const batch = (drawnBefore.at(-1)?.batch ?? 0) + 1;
    const decision = this.#decide(drawnBefore, left);
    const open = new Set(listUndecidedAgents(this.#listComparedAgents(), decision));
    if (open.size === 0 || left.length === 0) {
      this.#life.transaction(() => this.#recordAndAnnounce(decision, batch, 0));
      return { kind: 'end', decision };
    }
    const drawn = drawBySpread(
      makeRandom(config.seed, 'draw units', batch),
      left,
      ({ spread }) => spread,
      unitsOfDraw(decision.of),
    ).map(({ item, ...chances }) => ({ unit: item.unit, ...chances }));
    const units = drawn.map(({ unit }) => unit);
    const working = agents.filter(({ name, loop }) => loop === 'null' || open.has(name));
    this.#life.transaction(() => {
      this.#store.draws.storeDrawn(batch, drawnBefore.length, drawn);
      for (const agent of working)
        this.#store.draws.giveCasesToWorker(units, agent.name, isExternalOrUploadedAgent(agent) ? 'client' : 'lane');
      this.#recordAndAnnounce(decision, batch, units.length);
    });
    return { kind: 'drawn', worker: working.every(isExternalOrUploadedAgent) ? 'client' : 'lane' };
  }

  /** Decides by the batches that are done, and keeps that in the standing. */
  recordDecision(): void {
    const decision = this.#decide(this.#store.draws.listDrawn(), this.#store.draws.listUndrawn());
    this.#life.transaction(() => {
      this.#life.standing = { ...this.#life.standing, decision };
    });
  }

  #recordAndAnnounce(decision: Decision, batch: number, units: number): void {
    this.#life.standing = { ...this.#life.standing, decision };
    this.#life.emit([{ type: 'units.drawn', batch, units, decision }]);
  }

  #decide(drawn: readonly StoredDraw[], left: readonly { readonly spread: number }[]): Decision {
    const agents = this.#listComparedAgents();
    const values = new Map(agents.map((agent) => [agent, this.#readHeadlineByUnit(agent)]));
    return decideBetweenAgents(
      { agents, size: drawn.length + left.length, stop: this.#getStopRuleOrThrow() },
      makeFinishedBatches(drawn, sumOfSpreads([...drawn, ...left])),
      (agent, unit) => values.get(agent)?.get(unit),
    );
  }

  /** All but null agents, which are there to be a floor. */
  #listComparedAgents(): string[] {
    return this.#life.creation.agents.flatMap(({ name, loop }) => (loop === 'null' ? [] : [name]));
  }

  #readHeadlineByUnit(agent: string): Map<string, number | null> {
    const { protocol } = this.#life.creation;
    const { headline } = getProtocol(protocol);
    return new Map(
      groupConsecutiveByUnit(this.#figures.iterateFiguresOfAgent(agent)).map((cases) => {
        const { unit, scores } = makeResultOfAgentInUnit(cases, protocol);
        return [unit, scores[headline]];
      }),
    );
  }

  #getStopRuleOrThrow(): StopRule {
    const { stop } = this.#life.creation.config;
    if (stop === undefined) throw new Error('the evaluation takes all of its units');
    return stop;
  }
}

/** Returns the batches before the first that is not done: one that ends quickly has no advantage. */
function makeFinishedBatches(drawn: readonly StoredDraw[], total: number): DrawnBatch[] {
  const byBatch = Map.groupBy(drawn, ({ batch }) => batch);
  const batches: DrawnBatch[] = [];
  let told = 0;
  for (const units of byBatch.values()) {
    if (!units.every(({ isDone }) => isDone)) break;
    told += sumOfSpreads(units);
    batches.push({ units, share: Math.min(1, told / total) });
  }
  return batches;
}

const sumOfSpreads = (units: readonly { readonly spread: number }[]): number =>
  units.reduce((sum, { spread }) => sum + spread, 0);
