import type { URL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { embeddingAnswer, type EmbeddingTask } from './embedding-messages.ts';

interface Waiting {
  resolve(vectors: Float32Array[]): void;
  reject(reason: Error): void;
}

/** A running thread with the model in it. Once it has ended, for whatever reason, every question to it is rejected. */
export class EmbeddingThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  #asked = 0;
  #end: Error | null = null;

  constructor(program: URL) {
    this.#worker = new Worker(program);
    this.#worker.on('message', (message: unknown) => this.#receiveAnswer(message));
    this.#worker.on('messageerror', (error) => this.#rejectAllAndTerminate(error));
    this.#worker.on('error', (error) => this.#rejectAllAndTerminate(error));
    this.#worker.on('exit', (code) => this.#rejectAllAndTerminate(new Error(`its thread ended with code ${code}`)));
  }

  get hasEnded(): boolean {
    return this.#end !== null;
  }

  /** The texts' unit vectors, in the texts' order. */
  embedTexts(texts: string[]): Promise<Float32Array[]> {
    if (this.#end !== null) return Promise.reject(this.#end);
    this.#asked += 1;
    const task: EmbeddingTask = { id: this.#asked, texts };
    return new Promise((resolve, reject) => {
      this.#waiting.set(task.id, { resolve, reject });
      this.#worker.postMessage(task);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #receiveAnswer(message: unknown): void {
    const { success, data } = embeddingAnswer.safeParse(message);
    if (!success) {
      this.#rejectAllAndTerminate(new Error('its thread answered in an unknown form'));
      return;
    }
    const waiting = this.#waiting.get(data.id);
    this.#waiting.delete(data.id);
    if ('error' in data) waiting?.reject(new Error(data.error));
    else waiting?.resolve(data.vectors);
  }

  #rejectAllAndTerminate(reason: unknown): void {
    this.#end ??= reason instanceof Error ? reason : new Error(String(reason));
    for (const { reject } of this.#waiting.values()) reject(this.#end);
    this.#waiting.clear();
    void this.#worker.terminate();
  }
}
