import { inject } from 'vitest';
import { z } from 'zod';
import { indexMaker, type ScriptedIndex } from './index-control.ts';
import type { IndexSpec } from './index-script.ts';
import {
  askedQuestion,
  serverLog,
  started,
  type AskedQuestion,
  type Rule,
  type ServerLog,
  type ServerSpec,
  type ServerTrick,
} from './script.ts';

/** Steers the servers, models and indexes outside the Worker. For tests inside workerd. */

async function ask(url: string, body?: unknown): Promise<unknown> {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(url, init);
  if (!answer.ok) throw new Error(`${url}: ${await answer.text()}`);
  return answer.json();
}

export interface OutsideServer {
  readonly url: string;
  log(): Promise<ServerLog>;
  trick(method: string, trick: ServerTrick | null): Promise<void>;
  /** From now on its authorization server knows the second secret alone; tokens that it gave are withdrawn. */
  changeSecret(): Promise<void>;
  /** Withdraws the tokens that it gave; consents hold. */
  revokeTokens(): Promise<void>;
  /** Ends all consents, as the people do who gave them. */
  endConsents(): Promise<void>;
  /** Nothing listens there any more. */
  close(): Promise<void>;
}

export async function startServer(spec: ServerSpec): Promise<OutsideServer> {
  const { servers } = inject('world');
  const { id, url } = started.parse(await ask(`${servers}/servers`, spec));
  const at = `${servers}/servers/${id}`;
  return {
    url,
    log: async () => serverLog.parse(await ask(at)),
    trick: async (method, trick) => void (await ask(`${at}/trick`, { method, trick })),
    changeSecret: async () => void (await ask(`${at}/change-secret`, {})),
    revokeTokens: async () => void (await ask(`${at}/revoke-tokens`, {})),
    endConsents: async () => void (await ask(`${at}/end-consents`, {})),
    close: async () => void (await ask(`${at}/close`, {})),
  };
}

export interface OutsideModel {
  readonly baseUrl: string;
  asked(): Promise<AskedQuestion[]>;
  script(rules: readonly Rule[]): Promise<void>;
}

export async function startModel(rules: readonly Rule[] = []): Promise<OutsideModel> {
  const { id, url } = started.parse(await ask(`${inject('world').models}/models`, rules));
  return outsideModel(id, url);
}

/** The model that the deployment is set up with. All tests share it: rules for it have to fit one test's words alone. */
export const deployedModel = (): OutsideModel =>
  outsideModel('deployment', `${inject('world').models}/models/deployment/v1`);

function outsideModel(id: string, baseUrl: string): OutsideModel {
  const at = `${inject('world').models}/models/${id}`;
  return {
    baseUrl,
    asked: async () => z.array(askedQuestion).parse(await ask(at)),
    script: async (next) => void (await ask(`${at}/script`, next)),
  };
}

/** An index of vectors that speaks Upstash's protocol. */
export const startIndex = (spec: IndexSpec = {}): Promise<ScriptedIndex> => indexMaker(inject('world').indexes)(spec);

/** Tools with plain words for names, which the scripted models can chain. The later ones take what the first give. */
export const tools = (...names: readonly string[]): ServerSpec['tools'] =>
  names.map((name, place) => ({
    name,
    description: `Does what ${name} does`,
    inputSchema: {
      type: 'object',
      properties: { [place % 2 === 0 ? 'code' : 'reference']: { type: 'string' } },
      required: [place % 2 === 0 ? 'code' : 'reference'],
    },
    outputSchema: { type: 'object', properties: { reference: { type: 'string' } }, required: ['reference'] },
  }));
