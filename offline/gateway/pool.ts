import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Child, type Folders } from './child.ts';
import { emptyFixture, type Fixture, loadOrBuildFixture, restoreWorkAndHome } from './fixture.ts';
import type { Limiter } from './limiter.ts';
import type { ServerSpec } from './servers.ts';

const WAIT_MS = 30_000;

/** Every child of the server is taken and none was returned in time. */
export class BusyError extends Error {}

/** How a session used its child. */
export interface Use {
  /** It did something that the server's reset does not undo. */
  readonly spoiled: boolean;
  /** The tools it called. */
  readonly tools: ReadonlySet<string>;
}

/** The children of one server. Sessions take one and return it. */
export interface Children {
  takeChild(signal?: AbortSignal): Promise<Child>;
  returnChild(child: Child, use: Use): Promise<void>;
}

/** What the pools of all servers share: the parent of folders, the limit of starting processes, the living children. */
export interface Yard {
  readonly root: string;
  readonly children: Set<Child>;
  readonly starts: Limiter;
  /** Maximum children of one stateful server. */
  readonly maxChildren: number;
  closed: boolean;
}

async function startChildInFreshFolders(
  spec: ServerSpec,
  yard: Yard,
  fixture: Fixture,
  number: number,
): Promise<Child> {
  const home = join(yard.root, `${spec.name}-${number}`);
  const folders: Folders = { work: join(home, 'work'), home: join(home, 'home') };
  restoreWorkAndHome(fixture, folders);
  if (yard.closed) throw new BusyError('The gateway is closing');
  const child = new Child(spec, folders);
  yard.children.add(child);
  void removeFoldersWhenChildEnds(child, home, yard);
  await child.performHandshake();
  return child;
}

async function removeFoldersWhenChildEnds(child: Child, home: string, yard: Yard): Promise<void> {
  await child.ended;
  yard.children.delete(child);
  await rm(home, { recursive: true, force: true }).catch(() => undefined);
}

/** One child for all sessions; a new one when it has ended. */
export class SharedChild implements Children {
  readonly #spec: ServerSpec;
  readonly #yard: Yard;
  #current: Promise<Child> | undefined;
  #started = 0;

  constructor(spec: ServerSpec, yard: Yard) {
    this.#spec = spec;
    this.#yard = yard;
  }

  takeChild(): Promise<Child> {
    this.#current ??= this.#yard.starts.run(() => this.#startChild());
    return this.#current;
  }

  returnChild(): Promise<void> {
    return Promise.resolve();
  }

  async #startChild(): Promise<Child> {
    const forget = (): void => {
      this.#current = undefined;
    };
    try {
      const child = await startChildInFreshFolders(this.#spec, this.#yard, emptyFixture, ++this.#started);
      void child.ended.then(forget);
      return child;
    } catch (error) {
      forget();
      throw error;
    }
  }
}

interface Waiter {
  readonly give: (child: Child) => void;
  readonly fail: (error: Error) => void;
}

/** A child for each session, from a limited number; each is clean when it is taken. */
export class ChildPool implements Children {
  readonly #spec: ServerSpec;
  readonly #yard: Yard;
  readonly #idle: Child[] = [];
  readonly #waiting: Waiter[] = [];
  #fixture: Promise<Fixture> | undefined;
  #size = 0;
  #starting = 0;
  #started = 0;

  constructor(spec: ServerSpec, yard: Yard) {
    this.#spec = spec;
    this.#yard = yard;
  }

  takeChild(signal?: AbortSignal): Promise<Child> {
    if (this.#yard.closed) return Promise.reject(new BusyError('The gateway is closing'));
    for (let child = this.#idle.pop(); child !== undefined; child = this.#idle.pop()) {
      if (!child.alive) continue;
      // This child will not return, so the next one starts now.
      if (this.#spec.reset?.kind === 'kill') this.#startWantedChildren();
      return Promise.resolve(child);
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        const at = this.#waiting.indexOf(waiter);
        if (at >= 0) this.#waiting.splice(at, 1);
      };
      const waiter: Waiter = {
        give: (child) => {
          leave();
          resolve(child);
        },
        fail: (error) => {
          leave();
          reject(error);
        },
      };
      const abort = (): void => waiter.fail(new BusyError('The client went away'));
      const timer = setTimeout(() => waiter.fail(new BusyError(`Every ${this.#spec.name} process is taken`)), WAIT_MS);
      signal?.addEventListener('abort', abort);
      this.#waiting.push(waiter);
      this.#startWantedChildren();
    });
  }

  async returnChild(child: Child, use: Use): Promise<void> {
    if (!child.alive) return;
    // A late answer would reach into the next session.
    if (child.pendingCount > 0 || use.spoiled || !(await this.#resetIfPossible(child, use))) child.killProcess();
    else this.#giveToWaiterOrKeep(child);
  }

  /** Starts as many children as are waited for, and keeps one warm. */
  #startWantedChildren(): void {
    const wanted = Math.max(this.#waiting.length, this.#idle.length > 0 ? 0 : 1);
    while (this.#starting < wanted && this.#size < this.#yard.maxChildren) {
      this.#size++;
      this.#starting++;
      void this.#startAndOffer(++this.#started);
    }
  }

  async #startAndOffer(number: number): Promise<void> {
    try {
      this.#giveToWaiterOrKeep(await this.#yard.starts.run(() => this.#startCleanChild(number)));
    } catch (error) {
      this.#size--;
      this.#waiting[0]?.fail(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#starting--;
    }
  }

  async #startCleanChild(number: number): Promise<Child> {
    this.#fixture ??= loadOrBuildFixture(this.#spec, join(this.#yard.root, 'fixtures'));
    const child = await startChildInFreshFolders(this.#spec, this.#yard, await this.#fixture, number);
    await this.#callResetToolIfAny(child);
    void this.#replaceWhenEnded(child);
    return child;
  }

  async #replaceWhenEnded(child: Child): Promise<void> {
    await child.ended;
    this.#size--;
    const at = this.#idle.indexOf(child);
    if (at >= 0) this.#idle.splice(at, 1);
    if (!this.#yard.closed) this.#startWantedChildren();
  }

  #giveToWaiterOrKeep(child: Child): void {
    const waiter = this.#waiting[0];
    if (waiter === undefined) this.#idle.push(child);
    else waiter.give(child);
  }

  async #resetIfPossible(child: Child, { tools }: Use): Promise<boolean> {
    try {
      restoreWorkAndHome((await this.#fixture) ?? emptyFixture, child.folders);
      const { reset } = this.#spec;
      if (reset?.kind === 'folder-and-call' && reset.undoes.some((tool) => tools.has(tool)))
        await this.#callResetToolIfAny(child);
      return child.alive;
    } catch {
      return false;
    }
  }

  async #callResetToolIfAny(child: Child): Promise<void> {
    const { reset } = this.#spec;
    if (reset?.kind !== 'folder-and-call') return;
    await child.sendRequest('tools/call', { name: reset.tool, arguments: reset.args });
  }
}
