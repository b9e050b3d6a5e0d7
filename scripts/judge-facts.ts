import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { z } from 'zod';
import { askedFacts, keyOfCall, refusedCall } from '#core/evaluation/judge-measure/asked-facts.ts';
import { offlineProgram, root } from '../engine/installation.ts';

/** `npm run judge-facts`: asks the bundled servers what judges are measured with, and records what they answer. */

const file = join(root, 'src/core/evaluation/judge-measure/results.json');
const listening = z.object({ gateway: z.string() });
const answered = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  isError: z.boolean().default(false),
});

const ports = ['--gateway-port', '18970', '--models-port', '18971'];
const offline = spawn(process.execPath, [offlineProgram, ...ports, '--watch-stdin'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
try {
  const [line]: unknown[] = await once(createInterface(offline.stdout), 'line');
  const { gateway } = listening.parse(JSON.parse(String(line)));
  const results: Record<string, string> = {};
  for (const fact of [...askedFacts, refusedCall]) {
    const [server = '', name = ''] = fact.tool.split('/');
    const client = new Client({ name: 'sextant', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${gateway}/${server}/mcp`)));
    const { content, isError } = answered.parse(await client.callTool({ name, arguments: fact.arguments }));
    const text = content.map((part) => part.text).join('\n');
    if (isError !== (fact === refusedCall)) throw new Error(`${keyOfCall(fact)} answers otherwise: ${text}`);
    results[keyOfCall(fact)] = text;
    await client.close();
  }
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
} finally {
  offline.stdin.end();
}
