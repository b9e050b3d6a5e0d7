import { z } from 'zod';
import { dialectSetting, learntDialect } from './dialect.ts';
import { priceSource } from './list-prices.ts';
import { prices } from './prices.ts';

/** The roles that an exploration has models in. */
export const explorationRole = z.enum(['writer', 'critic', 'agent']);

/** A model that a client chooses for a role. */
export const modelChoice = z.strictObject({
  baseUrl: z.string().min(1).max(2_000),
  model: z.string().min(1).max(200),
  apiKey: z.string().max(2_000).default(''),
  promptPricePerMTok: prices.shape.promptPricePerMTok.default(0),
  completionPricePerMTok: prices.shape.completionPricePerMTok.default(0),
  cachedPricePerMTok: prices.shape.cachedPricePerMTok,
  cacheWritePricePerMTok: prices.shape.cacheWritePricePerMTok,
  /** In what the endpoint differs from what is known of it. */
  dialect: dialectSetting.optional(),
});
export type ModelChoice = z.infer<typeof modelChoice>;

export const modelChoices = z.partialRecord(explorationRole, modelChoice);

/**
 * A model as a run stores it. `key` is the client's encrypted key, or `deployment` for the deployment's own key; an
 * address that a client named never sees the deployment's key.
 */
export const storedModel = z.object({
  baseUrl: z.string(),
  model: z.string(),
  key: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('deployment') }),
    z.object({ kind: z.literal('own'), encrypted: z.string() }),
    /** The client's key, deleted after use. */
    z.object({ kind: z.literal('forgotten') }),
  ]),
  promptPricePerMTok: z.number(),
  completionPricePerMTok: z.number(),
  cachedPricePerMTok: z.number().optional(),
  cacheWritePricePerMTok: z.number().optional(),
  /** Where its price was read; absent if it was given, or is unknown. */
  priceSource: priceSource.optional(),
  dialect: dialectSetting.optional(),
  /** What its endpoint refused when the run was created. */
  learnt: learntDialect.optional(),
});
export type StoredModel = z.infer<typeof storedModel>;

export const storedModels = z.record(explorationRole, storedModel);
export type StoredModels = z.infer<typeof storedModels>;

/** Binds an encrypted model key to its endpoint. */
export const modelKeyEncryptionContext = (baseUrl: string): string => `model-key:${baseUrl}`;
