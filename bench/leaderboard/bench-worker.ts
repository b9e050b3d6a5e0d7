import { z } from 'zod';
import sextant, { type Leaderboard } from '../../src/index.ts';
import { syntheticPublication } from './synthetic.ts';

export * from '../../src/index.ts';

/**
 * Sextant with two extra endpoints for the measurement: one publishes without a submission, one reports how many rows
 * of the ranking were read and written.
 */
const publishing = z.object({ board: z.string(), from: z.int(), to: z.int(), units: z.int() });

type Env = Parameters<typeof sextant.fetch>[1] & { readonly LEADERBOARD: DurableObjectNamespace<Leaderboard> };

export default {
  ...sextant,
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/bench/publish') {
      const { board, from, to, units } = publishing.parse(await request.json());
      const object = env.LEADERBOARD.getByName(board);
      for (let n = from; n < to; n += 1) {
        const published = await object.publishUnlessSuspicious(syntheticPublication(n, units));
        if (published.kind !== 'published') return Response.json(published, { status: 500 });
      }
      return new Response();
    }
    if (pathname === '/bench/rows')
      return Response.json(await env.LEADERBOARD.getByName(searchParams.get('board') ?? '').countRankingRows());
    return sextant.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;
