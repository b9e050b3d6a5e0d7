import { unitSummary, type UnitSummary } from '#core/exploration/record.ts';
import { items, type ListOptions } from '../pages.ts';
import type { Transport } from '../transport.ts';

/** Units of the middle tier that wait for a person. */
export const reviewsOf = (transport: Transport) => ({
  list: (exploration: string, options?: ListOptions): AsyncGenerator<UnitSummary, void, undefined> =>
    items(transport, unitSummary, '/v1/reviews', { exploration }, options),
});
