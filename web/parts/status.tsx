/** The state of a run or a unit. The word says it; the colour only repeats it. */
export const Status = ({ of }: { readonly of: string }) => <span class={`label status ${tones[of] ?? ''}`}>{of}</span>;

const tones: Readonly<Record<string, string>> = {
  completed: 'good',
  accepted: 'good',
  success: 'good',
  passed: 'good',
  running: 'live',
  failed: 'bad',
  failure: 'bad',
  fault: 'bad',
  lost: 'bad',
  rejected: 'bad',
  paused: 'warn',
  review: 'warn',
  waiting: 'warn',
};
