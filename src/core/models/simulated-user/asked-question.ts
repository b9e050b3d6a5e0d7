import { z } from 'zod';

/** What the simulated user of a run does when a server asks its user something: decline, or answer from the request. */
export const userPolicy = z.enum(['decline', 'answer']);
export type UserPolicy = z.infer<typeof userPolicy>;

/** Questions of one call that a step keeps. */
export const mostKeptQuestions = 10;

/** A question that a server asked its user in a call, and what it was answered. */
export const askedQuestion = z.object({
  /** The beginning of the server's message. */
  message: z.string().max(500),
  /** The names of the values that it wanted. */
  fields: z.array(z.string().max(200)).max(50),
  /** The values that it was given; null if it was declined. */
  answer: z.record(z.string().max(200), z.unknown()).nullable(),
  /** Who decided: the run's policy, a rule about questions that are never answered, or the model of this name. */
  by: z.union([z.enum(['policy', 'rule']), z.object({ model: z.string().max(200) })]),
  /** Why, in a few words. */
  why: z.string().max(300),
});
export type AskedQuestion = z.infer<typeof askedQuestion>;

/** Returns what a reader of figures has to know of the policy; nothing for the default. */
export const userPolicyNotesForReaders = (policy: UserPolicy): string[] =>
  policy === 'decline'
    ? []
    : ["What servers asked their user in calls was answered from the request by the judge's model."];
