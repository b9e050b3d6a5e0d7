/** Calls every card's tool on its real server with the card's samples, and reports where card and server disagree. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { Limiter } from '../gateway/limiter.ts';
import type { Card, Slot } from './card.ts';
import { cards } from './index.ts';
import { makeArgumentsOfCard, listFlawsBetweenCards, listFlawsOfCard, extractOutputValue } from './rules.ts';
import { unavailable } from './unavailable.ts';

const MAX_COMBINATIONS = 12;
/** Values as other tools return them, for slots that accept anything. */
const FOREIGN: Readonly<Record<string, unknown>> = {
  text: '63f1-a0 (12:30) & 50% of "Größe"',
  number: -17.25,
  integer: 1_772_452_800_000,
};

const resultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
});
const schemaSchema = z.looseObject({
  properties: z.record(z.string(), z.unknown()).optional(),
  required: z.array(z.string()).optional(),
});

type Values = Record<string, unknown>;

const failures: string[] = [];
const succeeded = new Set<string>();
let calls = 0;
let largest = { tool: '', characters: 0 };

for (const card of cards.values()) failures.push(...listFlawsOfCard(card));
failures.push(...listFlawsBetweenCards(cards.values()));

const started = performance.now();
const gateway = await startGateway({ port: 0 });
for (const name of await gateway.warm) failures.push(`${name} did not start`);
process.stdout.write(`gateway warm after ${secondsSinceText(started)} s\n`);

const listed = new Set<string>();
for (const { name } of gateway.servers) await checkListingAndRecordFailures(gateway, name);
for (const tool of [...cards.keys(), ...unavailable.keys()]) {
  if (!listed.has(tool)) failures.push(`${tool} is not listed by its server`);
}
for (const tool of listed) {
  if (cards.has(tool) === unavailable.has(tool)) failures.push(`${tool} needs either a card or a reason`);
}

const limiter = new Limiter(4);
await Promise.all(
  [...cards.values()].flatMap((card) =>
    chooseSampleCombinations(card).map((values) => limiter.run(() => callToolOfCardAndRecordFailures(card, values))),
  ),
);
await gateway.close();

const outputs = [...cards.values()].flatMap((card) => card.gives);
for (const failure of new Set(failures)) process.stdout.write(`FAIL ${failure}\n`);
const rows = [
  ['servers', gateway.servers.length],
  ['tools listed', listed.size],
  ['cards', cards.size],
  ['tools that succeeded', succeeded.size],
  ['tools without a card', unavailable.size],
  ['calls', calls],
  ['distinct outputs', new Set(outputs.map(({ noun }) => noun)).size],
  ['tools with outputs', [...cards.values()].filter((card) => card.gives.length > 0).length],
  ['largest result', `${largest.characters} characters (${largest.tool})`],
  ['seconds', secondsSinceText(started)],
  ['failures', new Set(failures).size],
];
for (const [name, value] of rows) process.stdout.write(`${String(name).padEnd(24)}${value}\n`);
process.exitCode = failures.length === 0 ? 0 : 1;

async function checkListingAndRecordFailures(from: Gateway, server: string): Promise<void> {
  await useClientOfServer(from, server, async (client) => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const tool = `${server}/${name}`;
      listed.add(tool);
      const card = cards.get(tool);
      if (card === undefined) continue;
      const schema = schemaSchema.parse(inputSchema);
      const given = new Set([...Object.keys(card.slots), ...Object.keys(card.constants ?? {})]);
      for (const need of schema.required ?? []) if (!given.has(need)) failures.push(`${tool}: no value for ${need}`);
      for (const key of given)
        if (!(key in (schema.properties ?? {}))) failures.push(`${tool}: unknown argument ${key}`);
    }
  });
}

async function callToolOfCardAndRecordFailures(card: Card, values: Values): Promise<void> {
  const [server = '', ...rest] = card.tool.split('/');
  const shown = `${card.tool} ${JSON.stringify(values)}`;
  try {
    await useClientOfServer(gateway, server, async (client) => {
      const answer = await client.callTool({ name: rest.join('/'), arguments: makeArgumentsOfCard(card, values) });
      calls++;
      const { isError, content } = resultSchema.parse(answer);
      const text = content.flatMap((part) => (part.text === undefined ? [] : [part.text])).join('\n');
      if (text.length > largest.characters) largest = { tool: card.tool, characters: text.length };
      // Some servers report a failure in a result that is not an error by the protocol.
      if (isError === true || /^\s*\{\s*"(?:error"|status": "error")/.test(text)) {
        failures.push(`${shown} failed: ${text.slice(0, 300)}`);
        return;
      }
      succeeded.add(card.tool);
      for (const { pick, noun } of card.gives) {
        const value = extractOutputValue(pick, text);
        if (value === undefined || value === '') failures.push(`${shown}: "${noun}" is not in ${text.slice(0, 300)}`);
        else if (value.length > 200 || /\n/.test(value)) failures.push(`${shown}: "${noun}" is not one short line`);
      }
    });
  } catch (error) {
    failures.push(`${shown} failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns combinations of the samples, evenly chosen up to a limit, and one with values from other tools. */
function chooseSampleCombinations(card: Card): Values[] {
  let all: Values[] = [{}];
  for (const [name, slot] of Object.entries(card.slots)) {
    all = all.flatMap((values) => slot.samples.map((sample) => ({ ...values, [name]: sample })));
  }
  const step = Math.max(1, all.length / MAX_COMBINATIONS);
  const chosen: Values[] = [];
  for (let at = 0; at < all.length; at += step) chosen.push(all[Math.floor(at)] ?? {});
  if (chosen.length === 1) chosen.push({ ...chosen[0] });
  const slots = Object.entries(card.slots);
  if (slots.some(([, { kind }]) => kind in FOREIGN)) {
    chosen.push(Object.fromEntries(slots.map(([name, slot]) => [name, foreignValueOrFirstSample(slot)])));
  }
  return chosen;
}

function foreignValueOrFirstSample(slot: Slot): unknown {
  return FOREIGN[slot.kind] ?? slot.samples[0];
}

async function useClientOfServer(from: Gateway, server: string, use: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ name: 'check', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
  const headers = { authorization: `Bearer ${from.grantToken(server)}` };
  const transport = new StreamableHTTPClientTransport(new URL(`${from.url}/${server}/mcp`), {
    requestInit: { headers },
  });
  await client.connect(transport);
  try {
    await use(client);
  } finally {
    await transport.terminateSession();
    await client.close();
  }
}

function secondsSinceText(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
