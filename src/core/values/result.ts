import type { Problem } from './errors.ts';

/**
 * A value or an expected failure. `problem` says why: inside core a reason with its data, at the border what a client
 * is told (`Problem`).
 */
export type Result<T, E = Problem> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const err = <E>(problem: E): { readonly ok: false; readonly problem: E } => ({ ok: false, problem });

/** Converts the problem of a result, such as a reason to what a client is told. */
export const mapErr = <T, E, F>(result: Result<T, E>, of: (problem: E) => F): Result<T, F> =>
  result.ok ? result : err(of(result.problem));
