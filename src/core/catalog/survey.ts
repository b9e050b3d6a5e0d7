import { z } from 'zod';

/** What one tool or resource of a server returned. */
export const surveyEntry = z.object({
  kind: z.enum(['tool', 'resource-list', 'resource']),
  /** The tool as `server/tool`, `resources/list`, or the resource's URI. */
  from: z.string().max(2_000),
  /** The beginning of the text. */
  text: z.string(),
  /** Characters that were left out at the end; 0 if the text is whole. */
  cutChars: z.int().min(0),
});
export type SurveyEntry = z.infer<typeof surveyEntry>;

/** What a server's read-only tools and its resources returned when the server was listed. */
export const survey = z.object({
  /** ISO 8601. */
  at: z.string(),
  entries: z.array(surveyEntry),
  /** Calls and reads that returned an error, nothing, or no text. */
  failed: z.int().min(0),
  /** Why there are no entries, if the server could not be asked at all. */
  problem: z.string().nullable(),
});
export type Survey = z.infer<typeof survey>;

/** The outcome of a survey in the record of its server. */
export const surveyOutcome = z.object({
  /** False if nothing of the server may be called when it is listed. */
  on: z.boolean(),
  /** Null before the first survey. */
  at: z.string().nullable(),
  /** How many tools and resources returned something. */
  entries: z.int().min(0),
  failed: z.int().min(0),
  problem: z.string().nullable(),
});
export type SurveyOutcome = z.infer<typeof surveyOutcome>;

/** Returns the outcome of a survey; null for a server that has none. */
export const makeSurveyOutcome = (on: boolean, made: Survey | null): SurveyOutcome => ({
  on,
  at: made?.at ?? null,
  entries: made?.entries.length ?? 0,
  failed: made?.failed ?? 0,
  problem: made?.problem ?? null,
});

/** The survey of one server of a catalog, as a run copies it. */
export const serverSurvey = z.object({ server: z.string(), at: z.string(), entries: z.array(surveyEntry) });
export type ServerSurvey = z.infer<typeof serverSurvey>;
