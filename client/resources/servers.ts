import { z } from 'zod';
import type { DescribedServer } from '#core/catalog/described-server.ts';
import { serverRecord, type ServerRecord } from '#core/catalog/server.ts';
import { hostRecord, type HostRecord } from '#core/catalog/hosts/proof.ts';
import type { StatedLimits } from '#core/catalog/stated-limits.ts';
import type { ownersIsolation } from '#core/catalog/isolation/isolation.ts';
import type { RedactionRules } from '#core/catalog/redaction/rules.ts';
import { survey, type Survey } from '#core/catalog/survey.ts';
import type { AllowedEffect, OwnersEffects } from '#core/catalog/effect.ts';
import type { ToolCategory } from '#core/catalog/tool-categories.ts';
import type { OwnersAuth } from '#core/catalog/server-auth.ts';
import { tool } from '#core/catalog/tool.ts';
import { profileVerdicts } from '#core/models/function-schemas/judge-schemas.ts';
import { yieldItemsOfAllPages, type ListOptions } from '../http/pages.ts';
import { escapedPath, type Transport } from '../http/transport.ts';

export interface NewServer {
  readonly name: string;
  readonly domain: string;
  readonly url: string;
  /** Sent with every request to the server; the API stores them encrypted and never returns them. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How requests are authorized by OAuth. */
  readonly auth?: OwnersAuth | undefined;
  /** Categories by the tool's own name. A model gives the others, or rules where no model answers. */
  readonly categories?: Readonly<Record<string, ToolCategory>>;
  /** The most that calls may do on it; without it they only read. */
  readonly allows?: AllowedEffect;
  /** What calls do, by the tool's own name, where the tool says nothing or something wrong. */
  readonly effects?: OwnersEffects;
  /** What is replaced in results and arguments before anything of them is kept or shown. */
  readonly redact?: RedactionRules;
  /** Whether nothing that agents do on it is ever public; without it what was said of a server of this name holds. */
  readonly private?: boolean;
  /** How many requests it takes from the workspace; without it there is no limit. */
  readonly limits?: StatedLimits;
  /** How the state that attempts change on it is kept apart; without it nobody does. */
  readonly isolation?: z.input<typeof ownersIsolation> | undefined;
  /** False keeps a listing from calling any tool; default true. */
  readonly survey?: boolean;
  /** What it is for, in words; without it its own instructions, or what a model writes about its tools. */
  readonly description?: string;
}

const surveyAnswer = z.object({ survey: survey.nullable() });

const importedServers = z.object({ servers: z.array(serverRecord) });

const serverWithTools = z.object({ server: serverRecord, tools: z.array(tool), functionSchemas: profileVerdicts });

/** A server, its tools, and what becomes of their schemas at models' endpoints. */
export type ServerWithTools = z.infer<typeof serverWithTools>;

/** Registered MCP servers. */
export const makeServersClient = (transport: Transport) => ({
  /** Registers a server; the API first lists its tools, which takes as long as the server needs. */
  add: (server: NewServer): Promise<ServerRecord> =>
    transport.requestJson(serverRecord, { method: 'POST', path: '/v1/servers', json: server, repeatable: false }),

  /** Registers servers that are only described, all or none; returns the servers of these names. Repeating it changes nothing. */
  importDescribed: async (described: readonly DescribedServer[]): Promise<ServerRecord[]> => {
    const lines = described.map((server) => `${JSON.stringify(server)}\n`);
    const { servers } = await transport.requestJson(importedServers, {
      method: 'POST',
      path: '/v1/servers/import',
      upload: new Blob(lines),
      headers: { 'content-type': 'text/jsonl' },
      repeatable: true,
    });
    return servers;
  },

  list: (options?: ListOptions): AsyncGenerator<ServerRecord, void, undefined> =>
    yieldItemsOfAllPages(transport, serverRecord, '/v1/servers', {}, options),

  get: (id: string): Promise<ServerWithTools> =>
    transport.requestJson(serverWithTools, { method: 'GET', path: escapedPath`/v1/servers/${id}`, repeatable: true }),

  /** Returns what tools and resources of the server returned when it was listed; null if it was not surveyed. */
  survey: async (id: string): Promise<Survey | null> => {
    const answer = { method: 'GET', path: escapedPath`/v1/servers/${id}/survey`, repeatable: true } as const;
    return (await transport.requestJson(surveyAnswer, answer)).survey;
  },

  /** Lists the server's tools again, with what its owner corrects. */
  relist: (
    id: string,
    corrected: Pick<NewServer, 'allows' | 'effects' | 'redact' | 'private' | 'isolation'> = {},
  ): Promise<ServerRecord> =>
    transport.requestJson(serverRecord, {
      method: 'POST',
      path: escapedPath`/v1/servers/${id}/relist`,
      json: corrected,
      repeatable: true,
    }),

  /** Changes how many requests the server takes, or its secrets. */
  change: (
    id: string,
    changed: Pick<NewServer, 'limits' | 'headers'> & { readonly auth?: OwnersAuth | null },
  ): Promise<ServerRecord> =>
    transport.requestJson(serverRecord, {
      method: 'PATCH',
      path: escapedPath`/v1/servers/${id}`,
      json: changed,
      repeatable: true,
    }),

  /** Returns what proves that a host is the workspace's own, and whether it is proven. */
  readProof: (host: string): Promise<HostRecord> =>
    transport.requestJson(hostRecord, { method: 'GET', path: escapedPath`/v1/hosts/${host}/proof`, repeatable: true }),

  /** Has the proof of a host looked for. */
  prove: (host: string): Promise<HostRecord> =>
    transport.requestJson(hostRecord, {
      method: 'POST',
      path: escapedPath`/v1/hosts/${host}/proof`,
      repeatable: false,
    }),

  remove: (id: string): Promise<void> =>
    transport.requestNoContent({ method: 'DELETE', path: escapedPath`/v1/servers/${id}`, repeatable: false }),
});
