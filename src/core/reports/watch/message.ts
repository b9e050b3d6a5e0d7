import { z } from 'zod';
import { incident, type Told } from './incident.ts';

/** What somebody is told about a watch. */
export const watchMessage = z.object({
  type: z.enum(['incident.opened', 'incident.over', 'watch.test']),
  /** ISO 8601. */
  timestamp: z.string(),
  data: z.object({
    watch: z.string(),
    server: z.string(),
    /** One sentence. */
    summary: z.string(),
    /** Null in a test. */
    incident: incident.nullable(),
  }),
});
export type WatchMessage = Readonly<z.infer<typeof watchMessage>>;

/** Returns the message about an incident. Texts of the server in it are as it sent them. */
export const messageOf = ({ event, incident: about }: Told, watch: string, server: string): WatchMessage => ({
  type: `incident.${event}`,
  timestamp: (event === 'over' ? about.overAt : null) ?? about.foundAt,
  data: {
    watch,
    server,
    summary: event === 'over' ? `${server}: over: ${about.what}` : `${server}: ${about.what}`,
    incident: about,
  },
});

/** Minutes after which a message that was not taken is sent again; after the last one it is given up. */
const retryMinutes = [5, 15, 60, 240, 720, 1_440] as const;

/** Returns when a message is sent again that failed for the `attempts`-th time, in milliseconds from now; null to give it up. */
export const pauseBeforeRetry = (attempts: number): number | null => {
  const minutes = retryMinutes[attempts - 1];
  return minutes === undefined ? null : minutes * 60_000;
};
