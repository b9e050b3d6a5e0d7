import { prompts, render } from '#adapters/prompts/index.ts';
import { deriveModelSeedFromKeys } from '#core/models/seed.ts';
import { ok } from '#core/values/result.ts';
import type { Questioner } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import { acceptedAnswerValuesOrRefusal, answerableSchema, userAnswer } from '#core/models/simulated-user/question.ts';
import type { SimulatedUser } from '#core/models/simulated-user/user.ts';

/** The attempt whose user a model plays, and the model that does. */
export interface PlayedUser {
  /** The model that plays the user, and its role: the judge of an evaluation, the critic of an exploration. */
  readonly model: Questioner;
  readonly role: 'judge' | 'critic';
  /** The model's name. */
  readonly name: string;
  readonly request: string;
  readonly seed: number;
  /** Called with the paid calls of the model. */
  readonly onCalls: (calls: readonly ModelCall[]) => void;
}

/** Lets a model answer what servers ask in an attempt, from what its request says. An unusable answer declines the question. */
export function makeSimulatedUser({ model, role, name, request, seed, onCalls }: PlayedUser): SimulatedUser {
  const by = { model: name.slice(0, 200) };
  let questions = 0;
  return {
    async answer({ message, schema }) {
      const fields = answerableSchema(schema ?? {});
      questions += 1;
      const answer = await model.askForJson({
        role,
        prompt: render(prompts.simulatedUser, { request, question: message, fields }),
        form: 'user-answer',
        schema: userAnswer,
        seed: deriveModelSeedFromKeys(seed, 'user', questions),
      });
      onCalls(answer.calls);
      if (!answer.ok)
        return answer.reason === 'fault'
          ? { ok: false, fault: answer.fault }
          : ok({ content: null, by, why: `its answer was unusable (${answer.cause})` });
      const accepted = acceptedAnswerValuesOrRefusal(schema ?? {}, answer.value, request);
      return ok(
        accepted.ok
          ? { content: accepted.value, by, why: answer.value.why }
          : { content: null, by, why: accepted.problem },
      );
    },
  };
}
