import type { Operand } from '../command-line/command.ts';
import { UsageError } from '../../engine/usage-error.ts';

/** A run of any kind. */
export const runOperand: Operand = {
  name: 'run',
  about: 'the id of an exploration, an evaluation or an evolution, such as exp_..., evl_... or exp_.../evolutions/1',
};

/** A run with its kind, derived from its id. */
export type NamedRun =
  | { readonly kind: 'exploration' | 'evaluation'; readonly id: string }
  | { readonly kind: 'evolution'; readonly exploration: string; readonly number: number };

/** Returns the kind of run that an id names. */
export function parseRunId(id: string): NamedRun {
  const [exploration = '', ...rest] = id.split('/');
  if (rest.length === 0 && id.startsWith('evl_')) return { kind: 'evaluation', id };
  if (!id.startsWith('exp_'))
    throw new UsageError(`"${id}" is no id of a run; one is such as exp_..., evl_... or exp_.../evolutions/1`);
  if (rest.length === 0) return { kind: 'exploration', id };
  const number = /^evolutions\/([1-9]\d{0,4})$/.exec(rest.join('/'))?.[1];
  if (number === undefined)
    throw new UsageError(`"${id}" names no run; an evolution has an id such as exp_.../evolutions/1`);
  return { kind: 'evolution', exploration, number: Number(number) };
}
