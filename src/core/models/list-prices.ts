import { z } from 'zod';
import rows from './list-prices.json' with { type: 'json' };
import { prices, type Prices } from './prices.ts';

const date = z.iso.date();

/** Where a price was read. */
export const priceSource = z.object({
  /** The day on which it stood there. */
  readOn: date,
  url: z.url(),
});
export type PriceSource = z.infer<typeof priceSource>;

/** What a provider publishes for some of its models. */
const listPrice = z.strictObject({
  ...prices.shape,
  host: z.string(),
  models: z.array(z.string()).min(1),
  /** The last day on which it holds, where the provider names one. */
  until: date.optional(),
  /** What the price leaves out, for a person. */
  note: z.string().optional(),
  readOn: date,
  source: z.url(),
});

const listPrices = z.array(listPrice).parse(rows);

/** Returns the published prices, for the documentation and for tests. */
export const getListPrices = (): readonly z.infer<typeof listPrice>[] => listPrices;

/** A dated version of a model costs what the model costs, such as `gpt-5.4-2026-03-05` or `claude-haiku-4-5-20251001`. */
const version = /-(?:\d{4}-\d{2}-\d{2}|\d{8})$/;

/**
 * Returns what a provider publishes for a model at its own address on a day, and where that stands; null if nothing is
 * known. Other addresses may cost something else, so nothing is known of them.
 */
export function findListPriceOrNull(
  { baseUrl, model }: { readonly baseUrl: string; readonly model: string },
  at: Date,
): { readonly prices: Prices; readonly source: PriceSource } | null {
  const host = URL.canParse(baseUrl) ? new URL(baseUrl).hostname : '';
  const name = model.replace(/^models\//, '');
  const day = at.toISOString().slice(0, 10);
  const found = listPrices.find(
    (row) =>
      row.host === host &&
      (row.models.includes(name) || row.models.includes(name.replace(version, ''))) &&
      (row.until === undefined || day <= row.until),
  );
  if (found === undefined) return null;
  const { host: _, models: __, until: ___, note: ____, readOn, source, ...priced } = found;
  return { prices: priced, source: { readOn, url: source } };
}

/** A model with its prices as they are stored: 0 for prompt and completion means that nobody has given one. */
interface Priceable extends Prices {
  readonly baseUrl: string;
  readonly model: string;
}

/** Returns a model with the published price if nobody has given one, and where that price stands. */
export function modelWithListPriceIfUnpriced<Model extends Priceable>(
  model: Model,
  at: Date,
): Model & { readonly priceSource?: PriceSource } {
  if (hasPrice(model)) return model;
  const found = findListPriceOrNull(model, at);
  return found === null ? model : { ...model, ...found.prices, priceSource: found.source };
}

/**
 * Returns a model with the published price, whatever price somebody gave, and where it stands; with the given price, and without a
 * source, if nothing is known of the model at its address.
 */
export function modelWithListPrice<Model extends Priceable & { readonly priceSource?: PriceSource | undefined }>(
  model: Model,
  at: Date,
): Model {
  const found = findListPriceOrNull(model, at);
  if (found === null) return { ...model, priceSource: undefined };
  const { cachedPricePerMTok, cacheWritePricePerMTok } = found.prices;
  return { ...model, ...found.prices, cachedPricePerMTok, cacheWritePricePerMTok, priceSource: found.source };
}

/** Returns whether anybody has given a price for a model. */
export const hasPrice = ({
  promptPricePerMTok,
  completionPricePerMTok,
}: Pick<Prices, 'promptPricePerMTok' | 'completionPricePerMTok'>): boolean =>
  promptPricePerMTok > 0 || completionPricePerMTok > 0;

/** A price by which a run's costs are computed. */
export const usedPrice = z
  .object({
    /** The role of the model, or the name of the agent. */
    of: z.string(),
    model: z.string(),
    ...prices.shape,
    /** Where a published price was read; null if the deployment or the client gave it. */
    source: priceSource.nullable(),
  })
  .meta({ id: 'UsedPrice' });
export type UsedPrice = z.infer<typeof usedPrice>;

/** Returns the prices of the models that have one. */
export const listUsedPrices = (
  models: readonly {
    readonly of: string;
    readonly model: Priceable & { readonly priceSource?: PriceSource | undefined };
  }[],
): UsedPrice[] =>
  models
    .filter(({ model }) => hasPrice(model))
    .map(({ of, model }) => ({
      of,
      model: model.model,
      promptPricePerMTok: model.promptPricePerMTok,
      completionPricePerMTok: model.completionPricePerMTok,
      ...(model.cachedPricePerMTok === undefined ? {} : { cachedPricePerMTok: model.cachedPricePerMTok }),
      ...(model.cacheWritePricePerMTok === undefined ? {} : { cacheWritePricePerMTok: model.cacheWritePricePerMTok }),
      source: model.priceSource ?? null,
    }));
