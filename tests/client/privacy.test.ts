import { expect, test } from 'vitest';
import { fakeApi, json } from './fake-api.ts';
import { server } from './listed-server.ts';
import { runVerb } from './run-verb.ts';

const bodyOf = (text: string | undefined): unknown => JSON.parse(text ?? '');

test('"servers add" sends what is never kept, and whether the server is private', async () => {
  const redact = { fields: ['ssn', '$.a[*].b'], patterns: ['email', 'K-\\d+'] };
  await using api = await fakeApi(json({ ...server, redact, private: true }, 201));
  const redacting = [
    '--redact-field',
    'ssn',
    '--redact-field',
    '$.a[*].b',
    '--redact-pattern',
    'email',
    '--redact-pattern',
    'K-\\d+',
  ];
  const adding = ['servers', 'add', 'files', 'https://files.example.com/mcp', '--domain', 'files', '--private'];
  const { lines } = await runVerb(api, ...adding, ...redacting);
  expect(bodyOf(api.requests[0]?.body)).toMatchObject({ redact, private: true });
  expect(lines).toContain('redacts 2 fields and 2 patterns; private');
});

test('a pattern that cannot be searched for in linear time is refused before anything is sent', async () => {
  await using api = await fakeApi(json({}));
  const adding = runVerb(api, 'servers', 'redact', 'files', '--redact-pattern', '(?<=a)b');
  await expect(adding).rejects.toThrow(/redact-pattern.*lookbehinds/s);
  expect(api.requests).toEqual([]);
});

test('"servers redact", "servers private" and "servers public" change a server and leave the rest of it', async () => {
  const listed = json({ items: [server], nextCursor: null });
  const redact = { fields: ['ssn'], patterns: [] };
  const answers = [json({ ...server, redact }), json({ ...server, private: true }), json(server)];
  await using api = await fakeApi(...answers.flatMap((answer) => [listed, answer]));
  const said = [
    await runVerb(api, 'servers', 'redact', 'files', '--redact-field', 'ssn'),
    await runVerb(api, 'servers', 'private', 'files'),
    await runVerb(api, 'servers', 'public', 'files'),
  ];
  expect(said.flatMap(({ lines }) => lines)).toEqual([
    'files: redacts 1 field and 0 patterns',
    'files is private',
    'files is public',
  ]);
  const sent = api.requests
    .filter(({ line }) => line === 'POST /v1/servers/srv_1/relist')
    .map(({ body }) => bodyOf(body));
  expect(sent).toEqual([{ redact }, { private: true }, { private: false }]);
});

test('"texts delete" deletes the texts of one case, or of all of an evaluation, and counts the attempts', async () => {
  const deleted = { case: 'u.one.01', attempts: [{ request: 'source', textsDeleted: '2026-01-01T00:00:00.000Z' }] };
  await using api = await fakeApi(json(deleted));
  const { lines } = await runVerb(api, 'texts', 'delete', 'evl_1', '--case', 'u.one.01', '--request', 'source');
  expect(lines).toEqual(['the texts of 1 attempt are deleted']);
  expect(api.requests[0]?.line).toBe('DELETE /v1/evaluations/evl_1/cases/u.one.01/texts?request=source');
});

test('"texts delete" deletes the texts of all units of an exploration, and refuses what is for evaluations', async () => {
  const deleted = { unit: 'r0001-u01', attempts: [{ request: 'source', textsDeleted: '2026-01-01T00:00:00.000Z' }] };
  await using api = await fakeApi(json(deleted));
  const { lines } = await runVerb(api, 'texts', 'delete', 'exp_1', '--unit', 'r0001-u01', '--request', 'source');
  expect(lines).toEqual(['the texts of 1 attempt are deleted']);
  expect(api.requests[0]?.line).toBe('DELETE /v1/explorations/exp_1/units/r0001-u01/texts?request=source');
  await expect(runVerb(api, 'texts', 'delete', 'exp_1', '--case', 'x')).rejects.toThrow('--case is for evaluations');
  await expect(runVerb(api, 'texts', 'delete', 'evl_1', '--unit', 'x')).rejects.toThrow('--unit is for explorations');
  await expect(runVerb(api, 'texts', 'delete', 'exp_1', '--request', 'request')).rejects.toThrow('source or followUp');
});
