import type { EmbeddedTool } from '#core/similarity/retrieval/rank-tools.ts';
import type { DescribedServer } from '#core/catalog/described-server.ts';
import { parseToolFile } from '#core/benchmarks/formats/live-mcp-bench/described-servers.ts';
import {
  embeddedChars,
  makeRetrievalTextOfServer,
  makeRetrievalTextOfTool,
} from '#core/similarity/retrieval/retrieval-text.ts';
import { parseTrajectories, publishedTrajectories } from '#core/evaluation/live-mcp-bench/trajectories.ts';
import type { Route } from '#core/traces/trace.ts';
import { publishedTasks, type PublishedTask } from '#core/benchmarks/formats/live-mcp-bench/tasks.ts';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { exitCodeFor } from '../../client/command-line/error-output.ts';
import { flagOption, optionalOption, parseNonEmptyText, requiredOption } from '../../client/command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { makeLazyEmbedder, type Embedder } from '../../offline/embedder/embedder.ts';
import { alignColumns } from '../shared/aligned.ts';
import { parseBenchOptionsOrHelp } from '../shared/bench-line.ts';
import { errorTextKeepingLines } from '../shared/complaint.ts';
import { roundedJsonLine } from '../shared/json-line.ts';
import { computeRecalls, type EmbeddedTask, type Recall } from '../published/recall.ts';
import {
  computeRecallsAfterSearches,
  summarizeRecallsAfterSearches,
  type SearchedTask,
  type SearchRecall,
} from '../published/search-recall.ts';
import { figureWithIntervalText } from '../published/interval-text.ts';
import { readPublishedJsonFile } from '../../client/files/read-published-file.ts';

/** `npm run study -- retrieval`: how often the tools that a task needs are among the best that retrieval finds: bench/README.md. */

const describedTools = z.array(z.looseObject({ name: z.string(), description: z.string().optional() }));

const options = {
  catalog: requiredOption('catalog', 'FILE', "servers and tools, in LiveMCPBench's format", parseNonEmptyText),
  tasks: requiredOption(
    'tasks',
    'FILE',
    "tasks with the tools that they need, in LiveMCPBench's format",
    parseNonEmptyText,
  ),
  trajectories: optionalOption(
    'trajectories',
    'FILE',
    "attempts at the tasks whose searches are made again, in LiveMCPBench's format",
    parseNonEmptyText,
  ),
  json: flagOption('json', 'print one line of JSON'),
  help: flagOption('help', 'this text'),
};

try {
  const asked = parseBenchOptionsOrHelp(process.argv.slice(2), {
    verb: 'retrieval',
    about: 'Measures how often retrieval finds the tools that people say a task needs, with the embedded embedder.',
    more: 'Options stand behind two hyphens: npm run study -- retrieval --catalog tools.json --tasks tasks.json',
    options: Object.values(options),
  });
  if ('help' in asked) console.log(asked.help);
  else {
    const servers = await readDescribedServersFile(asked.parseOptionValue(options.catalog));
    const tasks = await readPublishedJsonFile(asked.parseOptionValue(options.tasks), publishedTasks);
    const routes = await readRoutesByTask(asked.parseOptionValue(options.trajectories));
    await measureAndPrintRecall(servers, tasks, routes, asked.parseOptionValue(options.json));
  }
} catch (error) {
  console.error(errorTextKeepingLines(error));
  process.exitCode = exitCodeFor(error);
}

async function readDescribedServersFile(path: string): Promise<DescribedServer[]> {
  const read = parseToolFile(await readFile(path, 'utf8'));
  if (read.ok) return read.value;
  throw new UsageError(`${path} cannot be read: ${read.problem.join('; ')}`);
}

/** Returns the searches of each task's attempt in a file of trajectories, in their order; none without a file. */
async function readRoutesByTask(path: string | undefined): Promise<ReadonlyMap<string, readonly Route[]>> {
  if (path === undefined) return new Map();
  const read = await parseTrajectories(
    await readPublishedJsonFile(path, publishedTrajectories),
    (server, tool) => `${server}/${tool}`,
  );
  return new Map(
    read.flatMap(({ task, trace }) => (task !== null && trace.ok ? [[task, trace.value.routes ?? []]] : [])),
  );
}

async function measureAndPrintRecall(
  servers: readonly DescribedServer[],
  tasks: readonly PublishedTask[],
  routes: ReadonlyMap<string, readonly Route[]>,
  json: boolean,
): Promise<void> {
  const embedder = makeLazyEmbedder();
  try {
    const tools = await embedTools(servers, embedder);
    const names = new Set(tools.map(({ name }) => name));
    const embedded: EmbeddedTask[] = [];
    for (const { request, steps, tools: annotated } of tasks) {
      const queries = { request: await embedTexts([request], embedder), steps: await embedTexts(steps, embedder) };
      embedded.push({ wanted: new Set(annotated.filter((name) => names.has(name))), queries });
    }
    const annotated = tasks.flatMap((task) => task.tools);
    const unknownTools = annotated.filter((name) => !names.has(name)).length;
    printRecalls(
      {
        servers: servers.length,
        tools: tools.length,
        tasks: tasks.length,
        annotatedTools: annotated.length,
        unknownTools,
      },
      computeRecalls(tools, embedded),
      await computeRecallsOfSearches(tools, { tasks, routes, names }, embedder),
      json,
    );
  } finally {
    await embedder.close();
  }
}

/** The recall of an agent's first searches, under the way in which it words them. */
interface RecallOfWay extends SearchRecall {
  /** Whose words the queries are: the steps that people wrote down, or a model's in published trajectories. */
  readonly words: 'steps' | 'model';
  /** `tool-search`: what the tool has to do; `route`: also the server that would have it; `published`: what the trajectories show. */
  readonly way: 'tool-search' | 'route' | 'published';
}

/** Returns the recall after each of the first searches, as the loops `tool-search` and `routing` make them. */
async function computeRecallsOfSearches(
  tools: readonly EmbeddedTool[],
  {
    tasks,
    routes,
    names,
  }: {
    readonly tasks: readonly PublishedTask[];
    readonly routes: ReadonlyMap<string, readonly Route[]>;
    readonly names: ReadonlySet<string>;
  },
  embedder: Embedder,
): Promise<RecallOfWay[]> {
  const [bySteps, byTool, byRoute, published]: [SearchedTask[], SearchedTask[], SearchedTask[], FoundOfTask[]] = [
    [],
    [],
    [],
    [],
  ];
  for (const { id, steps, tools: annotated } of tasks) {
    const wanted = new Set(annotated.filter((name) => names.has(name)));
    bySteps.push({ wanted, queries: (await embedTexts(steps, embedder)).map((tool) => ({ server: tool, tool })) });
    const made = (routes.get(id) ?? []).filter(({ query }) => query !== '');
    const ofTools = await embedTexts(
      made.map(({ query }) => query),
      embedder,
    );
    const ofServers = await embedTexts(
      made.map(({ query, server }) => server ?? query),
      embedder,
    );
    byTool.push({ wanted, queries: ofTools.map((tool) => ({ server: tool, tool })) });
    byRoute.push({ wanted, queries: ofTools.map((tool, at) => ({ server: ofServers[at] ?? tool, tool })) });
    const found = made.map((route) => route.tools.map(({ name }) => name.slice(name.indexOf('/') + 1)));
    published.push({ wanted, found });
  }
  return [
    ...computeRecallsAfterSearches(tools, bySteps).map(
      (each) => ({ words: 'steps', way: 'tool-search', ...each }) as const,
    ),
    ...(routes.size === 0
      ? []
      : [
          ...computeRecallsAfterSearches(tools, byTool).map(
            (each) => ({ words: 'model', way: 'tool-search', ...each }) as const,
          ),
          ...computeRecallsAfterSearches(tools, byRoute).map(
            (each) => ({ words: 'model', way: 'route', ...each }) as const,
          ),
          ...summarizeRecallsAfterSearches(published).map(
            (each) => ({ words: 'model', way: 'published', ...each }) as const,
          ),
        ]),
  ];
}

type FoundOfTask = Parameters<typeof summarizeRecallsAfterSearches>[0][number];

function printRecalls(
  counts: Readonly<Record<string, number>>,
  recalls: readonly Recall[],
  searches: readonly RecallOfWay[],
  json: boolean,
): void {
  if (json) return console.log(roundedJsonLine({ ...counts, recalls, searches }));
  const named = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  console.log(named.join(', '));
  for (const line of alignColumns([['query', 'fit', 'depth', 'recall', 'n'], ...recalls.map(recallTableCells)], 2))
    console.log(line);
  const cells = searches.map((each) => [each.words, each.way, String(each.searches), recallText(each), String(each.n)]);
  for (const line of alignColumns([['words', 'way', 'searches', 'recall', 'n'], ...cells], 2)) console.log(line);
}

function recallTableCells(recall: Recall): string[] {
  return [recall.query, recall.fit, String(recall.depth), recallText(recall), String(recall.n)];
}

function recallText({ mean, low, high }: Pick<Recall, 'mean' | 'low' | 'high'>): string {
  return figureWithIntervalText(mean, low === null || high === null ? null : { low, high });
}

/** Embeds servers and tools as evaluations do. A tool has the name that people wrote down, without its server. */
async function embedTools(servers: readonly DescribedServer[], embedder: Embedder): Promise<EmbeddedTool[]> {
  const described = servers.map(({ name, description, tools }) => ({
    text: makeRetrievalTextOfServer(name, description, describedTools.parse(tools)).text,
    tools: describedTools.parse(tools).map((tool) => ({ name: tool.name, text: makeRetrievalTextOfTool(tool).text })),
  }));
  const serverVectors = await embedTexts(
    described.map(({ text }) => text),
    embedder,
  );
  const listed = described.flatMap(({ tools }, at) =>
    tools.map((tool) => ({ ...tool, server: serverVectors[at] ?? [] })),
  );
  const toolVectors = await embedTexts(
    listed.map(({ text }) => text),
    embedder,
  );
  return listed.map(({ name, server }, at) => ({ name, server, tool: toolVectors[at] ?? [] }));
}

async function embedTexts(texts: readonly string[], embedder: Embedder): Promise<number[][]> {
  const vectors = await embedder.embed(texts.map((text) => text.slice(0, embeddedChars)));
  return vectors.map((vector) => [...vector]);
}
