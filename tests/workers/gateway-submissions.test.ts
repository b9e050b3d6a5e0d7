import { exports } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { RankedEntry } from '#core/leaderboards/record.ts';
import { submissionRecord } from '#core/leaderboards/submissions/record.ts';
import { board, rankedEntries, received, submitter, type Board } from '../support/board.ts';
import { withRules } from '../support/evaluation.ts';
import { modelKey } from '../support/exploration.ts';
import { claimed, connected } from '../support/external.ts';
import type { Rule } from '../support/script.ts';
import { call, expectStatus, problemOf } from '../support/workspace.ts';
import type { OutsideModel } from '../support/world.ts';

/** Submissions of agents that ask their models through the model gateway, by the real workflow. */

let bed: Board;
beforeAll(async () => {
  bed = await board({ units: 2 });
});

const claimedWithModels = claimed.shape.attempt.extend({
  models: z.object({ names: z.array(z.string()), urls: z.object({ openai: z.string() }), token: z.string() }),
});
type Guest = z.infer<typeof claimedWithModels>;

/** The address at which the list knows prices of models; requests to it go to this model until the test ends. */
const listed = 'https://api.openai.com/v1';
const send = globalThis.fetch;
function serveListedAddress({ baseUrl }: OutsideModel): void {
  const reaching: typeof fetch = (input, init) => {
    const url = typeof input === 'object' && 'url' in input ? input.url : String(input);
    return send(url.startsWith(listed) ? url.replace(listed, baseUrl) : input, init);
  };
  Object.defineProperty(globalThis, 'fetch', { value: reaching, configurable: true, writable: true });
}
afterEach(() => Object.defineProperty(globalThis, 'fetch', { value: send, configurable: true, writable: true }));

const program = { name: 'claude-code', version: '2.1.197' };
const at = (baseUrl: string, more: Readonly<Record<string, unknown>> = {}) => ({ baseUrl, apiKey: modelKey, ...more });

const submissionOf = (name: string, models: readonly unknown[]) => ({
  leaderboard: bed.leaderboard.id,
  name,
  tier: 'gateway',
  models,
  program,
});

type Submitter = Awaited<ReturnType<typeof submitter>>;

const claimOf = (guest: Submitter, id: string): Promise<Guest | null> =>
  vi.waitFor(
    async () => {
      const body = expectStatus(await guest.post('/v1/attempts/claim', { submission: id }), 200);
      const { status, attempt } = z.object({ status: z.string(), attempt: z.unknown().optional() }).parse(body);
      if (status === 'wait') throw new Error('there is none yet');
      return status === 'finished' ? null : claimedWithModels.parse(attempt);
    },
    { timeout: 60_000, interval: 100 },
  );

const ask = ({ models }: Pick<Guest, 'models'>, model: string): Promise<Response> =>
  exports.default.fetch(
    new Request(`${models.urls.openai}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${models.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'What now?' }] }),
    }),
  );

async function callApple(attempt: Guest): Promise<void> {
  const client = await connected(attempt);
  await client.callTool({ name: 'fruit__apple', arguments: { code: attempt.id } }).catch(() => undefined);
  await client.close();
}

/** Makes all attempts of a submission as an agent does, and returns how it ended and its entry. */
async function makeAll(guest: Submitter, id: string, make: (attempt: Guest) => Promise<void>) {
  for (let made = 0; made < 20; made += 1) {
    const attempt = await claimOf(guest, id);
    if (attempt === null) break;
    await make(attempt);
    await guest.post(`/v1/attempts/${attempt.id}/response`, { response: 'It is done.' });
  }
  const record = await vi.waitFor(
    async () => {
      const found = submissionRecord.parse(expectStatus(await guest.get(`/v1/submissions/${id}`), 200));
      if (!['published', 'moderation', 'rejected'].includes(found.state)) throw new Error(`it is ${found.state}`);
      return found;
    },
    { timeout: 30_000, interval: 100 },
  );
  const entry = (await rankedEntries(bed)).find(({ entry: each }) => each.id === id);
  return { record, entry };
}

const frontOf = async (): Promise<string[]> => {
  const answer = await call(null, 'GET', `/v1/leaderboards/${bed.leaderboard.id}/front?tier=gateway`);
  const { items } = z.object({ items: z.array(z.object({ id: z.string() })) }).parse(expectStatus(answer, 200));
  return items.map(({ id }) => id);
};

const apple: Rule = { behaviour: { kind: 'call', name: 'mcp__sextant__fruit__apple', arguments: '{}' } };

const moderated = async (id: string): Promise<RankedEntry | undefined> => {
  expectStatus(
    await bed.workspace.post(`/v1/submissions/${id}/moderate`, { action: 'publish', reason: 'looked at' }),
    200,
  );
  return vi.waitFor(
    async () => {
      const found = (await rankedEntries(bed)).find(({ entry }) => entry.id === id);
      if (found === undefined) throw new Error('it is not published yet');
      return found;
    },
    { timeout: 20_000, interval: 100 },
  );
};

describe('an agent that asks its model through the gateway of models', () => {
  test("has tokens, the cost by the list's price and a place on the front, and pays with its submitter's key", async () => {
    const { model } = await withRules(bed, apple);
    serveListedAddress(model);
    const guest = await submitter();
    // A price that the submitter names does not count where the list knows one.
    const models = [{ model: 'gpt-5.4', endpoint: at(listed, { promptPricePerMTok: 0.001 }) }];
    const { id } = received(await guest.post('/v1/submissions', submissionOf('Claude Code', models)));
    const { record, entry } = await makeAll(guest, id, async (attempt) => {
      expect(attempt.models.names).toEqual(['gpt-5.4']);
      expect((await ask(attempt, 'gpt-5.4')).status).toBe(200);
      await callApple(attempt);
    });
    expect(record.findings.map(({ kind }) => kind)).not.toContain('model-bypassed');
    const published = entry ?? (await moderated(id));
    expect(published?.entry).toMatchObject({
      tier: 'gateway',
      configuration: { loop: 'external', model: 'gpt-5.4', program, prices: { promptPricePerMTok: 2.5 } },
      priceSource: { url: expect.stringContaining('http') },
    });
    const { costUsd, tokens } = published?.entry ?? {};
    expect(tokens).toBeGreaterThan(0);
    expect(costUsd).toBeGreaterThan((tokens ?? 0) * 2.4e-6);
    const asked = await model.asked();
    expect(new Set(asked.map(({ authorization }) => authorization))).toEqual(new Set([`Bearer ${modelKey}`]));
    expect(await frontOf()).toEqual([id]);
    const shown = await call(null, 'GET', `/v1/leaderboards/${bed.leaderboard.id}/entries/${id}/traces`);
    expect(JSON.stringify([shown.body, record, published])).not.toContain(modelKey);
  });

  test('has a declared cost, and no place on the front, if one of its models has no price in the list', async () => {
    const { model } = await withRules(bed, apple);
    serveListedAddress(model);
    const guest = await submitter();
    const models = [
      { model: 'gpt-5.4', endpoint: at(listed) },
      { model: 'worker', endpoint: at(model.baseUrl) },
    ];
    const { id } = received(await guest.post('/v1/submissions', submissionOf('Two models', models)));
    const { entry } = await makeAll(guest, id, async (attempt) => {
      expect((await ask(attempt, 'gpt-5.4')).status).toBe(200);
      expect((await ask(attempt, 'worker')).status).toBe(200);
      await callApple(attempt);
    });
    const published = entry ?? (await moderated(id));
    expect(published?.entry.costUsd).toBeGreaterThan(0);
    expect(published?.entry).not.toHaveProperty('priceSource');
    expect(await frontOf()).not.toContain(id);
  });

  test('goes to a moderator if its work was done by another model than those at the gateway', async () => {
    const { model } = await withRules(bed);
    const guest = await submitter();
    const models = [{ model: 'thinker', endpoint: at(model.baseUrl) }];
    const { id } = received(await guest.post('/v1/submissions', submissionOf('Elsewhere', models)));
    const { record } = await makeAll(guest, id, callApple);
    expect(record.state).toBe('moderation');
    expect(record.findings.map(({ kind }) => kind)).toContain('model-bypassed');
    expect(await model.asked()).toEqual([]);
  });

  test('reaches no other model, nothing with the token of another attempt, and nothing after its response', async () => {
    const { model } = await withRules(bed);
    const guest = await submitter();
    const models = [{ model: 'thinker', endpoint: at(model.baseUrl) }];
    const { id } = received(await guest.post('/v1/submissions', submissionOf('Curious', models)));
    const [one, other] = [await claimOf(guest, id), await claimOf(guest, id)];
    if (one === null || other === null) throw new Error('there are too few attempts');
    expect((await ask(one, 'dearer')).status).toBe(404);
    expect((await ask({ models: { ...one.models, token: other.models.token } }, 'thinker')).status).toBe(401);
    await guest.post(`/v1/attempts/${one.id}/response`, { response: 'It is done.' });
    expect((await ask(one, 'thinker')).status).toBe(409);
    expectStatus(await guest.post(`/v1/submissions/${id}/withdraw`, {}), 200);
    expect((await ask(other, 'thinker')).status).toBe(409);
    expect(await model.asked()).toEqual([]);
  });

  test('is refused whose model has no endpoint of its own: nobody else pays for it', async () => {
    const guest = await submitter();
    for (const who of [guest, bed.workspace]) {
      const answer = await who.post('/v1/submissions', submissionOf('Free', [{ model: 'thinker' }]));
      expect(problemOf(answer)).toEqual([400, 'invalid-request']);
      expect(JSON.stringify(answer.body)).toContain('with your key for it');
    }
    const inside = [{ model: 'thinker', endpoint: at('http://169.254.169.254/v1') }];
    expect(problemOf(await guest.post('/v1/submissions', submissionOf('Inside', inside)))).toEqual([
      422,
      'address-forbidden',
    ]);
  });
});
