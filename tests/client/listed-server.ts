import type { ServerRecord } from '#core/catalog/server.ts';

/** A server as the API lists it. */
export const server: ServerRecord = {
  id: 'srv_1',
  name: 'files',
  domain: 'files',
  url: 'https://files.example.com/mcp',
  headerNames: [],
  auth: null,
  tools: 2,
  categories: {},
  categorizedBy: { owner: 0, model: 0, rules: 0 },
  leftOut: [],
  longDescriptions: [],
  effects: { unknown: 2 },
  allows: 'reads',
  redact: { fields: [], patterns: [] },
  private: false,
  isolation: { kind: 'none' },
  createdAt: '2026-01-01T00:00:00Z',
  listedAt: '2026-01-01T00:00:00Z',
  survey: { on: false, at: null, entries: 0, failed: 0, problem: null },
  info: null,
  protocolVersion: null,
  limits: {},
  instructions: null,
  description: null,
  errors: { marks: null, marked: 0, reported: 0 },
};

/** A catalog of its tools as the API lists it. */
export const catalog = {
  id: 'cat_1',
  servers: [{ id: 'srv_1', name: 'files', domain: 'files', tools: 1 }],
  tools: 1,
  categories: {},
  createdAt: '2026-01-01T00:00:00Z',
};
