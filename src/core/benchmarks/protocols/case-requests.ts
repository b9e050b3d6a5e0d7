import { z } from 'zod';
import { findDisturbance } from '#core/traces/disturbances/disturbances.ts';
import type { TaskUnit } from '#core/units/task-unit.ts';
import { requestSide } from '#core/units/unit.ts';

/** The name of one of a case's requests, which its protocol gives. */
export const requestName = z.string().regex(/^[a-z][A-Za-z0-9-]{0,39}$/, 'a letter, then letters, digits and hyphens');
export type RequestName = z.infer<typeof requestName>;

/** The request of a task. */
export const taskRequest = 'request';

/** The second wording of a task, which names no tools and no steps. */
export const fuzzyRequest = 'fuzzy';

/** Returns what a request of a unit asks; null if the unit has no request of that name. Under a disturbance it is the unit's first request. */
export function findRequestText(unit: AskingUnit, name: RequestName): string | null {
  const isDisturbed = findDisturbance(name) !== undefined;
  if (unit.kind === 'task') {
    if (name === taskRequest || isDisturbed) return unit.request;
    return name === fuzzyRequest ? (unit.fuzzy ?? null) : null;
  }
  if (isDisturbed) return unit.source;
  const side = requestSide.safeParse(name);
  return side.success ? unit[side.data] : null;
}

/** Returns what a request of a unit asks; throws if the unit has no request of that name. */
export function requestTextOrThrow(unit: AskingUnit, name: RequestName): string {
  const text = findRequestText(unit, name);
  if (text === null) throw new Error(`the unit has no request ${name}`);
  return text;
}

/** Returns the request that an attempt is made at where nothing disturbs it. */
export const undisturbedRequestOf = ({ kind }: Pick<AskingUnit, 'kind'>, name: RequestName): RequestName => {
  if (findDisturbance(name) === undefined) return name;
  return kind === 'task' ? taskRequest : requestSide.enum.source;
};

/** Returns the wording of what a request asks that says it in full: a fuzzy request's concrete one, else the request itself. */
export const concreteRequestTextOrThrow = (unit: AskingUnit, name: RequestName): string =>
  unit.kind === 'task' ? unit.request : requestTextOrThrow(unit, name);

/** A unit, as far as its requests matter. */
export type AskingUnit =
  | { readonly kind?: 'pair' | undefined; readonly source: string; readonly followUp: string }
  | Pick<TaskUnit, 'kind' | 'request' | 'fuzzy'>;
