import { nameOnServer, type Tool } from '#core/catalog/tool.ts';
import type { ArgumentSource, Pair } from '#core/units/answers.ts';
import { plainText } from '#core/similarity/plain-text.ts';
import { hasSchemaValue, fieldVerdict, requiredArguments, type Verdict } from '#core/catalog/schema-fields.ts';

/** Whether a required argument's value can come from the source that the writer names. */
export interface ArgumentFinding {
  /** The step in the chain, from 1. */
  readonly step: number;
  readonly tool: string;
  readonly argument: string;
  readonly verdict: Verdict;
  /** The reason, in words that tell the refiner what to do. */
  readonly reason: string;
}

export interface StaticCheck {
  /** One finding for each required argument of each step. */
  readonly findings: readonly ArgumentFinding[];
  /** What is wrong with the chain; no new wording can fix it. */
  readonly chainViolations: readonly string[];
  /** What is wrong with the chain or the requests, regardless of the sources. */
  readonly violations: readonly string[];
  /** No finding is a no, and nothing is violated. */
  readonly solvable: boolean;
}

/** The shortest chain that has a transition; whether candidates allow three tools is left to the writer. */
const minChain = 2;

/**
 * Checks a pair without a model. For each required argument of each step it follows the sources that the writer named:
 * a span must occur in both requests, a default in the schema, a field in the output schema of an earlier step. If
 * several sources are named for one argument, all must be valid; sources of other arguments are ignored.
 */
export const checkPair = (pair: Pair, candidates: readonly Tool[]): StaticCheck => {
  const tools = new Map(candidates.map((tool) => [tool.name, tool]));
  const chain = pair.chain.map((name) => tools.get(name));
  const requests = { source: plainText(pair.source), followUp: plainText(pair.followUp) };
  const findings = chain.flatMap((tool, index) =>
    tool
      ? requiredArguments(tool.inputSchema).map((argument): ArgumentFinding => {
          const step = index + 1;
          const followed = pair.arguments
            .filter((origin) => origin.step === step && origin.argument === argument)
            .map(({ source }) => checkSource(source, { tool, argument, step, chain, requests }));
          return { step, tool: tool.name, argument, ...worstFinding(followed) };
        })
      : [],
  );
  const chainViolations = listChainViolations(pair.chain, tools);
  const violations = [...chainViolations, ...listRequestViolations(pair, candidates, requests)];
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
  readonly argument: string;
  readonly step: number;
  readonly chain: readonly (Tool | undefined)[];
  readonly requests: Requests;
}

const checkSource = (source: ArgumentSource, { tool, argument, step, chain, requests }: Place): Followed => {
  switch (source.kind) {
    case 'span': {
      const span = plainText(source.text);
      const missing = [
        ...(requests.source.includes(span) ? [] : ['source']),
        ...(requests.followUp.includes(span) ? [] : ['followUp']),
      ];
      if (span === '') return { verdict: 'no', reason: 'the span is blank' };
      return missing.length === 0
        ? { verdict: 'yes', reason: `both requests say "${shortenText(source.text)}"` }
        : { verdict: 'no', reason: `"${shortenText(source.text)}" does not stand in ${missing.join(' and ')}` };
    }
    case 'default':
      return hasSchemaValue(tool.inputSchema, argument)
        ? { verdict: 'yes', reason: 'the schema gives the value' }
        : { verdict: 'no', reason: 'the schema gives no default' };
    case 'field': {
      if (source.step >= step) return { verdict: 'no', reason: `step ${source.step} is not an earlier one` };
      const giver = chain[source.step - 1];
      if (!giver?.outputSchema)
        return { verdict: 'unknown', reason: `step ${source.step} does not describe its output` };
      const verdict = fieldVerdict(giver.outputSchema, source.field);
      return {
        verdict,
        reason: `${fieldWords[verdict]} "${shortenText(source.field)}" in the output of step ${source.step}`,
      };
    }
  }
};

const fieldWords = { yes: 'there is', no: 'there is no', unknown: 'there may be' } as const;

const shortenText = (text: string): string => (text.length <= 80 ? text : `${text.slice(0, 77)}...`);

const worstFinding = (followed: readonly Followed[]): Followed =>
  followed.find(({ verdict }) => verdict === 'no') ??
  followed.find(({ verdict }) => verdict === 'unknown') ??
  followed[0] ?? { verdict: 'no', reason: 'no source is named' };

const listChainViolations = (chain: readonly string[], tools: ReadonlyMap<string, Tool>): string[] => [
  ...(chain.length < minChain ? [`the chain has less than ${minChain} steps`] : []),
  ...[...new Set(chain)].flatMap((tool) => [
    ...(tools.has(tool) ? [] : [`the chain has ${tool}, which is no candidate`]),
    ...(chain.indexOf(tool) === chain.lastIndexOf(tool) ? [] : [`the chain has ${tool} twice`]),
  ]),
];

const listRequestViolations = (pair: Pair, candidates: readonly Tool[], requests: Requests): string[] => [
  ...(['source', 'followUp'] as const).flatMap((request) =>
    candidates
      .filter(({ name }) => isNamedIn(name, pair[request]))
      .map(({ name }) => `${request} names the tool ${name}`),
  ),
  ...(requests.source === requests.followUp ? ['source and followUp are the same text'] : []),
];

const joinedPattern = /[_\-.:/]/;
const camelCaseJoint = /[a-z][A-Z]/;

/**
 * Returns whether a text names a tool: by its full `server/tool`, or by its own name if that is an identifier with a
 * joint (`_`, `-`) or in camel case. A name that is a plain word, such as `hash`, may occur in any text.
 */
const isNamedIn = (tool: string, text: string): boolean => {
  const own = nameOnServer(tool);
  const lower = text.toLowerCase();
  if (isWholeIdentifierIn(tool.toLowerCase(), lower)) return true;
  if (joinedPattern.test(own)) return isWholeIdentifierIn(own.toLowerCase(), lower);
  // Without its capitals, a camel-case name may be a plain word: toDo, todo.
  return camelCaseJoint.test(own) && isWholeIdentifierIn(own, text);
};

const identifierChar = /[A-Za-z0-9_]/;

const isWholeIdentifierIn = (name: string, text: string): boolean => {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (!identifierChar.test(text.charAt(at - 1)) && !identifierChar.test(text.charAt(at + name.length))) return true;
  return false;
};
