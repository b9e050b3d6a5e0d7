import { budget } from '#core/exploration/config.ts';
import type { Given } from '../command-line/command.ts';
import { numberParser, optionalOption } from '../command-line/options.ts';
import { secondsOption } from './seconds-option.ts';

const { tokens, costUsd, wallMs, writes } = budget.shape;

/** What ends a run that uses it up. */
export const budgetOptions = {
  tokens: optionalOption('tokens', 'N', 'end once so many tokens are used', numberParser(tokens)),
  cost: optionalOption('cost', 'USD', 'end once so much is spent', numberParser(costUsd)),
  seconds: secondsOption('seconds', 'end after so many seconds', wallMs),
  writes: optionalOption(
    'writes',
    'N',
    "end once so many calls may have changed a server's state",
    numberParser(writes),
  ),
} as const;

/** Returns the parts of a budget that the options name. */
export const readBudgetOptions = (given: Given) => ({
  tokens: given.value(budgetOptions.tokens),
  costUsd: given.value(budgetOptions.cost),
  wallMs: given.value(budgetOptions.seconds),
  writes: given.value(budgetOptions.writes),
});
