import { type Tool, toolNameWithoutServer } from '#core/catalog/tool.ts';
import type { ArgumentSource, Pair } from './answers.ts';
import { normalizeCaseAndSpace } from '#core/similarity/plain-text.ts';
import { type RequiredArgument, listRequiredArguments, resolveArgumentPath } from '#core/catalog/argument-paths.ts';
import { type Schema, type Verdict, hasFieldVerdict, hasFixedOrDefaultValue } from '#core/catalog/schema-fields.ts';
import { type RelationKind, doesKindSayValuesDifferently } from './relation-kinds.ts';
import { spanVerdict } from './span-value.ts';
import type { RequestSide } from './unit.ts';
import { type Quantity, extractQuantitiesAndRest, mayBeSameQuantity } from '#core/similarity/quantities.ts';

/** Units of other systems, in the smallest unit of the common one. */
const conversions: ReadonlyMap<string, readonly [unit: string, convert: (size: number) => number]> = new Map([
  ['mile', ['mm', (size: number) => size * 1_609_344]],
  ['foot', ['mm', (size: number) => size * 304.8]],
  ['inch', ['mm', (size: number) => size * 25.4]],
  ['fahrenheit', ['celsius', (size: number) => ((size - 32) * 5) / 9]],
]);

/** Largest relative difference of amounts that are the same: people round what they convert. */
const rounding = 0.01;

/**
 * Returns whether words of the two requests state the same value: yes or no where both have amounts, times or dates that
 * can be compared, else `unknown`.
 */
export function sameValueVerdictOnSpans(source: string, followUp: string): Verdict {
  if (normalizeCaseAndSpace(source) === normalizeCaseAndSpace(followUp)) return 'yes';
  const [ours, theirs] = [extractQuantitiesAndRest(source).quantities, extractQuantitiesAndRest(followUp).quantities];
  if (ours.length === 0 || ours.length !== theirs.length) return 'unknown';
  const verdicts = ours.map((quantity, index) => {
    const other = theirs[index];
    return other === undefined ? 'unknown' : sameQuantityVerdict(quantity, other);
  });
  if (verdicts.every((verdict) => verdict === 'yes')) return 'yes';
  return ours.length === 1 && verdicts[0] === 'no' ? 'no' : 'unknown';
}

function sameQuantityVerdict(a: Quantity, b: Quantity): Verdict {
  if (a.kind === 'number' && b.kind === 'number') return sameNumberVerdict(a, b);
  if (mayBeSameQuantity(a, b)) return 'yes';
  // A weekday may be a date, and today too.
  return a.kind === b.kind ? 'no' : 'unknown';
}

type Amount = Extract<Quantity, { kind: 'number' }>;

function sameNumberVerdict(a: Amount, b: Amount): Verdict {
  if (a.unit === null || b.unit === null) {
    if (a.value === b.value) return 'yes';
    return a.unit === b.unit ? 'no' : 'unknown';
  }
  const [one, other] = [convertToCommonUnit(a.unit, a.size), convertToCommonUnit(b.unit, b.size)];
  if (one.unit !== other.unit) return 'unknown';
  return Math.abs(one.size - other.size) <= rounding * Math.max(Math.abs(one.size), Math.abs(other.size))
    ? 'yes'
    : 'no';
}

function convertToCommonUnit(unit: string, size: number): { readonly unit: string; readonly size: number } {
  const [common = unit, to = (same: number) => same] = conversions.get(unit) ?? [];
  return { unit: common, size: to(size) };
}

/** Whether a required argument's value can come from the source that the writer names. */
export interface ArgumentFinding {
  /** The step in the chain, from 1. */
  readonly step: number;
  readonly tool: string;
  /** Its path, as of a field inside of an argument: `items[].name`. */
  readonly argument: string;
  readonly verdict: Verdict;
  /** The reason, in words that tell the refiner what to do. */
  readonly reason: string;
}

export interface StaticCheck {
  /** One finding for each required argument of each step, or for each field inside of it. */
  readonly findings: readonly ArgumentFinding[];
  /** What is wrong with the chain; no new wording can fix it. */
  readonly chainViolations: readonly string[];
  /** What is wrong with the chain or the requests, regardless of the sources. */
  readonly violations: readonly string[];
  /** No finding is a no, and nothing is violated. */
  readonly solvable: boolean;
}

/** The shortest chain that has a transition, for units that are not for one tool; whether candidates allow three is left to the writer. */
const minChain = 2;

/**
 * Checks a pair without a model. For each required argument of each step it follows the sources that the writer named:
 * a span must occur in both requests and state a value of the argument's type, or one span in each of them the same value
 * if the pair's kind of relation converts values; a default must be in the schema, a field
 * in the output schema of an earlier step; what is composed stays open. If several sources are named for one argument, all
 * must be valid; a span is then a part of the value, of any type. Sources of other arguments are ignored. An argument that is an object or a list has one source for all of it, or sources for the
 * fields inside. A field without a source is then `unknown`: it may be one that an agent can choose, such as an id.
 */
export const checkPairStatically = (
  pair: Pair,
  candidates: readonly Tool[],
  relation: RelationKind | null = null,
  leastSteps: number = minChain,
): StaticCheck => {
  const tools = new Map(candidates.map((tool) => [tool.name, tool]));
  const chain = pair.chain.map((name) => tools.get(name));
  const requests = { source: normalizeCaseAndSpace(pair.source), followUp: normalizeCaseAndSpace(pair.followUp) };
  const findings = chain.flatMap((tool, index) =>
    tool ? checkArgumentsOfStep(pair, { tool, step: index + 1, chain, requests, relation }) : [],
  );
  const chainViolations = listChainViolations(pair.chain, tools, leastSteps);
  const violations = [
    ...chainViolations,
    ...listRequestViolations(pair, candidates, requests),
    ...listRelationViolations(pair, relation),
  ];
  return {
    findings,
    chainViolations,
    violations,
    solvable: violations.length === 0 && findings.every(({ verdict }) => verdict !== 'no'),
  };
};

type Followed = Pick<ArgumentFinding, 'verdict' | 'reason'>;

interface Requests {
  readonly source: string;
  readonly followUp: string;
}

interface Place {
  readonly tool: Tool;
  readonly step: number;
  readonly chain: readonly (Tool | undefined)[];
  readonly requests: Requests;
  readonly relation: RelationKind | null;
}

const checkArgumentsOfStep = (pair: Pair, place: Place): ArgumentFinding[] => {
  const { tool, step } = place;
  const followed = new Map<string, { readonly top: string; readonly found: Followed[] }>();
  const origins = pair.arguments.filter((origin) => origin.step === step);
  for (const { argument, source } of origins) {
    const { top, path, schema } = resolveArgumentPath(tool.inputSchema, argument);
    const known = followed.get(path) ?? { top, found: [] };
    const isPart = origins.filter((origin) => origin.argument === argument).length > 1;
    followed.set(path, { top, found: [...known.found, checkArgumentSource(source, isPart ? null : schema, place)] });
  }
  const makeFinding = (path: string, finding: Followed): ArgumentFinding => ({
    step,
    tool: tool.name,
    argument: path,
    ...finding,
  });
  return listRequiredArguments(tool.inputSchema).flatMap((required) => {
    const named = [...followed].filter(([, { top }]) => top === required.path);
    if (named.length === 0) return [makeFinding(required.path, { verdict: 'no', reason: 'no source is named' })];
    const findings = named.map(([path, { found }]) => makeFinding(path, pickWorstFinding(found)));
    const missing = listUnsourcedFields(required, new Set(named.map(([path]) => path)));
    return [...findings, ...missing.map((path) => makeFinding(path, unsourced))];
  });
};

const unsourced: Followed = { verdict: 'unknown', reason: 'no source is named for this field' };

/** Returns the required fields that have no source, and are in nothing that has one. */
const listUnsourcedFields = ({ path, inner }: RequiredArgument, named: ReadonlySet<string>): string[] => {
  if (named.has(path)) return [];
  return inner.length === 0 ? [path] : inner.flatMap((each) => listUnsourcedFields(each, named));
};

/** Checks a source of the argument with a schema, which is null if the source gives only a part of the value. */
const checkArgumentSource = (source: ArgumentSource, schema: Schema | null, place: Place): Followed => {
  const { tool, step, chain } = place;
  switch (source.kind) {
    case 'span':
      return checkSourceSpans({ source: source.text, followUp: source.text }, schema, place);
    case 'spans':
      return checkSourceSpans(source, schema, place);
    case 'default':
      return schema !== null && hasFixedOrDefaultValue(schema, tool.inputSchema)
        ? { verdict: 'yes', reason: 'the schema gives the value' }
        : { verdict: 'no', reason: 'the schema gives no default' };
    case 'composed':
      return { verdict: 'unknown', reason: 'the agent composes the value' };
    case 'field': {
      if (source.step >= step) return { verdict: 'no', reason: `step ${source.step} is not an earlier one` };
      const giver = chain[source.step - 1];
      if (!giver?.outputSchema)
        return { verdict: 'unknown', reason: `step ${source.step} does not describe its output` };
      const verdict = hasFieldVerdict(giver.outputSchema, source.field);
      return {
        verdict,
        reason: `${fieldWords[verdict]} "${shortenText(source.field)}" in the output of step ${source.step}`,
      };
    }
  }
};

/** Checks the words with which each request states a value: each in its request, of the type, and the same value. */
const checkSourceSpans = (
  spans: Readonly<Record<RequestSide, string>>,
  schema: Schema | null,
  { tool, requests, relation }: Place,
): Followed => {
  if (sides.some((side) => normalizeCaseAndSpace(spans[side]) === ''))
    return { verdict: 'no', reason: 'the span is blank' };
  const isSame = normalizeCaseAndSpace(spans.source) === normalizeCaseAndSpace(spans.followUp);
  const quote = (side: RequestSide): string => `"${shortenText(spans[side])}"`;
  const missing = sides.filter((side) => !requests[side].includes(normalizeCaseAndSpace(spans[side])));
  if (missing.length > 0) {
    const reason = isSame
      ? `${quote('source')} is not in ${missing.join(' and ')}`
      : missing.map((side) => `${quote(side)} is not in ${side}`).join(', ');
    return { verdict: 'no', reason };
  }
  const said = isSame
    ? `both requests say ${quote('source')}`
    : `the requests say ${quote('source')} and ${quote('followUp')}`;
  const isQuoted = sides.every((side) => hasSpanInQuotes(normalizeCaseAndSpace(spans[side]), requests[side]));
  const typed =
    schema === null ? [] : sides.map((side) => spanVerdict(schema, tool.inputSchema, spans[side], isQuoted));
  const worst = pickWorstFinding([...typed, checkSpansHaveSameValue(spans, relation)]);
  return { verdict: worst.verdict, reason: worst.verdict === 'yes' ? said : `${said}, which ${worst.reason}` };
};

const sides = ['source', 'followUp'] as const;

/** Whether two spans are of the same value. Where the kind of a pair converts nothing, they have to be the same words. */
const checkSpansHaveSameValue = (
  spans: Readonly<Record<RequestSide, string>>,
  relation: RelationKind | null,
): Followed => {
  const verdict = sameValueVerdictOnSpans(spans.source, spans.followUp);
  if (verdict === 'yes') return { verdict, reason: '' };
  if (verdict === 'no') return { verdict, reason: 'are different values' };
  return doesKindSayValuesDifferently(relation)
    ? { verdict, reason: 'may be the same value' }
    : { verdict: 'no', reason: 'are different words, though the pair converts no values' };
};

const quotes = /["'`“”„«»‘’「」『』《》]/u;

/** Returns whether a request has a span in quotes. */
const hasSpanInQuotes = (span: string, request: string): boolean => {
  for (let at = request.indexOf(span); at >= 0; at = request.indexOf(span, at + 1))
    if (quotes.test(request.charAt(at - 1)) && quotes.test(request.charAt(at + span.length))) return true;
  return false;
};

const fieldWords = { yes: 'there is', no: 'there is no', unknown: 'there may be' } as const;

const shortenText = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 77)}...`);

const pickWorstFinding = (followed: readonly Followed[]): Followed =>
  followed.find(({ verdict }) => verdict === 'no') ??
  followed.find(({ verdict }) => verdict === 'unknown') ??
  followed[0] ?? { verdict: 'no', reason: 'no source is named' };

const listChainViolations = (
  chain: readonly string[],
  tools: ReadonlyMap<string, Tool>,
  leastSteps: number,
): string[] => [
  ...(chain.length < leastSteps ? [`the chain has less than ${leastSteps} steps`] : []),
  ...[...new Set(chain)]
    .filter((tool) => !tools.has(tool))
    .map((tool) => `the chain has ${tool}, which is no candidate`),
];

const listRequestViolations = (pair: Pair, candidates: readonly Tool[], requests: Requests): string[] => [
  ...(['source', 'followUp'] as const).flatMap((request) =>
    candidates
      .filter(({ name }) => isToolNamedIn(name, pair[request]))
      .map(({ name }) => `${request} names the tool ${name}`),
  ),
  ...(requests.source === requests.followUp ? ['source and followUp are the same text'] : []),
];

/** A pair of a converting kind has to say some value in two ways. */
const listRelationViolations = ({ arguments: origins }: Pair, relation: RelationKind | null): string[] => {
  const converts = origins.some(
    ({ source }) =>
      source.kind === 'spans' && normalizeCaseAndSpace(source.source) !== normalizeCaseAndSpace(source.followUp),
  );
  return doesKindSayValuesDifferently(relation) && !converts
    ? [`both requests say every value alike, which is no ${relation}`]
    : [];
};

const joinedPattern = /[_\-.:/]/;
const camelCaseJoint = /[a-z][A-Z]/;

/**
 * Returns whether a text names a tool: by its full `server/tool`, or by its own name if that is an identifier with a
 * joint (`_`, `-`) or in camel case. A name that is a plain word, such as `hash`, may occur in any text.
 */
const isToolNamedIn = (tool: string, text: string): boolean => {
  const own = toolNameWithoutServer(tool);
  const lower = text.toLowerCase();
  if (isWholeIdentifierIn(tool.toLowerCase(), lower)) return true;
  if (joinedPattern.test(own)) return isWholeIdentifierIn(own.toLowerCase(), lower);
  // Without its capitals, a camel-case name may be a plain word: toDo, todo.
  return camelCaseJoint.test(own) && isWholeIdentifierIn(own, text);
};

const identifierChar = /[A-Za-z0-9_]/;

/** Returns whether a text has a name that is no part of a longer identifier. Case counts. */
export const isWholeIdentifierIn = (name: string, text: string): boolean => {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!identifierChar.test(text.charAt(at - 1)) && !identifierChar.test(text.charAt(at + name.length))) return true;
  return false;
};
