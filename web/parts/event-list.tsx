import type { RunEvent } from '#core/reports/events.ts';
import { UntrustedText } from './outside-text.tsx';

/** The latest events, the last one first. */
export const EventList = ({ events }: { readonly events: readonly RunEvent[] }) => (
  <section>
    <h2>Events</h2>
    <div class="events" role="region" aria-label="Events" tabIndex={0}>
      <ol reversed start={events[0]?.id ?? 0}>
        {events.map(({ id, at, event: { type, ...rest } }) => (
          <li key={id}>
            <time dateTime={at}>{at.slice(11, 19)}</time> <code>{type}</code>{' '}
            <UntrustedText text={Object.entries(rest).map(fieldText).join(', ').slice(0, 200)} />
          </li>
        ))}
      </ol>
    </div>
  </section>
);

const fieldText = ([name, value]: readonly [string, unknown]): string =>
  `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
