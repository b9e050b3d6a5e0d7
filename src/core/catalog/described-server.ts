import { z } from 'zod';
import { parseJsonWithinLimits } from '#core/values/parse-json.ts';
import { err, ok, type Result } from '#core/values/result.ts';
import { catalogLimits } from './catalog.ts';
import { serverInfo, serverTextChars } from './server-description.ts';
import { domainName, serverName } from './tool.ts';

/** Limits of an upload of described servers; its tools are no more than those of a catalog. */
export const describedServerLimits = {
  servers: 500,
  toolsOfServer: 2_000,
  tools: catalogLimits.tools,
  chars: 8 * 1024 * 1024,
} as const;

/** A server that is described by somebody, without an address: one line of an upload. */
export const describedServer = z.strictObject({
  name: serverName,
  domain: domainName,
  description: z.string().trim().max(serverTextChars).optional(),
  info: serverInfo.optional(),
  /** As the server itself would list them. */
  tools: z.array(z.record(z.string(), z.unknown())).min(1).max(describedServerLimits.toolsOfServer),
});
export type DescribedServer = z.infer<typeof describedServer>;

/** Reads one line of an upload, or says what is wrong with it. */
export function parseDescribedServerFromLine(text: string): Result<DescribedServer, string> {
  const json = parseJsonWithinLimits(text);
  if (!json.ok) return err(json.problem);
  const parsed = describedServer.safeParse(json.value);
  if (parsed.success) return ok(parsed.data);
  const [issue] = parsed.error.issues;
  return err(`wrong at ${issue?.path.join('.') || 'its beginning'}: ${issue?.message ?? ''}`);
}
