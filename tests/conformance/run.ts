import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeLazyConnections } from '#adapters/mcp/connections.ts';
import { answerMcpRequest, type GatewayAttempt } from '#adapters/mcp/gateway-server.ts';
import { discoverTools } from '#adapters/mcp/list-tools.ts';
import { Admission } from '#adapters/network/admission.ts';
import type { Tool } from '#core/catalog/tool.ts';
import { serveLocally } from '../support/serve-locally.ts';
import { unlimited } from '../support/unlimited.ts';
import { everythingHandler } from './everything-server.ts';
import { consentExceptions, exceptions, offeredExceptions, type Exception } from './exceptions.ts';
import { serveOfferedTools } from './offered-tools.ts';

/**
 * Runs the published conformance suite of MCP against the gateway, with a server behind it that has the tools that the suite
 * calls, against Sextant's own tools at `/mcp`, and against Sextant as the client of servers behind OAuth. `exceptions.ts` says what
 * need not pass, and why.
 */
const revisions = ['2025-06-18', '2025-11-25', '2026-07-28'];

/** The scenarios of OAuth that need nobody who consents. */
const machineScenarios = ['auth/client-credentials-basic', 'auth/client-credentials-jwt'];

/** Those in which a person consents. */
const consentScenarios = [
  'metadata-default',
  'metadata-var1',
  'metadata-var2',
  'metadata-var3',
  'metadata-issuer-mismatch',
  'basic-cimd',
  'pre-registration',
  'scope-from-www-authenticate',
  'scope-from-scopes-supported',
  'scope-omitted-when-undefined',
  'scope-step-up',
  'scope-retry-limit',
  'offline-access-scope',
  'offline-access-not-supported',
  'token-endpoint-auth-basic',
  'token-endpoint-auth-post',
  'token-endpoint-auth-none',
  'resource-mismatch',
  'authorization-server-migration',
  'iss-supported',
  'iss-not-advertised',
  'iss-supported-missing',
  'iss-wrong-issuer',
  'iss-unexpected',
  'iss-normalized',
  '2025-03-26-oauth-metadata-backcompat',
  '2025-03-26-oauth-endpoint-fallback',
].map((name) => `auth/${name}`);

const everything = everythingHandler();
const upstream = await serveLocally((request) => everything.fetch(request));
const admission = new Admission();
const found = await discoverTools({ admission, url: upstream.url, headers: {}, allowLocal: true });
if (!found.ok) throw new Error(found.problem.detail);
const { tools: listed, protocolVersion } = found.value;

/** The gateway as one attempt has it; its tools keep the names that the suite calls them by. */
const tools = listed.map(({ name, description, inputSchema, outputSchema }): Tool => ({
  name,
  server: 'everything',
  domain: 'tests',
  category: 'test',
  inputSchema,
  ...(description === undefined ? {} : { description }),
  ...(outputSchema === undefined ? {} : { outputSchema }),
}));
const connections = makeLazyConnections({
  admission,
  servers: [{ ...unlimited, name: 'everything', url: upstream.url, headers: {}, protocolVersion }],
  tools: tools.map((each) => ({ ...each, name: `everything/${each.name}` })),
  allowLocal: true,
});
const underWay: GatewayAttempt['underWay'] = new Map();
const gateway = await serveLocally((request) =>
  answerMcpRequest(request, {
    tools,
    underWay,
    call: async (name, args, { signal, onProgress }) => {
      if (!tools.some((each) => each.name === name) || args === null)
        return { kind: 'error', error: { code: -32602, message: `there is no tool ${name}` } };
      const forwarded = await connections.forward(`everything/${name}`, args, {
        timeoutMs: 10_000,
        signal,
        onProgress,
      });
      if (forwarded.kind === 'answered') return forwarded.answer;
      return { kind: 'error', error: { code: -32603, message: forwarded.fault.detail } };
    },
  }),
);

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js');

const folder = mkdtempSync(join(tmpdir(), 'sextant-conformance-'));

/** Writes the names of the scenarios that need not pass at a revision, and returns the file. */
function writeExceptions(name: string, all: readonly Exception[], revision: string): string {
  const excepted = all.filter((each) => each.revision === undefined || each.revision === revision);
  const file = join(folder, `${name}-${revision}.yaml`);
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ server: excepted.flatMap(({ scenarios }) => scenarios) }));
  return file;
}

/** Returns the exit code of the suite with these arguments. */
const runSuite = (options: readonly string[]): Promise<number | null> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...options], { stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', resolve);
  });

/** The MCP servers that Sextant has, and what each need not pass. */
const offered = await serveOfferedTools();
const servers = [
  { name: 'gateway', url: gateway.url, exceptions },
  { name: 'offered tools', url: offered.url, exceptions: offeredExceptions },
];

function testServer(
  { name, url, exceptions: all }: (typeof servers)[number],
  revision: string,
): Promise<number | null> {
  const expected = ['--expected-failures', writeExceptions(name, all, revision)];
  return runSuite(['server', '--url', url, '--suite', 'all', '--spec-version', revision, ...expected]);
}

/** Tests how servers behind OAuth are registered and called, with a client of this folder. */
const testClient = (client: string, scenario: string): Promise<number | null> => {
  const command = `${process.execPath} ${join(import.meta.dirname, client)}`;
  return runSuite(['client', '--command', command, '--scenario', scenario]);
};

/** An exception that passes fails, as in the suite itself. */
async function testConsent(scenario: string): Promise<boolean> {
  const isExcepted = consentExceptions.some(({ scenarios }) => scenarios.includes(scenario));
  const passes = (await testClient('person-client.ts', scenario)) === 0;
  if (passes === isExcepted) console.log(`${scenario} ${passes ? 'passes, and is listed as an exception' : 'fails'}`);
  return passes !== isExcepted;
}

try {
  for (const server of servers)
    for (const revision of revisions) {
      console.log(`\nMCP ${revision}, ${server.name}`);
      if ((await testServer(server, revision)) !== 0) process.exitCode = 1;
    }
  for (const scenario of machineScenarios)
    if ((await testClient('machine-client.ts', scenario)) !== 0) process.exitCode = 1;
  for (const scenario of consentScenarios) if (!(await testConsent(scenario))) process.exitCode = 1;
} finally {
  await connections.close();
  await gateway.close();
  await offered.close();
  await everything.close();
  rmSync(folder, { recursive: true });
  await upstream.close();
}
