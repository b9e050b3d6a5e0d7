import type { ErrorCode, Problem } from '#core/errors.ts';
import type { Reached } from '#core/ports.ts';
import { Refusal } from './problem.ts';

type Fault = Extract<Reached<never>, { ok: false }>['fault'];

/** What a request hears of an index, or of the model behind it, that did not do what was asked. */
export const indexProblem = ({ where, name, code, detail }: Fault): Problem => ({
  code: codeOf(where, code),
  detail: `${where} ${name}: ${detail}`,
});

function codeOf(where: Fault['where'], code: Fault['code']): ErrorCode {
  if (code === 'dimension-mismatch' || code === 'index-full') return code;
  return where === 'model' ? 'model-unreachable' : 'index-unreachable';
}

/** What an index gave, or a refusal that ends the request. */
export function unwrapReached<T>(reached: Reached<T>): T {
  if (reached.ok) return reached.value;
  throw new Refusal(indexProblem(reached.fault));
}
