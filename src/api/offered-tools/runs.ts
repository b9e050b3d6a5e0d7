import { z } from '@hono/zod-openapi';
import { sleepUnlessAborted } from '#adapters/network/retry-after.ts';
import { evaluationRecord } from '#core/evaluation/record.ts';
import { explorationRecord } from '#core/exploration/record.ts';
import {
  briefedKind,
  briefEvaluation,
  briefExploration,
  listNextSteps,
  progressText,
  runBrief,
  runText,
  standsStill,
  type RunBrief,
} from '#core/reports/offered-tools/run-brief.ts';
import { runStatus } from '#core/exploration/runs.ts';
import { pageSchema } from '../pages.ts';
import { cursorInput, kindOfRun, moreText, runInput } from './inputs.ts';
import { makeTool, readsOnly, type ToolCall } from './make-tool.ts';
import { encodeIdForPath, ToolRefusal, type OwnApi } from './own-api.ts';

export const shownRunOutput = z.object({
  run: runBrief,
  next: z.array(z.string()).describe('What can be done next'),
});

/** Returns what a tool shows of a run, in words and as data. */
export const runTextAndData = (run: RunBrief) => {
  const next = listNextSteps(run);
  return { text: `${runText(run)}\nNext: ${next.join('; ')}.`, data: { run, next } };
};

export const readRun = async (api: OwnApi, id: string): Promise<RunBrief> =>
  kindOfRun(id) === 'exploration'
    ? briefExploration(await api.ask(`/v1/explorations/${encodeIdForPath(id)}`, explorationRecord))
    : briefEvaluation(await api.ask(`/v1/evaluations/${encodeIdForPath(id)}`, evaluationRecord));

const listedRun = z.object({
  id: z.string(),
  name: z.string(),
  status: runStatus.nullable().describe('Null if its creation was not completed'),
  progress: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
});

const listRuns = makeTool({
  name: 'list_runs',
  title: 'List runs',
  description:
    'Lists the explorations or the evaluations of the workspace, the latest first, with their state and progress.',
  input: z.strictObject({
    kind: briefedKind,
    limit: z.int().min(1).max(20).default(10).describe('How many at most'),
    cursor: cursorInput,
  }),
  output: pageSchema(listedRun),
  hints: readsOnly,
  async run({ kind, ...page }, { api }) {
    const listed = pageSchema(z.object({ id: z.string(), createdAt: z.string() }));
    const { items, nextCursor } = await api.ask(`/v1/${kind}s`, listed, { query: { ...page, order: 'latest' } });
    const runs = await Promise.all(items.map((item) => readListedRun(api, item)));
    const lines = runs.map(
      ({ id, name, status, progress }) => `${id} ${JSON.stringify(name)}: ${status ?? 'not created'}, ${progress}`,
    );
    const text = runs.length === 0 ? `There are no ${kind}s yet.` : lines.join('\n');
    return { text: `${text}${moreText(nextCursor)}`, data: { items: runs, nextCursor } };
  },
});

/** Returns a run of a list; one that is listed and was never created has no state. */
async function readListedRun(
  api: OwnApi,
  { id, createdAt }: { id: string; createdAt: string },
): Promise<z.infer<typeof listedRun>> {
  try {
    const run = await readRun(api, id);
    return { id, name: run.name, status: run.status, progress: progressText(run), createdAt, endedAt: run.endedAt };
  } catch (error) {
    if (!(error instanceof ToolRefusal) || error.problem.code !== 'not-found') throw error;
    return { id, name: '', status: null, progress: 'nothing was done', createdAt, endedAt: null };
  }
}

const getRun = makeTool({
  name: 'get_run',
  title: 'Read a run',
  description:
    'Reads the state of an exploration or evaluation: how far it is, what it cost, and what can be done next.',
  input: z.strictObject({ run: runInput }),
  output: shownRunOutput,
  hints: readsOnly,
  run: async ({ run }, { api }) => runTextAndData(await readRun(api, run)),
});

const mostWaitedSeconds = 50;

const waitForRun = makeTool({
  name: 'wait_for_run',
  title: 'Wait for a run',
  description: `Waits until an exploration or evaluation has ended or is paused, at most ${mostWaitedSeconds} s, and returns its state then. Repeat the call while \`run.status\` is \`running\`. Sends progress to clients that ask for it.`,
  input: z.strictObject({
    run: runInput,
    seconds: z.int().min(1).max(mostWaitedSeconds).default(mostWaitedSeconds).describe('How long to wait at most'),
  }),
  output: shownRunOutput,
  hints: readsOnly,
  run: async ({ run, seconds }, call) => runTextAndData(await waitUntilItStandsStill(run, seconds * 1_000, call)),
});

const pollMs = 2_000;

/** Reads a run again and again until it stands still or the time is over. */
async function waitUntilItStandsStill(
  id: string,
  waitMs: number,
  { api, signal, onProgress }: ToolCall,
): Promise<RunBrief> {
  const from = Date.now();
  for (;;) {
    const run = await readRun(api, id);
    const passed = Date.now() - from;
    if (standsStill(run) || passed >= waitMs) return run;
    // Progress has to grow with each notification, and that of a run can stand for minutes: it is that of the wait.
    onProgress?.({ progress: passed / 1_000, total: waitMs / 1_000, message: progressText(run) });
    await sleepUnlessAborted(Math.min(pollMs, waitMs - passed), signal);
    signal.throwIfAborted();
  }
}

const cancelRun = makeTool({
  name: 'cancel_run',
  title: 'Cancel a run',
  description: 'Cancels an exploration or evaluation. This is final; what it has found so far stays and can be read.',
  input: z.strictObject({ run: runInput }),
  output: shownRunOutput,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ run }, { api }) {
    const path = `/v1/${kindOfRun(run)}s/${encodeIdForPath(run)}/cancel`;
    return runTextAndData(
      kindOfRun(run) === 'exploration'
        ? briefExploration(await api.ask(path, explorationRecord, { method: 'POST' }))
        : briefEvaluation(await api.ask(path, evaluationRecord, { method: 'POST' })),
    );
  },
});

export const runTools = [listRuns, getRun, waitForRun, cancelRun];
