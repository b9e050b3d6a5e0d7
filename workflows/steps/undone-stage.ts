import { EndpointRests } from '#adapters/model/governed-requests.ts';
import type { UndoneStage } from '#core/models/governor/undone-stage.ts';
import type { ChatModel, Questioner } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';

/** Why a step ended before its work was done: an endpoint rests. A few bytes, because a step's result is stored. */
export interface RestingStep {
  readonly why: 'endpoint-rests';
  readonly untilMs: number;
  readonly requests: number;
}

/** Returns the stage as it stays undone if its endpoint rests; rethrows any other error. */
export function makeUndoneStageOrRethrow(error: unknown, calls: readonly ModelCall[]): UndoneStage {
  if (!(error instanceof EndpointRests)) throw error;
  const { model, untilMs } = error;
  return { kind: 'undone', model, untilMs, calls };
}

/** Notes the paid calls of models in a list, which says what a stage took that stays undone. */
export const questionerWithCallsRecorded = ({ askForJson }: Questioner, calls: ModelCall[]): Questioner => ({
  askForJson: async (question) => {
    const answer = await askForJson(question);
    calls.push(...answer.calls);
    return answer;
  },
});

export const chatModelWithCallsRecorded = ({ completeTurn }: ChatModel, calls: ModelCall[]): ChatModel => ({
  completeTurn: async (turn) => {
    const answer = await completeTurn(turn);
    if (answer.call !== undefined) calls.push(answer.call);
    return answer;
  },
});
