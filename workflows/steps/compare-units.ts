import type { WorkflowStep } from 'cloudflare:workers';
import { makeInternalFault } from '#core/models/internal-fault.ts';
import { neighboursCompared } from '#core/units/near-duplicate.ts';
import { cosineOrNull } from '#core/similarity/cosine.ts';
import { makeUnfitEmbedderProblem } from '#core/similarity/calibrate-embedder.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { Comparable, Compared, ExploredPart, ToCompare } from '#durable-objects/exploration/evolution-turn.ts';
import type { Stop } from '#durable-objects/shared/run-lifecycle.ts';
import { runOrSetAsideOnDefect } from './run-or-fail.ts';
import { brief, long } from './retries.ts';
import type { StepServices } from './services.ts';

/**
 * Finds the neighbours of some units. Their vectors are first added to the run's own index, so that units of one call
 * find each other too; adding them again changes nothing. If the index or the embedder cannot be reached, it returns
 * that fault.
 */
export async function storeVectorsAndFindNeighbours(
  services: StepServices,
  units: readonly Comparable[],
): Promise<Compared> {
  const calls: ModelCall[] = [];
  if (units.length === 0) return { comparisons: [], fault: null, calls };
  const index = services.unitIndex;
  const embedded = await index.embed(units.map(({ text }) => text));
  calls.push(...embedded.calls);
  if (!embedded.ok) return { comparisons: [], fault: pickCodeAndDetail(embedded.fault), calls };
  const placed = units.flatMap((unit, index) => {
    const vector = embedded.vectors[index];
    return vector === undefined ? [] : [{ ...unit, vector }];
  });
  const put = await index.put(placed);
  if (!put.ok) return { comparisons: [], fault: pickCodeAndDetail(put.fault), calls };
  const calibrated = await index.calibration();
  calls.push(...calibrated.calls);
  if (!calibrated.ok) return { comparisons: [], fault: pickCodeAndDetail(calibrated.fault), calls };
  const calibration = calibrated.value;
  if (!calibration.separates)
    return { comparisons: [], fault: makeUnfitEmbedderProblem(calibration), calls, calibration };
  const found = await Promise.all(placed.map(({ vector }) => index.nearest(vector, neighboursCompared)));
  const failed = found.find((answer) => !answer.ok);
  if (failed?.ok === false) return { comparisons: [], fault: pickCodeAndDetail(failed.fault), calls };
  const comparisons = placed.map(({ unit, vector }, index) => {
    const answer = found[index];
    const neighbours = answer?.ok === true ? answer.value.map(({ id, score }) => ({ unit: id, cosine: score })) : [];
    return { unit, neighbours: neighboursWithUnitsComparedTogether(neighbours, unit, vector, placed) };
  });
  return { comparisons, fault: null, calls, calibration };
}

/** A comparing step and its name. */
interface ComparingStep {
  readonly step: WorkflowStep;
  readonly name: string;
}

/** Compares the units that need it and commits the result; does nothing if the run is to stop. */
export function compareUnitsAndCommit(
  services: StepServices,
  about: ComparingStep,
  {
    open,
    commit,
  }: {
    readonly open: () => Promise<ToCompare | Stop>;
    readonly commit: (units: readonly string[], compared: Compared) => Promise<void>;
  },
): Promise<void> {
  return runComparingStepOrByWords(about, async (fallback) => {
    const asked = await open();
    if (asked.kind === 'stop') return;
    const names = asked.units.map(({ unit }) => unit);
    await commit(names, fallback ?? (await storeVectorsAndFindNeighbours(services, asked.units)));
  });
}

/** Does the same for the next part of the explored units. */
export function compareExploredUnitsAndCommit(
  services: StepServices,
  about: ComparingStep,
  {
    open,
    commit,
  }: {
    readonly open: () => Promise<ExploredPart | Stop>;
    readonly commit: (part: { units: readonly string[]; to: string | null }, compared: Compared) => Promise<void>;
  },
): Promise<void> {
  return runComparingStepOrByWords(about, async (fallback) => {
    const part = await open();
    if (part.kind === 'stop') return;
    const units = part.units.map(({ unit }) => unit);
    await commit({ units, to: part.to }, fallback ?? (await storeVectorsAndFindNeighbours(services, part.units)));
  });
}

/**
 * Performs a comparing step. If it fails after all retries for a reason of ours, the units are compared by their words.
 */
function runComparingStepOrByWords(
  { step, name }: ComparingStep,
  work: (fallback: Compared | null) => Promise<void>,
): Promise<void> {
  return runOrSetAsideOnDefect(
    () => step.do(name, long, async () => work(null)),
    (reason) => {
      const { code, detail } = makeInternalFault('compare', reason);
      return step.do(`${name} by words`, brief, async () =>
        work({ comparisons: [], fault: { code, detail }, calls: [] }),
      );
    },
  );
}

interface Near {
  readonly unit: string;
  readonly cosine: number;
}

/** An index may show new vectors only after a delay, so units of the same call are compared here. */
function neighboursWithUnitsComparedTogether(
  neighbours: readonly Near[],
  unit: string,
  vector: readonly number[],
  peers: readonly { readonly unit: string; readonly vector: readonly number[] }[],
): Near[] {
  const found = new Set(neighbours.map((near) => near.unit));
  const more = peers
    .filter((peer) => peer.unit !== unit && !found.has(peer.unit))
    .map((peer) => ({ unit: peer.unit, cosine: cosineOrNull(vector, peer.vector) ?? 0 }));
  return [...neighbours, ...more].toSorted((a, b) => b.cosine - a.cosine);
}

const pickCodeAndDetail = ({ code, detail }: { readonly code: string; readonly detail: string }) => ({ code, detail });
