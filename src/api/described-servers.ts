import { checkDescribedTools } from '#adapters/mcp/list-tools.ts';
import {
  describedServerLimits,
  parseDescribedServerFromLine,
  type DescribedServer,
} from '#core/catalog/described-server.ts';
import { assignCategoriesAndSources, type CategorizedTools } from '#core/catalog/categorized-tools.ts';
import { refuse } from '#core/values/errors.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { makeRuleCategorizedTools } from './server-tools.ts';
import { readNonEmptyUploadedLines, type Line } from './uploaded-lines.ts';

/** A described server that was checked as a listed one is. Rules give its tools their categories. */
export interface CheckedServer extends CategorizedTools {
  readonly described: DescribedServer;
}

/** How many problems of an upload are named. */
const namedProblems = 10;

/** Reads and checks all lines of an upload. Refuses all of it, naming the lines, if one is broken. */
export async function parseAndCheckDescribedServers(
  body: ReadableStream<Uint8Array>,
): Promise<Result<CheckedServer[]>> {
  const servers = new Map<string, CheckedServer>();
  const problems: string[] = [];
  let chars = 0;
  for await (const line of readNonEmptyUploadedLines(body)) {
    if (!line.ok) return line;
    chars += line.value.text.length;
    if (chars > describedServerLimits.chars)
      return refuse('body-too-large', `described servers may have ${describedServerLimits.chars} characters together`);
    const checked = parseAndCheckServerLine(line.value, servers);
    if (checked.ok) servers.set(checked.value.described.name, checked.value);
    else problems.push(`line ${line.value.number}: ${checked.problem}`);
    if (servers.size > describedServerLimits.servers)
      return refuse('body-too-large', `an upload may describe ${describedServerLimits.servers} servers`);
  }
  if (problems.length > namedProblems)
    problems.splice(namedProblems, Number.POSITIVE_INFINITY, `and ${problems.length - namedProblems} more`);
  if (problems.length > 0) return refuse('invalid-line', problems.join('; '));
  return servers.size === 0 ? refuse('invalid-line', 'the upload has no line') : ok([...servers.values()]);
}

function parseAndCheckServerLine({ text }: Line, before: ReadonlyMap<string, unknown>): Result<CheckedServer, string> {
  const parsed = parseDescribedServerFromLine(text);
  if (!parsed.ok) return parsed;
  const { name, tools } = parsed.value;
  if (before.has(name)) return err(`a server called ${name} is on an earlier line`);
  const checked = checkDescribedTools(tools);
  if (!checked.ok) return err(`${name}: ${checked.problem.detail}`);
  const byRules = makeRuleCategorizedTools(parsed.value, checked.value);
  return ok({ described: parsed.value, ...assignCategoriesAndSources(byRules, new Map(), new Map()) });
}
