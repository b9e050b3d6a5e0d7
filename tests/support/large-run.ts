import type { Page, Route } from 'playwright-core';
import type { CatalogRecord } from '#core/catalog/server.ts';
import type { Tool } from '#core/catalog/tool.ts';
import type { TransitionRecord } from '#core/exploration/counts.ts';
import type { UnitSummary } from '#core/exploration/record.ts';
import { exploration } from '../client/records.ts';

const servers = 25;
const tools = 500;
const transitions = 5_000;
const units = 10_000;
const toolName = (n: number): string => `server-${n % servers}/tool-${n}`;

const catalog: { catalog: CatalogRecord; tools: Tool[] } = {
  catalog: { id: 'cat_1', servers: [], tools, categories: {}, aboveLimit: 0, createdAt: '2026-01-01T00:00:00.000Z' },
  tools: Array.from({ length: tools }, (_, n) => ({
    name: toolName(n),
    server: `server-${n % servers}`,
    domain: 'general',
    category: 'read',
    inputSchema: { type: 'object' },
  })),
};

const transitionRows: TransitionRecord[] = Array.from({ length: transitions }, (_, n) => ({
  from: toolName(n % tools),
  to: toolName((n * 7 + Math.floor(n / tools)) % tools),
  executed: n % 5,
  expected: 1 + (n % 5),
  valuePassed: n % 3 === 0 ? n % 5 : 0,
}));

const unitRows: UnitSummary[] = Array.from({ length: units }, (_, n) => ({
  id: `r${String(1 + Math.floor(n / 10)).padStart(4, '0')}-u${n % 10}`,
  round: 1 + Math.floor(n / 10),
  index: n % 10,
  probe: false,
  lineage: null,
  stage: { kind: 'done', status: 'accepted', reason: 'both requests were executed' },
  status: 'accepted',
  source: 'What is the time?',
  followUp: 'Tell me the time.',
  chain: [toolName(n % tools), toolName((3 * n) % tools)],
  score: 94,
  usage: { calls: 1, promptTokens: 1, completionTokens: 1, costUsd: 0 },
}));

/** The path of an exploration that is larger than any that a test could make. */
export const largeRunPath = '/explorations/exp_large';

/** Answers what the page of that exploration asks in the API's place. */
export async function answerForLargeRun(page: Page): Promise<void> {
  const record = exploration({
    id: 'exp_large',
    name: 'large',
    status: 'completed',
    endedAt: '2026-01-02T00:00:00.000Z',
  });
  const answers: Readonly<Record<string, (route: Route) => Promise<void>>> = {
    'explorations/exp_large': (route) => route.fulfill({ json: record }),
    'catalogs/*': (route) => route.fulfill({ json: catalog }),
    'explorations/exp_large/richness*': (route) => route.fulfill({ json: { items: [], nextCursor: null } }),
    'explorations/exp_large/units*': (route) => fulfillPage(route, unitRows),
    'explorations/exp_large/transitions*': (route) => fulfillPage(route, transitionRows),
  };
  for (const [path, answer] of Object.entries(answers)) await page.route(`**/v1/${path}`, answer);
}

/** Answers with a page of a list; the cursor is the number of items before it. */
function fulfillPage(route: Route, items: readonly unknown[]): Promise<void> {
  const { searchParams } = new URL(route.request().url());
  const from = Number(searchParams.get('cursor') ?? 0);
  const to = from + Number(searchParams.get('limit') ?? 100);
  return route.fulfill({ json: { items: items.slice(from, to), nextCursor: to < items.length ? `${to}` : null } });
}
