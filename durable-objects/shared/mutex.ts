/** A mutex: runs tasks sequentially in order of arrival. A rejected task does not block the next. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(task: () => Promise<T>): Promise<T> {
    const done = this.#last.then(task, task);
    this.#last = done;
    return done;
  }
}
