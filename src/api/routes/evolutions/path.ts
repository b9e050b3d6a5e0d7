import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { Result } from '#core/errors.ts';
import type { EvolutionRecord } from '#core/evolution/record.ts';
import type { ApiEnv } from '../../context.ts';
import { findExploration } from '../explorations/find.ts';
import { runParams } from '../run-params.ts';

export const evolutionPath = '/v1/explorations/{id}/evolutions/{number}';
export const evolutionParams = runParams.extend({ number: z.coerce.number().int().min(1).max(10_000) });

/** An evolution of an exploration in the caller's workspace, as it is moved and followed. */
export async function findEvolution(c: Context<ApiEnv>, { id, number }: z.output<typeof evolutionParams>) {
  const run = await findExploration(c, id);
  return {
    get: (): Promise<Result<EvolutionRecord>> => run.getEvolution(number),
    pause: (): Promise<Result<EvolutionRecord>> => run.controlEvolution(number, 'pause'),
    resume: (): Promise<Result<EvolutionRecord>> => run.controlEvolution(number, 'resume'),
    cancel: (): Promise<Result<EvolutionRecord>> => run.controlEvolution(number, 'cancel'),
    fetch(request: Request): Promise<Response> {
      const url = new URL(request.url);
      url.searchParams.set('evolution', String(number));
      return run.fetch(new Request(url, request));
    },
  };
}
