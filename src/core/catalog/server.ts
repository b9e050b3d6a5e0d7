import { z } from 'zod';
import { errorMarks } from './call-counts.ts';
import { surveyOutcome, type ServerSurvey, type Survey } from './survey.ts';
import {
  leftOutTool,
  serverDescription,
  serverInfo,
  type ServerDescription,
  type LeftOutTool,
  type ServerSelfDescription,
} from './server-description.ts';
import { longDescription } from './shown-description.ts';
import { categoryCounts, categorySource } from './tool-categories.ts';
import { allowedEffect, effectCounts, ownersEffects, type AllowedEffect, type OwnersEffects } from './effect.ts';
import { isolation, noIsolation, shownIsolation, type Isolation } from './isolation/isolation.ts';
import { shownAuth, storedAuth, type StoredAuth } from './server-auth.ts';
import { domainName, serverName, type Tool } from './tool.ts';
import { statedLimits, type StatedLimits } from './stated-limits.ts';
import { redactionRules, storedRedactionRules, type RedactionRules } from './redaction/rules.ts';

/**
 * A registered remote MCP server as clients see it: with the names of its secret headers, but never their values. One without
 * an address is only described: its tools are listed and found, and nobody can call them.
 */
export const serverRecord = z.object({
  id: z.string(),
  name: serverName,
  domain: domainName,
  url: z.string().nullable(),
  headerNames: z.array(z.string()),
  /** How its requests are authorized by OAuth; null if they are not. */
  auth: shownAuth.nullable(),
  tools: z.int(),
  /** How many of its tools have each category. */
  categories: categoryCounts,
  /** How many of its tools have their category from whom; none of those that an earlier release gave. */
  categorizedBy: z.record(categorySource, z.int()),
  /** Tools that it lists and that nobody can be offered, such as those with a broken schema. */
  leftOut: z.array(leftOutTool),
  /** Tools whose descriptions are so long that models get their beginnings alone. */
  longDescriptions: z.array(longDescription),
  /** How many of its tools have each effect. */
  effects: effectCounts,
  /** The most that calls of its tools may do. */
  allows: allowedEffect,
  /** What is never kept of its tools' results and arguments. */
  redact: redactionRules,
  /** Whether nothing that agents did on it is ever public; boards over it show figures alone. */
  private: z.boolean(),
  /** How many requests it takes; nothing where its owner does not say. */
  limits: statedLimits,
  /** How the state that attempts change on it is kept apart. */
  isolation: shownIsolation,
  createdAt: z.string(),
  listedAt: z.string(),
  survey: surveyOutcome,
  /** What it calls itself; null if it does not say, and for listings of earlier releases. */
  info: serverInfo.nullable(),
  /** The version of MCP that it speaks with us; null for listings of earlier releases, and for one that is only described. */
  protocolVersion: z.string().nullable(),
  /** What it says about its use when a client connects. */
  instructions: z.string().nullable(),
  /** What it is for, and who says so; searches for tools compare it with queries. */
  description: serverDescription.nullable(),
  /**
   * How it marks its tools' errors as errors, over all evaluations of this workspace, submissions aside; null if they saw none. `reported` errors
   * were marked as successes, although their text reports an error.
   */
  errors: z.object({ marks: z.enum(errorMarks).nullable(), marked: z.int(), reported: z.int() }),
});
export type ServerRecord = z.infer<typeof serverRecord>;

/** How to reach a server, and what it is for. The headers are encrypted under the context `headersEncryptionContext(url)`. */
export const serverConnection = z.object({
  name: serverName,
  /** Null if it is only described. */
  url: z.string().nullable(),
  headers: z.string().nullable(),
  /** How its requests are authorized by OAuth; null if they are not, and in runs of earlier releases. */
  auth: storedAuth.nullable().default(null),
  /** What it is for; null in runs of earlier releases. */
  description: z.string().nullable().default(null),
  /** What it says about its use; null if nothing, and in runs of earlier releases. */
  instructions: z.string().nullable().default(null),
  /** The most that calls may do, and the effects that its owner gave; runs of earlier releases had no limit. */
  allows: allowedEffect.default('destroys'),
  effects: ownersEffects.default({}),
  /** The version of MCP that it spoke when it was listed; null in runs of earlier releases, which began with `initialize`. */
  protocolVersion: z.string().nullable().default(null),
  /** What is never kept of its results and arguments; runs of earlier releases kept everything. */
  redact: storedRedactionRules,
  /** How many requests it takes, and the governor that counts those of all runs; null if it has no limits, as in runs of earlier releases. */
  limits: statedLimits.extend({ governor: z.string() }).nullable().default(null),
  /** How attempts are kept apart on it; nobody said so in runs of earlier releases. */
  isolation: isolation.default(noIsolation),
});
export type ServerConnection = z.infer<typeof serverConnection>;

/** Returns the limits of a server as runs keep them; null if its owner states none. */
export const makeServerLimitsForRunsOrNull = (id: string, limits: StatedLimits): ServerConnection['limits'] =>
  Object.keys(limits).length === 0 ? null : { ...limits, governor: serverGovernorName(id) };

/** Returns the name of what governs the requests to a server of a workspace, in all of its runs. */
export const serverGovernorName = (id: string): string => `server:${id}`;

/** Binds encrypted headers to their server, so that they cannot be used for another one. */
export const headersEncryptionContext = (url: string): string => `server-headers:${url}`;

export const catalogRecord = z.object({
  id: z.string(),
  servers: z.array(z.object({ id: z.string(), name: serverName, domain: domainName, tools: z.int() })),
  tools: z.int(),
  /** How many of its tools have each category. */
  categories: categoryCounts,
  /** How many of its tools have each effect; missing in catalogs of earlier releases. */
  effects: effectCounts.optional(),
  /** How many tools of its servers were left out because of what their calls do. */
  aboveLimit: z.int().default(0),
  createdAt: z.string(),
});
export type CatalogRecord = z.infer<typeof catalogRecord>;

/** Who gave a server's tools their categories, by the tool's full name. */
export const categorySources = z.record(z.string(), categorySource);
export type CategorySources = Readonly<z.infer<typeof categorySources>>;

/** What a new listing of a server found. */
export interface ServerListing extends ServerSelfDescription {
  readonly tools: readonly Tool[];
  readonly categorySources: CategorySources;
  /** What the owner says about the tools' effects, and the most that calls may do. */
  readonly ownersEffects: OwnersEffects;
  readonly allows: AllowedEffect;
  readonly redact: RedactionRules;
  /** Absent if what was said of a server of this name still holds. */
  readonly private?: boolean | undefined;
  readonly isolation: Isolation;
  /** Whether the server is surveyed whenever it is listed. */
  readonly surveyed: boolean;
  readonly leftOut: readonly LeftOutTool[];
  readonly description: ServerDescription | null;
  readonly survey: Survey | null;
  readonly at: string;
}

/** Headers of a server as they are stored: encrypted, with their names in plain text. */
export interface StoredHeaders {
  readonly headers: string | null;
  readonly headerNames: readonly string[];
}

/** What a server's owner changes of it without a new listing. What is absent stays. */
export interface ServerChange {
  readonly limits?: StatedLimits;
  readonly headers?: StoredHeaders;
  readonly auth?: StoredAuth | null;
}

/** The secrets of a server as they are stored. */
export interface ServerSecrets {
  readonly name: string;
  readonly url: string;
  readonly headers: string | null;
  readonly auth: StoredAuth | null;
}

export interface NewServer extends ServerListing, StoredHeaders {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  /** Null if the server is only described. */
  readonly url: string | null;
  readonly auth: StoredAuth | null;
  /** None if absent. */
  readonly limits?: StatedLimits;
}

/** What an exploration of a catalog needs from its workspace. */
export interface ExplorationBasis {
  readonly tools: readonly Tool[];
  readonly servers: readonly ServerConnection[];
  readonly surveys: readonly ServerSurvey[];
}
