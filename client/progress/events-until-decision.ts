import type { RunEvent } from '#core/reports/events.ts';
import type { SubmissionState } from '#core/leaderboards/submissions/state.ts';
import type { Client } from '../client.ts';
import type { EventOptions } from '../http/event-stream.ts';

/** Returns whether a moderator has to decide on a submission, which may take days. */
export const isInModeration = (state: SubmissionState): boolean => state === 'moderation';

/** Returns the events of a submission until it is settled or a moderator has to decide. */
export async function* eventsUntilModerationOrEnd(
  { submissions }: Pick<Client, 'submissions'>,
  id: string,
  options: EventOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  for await (const happened of submissions.events(id, options)) {
    yield happened;
    const { event } = happened;
    if (event.type !== 'submission.changed' || !isInModeration(event.state)) continue;
    // The events include the past, so a moderator may have decided since.
    if (isInModeration((await submissions.get(id)).state)) return;
  }
}
