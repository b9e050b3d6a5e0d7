import { budget } from '#core/exploration/config.ts';
import type { Given } from '../command-line/command.ts';
import { makeSchemaNumberParser, optionalOption } from '../command-line/options.ts';
import { secondsOptionReadAsMs } from './seconds-option.ts';

const { tokens, costUsd, wallMs, writes } = budget.shape;

/** What ends a run that uses it up. */
export const budgetOptions = {
  tokens: optionalOption('tokens', 'N', 'end once so many tokens are used', makeSchemaNumberParser(tokens)),
  cost: optionalOption('cost', 'USD', 'end once so much is spent', makeSchemaNumberParser(costUsd)),
  seconds: secondsOptionReadAsMs('seconds', 'end after so many seconds', wallMs),
  writes: optionalOption(
    'writes',
    'N',
    "end once so many calls may have changed a server's state",
    makeSchemaNumberParser(writes),
  ),
} as const;

/** Returns the parts of a budget that the options name. */
export const readBudgetOptions = (given: Given) => ({
  tokens: given.parseOptionValue(budgetOptions.tokens),
  costUsd: given.parseOptionValue(budgetOptions.cost),
  wallMs: given.parseOptionValue(budgetOptions.seconds),
  writes: given.parseOptionValue(budgetOptions.writes),
});
