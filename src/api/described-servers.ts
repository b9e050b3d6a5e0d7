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
import type { GiveWay } from './upload-pace.ts';
import { readUploadInPieces, type Line } from './uploaded-lines.ts';

/** A described server that was checked as a listed one is. Rules give its tools their categories. */
export interface CheckedServer extends CategorizedTools {
  readonly described: DescribedServer;
}

/** How many problems of an upload are named. */
const namedProblems = 10;

/** Tools that are checked without a pause; checking one takes as long as a short line of another upload. */
const toolsPerPiece = 100;

/** Reads and checks all lines of an upload. Refuses all of it, naming the lines, if one is broken. */
export async function parseAndCheckDescribedServers(
  body: ReadableStream<Uint8Array>,
  giveWay: GiveWay,
): Promise<Result<CheckedServer[]>> {
  const servers = new Map<string, CheckedServer>();
  const problems: string[] = [];
  let broken = 0;
  const size = { chars: 0, tools: 0 };
  for await (const piece of readUploadInPieces(body, giveWay)) {
    if (!piece.ok) return piece;
    for (const line of piece.value) {
      size.chars += line.text.length;
      const checked = await parseAndCheckServerLine(line, servers, giveWay);
      if (checked.ok) {
        servers.set(checked.value.described.name, checked.value);
        size.tools += checked.value.tools.length;
      } else {
        broken += 1;
        if (problems.length < namedProblems) problems.push(`line ${line.number}: ${checked.problem}`);
      }
      const excess = findExcessOfUpload(size, servers.size);
      if (excess !== null) return refuse('body-too-large', excess);
    }
  }
  if (broken > problems.length) problems.push(`and ${broken - problems.length} more`);
  if (problems.length > 0) return refuse('invalid-line', problems.join('; '));
  return servers.size === 0 ? refuse('invalid-line', 'the upload has no line') : ok([...servers.values()]);
}

/** Says which limit of all described servers together is exceeded; null if none is. */
function findExcessOfUpload(
  { chars, tools }: { readonly chars: number; readonly tools: number },
  servers: number,
): string | null {
  if (chars > describedServerLimits.chars)
    return `described servers may have ${describedServerLimits.chars} characters together`;
  if (servers > describedServerLimits.servers) return `an upload may describe ${describedServerLimits.servers} servers`;
  if (tools > describedServerLimits.tools)
    return `described servers may have ${describedServerLimits.tools} tools together`;
  return null;
}

async function parseAndCheckServerLine(
  { text }: Line,
  before: ReadonlyMap<string, unknown>,
  giveWay: GiveWay,
): Promise<Result<CheckedServer, string>> {
  const parsed = parseDescribedServerFromLine(text);
  if (!parsed.ok) return parsed;
  const { name, tools } = parsed.value;
  if (before.has(name)) return err(`a server called ${name} is on an earlier line`);
  const checked = await checkDescribedTools(tools, async (place) => {
    if (place % toolsPerPiece === 0) await giveWay({ lines: toolsPerPiece, bytes: 0 });
  });
  if (!checked.ok) return err(`${name}: ${checked.problem.detail}`);
  const byRules = makeRuleCategorizedTools(parsed.value, checked.value);
  return ok({ described: parsed.value, ...assignCategoriesAndSources(byRules, new Map(), new Map()) });
}
