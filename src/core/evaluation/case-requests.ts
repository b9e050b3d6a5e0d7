import { z } from 'zod';
import type { BenchmarkUnit } from '#core/benchmarks/benchmark.ts';
import { requestSide } from '#core/units/unit.ts';

/** The name of one of a case's requests, which its protocol gives. */
export const requestName = z.string().regex(/^[a-z][A-Za-z0-9-]{0,39}$/, 'a letter, then letters, digits and hyphens');
export type RequestName = z.infer<typeof requestName>;

/** The requests of a case in the protocol `sgvef`, in the order in which they are attempted. */
export const sgvefRequests: readonly RequestName[] = requestSide.options;

/** Returns what a request of a unit asks; throws if the unit has no request of that name. */
export const requestTextOrThrow = (unit: Pick<BenchmarkUnit, 'source' | 'followUp'>, name: RequestName): string =>
  unit[requestSide.parse(name)];
