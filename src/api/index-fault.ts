import type { ErrorCode, Problem } from '#core/values/errors.ts';
import type { Reached } from '#core/ports.ts';
import { Refusal } from './problem.ts';

type Fault = Extract<Reached<never>, { ok: false }>['fault'];

/** Returns what a client is told about a failed index, or the model behind it. */
export const problemOfIndexFault = ({ where, name, code, detail }: Fault): Problem => ({
  code: faultErrorCode(where, code),
  detail: `${where} ${name}: ${detail}`,
});

function faultErrorCode(where: Fault['where'], code: Fault['code']): ErrorCode {
  if (code === 'dimension-mismatch' || code === 'index-full') return code;
  return where === 'model' ? 'model-unreachable' : 'index-unreachable';
}

/** Returns the value of an index's answer, or refuses the request. */
export function unwrapIndexAnswer<T>(reached: Reached<T>): T {
  if (reached.ok) return reached.value;
  throw new Refusal(problemOfIndexFault(reached.fault));
}
