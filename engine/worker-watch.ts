import { z } from 'zod';
import type { Engine } from './engine.ts';

const health = z.object({ instance: z.string() });

const pollMs = 1_000;
/**
 * Time limit for an answer of the Worker. It has one thread for everything, so under load a request waits for many
 * others.
 */
const answerMs = 90_000;
/** How long the Worker may be unreachable: a crashed one is started again within seconds, or never. */
const patienceMs = 30_000;
/** How often the sweep runs here, where nothing else keeps the schedule of `wrangler.toml`. */
const scheduleMs = 60_000;

export interface WatchedWorker {
  readonly url: string;
  readonly key: string;
  /** The process of the Worker that answered last. */
  readonly instance: string;
  readonly engine: Pick<Engine, 'runSchedule'>;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/**
 * Wakes the runs whenever the Worker is back after a crash, which may take less than a poll, so it watches the instance. Runs the schedule
 * once a minute. Resolves with a sentence once the Worker does not come back.
 */
export async function watchWorkerAndWakeRuns({
  url,
  key,
  instance,
  engine,
  signal,
  log,
}: WatchedWorker): Promise<string> {
  let present = instance;
  let silentSince: number | null = null;
  // Not by the time of day, which may be set back or forth.
  let scheduledAt = performance.now();
  let isSweeping = false;
  for (;;) {
    await sleep(pollMs);
    if (signal.aborted) return 'the Worker was stopped';
    const answering = await fetchWorkerInstanceIdOrNull(url, answerMs);
    if (answering === present) {
      silentSince = null;
      if (isSweeping || performance.now() - scheduledAt < scheduleMs) continue;
      scheduledAt = performance.now();
      isSweeping = true;
      // Visits of watched servers may take minutes, in which a crash has to be noticed. A failed sweep is repeated a minute later.
      void engine
        .runSchedule()
        .catch((error: unknown) => {
          if (!signal.aborted) log(`the schedule did not run: ${String(error)}`);
        })
        .finally(() => {
          isSweeping = false;
        });
      continue;
    }
    const woken = answering === null ? null : await wakeAllRuns(url, key).catch(() => null);
    if (woken !== null && answering !== null) {
      [present, silentSince] = [answering, null];
      log(`the Worker crashed and is back${woken > 0 ? `; ${continuingRunsText(woken)}` : ''}`);
      continue;
    }
    // From the end of the first request that failed: a busy Worker may have left that one unanswered, and answer the next.
    silentSince ??= performance.now();
    const silentMs = performance.now() - silentSince;
    if (silentMs > patienceMs)
      return `the Worker has not answered for ${Math.round(silentMs / 1000)} s, and could not be started again; start anew, and its runs continue`;
  }
}

/** Returns the process of the Worker that answers, or null. */
export async function fetchWorkerInstanceIdOrNull(url: string, timeoutMs: number): Promise<string | null> {
  const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(timeoutMs) })
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null);
  return health.safeParse(answer).data?.instance ?? null;
}

/** Gives every run that has not ended a new driver; returns how many there are. */
export async function wakeAllRuns(url: string, key: string): Promise<number> {
  const answer = await fetch(`${url}/v1/wake`, { method: 'POST', headers: { authorization: `Bearer ${key}` } });
  if (!answer.ok) throw new Error(`the Worker refused to wake runs: ${await answer.text()}`);
  return z.object({ runs: z.int() }).parse(await answer.json()).runs;
}

export const continuingRunsText = (runs: number): string =>
  `${runs} run${runs === 1 ? '' : 's'} that had not ended go${runs === 1 ? 'es' : ''} on`;

export const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
