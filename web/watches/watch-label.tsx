import { isGrave } from '#core/reports/watch/incident.ts';
import type { WatchRecord } from '#core/reports/watch/record.ts';
import { watchVerdict } from '#core/reports/watch/show-watch.ts';

const tones = { learning: '', steady: 'good', changed: 'warn', unreached: 'bad' } as const;

/** How a watched server stands, and the day of the last visit. */
export const WatchLabel = ({ watch }: { readonly watch: WatchRecord }) => {
  const { status, open, paused } = watch;
  const tone = paused ? '' : open.some(isGrave) ? 'bad' : tones[status];
  return <span class={`label status ${tone}`}>{watchVerdict(watch)}</span>;
};
