import type { ServerGate } from '#adapters/mcp/server-gate.ts';
import { surveyServer } from '#adapters/mcp/survey-server.ts';
import type { Admission } from '#adapters/network/admission.ts';
import type { Settings } from '#adapters/settings.ts';
import type { RedactionRules } from '#core/catalog/redaction/rules.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { Survey } from '#core/catalog/survey.ts';
import type { ServerAddress } from './server-tools.ts';

/** Surveys a server whose tools were just listed; null if its owner has switched surveys off. */
export async function surveyServerIfOn(
  server: ServerAddress & {
    readonly protocolVersion: string | null;
    readonly redact: RedactionRules;
    readonly gate: ServerGate | undefined;
  },
  tools: readonly Tool[],
  on: boolean,
  settings: Pick<Settings, 'ALLOW_LOCAL_SERVERS'>,
  admission: Admission,
): Promise<Survey | null> {
  if (!on) return null;
  const { url, headers, auth, admit, protocolVersion, redact, gate } = server;
  const allowLocal = settings.ALLOW_LOCAL_SERVERS;
  const reached = { admission, url, headers, auth, allowLocal, admit };
  const found = await surveyServer({ ...reached, protocolVersion, redact, tools, gate });
  return { at: new Date().toISOString(), ...found };
}
