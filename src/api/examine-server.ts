import type { ListedServer } from '#adapters/mcp/list-tools.ts';
import {
  assignCategoriesAndSources,
  type CategorizedTools,
  type KnownCategories,
} from '#core/catalog/categorized-tools.ts';
import { effectOfTool, isEffectWithinLimit, toolsWithEffects, type OwnersEffects } from '#core/catalog/effect.ts';
import type { ServerRecord } from '#core/catalog/server.ts';
import { toolNameWithoutServer, type Tool } from '#core/catalog/tool.ts';
import type { RedactionRules } from '#core/catalog/redaction/rules.ts';
import type { Survey } from '#core/catalog/survey.ts';
import type { ApiEnv } from './context.ts';
import { refusal } from './problem.ts';
import { chooseOrAskForServerDescription } from './server-descriptions.ts';
import { makeServerGateIfLimited } from './server-limits.ts';
import { surveyServerIfOn } from './server-survey.ts';
import type { ServerAddress } from './server-tools.ts';

type Listed = Omit<ListedServer, 'tools'> & { readonly tools: readonly Tool[] };

/** What is known of a server whose tools were just listed, before anybody is asked. */
interface KnownOfServer {
  readonly id: string;
  readonly address: ServerAddress;
  readonly effects: OwnersEffects;
  readonly categories: KnownCategories;
  readonly description: Parameters<typeof chooseOrAskForServerDescription>[3];
  readonly allows: ServerRecord['allows'];
  readonly limits: ServerRecord['limits'];
  readonly redact: RedactionRules;
  readonly surveyed: boolean;
}

/** What was found out about a server. */
interface ExaminedServer extends CategorizedTools {
  readonly description: ServerRecord['description'];
  /** What its tools that read returned; null if its owner wants no survey. */
  readonly survey: Survey | null;
}

/** Refuses effects of tools that the server does not list. */
export function throwIfEffectsOfUnlistedTools(effects: OwnersEffects, tools: readonly Tool[]): void {
  const listed = new Set(tools.map(({ name }) => toolNameWithoutServer(name)));
  const unknown = Object.keys(effects).filter((name) => !listed.has(name));
  if (unknown.length > 0) throw refusal('invalid-request', `effects: the server lists no tool ${unknown.join(', ')}`);
}

/**
 * Finds out about a server whose tools were just listed: the categories of its tools, what it is for, and what its tools that may be
 * called and only read return.
 */
export async function describeAndSurveyListedServer(
  vars: ApiEnv['Variables'],
  listed: Listed,
  { id, address, effects, categories, description: known, allows, limits, redact, surveyed }: KnownOfServer,
): Promise<ExaminedServer> {
  const [{ tools, sources }, description] = await Promise.all([
    categorizeListedTools(vars, toolsWithEffects(listed.tools, effects), categories),
    chooseOrAskForServerDescription(vars, address.name, listed, known),
  ]);
  const callable = tools.filter((each) => isEffectWithinLimit(effectOfTool(each), allows));
  const gate = makeServerGateIfLimited(vars, id, limits);
  const survey = await surveyServerIfOn(
    { ...address, redact, protocolVersion: listed.protocolVersion, gate },
    callable,
    surveyed,
    vars.services.settings,
    vars.admission,
  );
  return { tools, sources, description, survey };
}

/**
 * Gives listed tools their categories: what is known of them stays, a model is asked about the others, and tools without
 * its answer keep what the rules gave them.
 */
async function categorizeListedTools(
  { services, admission }: ApiEnv['Variables'],
  listed: readonly Tool[],
  known: KnownCategories,
): Promise<CategorizedTools> {
  const open = listed.filter(({ name }) => !known.has(name));
  return assignCategoriesAndSources(listed, known, await services.askForCategories(open, admission));
}
