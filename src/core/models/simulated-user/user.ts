import type { InfrastructureFault } from '../faults.ts';
import type { AskedQuestion } from './asked-question.ts';
import type { UserQuestion } from './question.ts';

/** What a user gives to a question: values, or null to decline it; and what is kept of it. */
export interface UserReply {
  readonly content: Record<string, unknown> | null;
  readonly by: AskedQuestion['by'];
  readonly why: string;
}

/** Answers what servers ask their user in an attempt, from its request. A fault means that the user's model could not be reached. */
export interface SimulatedUser {
  answer(question: UserQuestion): Promise<{ readonly ok: true; readonly value: UserReply } | UserUnreachable>;
}

export interface UserUnreachable {
  readonly ok: false;
  readonly fault: InfrastructureFault;
}

/** What a server is told: MCP's result of `elicitation/create`. */
export type ElicitationResult =
  | { readonly action: 'accept'; readonly content: Record<string, unknown> }
  | { readonly action: 'decline' };

/** Rounds of questions of one call that are answered, and questions in them; what comes after is declined. */
export const [mostAnsweredRounds, mostAnsweredQuestions] = [3, 10];
