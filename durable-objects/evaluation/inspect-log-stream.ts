import {
  addCaseToInspectTotals,
  generateInspectLogText,
  noInspectTotals,
  type InspectLogBasis,
  type InspectTotals,
} from '#core/evaluation/inspect-log/log.ts';
import { makeInspectSamples } from '#core/evaluation/inspect-log/sample.ts';
import type { EvaluationCase } from '#core/evaluation/case.ts';
import { yieldToOtherCalls } from '#durable-objects/shared/yield-thread.ts';
import { makeStreamOfTexts } from './evaluation-export.ts';
import type { EvaluationReader } from './evaluation-reader.ts';
import type { EvaluationStore } from './evaluation-store.ts';

/** Number of cases in memory at once, and of those that are added up before other calls get their turn. */
const casesPerRead = 8;
const casesPerTurn = 200;

type Store = Pick<EvaluationStore, 'listCasesOfAgent'>;

/** Returns the attempts of an agent so far as a log of Inspect AI, of which a case with its traces is in memory at a time. */
export async function makeInspectLogStream(
  basis: Omit<InspectLogBasis, 'totals'>,
  store: Store,
  reader: Pick<EvaluationReader, 'getCaseDetail'>,
): Promise<ReadableStream<Uint8Array>> {
  const { name } = basis.agent;
  const totals = await addUpCasesOfAgent(store, name);
  const samples = iterateCasesOfAgent(store, name).flatMap(({ id, attempts }) =>
    Object.keys(attempts).length === 0 ? [] : makeInspectSamples(readDetail(reader, id), basis),
  );
  return makeStreamOfTexts(generateInspectLogText({ ...basis, totals }, samples));
}

async function addUpCasesOfAgent(store: Store, agent: string): Promise<InspectTotals> {
  let [totals, added] = [noInspectTotals, 0];
  for (const each of iterateCasesOfAgent(store, agent)) {
    totals = addCaseToInspectTotals(totals, each);
    added += 1;
    if (added % casesPerTurn === 0) await yieldToOtherCalls();
  }
  return totals;
}

function readDetail(reader: Pick<EvaluationReader, 'getCaseDetail'>, id: string) {
  const found = reader.getCaseDetail(id);
  if (!found.ok) throw new Error(`there is no case ${id} that was there before`);
  return found.value;
}

/** By id, and so by unit. No cursor stays open between two reads. */
function* iterateCasesOfAgent(store: Store, agent: string): Generator<EvaluationCase, undefined> {
  let last = '';
  for (;;) {
    const cases = store.listCasesOfAgent(agent, last, null, casesPerRead);
    yield* cases;
    const end = cases.at(-1);
    if (end === undefined || cases.length < casesPerRead) return undefined;
    last = end.id;
  }
}
