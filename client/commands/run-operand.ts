import type { Operand } from '../command-line/command.ts';

/** A run of either kind. */
export const runOperand: Operand = {
  name: 'run',
  about: 'the id of an exploration or an evaluation, such as exp_... or evl_...',
};

/** Whether an id is one of an evaluation. */
export const isEvaluation = (id: string): boolean => id.startsWith('evl_');
