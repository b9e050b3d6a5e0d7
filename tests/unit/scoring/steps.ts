import { failureVerdictOfServerFault } from '#core/traces/spoilt-call.ts';
import { type Step, step } from '#core/traces/trace.ts';
import { makeStep } from '../../support/traces.ts';

/**
 * A step of a trace, and the turn that issued it: `server/tool`, with `!` for a failed call, `~` for one that timed out, `?` for one of an
 * earlier release that a fault broke.
 */
export const stepFrom = (written: string, turn = 1): Step => {
  const outcome = /[!~]$/.test(written) ? 'failure' : written.endsWith('?') ? 'fault' : 'success';
  const fault = { where: 'server', name: 's', code: 'timeout', detail: 'no answer in time' } as const;
  const spoilt = { fault, cause: 'environment' as const, failure: failureVerdictOfServerFault(fault) };
  return step.parse(
    makeStep(written.replace(/[!?~]$/, ''), {
      outcome,
      text: '',
      failure: outcome === 'failure' ? { source: 'undecided' } : null,
      turn,
      ...(written.endsWith('~') ? spoilt : {}),
    }),
  );
};

/** A trace with a turn for each call. */
export const traceOf = (...written: readonly string[]): { readonly steps: Step[] } => ({
  steps: written.map((each, index) => stepFrom(each, index + 1)),
});
