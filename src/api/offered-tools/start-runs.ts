import { z } from '@hono/zod-openapi';
import { agentName, evaluationConfig, modelName } from '#core/evaluation/config.ts';
import { modelLoop } from '#core/benchmarks/protocols/loops.ts';
import { nullPolicy } from '#core/evaluation/null-agents.ts';
import { evaluationRecord } from '#core/evaluation/record.ts';
import { budget, explorationConfig } from '#core/exploration/config.ts';
import { explorationRecord } from '#core/exploration/record.ts';
import { briefEvaluation, briefExploration, runBrief, type RunBrief } from '#core/reports/offered-tools/run-brief.ts';
import { costEstimate } from '#core/exploration/estimates/cost-estimate.ts';
import { estimateOutput, estimateText, startInputs } from './inputs.ts';
import { makeTool, type ToolCall } from './make-tool.ts';
import { runTextAndData } from './runs.ts';

const startedOutput = z.object({
  run: runBrief.nullable().describe('Null after a dry run'),
  estimate: estimateOutput.nullable(),
  next: z.array(z.string()).describe('What can be done next'),
});

/** A run calls tools of servers, up to what their owners allow; with the same key it is started once. */
const startHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: true };

const limitsOfBudget = {
  costUsd: budget.shape.costUsd.describe('The run ends when it has cost this many US dollars'),
  tokens: budget.shape.tokens.describe('The run ends when it has taken this many tokens'),
  wallMs: budget.shape.wallMs.describe('The run ends after this many milliseconds'),
};

const startExploration = makeTool({
  name: 'start_exploration',
  title: 'Start an exploration',
  description:
    'Starts an exploration of a catalog: it writes requests that need several tools, lets an agent carry them out on the real servers, and finds out which tools work. It calls tools up to what their servers allow. It costs model tokens: try `dryRun` first. Models with their own keys, knowledge and other settings are for the API.',
  input: z.strictObject({
    catalog: explorationConfig.shape.catalog.describe('The id that create_catalog returned'),
    name: explorationConfig.shape.name.describe('A name for people'),
    budget: z.strictObject({
      rounds: budget.shape.rounds.unwrap().describe('Rounds of `batch` units each; 1 to 5 for a first look'),
      ...limitsOfBudget,
    }),
    batch: explorationConfig.shape.batch.describe('Units in a round'),
    ...startInputs,
  }),
  output: startedOutput,
  hints: startHints,
  run: ({ idempotencyKey, dryRun, ...body }, call) =>
    startRun('/v1/explorations', { idempotencyKey, dryRun, body }, call, async (started) =>
      briefExploration(await started(explorationRecord)),
    ),
});

const agent = z.union([
  z.strictObject({
    name: agentName.describe('A name of your own, by which results name it'),
    model: modelName.describe("The model's name at the endpoint of the deployment"),
    loop: modelLoop.optional().describe("How it calls tools; by default the protocol's"),
  }),
  z.strictObject({
    name: agentName,
    loop: z.literal('null'),
    policy: nullPolicy.describe('What it does, knowing nothing: its figures are the floor'),
  }),
]);

const { shape } = evaluationConfig;

const startEvaluation = makeTool({
  name: 'start_evaluation',
  title: 'Start an evaluation',
  description:
    'Lets agents work on the units of a benchmark, calls the real servers, and scores them. It costs model tokens: try `dryRun` first, and `sample`. Agents are models at the endpoint of the deployment; other endpoints, their keys and external agents are for the API.',
  input: z.strictObject({
    benchmark: shape.benchmark.describe('The id of a benchmark, `bm_...`'),
    name: shape.name.describe('A name for people'),
    agents: z.array(agent).min(1).max(20),
    trials: shape.trials.describe('How often each agent gets each unit'),
    sample: shape.sample.describe('Only some units, drawn by a seed'),
    judges: shape.judges.describe('Whether a model judges answers; without it only scores by rules are made'),
    budget: z.strictObject(limitsOfBudget).prefault({}),
    ...startInputs,
  }),
  output: startedOutput,
  hints: startHints,
  run: ({ idempotencyKey, dryRun, ...body }, call) =>
    startRun('/v1/evaluations', { idempotencyKey, dryRun, body }, call, async (started) =>
      briefEvaluation(await started(evaluationRecord)),
    ),
});

interface Start {
  readonly idempotencyKey: string;
  readonly dryRun: boolean;
  readonly body: unknown;
}

/** Starts a run, or estimates what it would take. */
async function startRun(
  path: string,
  { idempotencyKey, dryRun, body }: Start,
  { api }: ToolCall,
  brief: (started: <T>(record: z.ZodType<T>) => Promise<T>) => Promise<RunBrief>,
): Promise<{ readonly text: string; readonly data: z.input<typeof startedOutput> }> {
  const asked = { method: 'POST', body, headers: { 'idempotency-key': idempotencyKey } } as const;
  if (dryRun) {
    const { estimate } = await api.ask(path, z.object({ estimate: costEstimate }), { ...asked, query: { dryRun } });
    const next = ['repeat the call without `dryRun` to start it'];
    return { text: `Nothing was started. ${estimateText(estimate)}`, data: { run: null, estimate, next } };
  }
  const { text, data } = runTextAndData(await brief((record) => api.ask(path, record, asked)));
  return { text, data: { ...data, estimate: null } };
}

export const startTools = [startExploration, startEvaluation];
