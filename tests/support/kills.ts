import { pause, type FollowedRun } from './followed-run.ts';

const readyWaits = 100;

export interface Kills {
  readonly count: number;
  /** Whether something is running that a kill should hit; the wait for it is short. */
  readonly ready?: () => boolean;
  /** Kills the server and starts it again. */
  readonly restart: () => Promise<void>;
}

/** A kill, and when the server was back with its runs woken. */
export interface Kill {
  readonly atMs: number;
  readonly backMs: number;
}

/** Restarts a server at random moments while the run continues. */
export async function killAtRandom(run: FollowedRun, { count, ready = () => true, restart }: Kills): Promise<Kill[]> {
  const done: Kill[] = [];
  for (let kill = 1; kill <= count; kill += 1) {
    await run.progressed(4);
    await pause(200 + Math.random() * 1_500);
    for (let waits = 0; !ready() && waits < readyWaits; waits += 1) await pause(20);
    if (run.isOver()) throw new Error(`the run was over before kill ${kill}`);
    const atMs = Date.now();
    await restart();
    done.push({ atMs, backMs: Date.now() });
  }
  return done;
}
