import { computeHmacBytes } from './hmac.ts';

/** What requests share if they share an endpoint's limits: providers count by key and model. */
interface GovernedEndpoint {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string;
}

/**
 * Returns the name of an endpoint's governor: an HMAC under the deployment's key, so that it shows nothing of the endpoint's, and
 * nobody who has another key gets the same.
 */
export async function computeGovernorName(key: string, { baseUrl, model, apiKey }: GovernedEndpoint): Promise<string> {
  const signed = await computeHmacBytes(key, `governor:${JSON.stringify([baseUrl, model, apiKey])}`);
  return signed.toHex();
}
