import { Admission } from '#adapters/network/admission.ts';
import { findGuardError, makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import type { WaitingMessages } from '#core/reports/watch/work.ts';
import type { Services } from '../context.ts';
import { decryptOrRefuse } from '../secrets.ts';
import { repeatEvaluation } from './repeat-evaluation.ts';
import { signedHeaders } from './sign-message.ts';
import { visitServer } from './visit-server.ts';

/** Watches at work at the same time, and those of one call of the schedule. */
const atOnce = 6;
const mostWatches = 600;
const deliveryMs = 15_000;
const maxAnswerBytes = 64 * 1024;

/** The context in which the secret of a watch is encrypted. */
export const webhookContext = (id: string): string => `watch-webhook:${id}`;

/** Has each watch that is due do what it has to, some at a time. One that fails does not keep the others from it, and is due again. */
export async function runDueWatches(services: Services): Promise<void> {
  const due = await services.directory.listDueWatches(Date.now(), mostWatches);
  const left = due.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const id of left)
        await runWatch(services, id, false).catch((error: unknown) => {
          console.error(JSON.stringify({ watch: id, notRun: String(error) }));
        });
    }),
  );
}

/** Has a watch visit its server, if it is due or asked to, looks after its agents, and sends what it has to tell. Returns whether it visited. */
export async function runWatch(services: Services, id: string, isAsked: boolean): Promise<boolean> {
  const watch = services.object('watch', id);
  const begun = await watch.beginVisit(Date.now(), isAsked);
  if (begun !== null) {
    // Should the process end here, the watch is due again when its lease is over.
    await services.directory.setWatchDue(id, await watch.nextDueAt());
    const visit = await visitServer(services, begun);
    await watch.finishVisit(id, begun.visit, visit, Date.now());
  }
  await repeatEvaluation(services, id);
  await sendDueMessages(services, id);
  await services.directory.setWatchDue(id, await watch.nextDueAt());
  return begun !== null;
}

/** Sends the messages of a watch that are due. */
export async function sendDueMessages(services: Services, id: string): Promise<void> {
  const watch = services.object('watch', id);
  const waiting = await watch.listDueMessages(Date.now());
  if (waiting === null) return;
  const secret = await decryptOrRefuse(services.settings, waiting.secret, webhookContext(id));
  const fetch = makeGuardedFetch({
    admission: new Admission(),
    allowLocal: services.settings.ALLOW_LOCAL_SERVERS,
    maxBytes: maxAnswerBytes,
    timeoutMs: deliveryMs,
  });
  for (const each of waiting.messages)
    await watch.settleMessage(each.id, await deliver(fetch, waiting.url, secret, each), Date.now());
}

/** Returns null if a message was taken, else why not. */
async function deliver(
  fetch: FetchLike,
  url: string,
  secret: string,
  { id, message }: WaitingMessages['messages'][number],
): Promise<string | null> {
  const body = JSON.stringify(message);
  try {
    const headers = await signedHeaders(secret, { id, body, now: new Date() });
    const answer = await fetch(url, { method: 'POST', body, headers, redirect: 'manual' });
    await answer.body?.cancel();
    return answer.ok ? null : `the webhook answered ${answer.status}`;
  } catch (error) {
    const guard = findGuardError(error);
    if (guard === undefined) throw error;
    return `the webhook was not reached: ${guard.message}`;
  }
}
