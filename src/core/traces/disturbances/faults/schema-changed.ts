import type { DisturbedCall, Fault } from '../disturbance.ts';
import { findWhetherFailureNoticed } from '../noticing.ts';

const invalidParams = -32602;
const suffix = '_v2';

/** The argument that is renamed: the first one of the call that was met, or the one that has the new name already. */
const findRenamedArgument = ({ arguments: args }: DisturbedCall): string | undefined => Object.keys(args).toSorted()[0];

export const schemaChanged = {
  key: 'schema-changed',
  group: 'fault',
  title: 'schema changed',
  change: 'refuses the calls of one tool from one call on until an argument has another name, which the error says',
  right: 'call again with the new name',
  caveat: 'a client that reads the schema again: the listed one stays as it was when the attempt began',
  lasts: true,
  answerInstead: (call) => {
    const renamed = findRenamedArgument(call);
    if (renamed === undefined || Object.keys(call.arguments).some((name) => name.endsWith(suffix))) return null;
    return {
      kind: 'error',
      error: {
        code: invalidParams,
        message: `Invalid arguments: unknown argument "${renamed}". The argument is called "${renamed}${suffix}" now.`,
      },
    };
  },
  translate: ({ arguments: args }) =>
    Object.fromEntries(
      Object.entries(args).map(([name, value]) => [
        name.endsWith(suffix) ? name.slice(0, -suffix.length) : name,
        value,
      ]),
    ),
  findWhetherNoticed: findWhetherFailureNoticed,
} as const satisfies Fault<'schema-changed'>;
