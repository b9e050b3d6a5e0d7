import { z } from 'zod';
import { breachWords, resetPath, seenPath } from './ledger.ts';
import { rules } from './rules.ts';

/** The entry of that Worker. */
export const platformEntry = 'tests/support/platform/worker.ts';

const figure = z.enum(Object.keys(rules));
export const report = z.object({
  invocations: z.number(),
  resets: z.number(),
  figures: z.record(z.string(), z.partialRecord(figure, z.number())),
  breaches: z.array(
    z.object({ rule: figure, kind: z.string(), where: z.string(), says: z.string(), times: z.number() }),
  ),
});
export type Report = z.infer<typeof report>;

export async function readReport(url: string): Promise<Report> {
  return report.parse(await (await fetch(`${url}${seenPath}`)).json());
}

/** Resets the object that next performs this method. */
export async function resetObjectAt(url: string, method: string): Promise<void> {
  const { ok, status } = await fetch(`${url}${resetPath}?at=${method}`, { method: 'POST' });
  if (!ok) throw new Error(`no reset: ${status}`);
}

/** Returns the broken rules among the lines that a Worker printed. */
export const breachesIn = (printed: string): string[] =>
  printed.split('\n').filter((line) => line.includes(breachWords));
