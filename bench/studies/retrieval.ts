import type { EmbeddedTool } from '#core/similarity/retrieval/rank-tools.ts';
import type { DescribedServer } from '#core/catalog/described-server.ts';
import { parseToolFile } from '#core/benchmarks/formats/live-mcp-bench/described-servers.ts';
import {
  embeddedChars,
  makeRetrievalTextOfServer,
  makeRetrievalTextOfTool,
} from '#core/similarity/retrieval/retrieval-text.ts';
import { publishedTasks, type PublishedTask } from '#core/benchmarks/formats/live-mcp-bench/tasks.ts';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { exitCodeFor } from '../../client/command-line/error-output.ts';
import { flagOption, parseNonEmptyText, requiredOption } from '../../client/command-line/options.ts';
import { UsageError } from '../../engine/usage-error.ts';
import { makeLazyEmbedder, type Embedder } from '../../offline/embedder/embedder.ts';
import { alignColumns } from '../shared/aligned.ts';
import { parseBenchOptionsOrHelp } from '../shared/bench-line.ts';
import { errorTextKeepingLines } from '../shared/complaint.ts';
import { roundedJsonLine } from '../shared/json-line.ts';
import { computeRecalls, type EmbeddedTask, type Recall } from '../published/recall.ts';
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
    await measureAndPrintRecall(servers, tasks, asked.parseOptionValue(options.json));
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

async function measureAndPrintRecall(
  servers: readonly DescribedServer[],
  tasks: readonly PublishedTask[],
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
      json,
    );
  } finally {
    await embedder.close();
  }
}

function printRecalls(counts: Readonly<Record<string, number>>, recalls: readonly Recall[], json: boolean): void {
  if (json) return console.log(roundedJsonLine({ ...counts, recalls }));
  const named = Object.entries(counts).map(([name, count]) => `${name} ${count}`);
  console.log(named.join(', '));
  for (const line of alignColumns([['query', 'fit', 'depth', 'recall', 'n'], ...recalls.map(recallTableCells)], 2))
    console.log(line);
}

function recallTableCells({ query, fit, depth, mean, low, high, n }: Recall): string[] {
  const interval = low === null || high === null ? null : { low, high };
  return [query, fit, String(depth), figureWithIntervalText(mean, interval), String(n)];
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
