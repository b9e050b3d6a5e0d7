import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Caller } from '#core/access/access.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { ToolCategory } from '#core/catalog/tool-categories.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { TryModel } from '#adapters/model/try-model.ts';
import type { Settings } from '#adapters/settings.ts';
import type { StoredModel } from '#core/models/choices.ts';
import type { Answer } from '#core/ports.ts';
import type { WordingMaterial } from '#core/reports/wording-proposal/question.ts';
import type { WordingAnswer } from '#core/reports/wording-proposal/read-answer.ts';
import type { KnownKeys } from './known-keys.ts';
import type { DirectoryService, GovernorService, ObjectKind, Objects } from './services.ts';

/** Caches answers by URL for as long as they allow. */
export interface PageCache {
  match(url: string): Promise<Response | undefined>;
  put(url: string, response: Response): Promise<void>;
}

/** What the composition root passes to the API. */
export interface Services {
  readonly settings: Settings;
  readonly directory: DirectoryService;
  /**
   * Returns the object of a kind with a name. Ask again for each request, because a stub belongs to the request that
   * made it.
   */
  object<Kind extends ObjectKind>(kind: Kind, name: string): Objects[Kind];
  /** Returns the governor with a name. Ask again for each request. */
  governor(name: string): GovernorService;
  /** Asks a model for the categories of tools, by name; tools without an answer are missing. */
  askForCategories(tools: readonly Tool[], admission: Admission): Promise<ReadonlyMap<string, ToolCategory>>;
  /** Asks a model one test question. */
  readonly tryModel: TryModel;
  /** Asks a model to describe a server by its tools; null without a usable answer. */
  askForServerSummary(server: string, tools: readonly Tool[], admission: Admission): Promise<string | null>;
  /** Asks a writer, as a run stores it, for new texts of tools; `prompt` is the `name@version` by which. */
  askForWording(
    writer: StoredModel,
    material: WordingMaterial,
    seed: number,
    admission: Admission,
  ): Promise<{ readonly prompt: string; readonly answer: Answer<WordingAnswer> }>;
  /** Whether the deployment can run the programs of agents with the loop `code`. */
  readonly runsPrograms: boolean;
  /** Returns the document of the pages that `web/` draws, with its headers. */
  readPage(): Promise<Response>;
  /** Draws an SVG as PNG, one at a time. */
  drawPng(svg: string): Promise<Uint8Array>;
  /** Cache for public pages; null if the platform has none or the settings disable it. */
  readonly pageCache: PageCache | null;
}

export interface ApiEnv {
  readonly Variables: {
    services: Services;
    requestId: string;
    /** Sends this request's own requests. */
    admission: Admission;
    /** Has the API itself answer a request, as if a client had sent it. */
    askApi: (request: Request) => Promise<Response>;
    knownKeys: KnownKeys;
    /** The owner of the request's key; null without a known one. */
    identity: Caller | null;
    /** Counts this request's own requests to servers; rejects if their host gets no more. Absent if any number may be made. */
    admit: ((url: URL) => Promise<void>) | undefined;
    /** The caller that passed `admitCallerWithScope`. */
    caller: Caller;
  };
}

export type Api = OpenAPIHono<ApiEnv>;

/** An endpoint adds itself to the API. */
export type Endpoint = (api: Api) => void;
