import { describe, expect, it } from 'vitest';
import {
  valueWithAttemptIdFilledIn,
  findIsolationProblem,
  mustAttemptsTakeTurns,
  ownersIsolation,
  makeShownIsolation,
  type Isolation,
} from '#core/catalog/isolation/isolation.ts';
import { listIsolationOfServers, isolationSentences } from '#core/catalog/isolation/server-isolation.ts';

const byTool: Isolation = { kind: 'reset', when: 'before', by: { tool: 'wipe', arguments: {} } };
const secret = `whsec_${'A'.repeat(32)}`;
const server = { name: 'notes', allows: 'destroys', effects: {} } as const;
const writes = { name: 'notes/add', effect: 'writes' } as const;
const reads = { name: 'notes/list', effect: 'reads' } as const;

describe('a server that attempts share', () => {
  it.each([
    ['calls may write', { ...server, isolation: { kind: 'none' } }, [writes, reads], true],
    ['it is reset', { ...server, isolation: byTool }, [writes], true],
    [
      'an effect is unknown',
      { ...server, isolation: { kind: 'none' } },
      [{ name: 'notes/x', effect: 'unknown' }],
      true,
    ],
  ] as const)('is one on which %s', (_, access, tools, shared) =>
    expect(mustAttemptsTakeTurns(access, tools)).toBe(shared),
  );

  it.each([
    ['keeps state per session', { ...server, isolation: { kind: 'session' } }, [writes]],
    ['is only read', { ...server, isolation: { kind: 'none' } }, [reads]],
    ['allows no call that writes', { ...server, allows: 'reads', isolation: { kind: 'none' } }, [writes, reads]],
    [
      'has its writing tools in another catalog',
      { ...server, isolation: { kind: 'none' } },
      [{ ...writes, name: 'other/add' }],
    ],
    ['only reads by its owner', { ...server, effects: { add: 'reads' }, isolation: { kind: 'none' } }, [writes]],
    ['is called in dry runs', { ...server, isolation: { kind: 'none' } }, [{ ...reads, forced: { dryRun: true } }]],
  ] as const)('is none that %s', (_, access, tools) => expect(mustAttemptsTakeTurns(access, tools)).toBe(false));
});

describe("an owner's word about isolation", () => {
  const listed = { isModern: false, keepsSessions: true, tools: [{ name: 'notes/wipe' }] };

  it('fits a server that keeps sessions, has the tool, or says nothing', () => {
    for (const said of [{ kind: 'none' }, { kind: 'session' }, byTool] as const)
      expect(findIsolationProblem(said, listed)).toBeNull();
  });

  it.each([
    ['session', { ...listed, isModern: true }, /no sessions/],
    ['session', { ...listed, keepsSessions: false }, /gave no session id/],
    ['tool', { ...listed, tools: [{ name: 'notes/add' }] }, /lists no tool wipe/],
  ] as const)('is refused where the %s is not there', (kind, facts, reason) => {
    expect(findIsolationProblem(kind === 'tool' ? byTool : { kind: 'session' }, facts)).toMatch(reason);
  });

  it('has a secret of at least 24 bytes in base64 for a webhook', () => {
    const wordWith = (given: string) =>
      ownersIsolation.safeParse({ kind: 'reset', by: { webhook: 'https://x.example/reset', secret: given } }).success;
    expect(['whsec_short', secret.slice(0, -1), 'A'.repeat(32), `${secret}!`].map(wordWith)).toEqual(
      Array.from({ length: 4 }, () => false),
    );
    expect([secret, `whsec_${btoa('x'.repeat(64))}`].map(wordWith)).toEqual([true, true]);
  });

  it('is shown without the secret', () => {
    const stored: Isolation = {
      kind: 'reset',
      when: 'after',
      by: { webhook: 'https://x.example/reset', secret: 'sealed' },
    };
    expect(makeShownIsolation(stored)).toEqual({
      kind: 'reset',
      when: 'after',
      by: { webhook: 'https://x.example/reset' },
    });
  });
});

describe('the arguments of a reset', () => {
  it('name the attempt wherever they say so', () => {
    const given = {
      id: 'x-{attempt}',
      list: ['{attempt}', 3, null],
      deep: { same: '{attempt}{attempt}' },
      plain: true,
    };
    expect(valueWithAttemptIdFilledIn(given, 'att_1')).toEqual({
      id: 'x-att_1',
      list: ['att_1', 3, null],
      deep: { same: 'att_1att_1' },
      plain: true,
    });
  });
});

describe('what figures say about isolation', () => {
  it('names the servers on which attempts saw each other, and those that were reset', () => {
    const servers = [
      { ...server, isolation: { kind: 'none' } },
      { ...server, name: 'maps', isolation: { kind: 'none' } },
      { ...server, name: 'books', isolation: byTool },
      { ...server, name: 'files', isolation: { kind: 'session' } },
    ] as const;
    const tools = [writes, { name: 'books/add', effect: 'writes' }, { name: 'files/add', effect: 'writes' }] as const;
    const described = listIsolationOfServers(servers, tools);
    expect(described.map(({ shared }) => shared)).toEqual([true, false, true, false]);
    expect(isolationSentences(described)).toEqual([
      'Attempts could see what earlier ones had changed on notes: nothing resets it.',
      'Reset for each attempt: books.',
    ]);
    expect(isolationSentences(described.slice(3))).toEqual([]);
  });
});
