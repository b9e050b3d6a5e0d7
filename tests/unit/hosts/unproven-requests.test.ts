import { describe, expect, test } from 'vitest';
import { Admission } from '#adapters/network/admission.ts';
import { makeGuardedFetch, type FetchLike } from '#adapters/network/guarded-fetch.ts';
import { PlatformError } from '#adapters/network/platform-errors.ts';
import { UnprovenRequests } from '#adapters/network/unproven-requests.ts';
import type { HostLedger } from '#core/catalog/hosts/ledger.ts';
import {
  countRequestsTodayWithoutProof,
  giveBackRequests,
  newHostStanding,
  takeRequests,
  type HostStanding,
} from '#core/catalog/hosts/standing.ts';

/** A ledger in memory that notes how often it was asked. */
function makeLedger(limit: number) {
  const hosts = new Map<string, HostStanding>();
  const asked: string[] = [];
  const standOf = (host: string) => hosts.get(host) ?? newHostStanding(host);
  const ledger: HostLedger = {
    takeRequests: async (host, workspace, wanted) => {
      asked.push(host);
      const { standing, leave } = takeRequests(standOf(host), { workspace, wanted, limit }, Date.now());
      hosts.set(host, standing);
      return leave;
    },
    giveBack: async (host, day, requests) => {
      asked.push(`back ${host}`);
      hosts.set(host, giveBackRequests(standOf(host), day, requests));
    },
  };
  return { ledger, asked, countOf: (host: string) => countRequestsTodayWithoutProof(standOf(host), Date.now()) };
}

const url = (host: string): URL => new URL(`https://${host}/mcp`);

describe('requests to hosts that are not proven', () => {
  test('are taken a few at a time, and what is not used is given back', async () => {
    const { ledger, asked, countOf } = makeLedger(100);
    const requests = new UnprovenRequests(ledger, 'one');
    await Promise.all(Array.from({ length: 10 }, () => requests.admit(url('a.example'))));
    expect(asked).toEqual(['a.example', 'a.example']);
    await requests.giveBackRest();
    expect(countOf('a.example')).toBe(10);
    expect(asked).toHaveLength(3);
  });

  test('never exceed the limit, however many are made at once', async () => {
    const { ledger, countOf } = makeLedger(20);
    const users = Array.from({ length: 5 }, (_, index) => new UnprovenRequests(ledger, `workspace ${index}`));
    const made = await Promise.allSettled(
      users.flatMap((requests) => Array.from({ length: 10 }, () => requests.admit(url('a.example')))),
    );
    const admitted = made.filter(({ status }) => status === 'fulfilled').length;
    expect(admitted).toBeLessThanOrEqual(20);
    for (const requests of users) await requests.giveBackRest();
    expect(countOf('a.example')).toBe(admitted);
  });

  test('count by the name of the host, whatever its port and case, and not at all for private ones', async () => {
    const { ledger, asked, countOf } = makeLedger(100);
    const requests = new UnprovenRequests(ledger, 'one');
    for (const at of ['https://A.example:8443/x', 'http://a.example./', 'https://a.example/'])
      await requests.admit(new URL(at));
    await requests.admit(new URL('http://127.0.0.1:8970/mcp'));
    await requests.giveBackRest();
    expect(new Set(asked)).toEqual(new Set(['a.example', 'back a.example']));
    expect(countOf('a.example')).toBe(3);
  });

  test('count for the host that a redirect leads to, which is spared too', async () => {
    const { ledger, countOf } = makeLedger(1);
    const requests = new UnprovenRequests(ledger, 'one');
    const sent: string[] = [];
    const network: FetchLike = async (to) => {
      sent.push(new URL(to).host);
      return new Response(null, { status: 307, headers: { location: 'https://victim.example/mcp' } });
    };
    const send = makeGuardedFetch({
      admission: new Admission(),
      allowLocal: false,
      maxBytes: 100,
      fetch: network,
      admit: (to) => requests.admit(to),
    });
    await expect(send('https://a.example/mcp')).rejects.toMatchObject({ code: 'not-proven' });
    expect(sent).toEqual(['a.example', 'victim.example']);
    expect(countOf('victim.example')).toBe(1);
    await expect(send('https://a.example/mcp')).rejects.toMatchObject({
      code: 'not-proven',
      message: expect.stringContaining('a.example gets 1 requests a day'),
    });
    expect(sent).toHaveLength(2);
    await send('https://a.example/token', { isUncounted: true, redirect: 'manual' });
    expect(sent).toHaveLength(3);
  });

  test('that could not be counted stop the step, and are no fault of the server', async () => {
    const broken: HostLedger = {
      takeRequests: () => Promise.reject(new Error('internal error; reference = 1')),
      giveBack: () => Promise.resolve(),
    };
    await expect(new UnprovenRequests(broken, 'one').admit(url('a.example'))).rejects.toBeInstanceOf(PlatformError);
  });
});
