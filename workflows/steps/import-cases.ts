import type { Caller } from '../caller.ts';
import type { DrivenEvaluation, RejudgedEvaluation } from '../called-objects.ts';
import type { SpentRequests } from './spent-requests.ts';

/** What a step that passed a page on returns: the last case of the page, null after the last page, and the requests of its instance. */
interface ImportedPage {
  readonly last: string | null;
  readonly requests: number;
}

interface Importing {
  /** The evaluation that judges again, and the one whose attempts it judges. */
  readonly run: Caller<{ readonly rejudging: Pick<DrivenEvaluation['rejudging'], 'takeCases'> }>;
  readonly source: Caller<RejudgedEvaluation>;
  readonly spent: Pick<SpentRequests, 'isUsedUp' | 'restoreStepTotal' | 'total'>;
  /** Steps that this instance may make for it. */
  readonly steps: number;
  readonly runStep: (name: string, importPage: () => Promise<ImportedPage>) => Promise<ImportedPage>;
}

/**
 * Passes the cases after one (empty: from the first) to the evaluation that judges them again, a page in each step. Returns
 * whether all are there; if not, this instance has no steps or requests left, and another one has to continue.
 */
export async function importCasesToJudgeWithinLimits(
  { run, source, spent, steps, runStep }: Importing,
  after: string,
): Promise<boolean> {
  let start = after;
  for (let page = 1; page <= steps && !spent.isUsedUp; page += 1) {
    const from = start;
    const { last, requests } = await runStep(`import ${page}`, async () => {
      const cases = await source((object) => object.rejudging.listCases(from));
      await run((object) => object.rejudging.takeCases(cases));
      return { last: cases.at(-1)?.id ?? null, requests: spent.total };
    });
    spent.restoreStepTotal(requests);
    if (last === null) return true;
    start = last;
  }
  return false;
}
