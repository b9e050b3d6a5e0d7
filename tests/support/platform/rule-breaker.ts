import {
  DurableObject,
  RpcTarget,
  WorkflowEntrypoint,
  type WorkflowEvent,
  type WorkflowStep,
} from 'cloudflare:workers';
import { z } from 'zod';
import { watchPlatform } from './install.ts';
import { limitTo, newInvocation, within } from './invocation.ts';
import { forget, seen } from './ledger.ts';
import { resetAt } from './resets.ts';

/** A Worker that breaks each of the platform's rules on request, to show that every breach is detected. */

interface Env {
  readonly BREAKER: DurableObjectNamespace<Breaker>;
  readonly BREAKER_WORKFLOW: Workflow<Params>;
}

interface Params {
  readonly how: string;
  readonly url: string;
  readonly text: string;
}

async function send(url: string, count: number): Promise<number> {
  return (await Promise.all(Array.from({ length: count }, async () => (await fetch(url)).text()))).length;
}

/** A part of an object, whose calls are calls of the object. */
class Part extends RpcTarget {
  async send(url: string, count: number): Promise<void> {
    await send(url, count);
  }

  take(text: string): number {
    return text.length;
  }
}

export class Breaker extends DurableObject<Env> {
  readonly #part = new Part();

  get part(): Part {
    return this.#part;
  }

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    state.storage.sql.exec('CREATE TABLE IF NOT EXISTS texts (text TEXT)');
  }

  override async fetch(request: Request): Promise<Response> {
    const url = new URL(request.url).searchParams.get('url') ?? '';
    // The runtime calls a stream's source outside any request.
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        pulls += 1;
        if (pulls < 3) return controller.enqueue(new Uint8Array(1));
        await send(url, 7);
        controller.close();
      },
    });
    return new Response(body);
  }

  override async alarm(): Promise<void> {
    await send((await this.ctx.storage.get<string>('url')) ?? '', 7);
  }

  async send(url: string, count: number): Promise<void> {
    await send(url, count);
  }

  async alarmSoon(url: string): Promise<void> {
    await this.ctx.storage.put('url', url);
    await this.ctx.storage.setAlarm(Date.now());
  }

  async sendTwice(url: string): Promise<void> {
    // Both count as one invocation, even though one method calls another.
    await Promise.all([this.send(url, 4), this.send(url, 4)]);
  }

  store(length: number): void {
    for (let n = 0; n < 3; n += 1) this.ctx.storage.sql.exec('INSERT INTO texts VALUES (?)', 'x'.repeat(length));
    this.ctx.storage.sql.exec('SELECT * FROM texts').toArray();
  }

  take(text: string): number {
    return text.length;
  }

  give(length: number): string {
    return 'x'.repeat(length);
  }

  fail(): string {
    throw new Error('the object was reset');
  }
}

export class BreakerWorkflow extends WorkflowEntrypoint<Env, Params> {
  override async run({ payload }: Readonly<WorkflowEvent<Params>>, step: WorkflowStep): Promise<void> {
    const { how, url } = payload;
    const once = { retries: { limit: 0, delay: 0 } };
    const breaker = this.env.BREAKER.getByName('of the workflow');
    if (how === 'connections') await Promise.all([1, 2].map((n) => step.do(`send ${n}`, once, () => send(url, 4))));
    if (how === 'subrequests') for (const n of [1, 2, 3]) await step.do(`send ${n}`, once, () => send(url, 4));
    if (how === 'result') await step.do('large', once, async () => 'x'.repeat(2 ** 20));
    if (how === 'steps') for (let n = 0; n < 13; n += 1) await step.do(`step ${n}`, once, async () => n);
    if (how === 'stub') {
      await step.do('throws', once, () => breaker.fail()).catch(() => undefined);
      await step.do('again', once, () => breaker.take('a'));
    }
  }
}

watchPlatform({ Breaker, BreakerWorkflow });
// Few, so that a test reaches the limit soon.
limitTo({ subrequests: 10, steps: 10, payloadBytes: 1_000, messageBytes: 10_000, rowBytes: 5_000 });

const asked = z.object({ how: z.string(), url: z.string() });

async function breakRule(env: Env, how: string, url: string): Promise<void> {
  const breaker = env.BREAKER.getByName(how);
  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    nothing: () => breaker.send(url, 6),
    'request-connections': () => send(url, 7),
    'object-connections': () => breaker.send(url, 7),
    'nested-connections': () => breaker.sendTwice(url),
    'calls-of-a-part': () => Promise.all([breaker.part.send(url, 4), breaker.part.send(url, 4)]),
    'argument-of-a-part': () => breaker.part.take('x'.repeat(10_001)),
    'calls-of-an-object': () => Promise.all([breaker.send(url, 4), breaker.send(url, 4)]),
    alarm: () => breaker.alarmSoon(url),
    stream: async () => (await breaker.fetch(`http://breaker/?url=${encodeURIComponent(url)}`)).text(),
    argument: () => breaker.take('x'.repeat(10_001)),
    answer: () => breaker.give(10_001),
    row: () => breaker.store(5_001),
    rows: () => breaker.store(10),
    stub: () => breaker.fail().catch(() => breaker.take('a')),
    'reset-at-a-part': async () => {
      resetAt('Breaker.part.take');
      const heard = await breaker.part.take('a').catch((error: unknown) => `threw: ${String(error)}`);
      const length = await env.BREAKER.getByName(how).part.take('four');
      throw new Error(`${heard}; a new stub heard ${length}`);
    },
    reset: async () => {
      resetAt('Breaker.take');
      const heard = await breaker.take('a').catch((error: unknown) => `threw: ${String(error)}`);
      const length = await env.BREAKER.getByName(how).take('four');
      throw new Error(`${heard}; a new stub heard ${length}`);
    },
    payload: () => env.BREAKER_WORKFLOW.create({ params: { how, url, text: 'x'.repeat(1_001) } }),
    batch: () =>
      env.BREAKER_WORKFLOW.createBatch(
        Array.from({ length: 101 }, (_, n) => ({ id: `of-batch-${n}`, params: { how, url, text: '' } })),
      ),
  };
  const [kind = '', inWorkflow] = how.split(' ');
  if (inWorkflow === undefined) await ways[kind]?.();
  else await env.BREAKER_WORKFLOW.create({ params: { how: inWorkflow, url, text: '' } });
}

export default {
  async fetch(request, env) {
    if (request.method === 'GET') return Response.json(seen());
    const { how, url } = asked.parse(await request.json());
    forget();
    const work = (): Promise<unknown> => (how === 'stray' ? send(url, 1) : breakRule(env, how, url));
    const error = await (how === 'stray' ? work() : within(newInvocation('Worker.fetch'), work)).then(
      () => null,
      (failed: unknown) => String(failed),
    );
    return Response.json({ error, seen: seen() });
  },
} satisfies ExportedHandler<Env>;
