import { z } from 'zod';
import type { Development } from '../engine/development.ts';
import { readBenchOptions, makeLogOutsideJson } from './shared/options.ts';
import { roundToHundredths } from './shared/rounded.ts';
import { startStubModels } from './stubs/stub-models.ts';
import { startStubServers } from './stubs/stub-mcp-server.ts';
import { measureOnTemporaryWorker } from './shared/with-worker.ts';

/**
 * `npm run bench:loop`: the overhead of a unit without its models and tools, and whether it grows with the run. Models
 * and tools answer immediately, so all the time of a round counts as ours: docs/measurements.md.
 */
const options = readBenchOptions('Measures the overhead of a unit of an exploration.');
const say = makeLogOutsideJson(options);
const servers = 10;
const toolsPerServer = 10;
const rounds = options.smallest ? 7 : 60;
const batch = 10;
/**
 * What each tool says of itself. As long as the mean of the 147 tools of the bundled servers, 222 tokens by our estimate
 * with its name, so that the agent's tokens are those of a real catalog.
 */
const definition = {
  description:
    'Takes a text, does to it what the name of the tool says, and gives the changed text back. Use it where a later step needs the text in another form. ' +
    'It keeps nothing between two calls, needs no session, and fails only if the text is missing or longer than what the server was set up for.',
  inputSchema: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    type: 'object',
    properties: {
      text: {
        type: 'string',
        minLength: 1,
        description: 'The text to change, in any language; at most 10,000 characters.',
      },
      language: {
        type: 'string',
        description: 'The language of the text as a code of two letters; guessed if it is left out.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 100, default: 10, description: 'The most changes to make.' },
    },
    required: ['text'],
    additionalProperties: false,
  },
};
/** Windows of rounds whose means are reported. */
const windows = { '5': [3, 7], ...(!options.smallest && { '30': [28, 32], '60': [56, 60] }) } as const;

const committed = z.object({
  at: z.string(),
  event: z.object({
    type: z.string(),
    round: z.number().optional(),
    rowsWritten: z.number().optional(),
    usage: z.object({ promptTokens: z.number(), completionTokens: z.number() }).optional(),
  }),
});
const made = z.object({ id: z.string() });
const record = z.object({ status: z.string(), reason: z.string().nullable(), units: z.record(z.string(), z.number()) });

interface RoundCost {
  readonly wallMs: number;
  readonly rows: number;
  readonly tokens: number;
  /** Those of the base agent. */
  readonly agentTokens: number;
}

const stubs = await startStubServers({ servers, toolsPerServer, definition });
let agentTokens = 0;
const models = await startStubModels({
  onRequest: ({ tools }, tokens) => {
    if (tools !== undefined) agentTokens += tokens;
  },
});
try {
  await measureOnTemporaryWorker(options, async (worker) => printCosts(await measureRoundCosts(worker)));
} finally {
  await Promise.all([stubs.close(), models.close()]);
}

function printCosts(costs: readonly RoundCost[]): void {
  const perUnit = Object.fromEntries(
    Object.entries(windows).map(([name, [from, to]]) => {
      const inside = costs.slice(from - 1, to);
      const mean = (of: (cost: RoundCost) => number): number =>
        inside.reduce((sum, cost) => sum + of(cost), 0) / inside.length / (batch + 1);
      return [
        name,
        {
          overheadMs: roundToHundredths(mean(({ wallMs }) => wallMs)),
          rows: roundToHundredths(mean(({ rows }) => rows)),
          tokens: roundToHundredths(mean(({ tokens }) => tokens)),
          agentTokens: roundToHundredths(mean((cost) => cost.agentTokens)),
        },
      ];
    }),
  );
  for (const [round, cost] of Object.entries(perUnit)) {
    say(
      `round ${round.padStart(2)}: ${cost.overheadMs} ms, ${cost.rows} rows, ${cost.tokens} tokens a unit, ${cost.agentTokens} of the agent`,
    );
  }
  if (options.json) console.log(JSON.stringify({ rounds: perUnit }));
}

async function callApi<T>(
  { url, key }: Development,
  schema: z.ZodType<T>,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
  return schema.parse(await response.json());
}

/** Runs the exploration and returns the cost of each round, in order. */
async function measureRoundCosts(worker: Development): Promise<RoundCost[]> {
  const ids: string[] = [];
  for (let n = 0; n < servers; n += 1) {
    const server = await callApi(worker, made, 'POST', '/v1/servers', {
      name: `s${n}`,
      domain: 'bench',
      url: stubs.urlOf(n),
      allows: 'destroys',
    });
    ids.push(server.id);
  }
  const catalog = await callApi(worker, made, 'POST', '/v1/catalogs', { servers: ids });
  const model = { baseUrl: models.url, model: 'stub' };
  const run = await callApi(worker, made, 'POST', '/v1/explorations', {
    catalog: catalog.id,
    // What sgvef does once every tool is covered.
    strategy: 'hierarchical',
    batch,
    budget: { rounds },
    models: { writer: model, critic: model, agent: model },
  });
  const costs: RoundCost[] = [];
  let before = { atMs: performance.now(), rows: 0, tokens: 0, agentTokens: 0 };
  for await (const event of yieldAllEventsOfRun(worker, run.id)) {
    const { type, usage, rowsWritten = 0 } = event.event;
    if (type !== 'round.committed' || usage === undefined) continue;
    const tokens = usage.promptTokens + usage.completionTokens;
    const now = { atMs: performance.now(), rows: rowsWritten, tokens, agentTokens };
    costs.push({
      wallMs: now.atMs - before.atMs,
      rows: now.rows - before.rows,
      tokens: now.tokens - before.tokens,
      agentTokens: now.agentTokens - before.agentTokens,
    });
    before = now;
    if (costs.length % 10 === 0) say(`${costs.length} rounds`);
  }
  const end = await callApi(worker, record, 'GET', `/v1/explorations/${run.id}`);
  const expected = { accepted: rounds * batch, review: 0, rejected: 0, lost: 0, dropped: 0, probes: rounds };
  if (JSON.stringify(end.units) !== JSON.stringify(expected)) {
    throw new Error(`not every unit was executed: ${JSON.stringify(end)}`);
  }
  return costs;
}

async function* yieldAllEventsOfRun({ url, key }: Development, run: string): AsyncGenerator<z.infer<typeof committed>> {
  const response = await fetch(`${url}/v1/explorations/${run}/events`, {
    headers: { authorization: `Bearer ${key}` },
  });
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('data: {"id"')) yield committed.parse(JSON.parse(line.slice('data: '.length)));
    }
  }
}
