import { err, ok, type Result } from '#core/values/result.ts';
import type { Redaction } from '#core/traces/redaction/redaction.ts';
import { mostKeptQuestions, type AskedQuestion } from '#core/models/simulated-user/asked-question.ts';
import {
  fieldNamesOfQuestion,
  declineReasonTextOrNull,
  parseQuestionToUserOrNull,
  type UserQuestion,
} from '#core/models/simulated-user/question.ts';
import {
  mostAnsweredQuestions,
  mostAnsweredRounds,
  type ElicitationResult,
  type SimulatedUser,
  type UserReply,
  type UserUnreachable,
} from '#core/models/simulated-user/user.ts';

/** Why a question of a server got no answer: it is of a kind that nobody offered to answer, or the user's model could not be reached. */
export type Unanswered =
  | { readonly kind: 'not-offered' }
  | { readonly kind: 'unreachable'; readonly fault: UserUnreachable['fault'] };

/** The user of one call: answers what the server asks in it, and keeps what was asked. */
export class CallUser {
  readonly #user: SimulatedUser | null;
  readonly #redaction: () => Redaction;
  readonly #asked: AskedQuestion[] = [];
  #rounds = 0;
  /** Questions that the user's model was asked. */
  #questions = 0;
  #thoughtMs = 0;
  #thinkingSince: number | null = null;

  /** Without a user, all questions are declined. */
  constructor(user: SimulatedUser | null, redaction: () => Redaction) {
    this.#user = user;
    this.#redaction = redaction;
  }

  /** What was asked, in order, without what the server's owner keeps out. */
  get asked(): readonly AskedQuestion[] {
    return this.#asked;
  }

  /** How long the user has taken to answer until now, in milliseconds. */
  thoughtMs(now: number): number {
    return this.#thoughtMs + (this.#thinkingSince === null ? 0 : now - this.#thinkingSince);
  }

  /** Answers the questions of one round, by their keys. */
  async answerRound(
    questions: Readonly<Record<string, unknown>>,
  ): Promise<Result<Record<string, ElicitationResult>, Unanswered>> {
    if (Object.keys(questions).length > 0) this.#rounds += 1;
    this.#thinkingSince = Date.now();
    try {
      const results: Record<string, ElicitationResult> = {};
      for (const [key, each] of Object.entries(questions)) {
        const question = parseQuestionToUserOrNull(each);
        if (question === null) return err({ kind: 'not-offered' });
        const answered = await this.#answer(this.#redact(question));
        if (!answered.ok) return err({ kind: 'unreachable', fault: answered.fault });
        const { content } = answered.value;
        results[key] = content === null ? { action: 'decline' } : { action: 'accept', content };
      }
      return ok(results);
    } finally {
      this.#thoughtMs = this.thoughtMs(Date.now());
      this.#thinkingSince = null;
    }
  }

  #redact({ message, schema }: UserQuestion): UserQuestion {
    const redaction = this.#redaction();
    if (schema === null || redaction.isEmpty) return { message: redaction.text(message), schema };
    return { message: redaction.text(message), schema: redaction.arguments(schema) };
  }

  async #answer(question: UserQuestion): Promise<Awaited<ReturnType<SimulatedUser['answer']>>> {
    const ruled = this.#decideByRule(question);
    if (ruled === null) this.#questions += 1;
    const answered = ruled === null && this.#user !== null ? await this.#user.answer(question) : ok(ruled ?? declined);
    if (answered.ok) this.#recordQuestion(question, answered.value);
    return answered;
  }

  #decideByRule(question: UserQuestion): UserReply | null {
    if (this.#user === null) return declined;
    const isTooOften = this.#rounds > mostAnsweredRounds || this.#questions >= mostAnsweredQuestions;
    const rule = isTooOften ? 'the call has asked too often' : declineReasonTextOrNull(question);
    return rule === null ? null : { content: null, by: 'rule', why: rule };
  }

  #recordQuestion(question: UserQuestion, { content, by, why }: UserReply): void {
    if (this.#asked.length >= mostKeptQuestions || JSON.stringify(this.#asked).length > mostKeptChars) return;
    this.#asked.push({
      message: question.message.slice(0, 500),
      fields: fieldNamesOfQuestion(question)
        .slice(0, 50)
        .map((name) => name.slice(0, 200)),
      answer: content,
      by,
      why: why.slice(0, 300),
    });
  }
}

/** Characters of JSON after which no more questions are kept: a trace is bounded. */
const mostKeptChars = 20_000;

const declined: UserReply = { content: null, by: 'policy', why: 'the run declines what servers ask' };

/** The call whose questions arrive, and what kept an answer away. */
interface Asking {
  readonly user: CallUser;
  unanswered: Unanswered | null;
  thrown: { readonly error: unknown } | null;
}

/**
 * Lets one call of a legacy session at a time be asked: such a server does not say which call its question is of. What
 * kept an answer away is kept, because the server itself is told only that it was declined.
 */
export class QuestionDesk {
  #turn: Promise<unknown> = Promise.resolve();
  #present: Asking | null = null;

  /** Makes a call whose questions go to its user, when the calls before it have ended. Rejects with what the user's model threw. */
  async runCallWithUserInTurn<T>(
    user: CallUser,
    call: () => Promise<T>,
  ): Promise<{ readonly made: T; readonly unanswered: Unanswered | null }> {
    const before = this.#turn;
    const ended = Promise.withResolvers<null>();
    this.#turn = ended.promise;
    await before;
    const present: Asking = { user, unanswered: null, thrown: null };
    this.#present = present;
    try {
      const made = await call();
      if (present.thrown !== null) throw present.thrown.error;
      return { made, unanswered: present.unanswered };
    } finally {
      this.#present = null;
      ended.resolve(null);
    }
  }

  /** Answers a question of the server. */
  async answer(question: unknown): Promise<ElicitationResult> {
    const present = this.#present;
    if (present === null) return { action: 'decline' };
    try {
      const answered = await present.user.answerRound({ asked: question });
      if (answered.ok) return answered.value['asked'] ?? { action: 'decline' };
      present.unanswered = answered.problem;
    } catch (error) {
      // The SDK would tell the server, and nobody else.
      present.thrown = { error };
    }
    return { action: 'decline' };
  }
}
