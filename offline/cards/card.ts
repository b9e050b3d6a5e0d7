import type { z } from 'zod';

/**
 * A card says in plain words what one tool does, which values it needs and what its result provides. The offline writer
 * words requests from cards; the offline agents understand requests with them. Only the text of the request passes
 * between the two.
 */
export interface Card {
  /** `server/tool` */
  readonly tool: string;
  /**
   * At least three different wordings, imperative, lower case, without a final stop. `{name}` stands for a slot.
   * Every required slot appears in each wording; optional slots appear in all of them or in none.
   * No wording contains the tool's name.
   */
  readonly phrases: readonly string[];
  /** Arguments whose values come from the request's text or from an earlier result. */
  readonly slots: Readonly<Record<string, Slot>>;
  /** Arguments that the tool needs and that always have the same value. The phrases imply it. */
  readonly constants?: Readonly<Record<string, unknown>>;
  /** What a later step can take from the text of a successful result; empty if nothing is useful. */
  readonly gives: readonly Output[];
}

/** A value as a request states it: lists and objects as JSON. */
export type SampleValue = Exclude<z.infer<ReturnType<typeof z.json>>, null>;

/** A place for one value. */
export interface Slot {
  readonly kind: ValueKind;
  /** Values that the real server accepts on its fixture; at least three if the tool allows. */
  readonly samples: readonly SampleValue[];
  /**
   * How the value becomes the tool's argument, if it is not the argument itself: a JSON template in which the string
   * "$value" stands for it, for example `[{"name": "$value", "entityType": "note", "observations": []}]`.
   */
  readonly argument?: unknown;
}

/** One value in a result. */
export interface Output {
  readonly kind: ValueKind;
  /** How a request refers to it, with an article, unique among all cards: "the SHA-256 digest", "the median". */
  readonly noun: string;
  /** Its place in the result's text: the whole text, a dotted path into the text's JSON, or a pattern's first group. */
  readonly pick: { readonly whole: true } | { readonly path: string } | { readonly pattern: string };
}

/**
 * The kind of a value. An output can fill a slot of the same kind; every output can fill a `text` slot, and an
 * `integer` a `number` slot.
 */
export type ValueKind = string;
