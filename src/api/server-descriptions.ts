import type { Admission } from '#adapters/network/admission.ts';
import {
  chooseServerDescriptionOrNull,
  makeModelWrittenDescriptionOrNull,
  type KnownDescriptions,
  type ServerDescription,
} from '#core/catalog/server-description.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Services } from './context.ts';

interface Asking {
  readonly services: Pick<Services, 'askForServerSummary'>;
  readonly admission: Admission;
}

/** Returns the description of a server that was listed; a model is asked only if nobody else says what the server is for. */
export async function chooseOrAskForServerDescription(
  { services, admission }: Asking,
  name: string,
  { tools, instructions }: { readonly tools: readonly Tool[]; readonly instructions: string | null },
  known: Omit<KnownDescriptions, 'instructions'>,
): Promise<ServerDescription | null> {
  const chosen = chooseServerDescriptionOrNull({ ...known, instructions });
  return chosen ?? makeModelWrittenDescriptionOrNull(await services.askForServerSummary(name, tools, admission));
}
