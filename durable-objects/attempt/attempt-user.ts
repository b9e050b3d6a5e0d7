import { decryptModelConfig } from '#adapters/model/decrypt-model-config.ts';
import { EndpointRests } from '#adapters/model/governed-requests.ts';
import { makeOpenAiModels, modelAnswerBounds } from '#adapters/model/openai.ts';
import { makeSimulatedUser } from '#adapters/model/simulated-user.ts';
import type { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch } from '#adapters/network/guarded-fetch.ts';
import { prompts } from '#adapters/prompts/index.ts';
import type { Settings } from '#adapters/settings.ts';
import type { AttemptResult } from '#core/evaluation/case.ts';
import { addUsage, noUsage, sumUsageOfCalls, usage } from '#core/models/usage.ts';
import type { AttemptUserBasis } from '#durable-objects/shared/objects.ts';
import type { SingletonTable } from '#durable-objects/shared/singleton-table.ts';
import type { Governor } from '#core/models/governor/port.ts';
import { deriveModelSeedFromKeys } from '#core/models/seed.ts';
import type { Questioner } from '#core/ports.ts';
import type { ModelCall } from '#core/models/model-call.ts';
import type { SimulatedUser } from '#core/models/simulated-user/user.ts';

/** Under this key the usage of the model that plays the user is stored. */
const key = 'user-usage';

/** Adds calls to what the model took; a restart of the attempt's object keeps it. */
const addCallsToStoredUserUsage = (singletons: SingletonTable, calls: readonly ModelCall[]): void =>
  singletons.write(key, addUsage(singletons.read(key, usage) ?? noUsage, sumUsageOfCalls(calls)));

/** Returns what the model took; nothing if it was not asked. */
export function readUserUsage(singletons: SingletonTable): Pick<AttemptResult, 'userUsage'> {
  const userUsage = singletons.read(key, usage);
  return userUsage === null ? {} : { userUsage };
}

/** Returns who answers what servers ask in an attempt of an external agent: as in attempts of our own, the judge's model; nobody without a basis. */
export async function makeAttemptUser(
  basis: AttemptUserBasis | null,
  {
    settings,
    admission,
    governors,
    place,
    singletons,
  }: {
    readonly settings: Settings;
    readonly admission: Admission;
    readonly governors: (name: string) => Governor;
    readonly place: readonly string[];
    readonly singletons: SingletonTable;
  },
): Promise<SimulatedUser | undefined> {
  if (basis === null) return undefined;
  const { judge, request, seed } = basis;
  const fetch = makeGuardedFetch({ admission, allowLocal: settings.ALLOW_LOCAL_SERVERS, ...modelAnswerBounds });
  const config = await decryptModelConfig(settings, 'judge', judge);
  const { answerForm, repair } = prompts;
  const model = makeOpenAiModels({ judge: config }, { admission, fetch, governors, answerForm, repair });
  return makeSimulatedUser({
    model: withEndpointRestsAsFaults(model),
    role: 'judge',
    name: judge.model,
    request,
    seed: deriveModelSeedFromKeys(seed, 'user', ...place),
    onCalls: (calls) => addCallsToStoredUserUsage(singletons, calls),
  });
}

/** The client of an external agent waits for its answer, so it cannot be put off until an endpoint takes requests again. */
const withEndpointRestsAsFaults = ({ askForJson }: Questioner): Questioner => ({
  askForJson: async (question) => {
    try {
      return await askForJson(question);
    } catch (error) {
      if (!(error instanceof EndpointRests)) throw error;
      const detail = `the endpoint of the model that plays the user takes no requests until ${new Date(error.untilMs).toISOString()}`;
      return {
        ok: false,
        reason: 'fault',
        fault: { where: 'model', name: question.role, code: 'rate-limited', detail },
        calls: [],
      };
    }
  },
});
