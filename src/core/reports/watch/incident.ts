import { z } from 'zod';
import { driftClasses } from '../lock/drift.ts';

/** What a watch counts of a tool at each visit, the plainest first: of several that begin together, the first gives an incident its name. */
export const signals = ['fails', 'answers', 'empty', 'form', 'values', 'slow', 'size'] as const;
export type Signal = (typeof signals)[number];

/**
 * `unreached`: the server cannot be asked. `definitions`: what it offers differs. `success`: agents succeed less often. The others are of the
 * results of calls.
 */
export const incidentKinds = ['unreached', 'definitions', ...signals, 'success'] as const;
export type IncidentKind = (typeof incidentKinds)[number];

const answerAt = z.object({ at: z.string(), text: z.string() });

/** Something about a server that is not as it was. */
export const incident = z.object({
  /** Counts the incidents of a watch from 1. */
  number: z.int().min(1),
  kind: z.enum(incidentKinds),
  /** Tools without their server; empty if it is of the server as a whole. */
  tools: z.array(z.string()),
  /** The gravest class of what differs, of definitions; null for others. */
  class: z.enum(driftClasses).nullable(),
  /** ISO 8601: the first visit that was not as before, and the one that told. */
  since: z.string(),
  foundAt: z.string(),
  /** Null while it lasts. */
  overAt: z.string().nullable(),
  /** Why it is over: all is as before, the owner takes it as it is, or it was told and the new definitions count. */
  end: z.enum(['returned', 'accepted', 'told']).nullable(),
  what: z.string(),
  /** What differs in definitions, a sentence each, with the texts before and now where words do. */
  changes: z.array(
    z.object({
      tool: z.string().nullable(),
      class: z.enum(driftClasses),
      what: z.string(),
      texts: z.object({ before: z.string(), now: z.string() }).optional(),
    }),
  ),
  /** The call that shows it, with its last usual answer and the first unusual one. */
  call: z
    .object({
      tool: z.string(),
      arguments: z.record(z.string(), z.unknown()),
      before: answerAt.nullable(),
      now: answerAt.nullable(),
    })
    .nullable(),
});
export type Incident = Readonly<z.infer<typeof incident>>;

/** Whether users of the server are in danger, or cannot use it. */
export const isGrave = ({ kind, class: ofChange }: Incident): boolean =>
  kind === 'unreached' || ofChange === 'hostile' || ofChange === 'effect' || ofChange === 'breaking';

/** An incident that begins or is over, about which somebody is told once. */
export interface Told {
  readonly event: 'opened' | 'over';
  readonly incident: Incident;
}

const sentences: Readonly<Record<Exclude<IncidentKind, 'unreached' | 'definitions' | 'success'>, string>> = {
  fails: 'calls that succeeded fail',
  answers: 'a call that was refused succeeds',
  empty: 'results are empty',
  form: 'results have another form',
  values: 'values that were always the same are others',
  slow: 'calls take more than twice as long',
  size: 'results have another size',
};

/** Returns what happened to tools, such as `calls that succeeded fail: search, get_order`. */
export const sentenceOfSignal = (signal: Signal, tools: readonly string[]): string =>
  `${sentences[signal]}: ${tools.slice(0, 5).join(', ')}${tools.length > 5 ? ` and ${tools.length - 5} more` : ''}`;
