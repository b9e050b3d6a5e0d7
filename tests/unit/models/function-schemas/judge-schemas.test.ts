import { expect, test } from 'vitest';
import { checkSchemasUnderProfiles, profileVerdicts } from '#core/models/function-schemas/judge-schemas.ts';

test('the listing of a server says which schemas are rewritten and which tools are left out, profile by profile', () => {
  const verdicts = checkSchemasUnderProfiles([
    { name: 'a/plain', inputSchema: { type: 'object', properties: { x: { type: 'string' } } } },
    { name: 'a/bare', inputSchema: { type: 'object' } },
    { name: 'a/either', inputSchema: { type: 'object', properties: {}, anyOf: [{ required: ['x'] }] } },
  ]);
  expect(profileVerdicts.parse(verdicts)).toEqual(verdicts);
  const bare = { tool: 'a/bare', rewrites: ['properties-added'] };
  const either = { tool: 'a/either', reason: 'keyword', pointer: '/anyOf' };
  expect(verdicts).toEqual([
    { profile: 'openai', rewritten: [bare], leftOut: [either] },
    { profile: 'anthropic', rewritten: [bare], leftOut: [either] },
    { profile: 'gemini', rewritten: [bare, { tool: 'a/either', rewrites: ['properties-added'] }], leftOut: [] },
  ]);
});
