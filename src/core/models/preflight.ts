import { z } from 'zod';
import type { InfrastructureFault } from './faults.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { LeftOutFunction } from '#core/models/model-call.ts';
import { isRefusedForGood } from './breaker.ts';
import { structuredOutput } from './dialect.ts';
import { noUsage, usage } from './usage.ts';

/** What an agent is asked to do in a test question; nothing of it is carried out. */
export const testRequest =
  'This only tests the connection, before work begins: call any one of your tools, with arguments of your own. Nothing is carried out.';

/** A tool with a schema as published servers write them, for a test question without a catalog. */
export const sampleTool: Tool = {
  name: 'files/read',
  server: 'files',
  domain: 'files',
  category: 'filesystem',
  description: 'Reads lines of a file.',
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      path: { type: 'string', minLength: 1, description: 'Where it is' },
      lines: { type: 'integer', exclusiveMinimum: 0, default: 10 },
      encoding: { type: ['string', 'null'], enum: ['utf-8', 'latin-1', null] },
    },
    required: ['path'],
    additionalProperties: false,
  },
};

/** The roles of models. */
export const roleNames = z.enum(['writer', 'critic', 'agent', 'judge', 'embedder']);

/** What a model is asked: an answer in a form, a turn of an agent, or a vector. */
export const trialKind = z.enum(['form', 'turn', 'vector']);

/**
 * What a test question came to. `refused`: the endpoint or the model will never do what a run needs; `unreachable`: nobody
 * answers at the address; `unclear`: nothing is known, because the trouble may pass.
 */
export const trialVerdict = z.enum(['works', 'refused', 'unreachable', 'unclear']);

/** What is known of a model in its roles after a test question. */
export const modelCheck = z.object({
  /** The roles in which it is used like this. */
  roles: z.array(z.string()),
  kind: trialKind,
  model: z.string(),
  /** The host of its endpoint. */
  host: z.string(),
  /** How the endpoint is spoken to. */
  wire: z.string(),
  verdict: trialVerdict,
  /** Why it does not work, or what is remarkable though it works, in the provider's words where it gave any. */
  detail: z.string().nullable(),
  /** What the endpoint takes to enforce the form of an answer; null if it was not asked for one. */
  structuredOutput: structuredOutput.nullable(),
  /** How many functions it was offered, and whether it called one; null for a question without functions. */
  functions: z.object({ offered: z.int(), called: z.boolean() }).nullable(),
  /** In what requests had to differ from what is published of the endpoint, such as `seed: none`. */
  adaptations: z.array(z.string()),
  /** Whether the endpoint's list of models has it; null if it keeps no usable list, or was not asked for it. */
  listed: z.boolean().nullable(),
  /** Models that the endpoint lists under similar names, if it does not list this one. */
  nearest: z.array(z.string()),
  /** Whether its price is known, so that a budget in dollars bounds it. */
  priced: z.boolean(),
  usage,
});
export type ModelCheck = z.infer<typeof modelCheck>;

/** What test questions before a run came to. */
export const preflight = z.object({
  /** What does not stop the run, but may explain its results. */
  warnings: z.array(z.string()),
  /** What the test questions took; it is no part of the run's own usage. */
  usage,
});
export type Preflight = z.infer<typeof preflight>;

export const noPreflight: Preflight = { warnings: [], usage: noUsage };

/** The result of a test question, before it is judged. */
export type Trial =
  | { readonly kind: 'answered'; readonly called: boolean }
  /** The model answered, but not in the form that it was asked for. */
  | { readonly kind: 'formless'; readonly detail: string }
  /** The endpoint stopped the answer by a filter, or at its limit. */
  | { readonly kind: 'stopped'; readonly detail: string }
  | { readonly kind: 'overflowed' }
  | {
      readonly kind: 'fault';
      readonly fault: InfrastructureFault;
      readonly tooManyFunctions: boolean;
      /** The provider's words. */
      readonly quoted: string | null;
    };

/** What a test question offered. */
interface Offered {
  /** How many functions. */
  readonly offered: number;
  /** Set if they are more than the endpoint takes: what the client can do about it, or that attempts do without. */
  readonly tooMany: 'route' | 'mount-less' | 'fall-back' | null;
}

const remedies = {
  route: 'With the loop `routing` an agent has two functions, however many tools there are',
  'mount-less': 'A smaller mounting shows fewer tools',
} as const;

/** Judges a test question. After `fall-back` the trial is that of a turn without functions. */
export function verdictAndDetailOfTrial(
  trial: Trial,
  { offered, tooMany }: Offered,
): Pick<ModelCheck, 'verdict' | 'detail'> {
  switch (trial.kind) {
    case 'answered':
      if (tooMany === 'fall-back') return { verdict: 'works', detail: fellBack };
      return {
        verdict: 'works',
        detail: offered > 0 && !trial.called ? 'it was asked to call a function, and called none' : null,
      };
    case 'formless':
      return { verdict: 'refused', detail: `it does not answer in the form that it is asked for: ${trial.detail}` };
    case 'stopped':
      return { verdict: 'unclear', detail: trial.detail };
    case 'overflowed':
      return { verdict: 'works', detail: `its window is too small for the longest list of tools, with ${offered}` };
    case 'fault':
      return { verdict: verdictOnFault(trial), detail: faultText(trial, { offered, tooMany }) };
  }
}

/** How many functions that are left out are named. */
const mostNamed = 5;

/** Returns the check with the functions that are left out named in its detail, if it says that the model works. */
export function addLeftOutFunctionsToCheck<Check extends Pick<ModelCheck, 'verdict' | 'detail'>>(
  check: Check,
  leftOut: readonly LeftOutFunction[],
  offered: number,
): Check {
  if (leftOut.length === 0 || check.verdict !== 'works') return check;
  const named = leftOut.slice(0, mostNamed).map(({ name }) => name);
  const names = leftOut.length > mostNamed ? [...named, '...'] : named;
  const detail = `it does not take ${leftOut.length} of ${offered} tools as functions, which are left out: ${names.join(', ')}`;
  return { ...check, detail: check.detail === null ? detail : `${check.detail}; ${detail}` };
}

const fellBack =
  'it takes fewer functions than there are tools, so attempts have the tools in words (`prompted-calling`)';

type FaultTrial = Extract<Trial, { kind: 'fault' }>;

function verdictOnFault({ fault, tooManyFunctions }: FaultTrial): ModelCheck['verdict'] {
  if (tooManyFunctions || isRefusedForGood(fault)) return 'refused';
  switch (fault.code) {
    case 'address-forbidden':
    // What answers speaks another language.
    case 'malformed-protocol':
      return 'refused';
    case 'unreachable':
    case 'connection-lost':
      return 'unreachable';
    default:
      return 'unclear';
  }
}

function faultText({ fault, quoted, tooManyFunctions }: FaultTrial, { offered, tooMany }: Offered): string {
  const said = quoted === null ? fault.detail : `${fault.detail}: "${quoted}"`;
  if (!tooManyFunctions || tooMany === null || tooMany === 'fall-back') return said;
  return `it takes fewer than the ${offered} functions of the longest list of tools (${said}). ${remedies[tooMany]}`;
}

/** Returns in one line what is to be known of a model that does not work, or of which nothing is known. */
export function modelCheckText({ roles, model, host, verdict, detail, listed, nearest }: ModelCheck): string {
  const said = {
    works: 'works',
    refused: 'cannot be used',
    unreachable: 'does not answer',
    unclear: 'could not be tested',
  }[verdict];
  const advice =
    listed !== false
      ? ''
      : ` Its endpoint does not list it${nearest.length === 0 ? '' : `, but ${nearest.join(', ')}`}.`;
  return `${roles.join(', ')}: ${model} at ${host} ${said}${detail === null ? '' : `: ${detail}`}.${advice}`;
}

/** How many similar names are given as advice. */
const mostNearest = 5;

/** Returns the listed names that are most like a name, best first. */
export function findNearestNames(name: string, listed: readonly string[]): string[] {
  const wanted = listLetterPairs(name);
  return listed
    .map((each) => ({ each, likeness: diceCoefficient(wanted, listLetterPairs(each)) }))
    .filter(({ likeness }) => likeness > 0)
    .toSorted((a, b) => b.likeness - a.likeness)
    .slice(0, mostNearest)
    .map(({ each }) => each);
}

const listLetterPairs = (name: string): ReadonlySet<string> =>
  new Set(Array.from({ length: Math.max(0, name.length - 1) }, (_, at) => name.slice(at, at + 2).toLowerCase()));

/** The Dice coefficient of two sets. */
const diceCoefficient = (a: ReadonlySet<string>, b: ReadonlySet<string>): number =>
  a.size + b.size === 0 ? 0 : (2 * a.intersection(b).size) / (a.size + b.size);
