import { z } from 'zod';

/** What an agent did with tools of its own, such as a shell, which its answers at the model gateway asked for; null where none did. */
export const ownTools = z
  .object({
    /** Calls, and the evaluated attempts that made any. */
    calls: z.int(),
    attempts: z.int(),
    /** Those of these attempts that have a response, although they called no tool of a server. */
    instead: z.int(),
  })
  .nullable();
export type OwnTools = z.infer<typeof ownTools>;

interface Told {
  readonly name: string;
  readonly ownTools: OwnTools;
  readonly answers: { readonly withoutCalls: number };
}

/** Returns a sentence for each agent that called tools of its own: it tells answers around the servers from those without doing anything. */
export const ownToolSentences = (agents: readonly Told[]): string[] =>
  agents.flatMap(({ name, ownTools: own, answers: { withoutCalls } }) => {
    if (own === null) return [];
    const { calls, attempts, instead } = own;
    return [
      `${name} called tools of its own ${calls === 1 ? 'once' : `${calls} times`}, in ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${instead} of its answers came by them alone, without the servers, and ${withoutCalls - instead} without any call.`,
    ];
  });
