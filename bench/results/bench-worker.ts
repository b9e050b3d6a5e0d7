import { noPreflight } from '#core/models/preflight.ts';
import { defaultScoring } from '#core/scoring/parameters.ts';
import sextant, { EvaluationRun as ProductEvaluationRun, type Workspace } from '../../src/index.ts';
import { z } from 'zod';
import { defaultProtocol } from '#core/benchmarks/protocols/protocols.ts';
import { evaluationConfig } from '#core/evaluation/config.ts';
import { createEvaluationOnBasis } from '#core/evaluation/create-on-basis.ts';
import type { StoredModel } from '#core/models/choices.ts';
import { EvaluationFigures } from '#durable-objects/evaluation/evaluation-figures.ts';
import { EvaluationStore } from '#durable-objects/evaluation/evaluation-store.ts';
import { unitPages } from '../../tests/support/unit-pages.ts';
import { syntheticCase, syntheticTools, syntheticUnit } from './synthetic.ts';

export * from '../../src/index.ts';

/**
 * Sextant with extra endpoints for the measurement: they create an evaluation whose agents nobody runs, end its cases,
 * and drop cached answers.
 */
const creation = z.object({ id: z.string(), agents: z.array(z.string()), units: z.int(), trials: z.int() });
const part = creation.extend({ from: z.int(), to: z.int() });

/** The workspace of the key of a Worker of `npm start`. */
const rootWorkspace = 'main';
const at = '2026-01-01T00:00:00.000Z';
const nobody: StoredModel = {
  model: 'none',
  baseUrl: 'http://127.0.0.1:9',
  key: { kind: 'deployment' },
  promptPricePerMTok: 0,
  completionPricePerMTok: 0,
};

export class EvaluationRun extends ProductEvaluationRun {
  /** Ends the cases of some units as their commits would. */
  storeSyntheticFinishedCases({ agents, trials, from, to }: z.infer<typeof part>): void {
    const { storage } = this.ctx;
    const store = new EvaluationStore(storage.sql);
    const figures = new EvaluationFigures(storage, store, () => ({
      protocol: defaultProtocol,
      scoring: defaultScoring,
    }));
    storage.transactionSync(() => {
      for (let n = from; n < to; n += 1) {
        const unit = syntheticUnit(n);
        for (const agent of agents)
          for (let trial = 1; trial <= trials; trial += 1) {
            const each = figures.withCaseScoresIfDone(syntheticCase(unit, agent, trial));
            store.updateCase(each, 'nobody');
            figures.addFinishedCaseOnce(each, unit.chain);
          }
      }
    });
  }

  dropKeptAnswers(): void {
    this.ctx.storage.sql.exec('DELETE FROM kept_answers');
  }
}

type ProductEnv = Parameters<typeof sextant.fetch>[1];
type Env = Omit<ProductEnv, 'EVALUATION_RUN' | 'WORKSPACE'> & {
  readonly EVALUATION_RUN: DurableObjectNamespace<EvaluationRun>;
  readonly WORKSPACE: DurableObjectNamespace<Workspace>;
};

export default {
  ...sextant,
  async fetch(request, env, context) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/bench/create') return createEvaluationForBench(creation.parse(await request.json()), env);
    if (pathname === '/bench/fill') {
      const wanted = part.parse(await request.json());
      await env.EVALUATION_RUN.getByName(wanted.id).storeSyntheticFinishedCases(wanted);
      return new Response();
    }
    if (pathname === '/bench/forget') {
      await env.EVALUATION_RUN.getByName(searchParams.get('id') ?? '').dropKeptAnswers();
      return new Response();
    }
    return sextant.fetch(request, env, context);
  },
} satisfies ExportedHandler<Env>;

async function createEvaluationForBench(
  { id, agents, units, trials }: z.infer<typeof creation>,
  env: Env,
): Promise<Response> {
  const workspace = env.WORKSPACE.getByName(rootWorkspace);
  await workspace.addResource('evaluation', { id, object: id, json: JSON.stringify({ createdAt: at }) });
  await createEvaluationOnBasis(
    env.EVALUATION_RUN.getByName(id),
    {
      id,
      workspace: rootWorkspace,
      config: evaluationConfig.parse({ benchmark: 'bm_synthetic', trials, split: 'all' }),
      agents: agents.map((name) => ({ name, loop: 'external', limits: { timeMs: 60_000, callTimeoutMs: 30_000 } })),
      judge: nobody,
      embedder: nobody,
      servers: [],
      offline: true,
      submission: null,
      floorOf: null,
      panel: [],
      rejudges: null,
      preflight: noPreflight,
      at,
    },
    {
      protocol: 'sgvef',
      tools: syntheticTools,
      units: unitPages(Array.from({ length: units }, (_, n) => syntheticUnit(n))),
    },
  );
  return new Response();
}
