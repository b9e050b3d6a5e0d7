import rows from './facts.json' with { type: 'json' };

/** A call to a real server, what a person may want of it, and what an answer may say of it. */
export interface AskedFact {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** What is wanted, in the words of a request and of a goal. */
  readonly goal: string;
  /** What an answer calls the outcome. */
  readonly label: string;
  /** The outcome, letter by letter as the result has it. */
  readonly value: string;
  /** What a wrong answer says in its place. */
  readonly wrong: string;
}

/** The calls whose results `npm run judge-facts` records. They read, compute, or change a copy that nobody else sees. */
export const askedFacts: readonly AskedFact[] = rows;

/** A call that its server refuses, because an argument is missing. */
export const refusedCall: Pick<AskedFact, 'tool' | 'arguments'> = {
  tool: 'calc/date',
  arguments: { date: '2026-03-02', amount: 10 },
};

/** Returns the key under which the result of a call is recorded. */
export const keyOfCall = ({ tool, arguments: args }: Pick<AskedFact, 'tool' | 'arguments'>): string =>
  `${tool} ${JSON.stringify(args)}`;
