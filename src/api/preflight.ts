import type { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { maxCompletionTokens, type ModelConfig } from '#adapters/model/model-config.ts';
import { fetchWhetherModelIsListed } from '#adapters/model/model-offer.ts';
import type { TestQuestion, TryModel } from '#adapters/model/try-model.ts';
import { deploymentModelOfRole, type Settings } from '#adapters/settings.ts';
import { agentLoops } from '#agents/loops.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { ModelLoop } from '#core/benchmarks/protocols/loops.ts';
import { modelKeyEncryptionContext, type StoredModel } from '#core/models/choices.ts';
import type { DialectSetting } from '#core/models/dialect.ts';
import type { AgentLimits } from '#core/models/limits.ts';
import { modelWithListPriceIfUnpriced, hasPrice } from '#core/models/list-prices.ts';
import {
  addLeftOutFunctionsToCheck,
  modelCheckText,
  findNearestNames,
  verdictAndDetailOfTrial,
  testRequest,
  type ModelCheck,
  type Preflight,
} from '#core/models/preflight.ts';
import { addUsage, noUsage, sumUsageOfCalls } from '#core/models/usage.ts';
import { utcWeekdayAndDateText } from '#core/values/describe-date.ts';
import type { ModelRole } from '#core/models/model-call.ts';
import { refusal } from './problem.ts';
import { decryptOrRefuse } from './secrets.ts';

/** A run waits for its test questions, so an answer must not take longer. */
const answerMs = 20_000;
const listingBytes = 4 * 1024 * 1024;
const listingMs = 10_000;

/** How an agent works, as far as its first turn shows it to the endpoint. */
export interface FirstTurn {
  readonly loop: ModelLoop;
  /** The longest list of tools that it may see. */
  readonly tools: readonly Tool[];
  /** Those of them that it has from the start although it searches; absent if it has none, or does not search. */
  readonly shown?: readonly string[] | undefined;
  readonly limits: AgentLimits;
  /** What to do if the endpoint takes fewer functions than there are tools: choose otherwise, or nothing, as attempts then have the tools in words. */
  readonly ifTooMany: 'route' | 'mount-less' | 'fall-back';
}

/** A model in a role, with the name that the client gave it. */
export interface NamedModel {
  readonly name: string;
  readonly role: ModelRole;
  readonly model: StoredModel;
  /** Only for agents; all other models answer in forms, or with vectors. */
  readonly turn?: FirstTurn;
}

export interface Asking {
  readonly services: { readonly settings: Settings; readonly tryModel: TryModel };
  readonly admission: Admission;
}

/** Roles that ask the same model the same test question. */
interface Asked {
  readonly roles: NamedModel[];
  readonly apiKey: string;
}

/** What is known of models after a test question. */
interface Tried {
  readonly checks: readonly ModelCheck[];
  readonly learnt: ReadonlyMap<StoredModel, DialectSetting>;
}

/**
 * Asks each model one test question for each way in which it is used, all at the same time. `listing` says of which models the
 * endpoint's list is read besides.
 */
export async function askModelsTestQuestions(
  named: readonly NamedModel[],
  asking: Asking,
  listing: 'all' | 'refused',
): Promise<Tried> {
  const groups = await groupModelsByQuestion(named, asking.services.settings);
  const learnt = new Map<StoredModel, DialectSetting>();
  const checks = await Promise.all(
    groups.map(async (group) => {
      const { check, learnt: found } = await testModelAndMakeCheck(group, asking, listing);
      for (const { model } of group.roles) learnt.set(model, found);
      return check;
    }),
  );
  return { checks, learnt };
}

/**
 * Refuses models that do not work, because a run on them could only fail. Returns what else was found, and what was learnt
 * of each model's endpoint.
 */
export async function requireWorkingModels(
  named: readonly NamedModel[],
  asking: Asking,
): Promise<{ readonly preflight: Preflight; readonly withLearnt: (model: StoredModel) => StoredModel }> {
  const { checks, learnt } = await askModelsTestQuestions(named, asking, 'refused');
  for (const verdict of ['refused', 'unreachable'] as const) {
    const found = checks.filter((check) => check.verdict === verdict);
    if (found.length > 0) throw refusal(`model-${verdict}`, found.map(modelCheckText).join(' '));
  }
  const warnings = checks.filter(({ detail }) => detail !== null).map(modelCheckText);
  const usage = checks.map((check) => check.usage).reduce(addUsage, noUsage);
  return {
    preflight: { warnings, usage },
    withLearnt: (model) => {
      const found = learnt.get(model) ?? {};
      return Object.keys(found).length === 0 ? model : { ...model, learnt: found };
    },
  };
}

async function groupModelsByQuestion(named: readonly NamedModel[], settings: Settings): Promise<Asked[]> {
  const groups = new Map<string, Asked>();
  const keys = await Promise.all(named.map((each) => getPlainModelKeyOrRefuse(each, settings)));
  for (const [at, each] of named.entries()) {
    const apiKey = keys[at] ?? '';
    const { model, turn } = each;
    const asked = turn && [
      turn.loop,
      turn.limits.parallelCalls,
      turn.limits.temperature,
      turn.tools.map(({ name }) => name),
    ];
    const key = JSON.stringify([model.baseUrl, model.model, apiKey, model.dialect, testKindOfModel(each), asked]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { roles: [each], apiKey });
    else group.roles.push(each);
  }
  return [...groups.values()];
}

async function getPlainModelKeyOrRefuse(
  { name, role, model: { key, baseUrl } }: NamedModel,
  settings: Settings,
): Promise<string> {
  if (key.kind === 'forgotten') throw refusal('model-refused', `${name}: its key is forgotten`);
  return key.kind === 'own'
    ? decryptOrRefuse(settings, key.encrypted, modelKeyEncryptionContext(baseUrl))
    : deploymentModelOfRole(settings, role).apiKey;
}

const testKindOfModel = ({ role, turn }: NamedModel): ModelCheck['kind'] =>
  role === 'embedder' ? 'vector' : turn === undefined ? 'form' : 'turn';

async function testModelAndMakeCheck(
  { roles, apiKey }: Asked,
  { services: { settings, tryModel }, admission }: Asking,
  listing: 'all' | 'refused',
): Promise<{ readonly check: ModelCheck; readonly learnt: DialectSetting }> {
  const [first] = roles;
  if (first === undefined) throw new Error('there is no role to ask for');
  const { role, model, turn } = first;
  const { key: _, ...config } = model;
  const { ALLOW_LOCAL_SERVERS: allowLocal, MODEL_TIMEOUT_MS } = settings;
  const timeoutMs = Math.min(MODEL_TIMEOUT_MS, answerMs);
  const temperature = turn?.limits.temperature;
  const asked: ModelConfig = { ...config, apiKey, timeoutMs, maxCompletionTokens, temperature };
  const ask = (question: TestQuestion) => tryModel({ role, config: asked, question, admission, allowLocal });
  const question = makeTestQuestion(first);
  const tried = await ask(question);
  const isCapped = tried.trial.kind === 'fault' && tried.trial.tooManyFunctions;
  const instead =
    isCapped && turn?.ifTooMany === 'fall-back' ? await ask(makeTestTurn({ ...turn, loop: 'prompted-calling' })) : null;
  const offered = question.kind === 'turn' ? question.functions.length : 0;
  const leftOut = tried.call?.leftOut ?? [];
  const trial = verdictAndDetailOfTrial(instead?.trial ?? tried.trial, {
    offered: instead === null ? offered : 0,
    tooMany: isCapped ? (turn?.ifTooMany ?? null) : null,
  });
  const judged = addLeftOutFunctionsToCheck(trial, leftOut, offered);
  const calls = [tried.call, instead?.call ?? null].filter((call) => call !== null);
  const isListed =
    listing === 'all' || judged.verdict === 'refused'
      ? await lookUpModelInEndpointList(asked, admission, settings)
      : null;
  const check: ModelCheck = {
    roles: roles.map(({ name }) => name),
    kind: question.kind,
    model: model.model,
    host: URL.canParse(model.baseUrl) ? new URL(model.baseUrl).host : model.baseUrl,
    wire: tried.wire,
    ...judged,
    structuredOutput: tried.structuredOutput,
    functions: offered === 0 ? null : { offered, called: tried.trial.kind === 'answered' && tried.trial.called },
    adaptations: [...tried.adaptations, ...leftOut.map(({ name }) => `without ${name}`)],
    listed: isListed === null ? null : isListed.listed,
    nearest: isListed === null ? [] : isListed.nearest,
    priced: hasPrice(modelWithListPriceIfUnpriced(model, new Date())),
    usage: sumUsageOfCalls(calls),
  };
  return { check, learnt: tried.learnt };
}

function makeTestQuestion(named: NamedModel): TestQuestion {
  if (named.turn !== undefined) return makeTestTurn(named.turn);
  return named.role === 'embedder' ? { kind: 'vector' } : { kind: 'form' };
}

/** Returns an agent's first turn at a request that only asks for any call. */
function makeTestTurn({ loop, tools, shown, limits }: FirstTurn): TestQuestion {
  const { promptVariables, functions } = agentLoops[loop];
  const variables = promptVariables({
    request: testRequest,
    date: utcWeekdayAndDateText(Date.now()),
    tools,
    limits,
    instructions: [],
  });
  return { kind: 'turn', loop, variables, functions: functions(tools, shown), parallelCalls: limits.parallelCalls };
}

/** Returns whether the endpoint lists the model, and otherwise which similar ones; null if it keeps no usable list. */
async function lookUpModelInEndpointList(
  asked: ModelConfig,
  admission: Admission,
  { ALLOW_LOCAL_SERVERS: allowLocal }: Settings,
): Promise<Pick<ModelCheck, 'listed' | 'nearest'> | null> {
  const fetch: FetchLike = makeGuardedFetch({ admission, allowLocal, maxBytes: listingBytes, timeoutMs: listingMs });
  const offer = await fetchWhetherModelIsListed(asked, fetch);
  if (offer.kind === 'unknown') return null;
  if (offer.kind === 'offered') return { listed: true, nearest: [] };
  return { listed: false, nearest: findNearestNames(asked.model, offer.offered) };
}
