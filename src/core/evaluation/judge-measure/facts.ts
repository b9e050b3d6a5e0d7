import { askedFacts, keyOfCall, refusedCall, type AskedFact } from './asked-facts.ts';
import results from './results.json' with { type: 'json' };

/** A call to a real server with what it answered. */
export interface Fact extends AskedFact {
  readonly result: string;
}

const recorded: Readonly<Record<string, string>> = results;

function withResult<T extends Pick<AskedFact, 'tool' | 'arguments'>>(call: T): T & { readonly result: string } {
  const result = recorded[keyOfCall(call)];
  if (result === undefined) throw new Error(`no result is recorded for ${keyOfCall(call)}`);
  return { ...call, result };
}

/** All facts with their recorded results. */
export const facts: readonly Fact[] = askedFacts.map(withResult);

/** A call that failed, with what its server answered. */
export const refused = withResult(refusedCall);
