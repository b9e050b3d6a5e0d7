import { readExpectedCallsByUnit, type UnitSource } from '#core/evaluation/gather-basis.ts';
import type { Finding } from '#core/leaderboards/submissions/findings.ts';
import { groupMountableToolsByServer, makeMountableTool } from '#core/units/mounting/mountable-catalog.ts';
import { oracleMounting } from '#core/units/mounting/mounting.ts';
import { mostFindings } from '#core/leaderboards/submissions/progress.ts';
import {
  attemptFindings,
  listDoubleAndMissingFindings,
  findingsOfTooManyFaults,
  headerFindings,
  type SubmissionRules,
} from '#core/leaderboards/submissions/rule-findings.ts';
import { configurationDigest, traceLineSortKey, type TraceHeader } from '#core/leaderboards/submissions/trace-file.ts';
import type { PublishingLeaderboard } from '#durable-objects/shared/objects.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';
import type { SubmissionStore } from './submission-store.ts';
import { charsPerTurn } from './submission-upload.ts';

/** Gathers what the uploads to a leaderboard are checked against. */
export async function gatherUploadRules(
  leaderboard: Pick<PublishingLeaderboard, 'creation'>,
  benchmarkIn: (object: string) => UnitSource,
): Promise<SubmissionRules> {
  const opened = await leaderboard.creation();
  if (!opened.ok) throw new Error('the submission has no leaderboard');
  const { benchmarkObject, protocol, catalog, harness, trials, seed, mounting = oracleMounting } = opened.value;
  const benchmark = benchmarkIn(benchmarkObject);
  const mountable = (await benchmark.listCatalogTools()).map(makeMountableTool);
  const units = await readExpectedCallsByUnit(
    benchmark,
    'public',
    mountable.map(({ name }) => name),
    protocol,
  );
  return {
    protocol,
    catalog,
    harness,
    trials,
    units,
    tools: groupMountableToolsByServer(mountable),
    mounting,
    seed,
    now: Date.now(),
  };
}

/**
 * Returns which rules an uploaded file breaks, and where; only the first ones if there are many. Returns nothing if the
 * check was told to stop.
 */
export async function findBrokenRules(
  store: SubmissionStore,
  header: TraceHeader,
  rules: SubmissionRules,
  mayContinue: () => boolean,
): Promise<Finding[]> {
  const configuration = await configurationDigest(header.configuration);
  const found = await headerFindings(header, rules);
  let broken = 0;
  const places: { readonly place: string; readonly number: number }[] = [];
  // Some lines at a time: all of them together may exceed the memory, and would keep other calls waiting.
  for (let after = 0; ;) {
    const lines = store.listLinesByNumber(after, charsPerTurn);
    const last = lines.at(-1);
    if (last === undefined) break;
    for (const { number, line } of lines) {
      places.push({ place: traceLineSortKey(line), number });
      if (line.trace.fault !== null) broken += 1;
      if (found.length < mostFindings)
        found.push(...(await attemptFindings(line, number, { header, configuration, rules })));
    }
    after = last.number;
    await yieldToOtherCalls();
    if (!mayContinue()) return [];
  }
  found.push(...listDoubleAndMissingFindings(places, rules));
  found.push(...findingsOfTooManyFaults({ attempts: store.count(), notEvaluated: broken }));
  return found;
}
