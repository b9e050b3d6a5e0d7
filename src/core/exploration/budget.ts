import type { Budget } from './config.ts';

/** What a run can use up: rounds if it explores, batches if it evolves. */
type Part = keyof Budget | 'batches';
type Amounts = { readonly [part in Part]?: number | undefined };

/** In the order in which they are checked. */
const budgetParts: readonly Part[] = ['rounds', 'batches', 'tokens', 'costUsd', 'wallMs', 'writes'];

/**
 * Returns the first part of a budget that is used up, or null. `spent` has a number for everything that the budget can
 * limit.
 */
export const findExhaustedPartOfBudget = <Limits extends Amounts>(
  budget: Limits,
  spent: Amounts & { readonly [part in keyof Limits]-?: number },
): Part | null => budgetParts.find((part) => (spent[part] ?? 0) >= (budget[part] ?? Infinity)) ?? null;
