import {
  listDifferencesOfTwoDialects,
  dialect as dialectSchema,
  dialectOfModel,
  type DialectSetting,
} from '#core/models/dialect.ts';
import type { Profile } from '../../tests/support/endpoints/profile.ts';
import { gpt56WithoutResponses } from '../../tests/support/endpoints/openai.ts';
import { serveProfile } from '../../tests/support/endpoints/serve.ts';
import { answerWithOfflineModels } from './offline-answers.ts';

/** What the table of dialects and the client's setting say of an endpoint, which the address of a stand-in does not. */
function dialectSettingOfProfile({ baseUrl, model, name }: Profile): DialectSetting {
  // A gateway, of which nothing is published.
  if (name === gpt56WithoutResponses.name) return {};
  const wanted = name === 'Anthropic (compatibility layer)' ? { wire: 'chat' as const } : {};
  const published = dialectOfModel({ baseUrl, model }, wanted);
  const standard = dialectOfModel({ baseUrl: 'http://localhost', model });
  const different = new Set(listDifferencesOfTwoDialects(standard, published).map((each) => each.split(':')[0]));
  const set = Object.fromEntries(Object.entries(published).filter(([field]) => different.has(field)));
  return dialectSchema.partial().parse({ ...set, ...wanted });
}

/** Serves a stand-in whose model answers as the offline ones do, and says how runs reach it. */
export async function startEndpointStandIn(profile: Profile) {
  const served = await serveProfile(profile, answerWithOfflineModels);
  const { pathname, search } = new URL(profile.baseUrl);
  const endpoint = {
    baseUrl: `${served.url}${pathname}${search}`,
    apiKey: 'sk-test',
    dialect: dialectSettingOfProfile(profile),
  };
  return {
    endpoint,
    model: { ...endpoint, model: profile.model },
    counts: () => ({
      refused: served.refusals.length,
      taken: served.accepted.length + served.others.length,
      refusals: [...new Set(served.refusals.map(({ message }) => message.slice(0, 200)))],
    }),
    close: () => served.close(),
  };
}
export type StandIn = Awaited<ReturnType<typeof startEndpointStandIn>>;
