import { afterEach, expect, test, vi } from 'vitest';
import { fakeApi, json } from './fake-api.ts';
import { server } from './listed-server.ts';
import { runVerb } from './run-verb.ts';

const bodyOf = (text: string | undefined): unknown => JSON.parse(text ?? '');
const listed = json({ items: [server], nextCursor: null });
const secret = `whsec_${'A'.repeat(32)}`;

afterEach(() => vi.unstubAllEnvs());

test('"servers add" says how attempts are kept apart on the server', async () => {
  await using api = await fakeApi(json({ ...server, isolation: { kind: 'session' } }, 201));
  const adding = ['servers', 'add', 'files', 'https://files.example.com/mcp', '--domain', 'files'];
  const { lines } = await runVerb(api, ...adding, '--isolation', 'session');
  expect(bodyOf(api.requests[0]?.body)).toMatchObject({ isolation: { kind: 'session' } });
  expect(lines).toContain('state per session');
});

test('"servers isolate" names the tool that resets a server, with its arguments as JSON or as texts', async () => {
  const isolation = { kind: 'reset', when: 'after', by: { tool: 'wipe', arguments: { id: '{attempt}', hard: true } } };
  await using api = await fakeApi(listed, json({ ...server, isolation }));
  const named = ['--reset-tool', 'wipe', '--reset-argument', 'id={attempt}', '--reset-argument', 'hard=true'];
  const { lines } = await runVerb(api, 'servers', 'isolate', 'files', ...named, '--reset-after');
  expect(bodyOf(api.requests[1]?.body)).toEqual({ isolation });
  expect(lines).toEqual(['files: reset after each attempt by wipe']);
});

test('"servers isolate" takes the secret of a webhook from the environment', async () => {
  vi.stubEnv('RESET_SECRET', secret);
  const by = { webhook: 'https://files.example.com/reset' };
  await using api = await fakeApi(listed, json({ ...server, isolation: { kind: 'reset', when: 'before', by } }));
  const named = ['--reset-webhook', by.webhook, '--reset-secret-env', 'RESET_SECRET'];
  const { lines } = await runVerb(api, 'servers', 'isolate', 'files', ...named);
  expect(bodyOf(api.requests[1]?.body)).toEqual({
    isolation: { kind: 'reset', when: 'before', by: { ...by, secret } },
  });
  expect(lines).toEqual(['files: reset before each attempt by https://files.example.com/reset']);
});

test.each([
  ['nothing', [], /one of --isolation/],
  ['two ways', ['--isolation', 'none', '--reset-tool', 'wipe'], /one of --isolation/],
  ['a webhook without a secret', ['--reset-webhook', 'https://x.example'], /needs --reset-secret-env/],
  ['an empty variable', ['--reset-webhook', 'https://x.example', '--reset-secret-env', 'NO_SUCH'], /no NO_SUCH/],
  ['an argument without a name', ['--reset-tool', 'wipe', '--reset-argument', 'all'], /a name, "=" and a value/],
])('"servers isolate" refuses %s before anything is sent', async (_, options, problem) => {
  await using api = await fakeApi(listed);
  await expect(runVerb(api, 'servers', 'isolate', 'files', ...options)).rejects.toThrow(problem);
  expect(api.requests).toEqual([]);
});
