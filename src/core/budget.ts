import type { Budget } from '#core/exploration/config.ts';

/** What a run can use up: rounds where it explores, batches where it evolves. */
type Part = keyof Budget | 'batches';
type Amounts = { readonly [part in Part]?: number | undefined };

/** In the order in which they are looked at. */
const budgetParts: readonly Part[] = ['rounds', 'batches', 'tokens', 'costUsd', 'wallMs'];

/** The first part of a budget that is used up; null while all last. `spent` has a number for all that the budget can limit. */
export const exhausted = <Limits extends Amounts>(
  budget: Limits,
  spent: Amounts & { readonly [part in keyof Limits]-?: number },
): Part | null => budgetParts.find((part) => (spent[part] ?? 0) >= (budget[part] ?? Infinity)) ?? null;
