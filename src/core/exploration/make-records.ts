import { harnessVersion } from '#core/values/harness-version.ts';
import type { ExplorationState } from './state.ts';
import { makeShownModelRest, type AwaitedRest } from '#core/models/governor/undone-stage.ts';
import { isSetAside } from './state.ts';
import { explorationRole } from '#core/models/choices.ts';
import { listUsedPrices } from '#core/models/list-prices.ts';
import type { Usage } from '#core/models/usage.ts';
import type { Unit } from '#core/units/unit.ts';
import type { RunStatus } from './runs.ts';
import { isExcludedFromDraws } from './server-health.ts';
import { lookUp } from './table.ts';
import { failureCountsOfTally, type FailureTally } from '#core/traces/failure-counts.ts';
import type { GroundingCounts } from '#core/units/grounding-counts.ts';
import type { RoundReading } from './reading-record.ts';
import type { ExplorationRecord, NewExploration, UnitSummary, UnwritableRecord } from './record.ts';

/** Returns a run as clients see it. */
export function makeExplorationRecord(
  creation: Omit<NewExploration, 'tools' | 'surveys'>,
  standing: {
    status: RunStatus;
    reason: string | null;
    awaits: AwaitedRest | null;
    usage: Usage;
    grounding: GroundingCounts;
    failures: FailureTally;
    endedAt: string | null;
  },
  state: ExplorationState,
  reading: RoundReading | null,
  unwritable: UnwritableRecord[],
): ExplorationRecord {
  const { models } = creation;
  const shownModel = (role: keyof typeof models) => ({ baseUrl: models[role].baseUrl, model: models[role].model });
  const setAside = state.catalog.tools.filter((_, number) => {
    const count = lookUp(state.tools, number);
    return count !== undefined && isSetAside(count);
  });
  const down = state.catalog.servers.filter(({ name }) => isExcludedFromDraws(state.servers, name, state.round + 1));
  return {
    id: creation.id,
    name: creation.config.name,
    status: standing.status,
    reason: standing.reason,
    waiting: makeShownModelRest(standing.awaits),
    offline: creation.offline,
    config: creation.config,
    models: { writer: shownModel('writer'), critic: shownModel('critic'), agent: shownModel('agent') },
    prices: listUsedPrices(explorationRole.options.map((role) => ({ of: role, model: models[role] }))),
    estimate: creation.estimate ?? null,
    criticIsWriter: models.critic.model === models.writer.model,
    preflight: creation.preflight,
    harness: harnessVersion,
    rounds: state.round,
    units: { ...state.units },
    toolsExecuted: state.coveredTools,
    transitions: state.abundance.S,
    valuesPassed: state.valuesPassed,
    grounding: standing.grounding,
    failures: failureCountsOfTally(standing.failures),
    serversDown: down.map(({ name }) => name),
    setAside: setAside.map(({ name }) => name),
    unwritable,
    reading,
    usage: standing.usage,
    createdAt: creation.at,
    endedAt: standing.endedAt,
  };
}

export const makeUnitSummary = (unit: Unit): UnitSummary => ({
  id: unit.id,
  round: unit.round,
  index: unit.index,
  probe: unit.probe,
  lineage: unit.lineage,
  stage: unit.stage,
  status: unit.stage.kind === 'done' ? unit.stage.status : null,
  source: unit.pair?.source ?? null,
  followUp: unit.pair?.followUp ?? null,
  chain: unit.pair?.chain ?? [],
  score: unit.audits.at(-1)?.score ?? null,
  usage: unit.usage,
});
