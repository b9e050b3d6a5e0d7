import { z } from 'zod';
import { sampleByLogWeight, type Random } from '#core/values/random.ts';

/**
 * How the two requests of a unit differ while they want the same: the kinds of the metamorphic relation, with what a
 * writer is told about each. Source: SGVEF-Loop, appendix E (rewriting, order of parameters, unit conversion, expanded and
 * merged detail, context that does not affect the intent).
 */
const relations = {
  paraphrase: 'Other words and another sentence structure or tone; every value stays as it is, letter by letter.',
  order: 'The same things asked for or given in another order within the request, where the order does not matter.',
  'unit-conversion':
    'An amount in another unit, exactly the same amount: 90 minutes, an hour and a half; 2 km, 2000 metres.',
  'value-form': 'A value in another form: 5, five; 2030-05-17, 17 May 2030; a list in brackets, a list in words.',
  'added-context':
    'The follow-up adds context that changes nothing: a background, a reason, an aside, with names or numbers that no call needs.',
  detail:
    'Details that one request gives in one phrase are spread over several sentences in the other, or the reverse.',
} as const;

export const relationKinds = [
  'paraphrase',
  'order',
  'unit-conversion',
  'value-form',
  'added-context',
  'detail',
] as const satisfies readonly (keyof typeof relations)[];

/** One kind of the metamorphic relation. */
export const relationKind = z.enum(relationKinds);
export type RelationKind = z.infer<typeof relationKind>;

/** Whether pairs of a kind say the same value in different ways. */
export const doesKindSayValuesDifferently = (kind: RelationKind | null): boolean =>
  kind === 'unit-conversion' || kind === 'value-form';

const weight = z.number().min(0).max(1_000).default(1);

/** How often each kind is asked for, relative to the others; even by default. */
export const relationWeights = z
  .strictObject({
    paraphrase: weight,
    order: weight,
    'unit-conversion': weight,
    'value-form': weight,
    'added-context': weight,
    detail: weight,
  })
  .refine((weights) => Object.values(weights).some((each) => each > 0), { message: 'one weight has to be above 0' });
export type RelationWeights = z.infer<typeof relationWeights>;

/** Draws the kind that the writer of a pair is asked for. */
export function drawRelationKindByWeight(random: Random, weights: RelationWeights): RelationKind {
  const possible = relationKinds.filter((kind) => weights[kind] > 0);
  return sampleByLogWeight(random, possible, (kind) => Math.log(weights[kind]), 1)[0] ?? 'paraphrase';
}

/** The kind of a unit's pair: what its writer was asked for, and what it says that it wrote; null until then. */
export const unitRelation = z.object({ asked: relationKind, written: relationKind.nullable() });

/** Returns a kind as prompts show it; a paraphrase for units of earlier releases, which were all asked for one. */
export const makePromptRelation = (
  kind: RelationKind | null | undefined,
): { readonly kind: RelationKind; readonly about: string } => {
  const known = kind ?? 'paraphrase';
  return { kind: known, about: relations[known] };
};
