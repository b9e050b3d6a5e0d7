import { randomUUID } from 'node:crypto';
import type { CallOptions, Child } from './child.ts';
import { type Answer, errorAnswer, type Id, parseParamsOrEmpty } from './messages.ts';
import type { ServedServer } from './served.ts';

/** Requests whose effects are limited to a server's files or its tools; any other may change a child permanently. */
const HARMLESS = new Set([
  'completion/complete',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'tools/call',
  'tools/list',
]);

/**
 * One client's session at one server. It takes a child only when it needs one: `initialize`, `ping` and the list of
 * tools are answered from earlier answers of the server.
 */
export class Session {
  readonly id = randomUUID();
  readonly server: ServedServer;
  #child: Promise<Child> | undefined;
  #spoiled = false;
  readonly #tools = new Set<string>();
  #running = 0;
  #ended = false;
  #lastUse = Date.now();
  readonly #leave = new AbortController();
  readonly #cancels = new Map<Id, (reason: unknown) => void>();
  readonly #onEnd: (session: Session) => void;

  constructor(server: ServedServer, onEnd: (session: Session) => void) {
    this.server = server;
    this.#onEnd = onEnd;
  }

  /** Milliseconds since the last activity; 0 while a request runs. */
  get idleMs(): number {
    return this.#running > 0 ? 0 : Date.now() - this.#lastUse;
  }

  /** Takes the session's child unless the method can be answered without one; rejects with BusyError if none is free in time. */
  async borrowChildIfNeeded(method: string): Promise<void> {
    if (!this.#canAnswerWithoutChild(method)) await this.#borrowChildOnce();
  }

  /** Answers one request. */
  async answerFromCacheOrForward(
    id: Id,
    method: string,
    params: Record<string, unknown> | undefined,
    options: CallOptions,
  ): Promise<Answer> {
    if (method === 'ping') return { result: {} };
    const known = this.#canAnswerWithoutChild(method) ? this.server.cachedToolsAnswer : undefined;
    this.#lastUse = Date.now();
    if (known !== undefined) return known;
    this.#running++;
    try {
      const child = await this.#borrowChildOnce();
      this.#spoiled ||= this.#mayChangeStateBeyondReset(method, params);
      if (method === 'tools/call') this.#tools.add(parseParamsOrEmpty(params).name ?? '');
      return await child.sendRequest(method, params, {
        ...options,
        onCancel: (cancel) => this.#cancels.set(id, cancel),
      });
    } finally {
      this.#cancels.delete(id);
      this.#running--;
      this.#lastUse = Date.now();
    }
  }

  /** Handles a notification; the child is already initialized and needs only cancellations. */
  cancelIfCancelNotification(method: string, params: Record<string, unknown> | undefined): void {
    this.#lastUse = Date.now();
    if (method !== 'notifications/cancelled') return;
    const id = parseParamsOrEmpty(params).requestId;
    if (id !== undefined) this.#cancels.get(id)?.(params?.['reason']);
  }

  /** Ends the session and returns its child. */
  endAndReturnChild(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#onEnd(this);
    this.#leave.abort();
    this.#child
      ?.then((child) => this.server.children.returnChild(child, { spoiled: this.#spoiled, tools: this.#tools }))
      .catch(() => undefined);
  }

  #canAnswerWithoutChild(method: string): boolean {
    return (
      method === 'ping' ||
      (method === 'tools/list' && this.#child === undefined && this.server.cachedToolsAnswer !== undefined)
    );
  }

  #borrowChildOnce(): Promise<Child> {
    if (this.#ended) return Promise.reject(new Error('The session has ended'));
    this.#child ??= this.server.children.takeChild(this.#leave.signal).then(
      (child) => {
        // The session does not outlive its child.
        void child.ended.then(() => this.endAndReturnChild());
        return child;
      },
      (error: unknown) => {
        this.#child = undefined;
        throw error;
      },
    );
    return this.#child;
  }

  #mayChangeStateBeyondReset(method: string, params: Record<string, unknown> | undefined): boolean {
    if (!HARMLESS.has(method)) return true;
    const { reset } = this.server.spec;
    if (reset?.kind !== 'kill' || method !== 'tools/call') return false;
    const { name, ...rest } = parseParamsOrEmpty(params);
    return 'task' in rest || name === undefined || !reset.pureTools.includes(name);
  }
}

/** The answer to a request in a session that does not exist or has ended. */
export const NO_SESSION = errorAnswer(-32001, 'Session not found');
