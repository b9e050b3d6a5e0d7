import type { Child } from './child.ts';
import { type Answer, errorAnswer } from './messages.ts';
import { ChildPool, type Children, SharedChild, type Yard } from './pool.ts';
import type { ServerSpec } from './servers.ts';

/** One server as the gateway serves it: its children, and the answers that they all share. */
export class ServedServer {
  readonly spec: ServerSpec;
  readonly children: Children;
  #initializeResult: unknown = undefined;
  #tools: unknown = undefined;
  #introduced: Promise<void> | undefined;

  constructor(spec: ServerSpec, yard: Yard) {
    this.spec = spec;
    this.children = spec.reset === undefined ? new SharedChild(spec, yard) : new ChildPool(spec, yard);
  }

  /** Starts a first child and asks it for its description and tools. */
  learnDescriptionAndToolsOnce(): Promise<void> {
    this.#introduced ??= this.#learnFromBorrowedChild().catch((error: unknown) => {
      this.#introduced = undefined;
      throw error;
    });
    return this.#introduced;
  }

  /** The server's answer to `initialize`. */
  async getInitializeResult(): Promise<unknown> {
    await this.learnDescriptionAndToolsOnce();
    return this.#initializeResult;
  }

  /** The server's tools in one page, if it has listed them before; every fresh child would return the same. */
  get cachedToolsAnswer(): Answer | undefined {
    return this.#tools === undefined ? undefined : { result: this.#tools };
  }

  async #learnFromBorrowedChild(): Promise<void> {
    const child = await this.children.takeChild();
    this.#initializeResult = child.initializeResult;
    await this.#cacheToolsIfOnePage(child);
    if (this.spec.reset === undefined) {
      child.onNotification = (method) => {
        if (method === 'notifications/tools/list_changed') this.#tools = undefined;
      };
    }
    await this.children.returnChild(child, { spoiled: false, tools: new Set() });
  }

  async #cacheToolsIfOnePage(child: Child): Promise<void> {
    const answer = await child.sendRequest('tools/list', {});
    if ('error' in answer) throw new Error(`${this.spec.name} lists no tools: ${answer.error.message}`);
    const { result } = answer;
    const onePage = typeof result === 'object' && result !== null && !('nextCursor' in result);
    this.#tools = onePage ? result : undefined;
  }
}

/** The answer for a server that is unavailable. */
export function unavailableAnswer(error: unknown): Answer {
  return errorAnswer(-32000, error instanceof Error ? error.message : String(error));
}
