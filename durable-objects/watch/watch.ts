import { DurableObject } from 'cloudflare:workers';
import { acceptIncident } from '#core/reports/watch/accept-incident.ts';
import { advanceWatch, type Advanced } from '#core/reports/watch/advance-watch.ts';
import { countAgents, type AgentsSeen } from '#core/reports/watch/count-agents.ts';
import type { Incident } from '#core/reports/watch/incident.ts';
import { messageOf, pauseBeforeRetry } from '#core/reports/watch/message.ts';
import {
  pauseAfterVisit,
  statusOfWatch,
  type PastVisit,
  type WatchConfig,
  type WatchedCall,
  type WatchRecord,
} from '#core/reports/watch/record.ts';
import { newWatchState, type Visit, type WatchState } from '#core/reports/watch/state.ts';
import type { BegunRepetition, BegunVisit, WaitingMessages } from '#core/reports/watch/work.ts';
import { lowerMedianOrNull } from '#core/statistics/quantile.ts';
import { refuse } from '#core/values/errors.ts';
import { ok, type Result } from '#core/values/result.ts';
import { migrate } from '#durable-objects/shared/migrate.ts';
import { watchSchema } from './schema.ts';
import { WatchStore, type Standing } from './watch-store.ts';

/** After this time a visit is given up, and another one may begin. */
const leaseMs = 10 * 60_000;
/** After this time a repetition that is under way is looked at again. */
const lookMs = 10 * 60_000;
const dayMs = 86_400_000;

/** One watch: what is usual of its server, its visits, its incidents, and the messages about them. Named by its id. */
export class Watch extends DurableObject {
  readonly #storage: DurableObjectStorage;
  readonly #store: WatchStore;
  /** Until when nobody else begins a visit: in memory, because after a restart nobody is at one. */
  #busyUntil = 0;

  constructor(state: DurableObjectState, env: Cloudflare.Env) {
    super(state, env);
    this.#storage = state.storage;
    migrate(state.storage, watchSchema);
    this.#store = new WatchStore(state.storage.sql);
  }

  /** Creates the watch. Idempotent. `dueAt`: when it visits first, in milliseconds since 1970. */
  create(id: string, config: WatchConfig, calls: readonly WatchedCall[], dueAt: number): WatchRecord {
    if (this.#store.readConfig() === null)
      this.#storage.transactionSync(() => {
        this.#store.writeConfig(config);
        this.#store.writeState(newWatchState(calls), null);
        const agents = { last: null, isUnderWay: false, dueAt, counted: 0, problem: null };
        this.#store.writeStanding({ paused: false, dueAt, begun: 0, taken: 0, undelivered: null, agents });
      });
    return this.#describe(id, this.#readPart(this.#readPlanOrNull()));
  }

  get(id: string): Result<WatchRecord> {
    const watch = this.#readPlanOrNull();
    return watch === null ? noWatch : ok(this.#describe(id, watch));
  }

  /** Returns whose server the watch is on, by name; null without a watch. */
  ownership(): { readonly workspace: string; readonly server: string } | null {
    const config = this.#store.readConfig();
    return config === null ? null : { workspace: config.workspace, server: config.server.name };
  }

  /** Begins a visit, if one is due or asked for, and none is under way; null otherwise. */
  beginVisit(now: number, isAsked: boolean): BegunVisit | null {
    const watch = this.#readOrNull();
    if (watch === null) return null;
    const { config, standing, state } = watch;
    if (now < this.#busyUntil || (!isAsked && (standing.paused || now < standing.dueAt))) return null;
    const visit = standing.begun + 1;
    this.#store.writeStanding({ ...standing, begun: visit });
    this.#busyUntil = now + leaseMs;
    const { server, workspace } = config;
    return { visit, server: server.id, workspace, accepted: state.accepted, calls: state.calls };
  }

  /** Takes what a visit found. One that was taken before, or after which another one began, changes nothing. */
  finishVisit(id: string, number: number, visit: Visit, now: number): void {
    const watch = this.#readOrNull();
    if (watch === null || number !== watch.standing.begun || number === watch.standing.taken) return;
    this.#busyUntil = 0;
    const { config, standing, state } = watch;
    const advanced = advanceWatch(state, visit, config);
    this.#storage.transactionSync(() => {
      this.#keep(id, watch, advanced, now);
      this.#store.putVisit(describeVisit(number, visit, advanced.state));
      const dueAt = now + pauseAfterVisit(advanced.state, config.everyHours, Math.random());
      this.#store.writeStanding({ ...standing, taken: number, dueAt });
    });
  }

  /** Returns the repetition of an evaluation that is to be made or looked after now; `fresh` is the id of a new one. Null if there is none. */
  beginRepetition(fresh: string, now: number): BegunRepetition | null {
    const watch = this.#readPlanOrNull();
    if (watch === null || watch.config.agents === null) return null;
    const { config, standing } = watch;
    const { last, isUnderWay, dueAt } = standing.agents;
    if (standing.paused || now < dueAt) return null;
    const run = isUnderWay && last !== null ? last : fresh;
    // Kept before it is made: after an interruption the same one is made.
    const agents = { ...standing.agents, last: run, isUnderWay: true, dueAt: now + lookMs };
    this.#store.writeStanding({ ...standing, agents });
    const { workspace, server } = config;
    return { run, of: watch.config.agents.evaluation, workspace, server: server.name };
  }

  /** Takes what the repetition under way came to, or why it came to nothing. Another one changes nothing. */
  finishRepetition(id: string, run: string, came: Omit<AgentsSeen, 'at'> | string, now: number): void {
    const watch = this.#readOrNull();
    if (watch === null || watch.config.agents === null) return;
    const { config, standing, state } = watch;
    const { agents } = standing;
    if (!agents.isUnderWay || agents.last !== run) return;
    const { everyDays } = watch.config.agents;
    const ended = { last: run, isUnderWay: false, dueAt: now + everyDays * dayMs };
    this.#storage.transactionSync(() => {
      if (typeof came === 'string') {
        this.#store.writeStanding({ ...standing, agents: { ...agents, ...ended, problem: came } });
        return;
      }
      const at = new Date(now).toISOString();
      this.#keep(id, { config, standing, state }, countAgents(state, { ...came, at }, 365 / everyDays), now);
      const counted = agents.counted + 1;
      this.#store.writeStanding({ ...standing, agents: { ...ended, counted, problem: null } });
    });
  }

  /** Takes the server as it is now for what an incident is about. */
  accept(id: string, number: number, now: number): Result<WatchRecord> {
    const watch = this.#readOrNull();
    if (watch === null) return noWatch;
    const accepted = acceptIncident(watch.state, number, new Date(now).toISOString());
    if (accepted === null)
      return refuse('not-found', `the watch has no incident ${number} that lasts and can be accepted`);
    this.#storage.transactionSync(() => this.#keep(id, watch, accepted, now));
    return this.get(id);
  }

  /** Idempotent. */
  setPaused(id: string, paused: boolean): Result<WatchRecord> {
    const watch = this.#readPlanOrNull();
    if (watch === null) return noWatch;
    this.#store.writeStanding({ ...watch.standing, paused });
    return this.get(id);
  }

  listIncidents(before: number, limit: number): Incident[] {
    return this.#store.listIncidents(before, limit);
  }

  listVisits(limit: number): PastVisit[] {
    return this.#store.listVisits(limit);
  }

  /** When the watch has to do something next, in milliseconds since 1970; null if never. */
  nextDueAt(): number | null {
    const watch = this.#readPlanOrNull();
    if (watch === null) return null;
    const { standing } = watch;
    const visitAt = standing.paused ? Infinity : Math.max(standing.dueAt, this.#busyUntil);
    const agentsAt = standing.paused || watch.config.agents === null ? Infinity : standing.agents.dueAt;
    const next = Math.min(visitAt, agentsAt, this.#store.nextMessageAt() ?? Infinity);
    return next === Infinity ? null : next;
  }

  /** Adds a message that says nothing but that messages arrive. */
  addTestMessage(id: string, now: number): Result<null> {
    const config = this.#store.readConfig();
    if (config === null) return noWatch;
    if (config.webhook === null) return refuse('invalid-request', 'the watch has no webhook');
    const { name: server } = config.server;
    const timestamp = new Date(now).toISOString();
    this.#store.addMessage(
      `${id}.test.${now}`,
      {
        type: 'watch.test',
        timestamp,
        data: { watch: id, server, summary: `${server}: this is a test`, incident: null },
      },
      now,
    );
    return ok(null);
  }

  /** Messages that are due, and where they go; null without any. */
  listDueMessages(now: number): WaitingMessages | null {
    const webhook = this.#store.readConfig()?.webhook ?? null;
    const messages = this.#store.listDueMessages(now);
    return webhook === null || messages.length === 0 ? null : { ...webhook, messages };
  }

  /** Notes that a message was taken, or why not; then it is sent again later, or given up after two days. */
  settleMessage(id: string, problem: string | null, now: number): void {
    const [before, standing] = [this.#store.readAttempts(id), this.#store.readStanding()];
    if (before === null || standing === null) return;
    const attempts = before + 1;
    const pause = problem === null ? null : pauseBeforeRetry(attempts);
    this.#storage.transactionSync(() => {
      this.#store.settleMessage(id, attempts, pause === null ? null : now + pause);
      this.#store.writeStanding({ ...standing, undelivered: problem });
    });
  }

  /** Deletes everything. */
  async remove(): Promise<void> {
    await this.#storage.deleteAll();
    migrate(this.#storage, watchSchema);
  }

  #keep(id: string, { config, state }: StoredWatch, advanced: Advanced, now: number): void {
    this.#store.writeState(advanced.state, state);
    for (const { incident } of advanced.state.open) this.#store.putIncident(incident);
    for (const told of advanced.told) {
      const { event, incident } = told;
      this.#store.putIncident(incident);
      if (config.webhook === null) continue;
      const name = `${id}.${incident.number}.${event}${event === 'opened' ? `.${incident.class ?? ''}` : ''}`;
      this.#store.addMessage(name, messageOf(told, id, config.server.name), now);
    }
  }

  #readOrNull(): StoredWatch | null {
    const plan = this.#readPlanOrNull();
    return plan === null ? null : { ...plan, state: this.#readPart(this.#store.readState()) };
  }

  #readPlanOrNull(): WatchPlanned | null {
    const config = this.#store.readConfig();
    return config === null ? null : { config, standing: this.#readPart(this.#store.readStanding()) };
  }

  /** All parts of a watch are written together. */
  #readPart<T>(part: T | null): T {
    if (part === null) throw new Error('the watch lacks a part of what it remembers');
    return part;
  }

  #describe(id: string, { config, standing }: WatchPlanned): WatchRecord {
    const state = this.#readPart(this.#store.readBriefState());
    const [last] = this.#store.listVisits(1);
    const { server, createdAt, everyHours, hold, public: isPublic, webhook, agents } = config;
    const { last: repetition, counted, problem } = standing.agents;
    return {
      id,
      server,
      createdAt,
      everyHours,
      hold,
      public: isPublic,
      webhook: webhook?.url ?? null,
      status: statusOfWatch(state),
      paused: standing.paused,
      calls: this.#store.countCalls(),
      visits: state.visits,
      lastVisitAt: last?.at ?? null,
      nextVisitAt: standing.paused ? null : new Date(standing.dueAt).toISOString(),
      problem: last?.problem ?? null,
      agents: agents === null ? null : { ...agents, last: repetition, counted, problem },
      open: state.open.map(({ incident }) => incident),
      undelivered: standing.undelivered,
    };
  }
}

interface WatchPlanned {
  readonly config: WatchConfig;
  readonly standing: Standing;
}

interface StoredWatch extends WatchPlanned {
  readonly state: WatchState;
}

const noWatch = refuse('not-found', 'there is no such watch');

function describeVisit(number: number, visit: Visit, after: WatchState): PastVisit {
  if (visit.kind === 'unreached')
    return { number, at: visit.at, problem: visit.detail, calls: 0, unusual: 0, medianMs: null };
  const made = visit.tries.flatMap(([first]) => first ?? []);
  return {
    number,
    at: visit.at,
    problem: null,
    calls: made.length,
    unusual: after.calls.filter((call, index) => call.unusual !== null && visit.tries[index]?.[0] !== undefined).length,
    medianMs: lowerMedianOrNull(made.map(({ ms }) => ms)),
  };
}
