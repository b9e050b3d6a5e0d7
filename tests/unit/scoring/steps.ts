import { type Step, step } from '#core/traces/trace.ts';

/** A step of a trace: `server/tool`, with `!` for a failed call and `?` for one that broke on the way. */
export const stepFrom = (written: string): Step => {
  const outcome = written.endsWith('!') ? 'failure' : written.endsWith('?') ? 'fault' : 'success';
  return step.parse({
    tool: written.replace(/[!?]$/, ''),
    arguments: {},
    outcome,
    text: '',
    truncated: false,
    sha256: null,
    fault: null,
    failure: outcome === 'failure' ? { source: 'undecided' } : null,
    turn: 1,
    turnTokens: 12,
    latencyMs: 1,
  });
};

export const traceOf = (...written: readonly string[]): { readonly steps: Step[] } => ({
  steps: written.map(stepFrom),
});
