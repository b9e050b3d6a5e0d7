import type { z } from 'zod';
import { modelChoice } from '#core/models/choices.ts';
import type { Given } from './command.ts';
import { modelKeyOptions, readModelKeyIfGiven } from './model-key.ts';
import { makeSchemaNumberParser, optionalOption, makeSchemaTextParser } from './options.ts';
import { UsageError } from '../../engine/usage-error.ts';

const parsePrice = makeSchemaNumberParser(modelChoice.shape.promptPricePerMTok);

/** Where a model is asked, with which key, and what it costs. */
export const endpointOptions = {
  baseUrl: optionalOption(
    'base-url',
    'URL',
    "the models' OpenAI-compatible endpoint; the deployment's own without it, which only its workspace may use",
    makeSchemaTextParser(modelChoice.shape.baseUrl),
  ),
  ...modelKeyOptions,
  promptPrice: optionalOption(
    'prompt-price',
    'USD',
    'of a million prompt tokens; without prices the cost is unknown',
    parsePrice,
  ),
  completionPrice: optionalOption('completion-price', 'USD', 'of a million completion tokens', parsePrice),
};

type Endpoint = Omit<z.input<typeof modelChoice>, 'model'>;

/** Returns the endpoint that a line names, or undefined. */
export async function readEndpoint(given: Given): Promise<Endpoint | undefined> {
  const [url, apiKey] = [given.parseOptionValue(endpointOptions.baseUrl), await readModelKeyIfGiven(given)];
  const prices = {
    promptPricePerMTok: given.parseOptionValue(endpointOptions.promptPrice),
    completionPricePerMTok: given.parseOptionValue(endpointOptions.completionPrice),
  };
  if (url !== undefined) return { baseUrl: url, apiKey, ...prices };
  if (apiKey !== undefined || Object.values(prices).some((price) => price !== undefined))
    throw new UsageError('a key and prices belong to an endpoint: give --base-url too');
  return undefined;
}
