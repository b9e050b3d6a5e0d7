import type { Context } from 'hono';
import manifest from '#prompts/manifest.json' with { type: 'json' };
import { unitSightOfCaller } from '#core/access/access.ts';
import { evaluationConfig, type StoredAgent } from '#core/evaluation/config.ts';
import type { EvaluationBasis } from '#core/evaluation/create-on-basis.ts';
import { estimateEvaluation } from '#core/evaluation/estimate-evaluation.ts';
import { judgeMeasureSentences } from '#core/evaluation/judge-measure/measure-texts.ts';
import type { LeaderboardCreation } from '#core/leaderboards/record.ts';
import type { JudgeMeasure, ShownMeasure } from '#core/evaluation/judge-measure/judge-measure.ts';
import {
  listPlantedAttempts,
  measureVersion,
  type PlantedAttempt,
} from '#core/evaluation/judge-measure/planted-attempts.ts';
import { plantedVariant } from '#core/evaluation/judge-measure/planted-kinds.ts';
import { taskRequest } from '#core/benchmarks/protocols/case-requests.ts';
import type { EvaluationRecord } from '#core/evaluation/record.ts';
import type { CostEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { isOver } from '#core/exploration/runs.ts';
import type { StoredModel } from '#core/models/choices.ts';
import type { ApiEnv } from './context.ts';
import { createOwnEvaluation } from './create-own-evaluation.ts';
import { newId } from './ids.ts';
import { requireWorkingModels } from './preflight.ts';
import { refusal, unwrap } from './problem.ts';
import { listJudgeModels } from './stored-judges.ts';
import { prepareModelForStorage } from './stored-model.ts';

/** Versions of a prompt are numbered from 1 without a gap. */
const promptVersions = Object.keys(manifest).filter((id) => id.startsWith('judge-success@')).length;

/** The versions of the attempts and of the prompt that a measurement depends on. */
const version = `${measureVersion} judge-success@v${promptVersions}`;

/** Attempts in one call to the evaluation, which keep it far below what a call may carry. */
const attemptsPerCall = 100;

/** Under it a judge is asked for success alone, once for each task. */
const protocol = 'live-mcp-bench';

const agents = plantedVariant.options.map((name): StoredAgent => ({
  name,
  loop: 'uploaded',
  configuration: { loop: 'planted', model: null, limits: {} },
}));

const config = evaluationConfig.parse({
  benchmark: 'attempts with known verdicts',
  name: 'measures its judge on attempts whose verdict is known',
});

function makeBasis(planted: readonly PlantedAttempt[]): EvaluationBasis {
  const units = planted.map(({ unit }) => unit);
  return {
    protocol,
    tools: [],
    units: {
      count: units.length,
      async *pages() {
        yield units;
      },
    },
  };
}

/** A judge with the deployment's embedder, which is asked for nothing. */
const makeJudges = async (c: Context<ApiEnv>, judge: StoredModel) => ({
  judge,
  panel: [],
  embedder: await prepareModelForStorage('embedder', undefined, c.var.services.settings),
});
type Judges = Awaited<ReturnType<typeof makeJudges>>;

/** Estimates what measuring a judge takes. */
export const estimateJudgeMeasure = async (c: Context<ApiEnv>, judge: StoredModel): Promise<CostEstimate> =>
  estimateJudging(await makeJudges(c, judge), listPlantedAttempts());

const estimateJudging = (judges: Judges, planted: readonly PlantedAttempt[]): CostEstimate =>
  estimateEvaluation(
    { agents, ...judges, protocol, config },
    { units: planted.length, tools: [], sample: planted.map(({ unit }) => unit) },
    null,
  );

/**
 * Starts to measure a judge in the caller's workspace, unless it was measured there in its present version or is being measured;
 * with `again` it starts unless it is being measured. Returns the measure as it stands.
 */
export async function startJudgeMeasure(
  c: Context<ApiEnv>,
  judge: StoredModel,
  { again }: { readonly again: boolean },
): Promise<JudgeMeasure> {
  const { services, caller } = c.var;
  const workspace = services.object('workspace', caller.workspace);
  const known = (await workspace.listJudgeMeasures()).find((each) => isOf(each, judge) && each.version === version);
  if (known?.outcome.state === 'measured' && !again) return known;
  const planted = listPlantedAttempts();
  if (known?.outcome.state === 'running' && (await continueIfOnTheWay(c, known.evaluation, planted))) return known;
  const judges = await makeJudges(c, judge);
  const { preflight, withLearnt } = await requireWorkingModels(
    listJudgeModels(judges).filter(({ role }) => role === 'judge'),
    c.var,
  );
  const now = new Date();
  const at = now.toISOString();
  const id = newId('evl', now);
  const measure: JudgeMeasure = {
    model: judge.model,
    baseUrl: judge.baseUrl,
    version,
    evaluation: id,
    startedAt: at,
    outcome: { state: 'running' },
  };
  await workspace.beginJudgeMeasure(measure);
  await createOwnEvaluation(
    c.var.services,
    {
      id,
      workspace: c.var.caller.workspace,
      config,
      agents,
      judge: withLearnt(judge),
      embedder: judges.embedder,
      estimate: estimateJudging(judges, planted),
      preflight,
      servers: [],
      floorOf: null,
      measuresJudge: true,
      at,
    },
    makeBasis(planted),
  );
  await continueIfOnTheWay(c, id, planted);
  return measure;
}

/**
 * Gives an evaluation the attempts that it still lacks: a crash may have come in between. Returns false if there is no such
 * evaluation, or if it is over.
 */
async function continueIfOnTheWay(
  c: Context<ApiEnv>,
  id: string,
  planted: readonly PlantedAttempt[],
): Promise<boolean> {
  const run = c.var.services.object('evaluation', id);
  const record = await run.get();
  if (!record.ok || isOver(record.value.status)) return false;
  const attempts = planted.flatMap(({ unit, traces }) =>
    plantedVariant.options.map((agent) => ({
      unit: unit.id,
      agent,
      trial: 1,
      request: taskRequest,
      trace: traces[agent],
    })),
  );
  const sight = unitSightOfCaller(c.var.caller);
  for (let from = record.value.progress.made; from < attempts.length; from += attemptsPerCall)
    unwrap(
      await run.imports.add(
        { attempts: attempts.slice(from, from + attemptsPerCall), complete: from + attemptsPerCall >= attempts.length },
        sight,
      ),
    );
  return true;
}

const isOf = (measure: JudgeMeasure, { model, baseUrl }: Pick<StoredModel, 'model' | 'baseUrl'>): boolean =>
  measure.model === model && measure.baseUrl === baseUrl;

/** Refuses submissions to a leaderboard whose judge is not, or not yet, right as often as the leaderboard demands. */
export async function throwIfJudgeNotRightEnough(
  c: Context<ApiEnv>,
  { workspace, judge, judgeAccuracy }: Pick<LeaderboardCreation, 'workspace' | 'judge' | 'judgeAccuracy'>,
): Promise<void> {
  if (judgeAccuracy === undefined) return;
  const judges = await readMeasures(c, workspace, [judge]);
  const outcome = judges[0]?.measure?.outcome;
  if (outcome?.state === 'measured' && (outcome.figures.accuracy.value ?? 0) >= judgeAccuracy) return;
  const standing = judgeMeasureSentences(judges)[0] ?? '';
  throw refusal(
    'wrong-state',
    `the leaderboard takes submissions once its judge is right on ${judgeAccuracy} of the attempts whose verdict is known. ${standing}`,
  );
}

/** Returns the judges of an evaluation with their measures in the caller's workspace; none where nobody judges. */
export async function readMeasuresOfJudges(
  c: Context<ApiEnv>,
  { config: { judges }, judge, panel }: Pick<EvaluationRecord, 'config' | 'judge' | 'panel'>,
): Promise<ShownMeasure[]> {
  if (!judges) return [];
  return readMeasures(c, c.var.caller.workspace, [judge, ...panel]);
}

/** Returns judges with their measures in a workspace, in their order. */
export async function readMeasures(
  c: Context<ApiEnv>,
  workspace: string,
  judges: readonly Pick<StoredModel, 'model' | 'baseUrl'>[],
): Promise<ShownMeasure[]> {
  const measures = await c.var.services.object('workspace', workspace).listJudgeMeasures();
  return judges.map(({ model, baseUrl }) => ({
    model,
    baseUrl,
    measure: measures.find((measure) => isOf(measure, { model, baseUrl }) && measure.version === version) ?? null,
  }));
}
