import type { RunEvent } from '#core/events.ts';
import type { SubmissionState } from '#core/submissions/state.ts';
import type { Client } from '../client.ts';
import type { EventOptions } from '../http/event-stream.ts';

/** Whether a moderator decides on a submission, which may take days. */
export const isUndecided = (state: SubmissionState): boolean => state === 'moderation';

/** What happens to a submission, until nobody has to do anything more or a moderator has to decide. */
export async function* untilDecision(
  { submissions }: Pick<Client, 'submissions'>,
  id: string,
  options: EventOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  for await (const happened of submissions.events(id, options)) {
    yield happened;
    const { event } = happened;
    if (event.type !== 'submission.changed' || !isUndecided(event.state)) continue;
    // The events tell of the past too: a moderator may have decided since.
    if (isUndecided((await submissions.get(id)).state)) return;
  }
}
