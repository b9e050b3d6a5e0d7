import { canonicalJson } from '#core/values/canonical.ts';
import { isEffectWithinLimit } from '#core/catalog/effect.ts';
import { generateSubschemas } from '#core/values/json-schema/subschemas.ts';
import { isJsonObject, type JsonObject } from '#core/values/json-schema/json-object.ts';
import { listDefinitionFindings } from '../check/definitions/list-definition-findings.ts';
import { answerText, isSuccess, oneLine, resultValue, type Answer } from '../check/probes/answer.ts';
import type { LockedCall, LockedServer } from './lock-file.ts';
import { listShapeDifferences, shapeOfValues } from './result-shape.ts';
import { listInputChanges, listOutputChanges } from './schema-changes.ts';

/**
 * What kind of change it is, the gravest first. `hostile`: orders to the model, hidden characters, or a request for secrets, which were not there. `effect`: it
 * may do more. `breaking`: calls or readers that were right may be wrong now. `behaviour`: the same call comes to something else. `widening`: there is
 * more than before. `words`: texts alone.
 */
export const driftClasses = ['hostile', 'effect', 'breaking', 'behaviour', 'widening', 'words'] as const;
export type DriftClass = (typeof driftClasses)[number];

/** How a server differs from a lock. */
export interface Drift {
  readonly server: string;
  /** Null if it is of the server as a whole. */
  readonly tool: string | null;
  readonly class: DriftClass;
  readonly what: string;
  /** The texts that differ, before and now, where words changed. */
  readonly texts?: { readonly before: string; readonly now: string };
  /** The call that shows it. */
  readonly call?: Pick<LockedCall, 'tool' | 'arguments'>;
}

type LockedTool = LockedServer['tools'][number];
type Definitions = Omit<LockedServer, 'calls'>;

/** Rules of `check` that find what turns a definition against those who use it. */
const hostileRules = new Set<string>([
  'instructions-to-model',
  'hidden-characters',
  'look-alike-name',
  'secret-argument',
  'speaks-of-other-server',
]);

/** Returns how a server differs from its lock, the gravest first. `repeated`: what the locked calls came to; empty if none was made. */
export function listDrift(
  before: LockedServer,
  now: Omit<LockedServer, 'calls'>,
  repeated: readonly RepeatedCall[],
): Drift[] {
  const drift = [
    ...listHostileDrift(before, now),
    ...listInstructionDrift(before, now),
    ...listToolDrift(before, now),
    ...listBehaviourDrift(now.name, repeated),
  ];
  return drift.toSorted((one, other) => driftClasses.indexOf(one.class) - driftClasses.indexOf(other.class));
}

/** What `check` finds hostile now and did not find before, by tool, rule and text. */
function listHostileDrift(before: Definitions, now: Definitions): Drift[] {
  const hostile = (server: Definitions) =>
    listDefinitionFindings([{ name: server.name, instructions: server.instructions, tools: server.tools }]).filter(
      ({ rule }) => hostileRules.has(rule),
    );
  const key = (finding: ReturnType<typeof hostile>[number]): string =>
    JSON.stringify([finding.tool, finding.rule, finding.sentence, finding.evidence]);
  const known = new Set(hostile(before).map(key));
  return hostile(now)
    .filter((finding) => !known.has(key(finding)))
    .map((finding) => ({
      server: now.name,
      tool: finding.tool?.slice(now.name.length + 1) ?? null,
      class: 'hostile',
      what: finding.sentence,
    }));
}

const listInstructionDrift = (before: Definitions, now: Definitions): Drift[] =>
  (before.instructions ?? '') === (now.instructions ?? '')
    ? []
    : [
        {
          server: now.name,
          tool: null,
          class: 'words',
          what: 'its instructions have other words',
          texts: { before: before.instructions ?? '', now: now.instructions ?? '' },
        },
      ];

function listToolDrift(before: Definitions, now: Definitions): Drift[] {
  const server = now.name;
  const [old, present] = [before, now].map(({ tools }) => new Map(tools.map((tool) => [tool.name, tool])));
  const names = new Set([...(old?.keys() ?? []), ...(present?.keys() ?? [])]);
  return [...names].toSorted().flatMap((name): Drift[] => {
    const [was, is] = [old?.get(name), present?.get(name)];
    if (is === undefined) return [{ server, tool: name, class: 'breaking', what: 'the tool is gone' }];
    if (was === undefined)
      return [{ server, tool: name, class: 'widening', what: `the tool is new, and ${effectText(is)}` }];
    return compareTools(was, is).map((change) => ({ server, tool: name, ...change }));
  });
}

const effectText = ({ effect }: LockedTool): string =>
  effect === 'unknown' ? 'does not say whether it only reads' : effect;

function compareTools(was: LockedTool, is: LockedTool): Omit<Drift, 'server' | 'tool'>[] {
  const changes: Omit<Drift, 'server' | 'tool'>[] = [];
  if (was.effect !== is.effect)
    changes.push({
      class: isMore(was.effect, is.effect) ? 'effect' : 'words',
      what: `it ${effectText(is)} now; before, it ${effectText(was)}`,
    });
  for (const { breaks, what } of [
    ...listInputChanges(was.inputSchema, is.inputSchema),
    ...listOutputChanges(was.outputSchema, is.outputSchema),
  ])
    changes.push({ class: breaks ? 'breaking' : 'widening', what });
  for (const [name, before, now] of listChangedHints(was, is))
    changes.push({ class: 'words', what: `the hint ${name} is ${now} now, and was ${before}` });
  for (const [where, before, now] of listChangedTexts(was, is))
    changes.push({
      class: 'words',
      what: before === '' ? `${where} is new` : now === '' ? `${where} is gone` : `${where} has other words`,
      texts: { before, now },
    });
  if (changes.length === 0 && canonicalJson(was) !== canonicalJson(is))
    changes.push({ class: 'words', what: 'its definition differs in what says nothing about calls' });
  return changes;
}

/** Hints that stand for no effect, such as `openWorldHint`; those of an effect show as one. */
function listChangedHints(was: LockedTool, is: LockedTool): [name: string, before: string, now: string][] {
  const [old = {}, present = {}] = [was.annotations, is.annotations];
  const shown = (value: unknown): string => (value === undefined ? 'not given' : JSON.stringify(value));
  return [...new Set([...Object.keys(old), ...Object.keys(present)])]
    .filter((name) => name !== 'title' && shown(old[name]) !== shown(present[name]))
    .filter((name) => was.effect === is.effect || !['readOnlyHint', 'destructiveHint'].includes(name))
    .toSorted()
    .map((name) => [name, shown(old[name]), shown(present[name])]);
}

const isMore = (was: LockedTool['effect'], is: LockedTool['effect']): boolean =>
  !isEffectWithinLimit(is, was === 'unknown' ? 'writes' : was);

/** Texts of a definition by where they stand: its title, its description, and those of all parts of its schemas. */
function textsOfTool({ title = '', description = '', inputSchema, outputSchema }: LockedTool): Map<string, string> {
  return new Map([
    ['its title', title],
    ['its description', description],
    ...listSchemaTexts('argument', inputSchema),
    ...listSchemaTexts('result field', outputSchema ?? {}),
  ]);
}

function listSchemaTexts(noun: string, root: JsonObject): [string, string][] {
  const found: [string, string][] = [];
  const open: [path: string, schema: JsonObject][] = [['', root]];
  for (let next = open.pop(); next !== undefined && found.length < 2_000; next = open.pop()) {
    const [path, schema] = next;
    for (const keyword of ['title', 'description'])
      if (typeof schema[keyword] === 'string')
        found.push([`the ${keyword} of ${noun} ${path || '(all)'}`, schema[keyword]]);
    for (const [at, inner] of generateSubschemas(schema, path)) if (isJsonObject(inner)) open.push([at, inner]);
  }
  return found;
}

/** Texts of parts that are on one side only come with the part. */
function listChangedTexts(was: LockedTool, is: LockedTool): [where: string, before: string, now: string][] {
  const [before, now] = [textsOfTool(was), textsOfTool(is)];
  return [...now].flatMap(([where, text]): [string, string, string][] => {
    const old = before.get(where);
    return old === undefined || old === text ? [] : [[where, old, text]];
  });
}

/** What a locked call came to now. */
export interface RepeatedCall {
  readonly call: LockedCall;
  readonly answer: Answer;
}

/** The same call comes to something else: an error, no answer, or a result of another form. */
function listBehaviourDrift(server: string, repeated: readonly RepeatedCall[]): Drift[] {
  return repeated.flatMap(({ call: { tool, arguments: args, shape }, answer }): Drift[] => {
    const drift = { server, tool, class: 'behaviour' as const, call: { tool, arguments: args } };
    if (!isSuccess(answer))
      return [{ ...drift, what: `a call that succeeded fails now: ${oneLine(answerText(answer))}` }];
    const differences = listShapeDifferences(shape, shapeOfValues([resultValue(answer)]));
    return differences.length === 0
      ? []
      : [{ ...drift, what: `the result has another form: ${differences.slice(0, 5).join('; ')}` }];
  });
}
