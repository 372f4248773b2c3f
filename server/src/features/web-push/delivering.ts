/** Sends due notifications to the push services of browsers. Each service has a lane of its own, so a dead one delays no other. */
import { isUnavailable } from '../../db/failures.ts';
import type { Db } from '../../db/schema.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { RetryPauses } from '../../jobs/retry-pauses.ts';
import { WorkerLoop } from '../../jobs/worker-loop.ts';
import { Connections, type Reach } from '../../outbound/request.ts';
import { endSubscriptions } from './ending.ts';
import type { VapidIdentity } from './identity.ts';
import { Lanes } from './lanes.ts';
import { type PackingContext, type Parcel, pack } from './packing.ts';
import { type Push, type Sending, type Sent, sendPush } from './sending.ts';
import { noteSilent } from './silent-pushes.ts';
import { claimDue, forget, giveUp, hostsWithDue, noteSent, postpone, putBack, type Waiting } from './waiting.ts';

const MAX_CONCURRENT_REQUESTS_PER_HOST = 32;
/** Users whose pushes are made together. Counting what they have not read takes time, in which nothing is sent. */
const USERS_PER_PART = 20;
/**
 * A part begins no later than this after the claim, and starts no request later than this after it was made; in milliseconds. A claim expires
 * after a minute, and the notification must not be sent twice.
 */
const PART_TIME_LIMIT_MS = 30_000;
const START_TIME_LIMIT_MS = 10_000;
/** An answer about one subscription says little about the service. If so many get it, the service pauses. */
const MIN_SUBSCRIPTIONS_TO_PAUSE = 2;

/** Characters in a line of the log. */
const MAX_REASON_LENGTH = 200;

type DeliveringContext = PackingContext & Pick<AppContext, 'db' | 'organizations' | 'log'>;

export class Deliveries {
  readonly #app: DeliveringContext;
  readonly #sending: Sending;
  readonly #lanes = new Lanes();
  /** Of this process, for services that fail or want fewer requests. */
  readonly #pauses = new RetryPauses();
  /** The same for single subscriptions, by id. */
  readonly #subscriptionPauses = new RetryPauses();
  readonly #loop: WorkerLoop;

  constructor(app: DeliveringContext, reach: Reach, identity: VapidIdentity) {
    this.#app = app;
    this.#sending = { reach, identity };
    this.#loop = new WorkerLoop({ name: 'web push', log: app.log, look: () => this.#beginDue() });
  }

  start(): void {
    this.#loop.start();
  }

  /** Something may be due. */
  wake(): void {
    this.#loop.wake();
  }

  /** Resolves when nothing is due and nothing runs. Pauses end at once. */
  async settled(): Promise<void> {
    this.#pauses.endAll();
    this.#subscriptionPauses.endAll();
    await this.#loop.settled();
  }

  get loop(): WorkerLoop {
    return this.#loop;
  }

  /** Begins a run for each push service with due notifications, as far as there are lanes. A run that ends looks again. */
  async #beginDue(): Promise<boolean> {
    const { busy, quick, free } = this.#lanes;
    if (free.quick + free.others === 0) return false;
    const except = [...busy, ...this.#pauses.running()];
    for (const host of await hostsWithDue(this.#app.db, except, quick, free)) {
      this.#lanes.begin(host);
      this.#loop.begin(this.#run(host));
    }
    return false;
  }

  /** Never rejects. What could not be sent is retried when its claim expires. */
  async #run(host: string): Promise<void> {
    const connections = new Connections();
    const run = new Run(this.#app, { ...this.#sending, connections }, host);
    try {
      await this.#deliver(host, run);
    } catch (error) {
      this.#pauses.afterFailure(host);
      // The health check of the database logs an outage once for all (`db/health-check.ts`).
      this.#app.log[isUnavailable(error) ? 'debug' : 'error']({ err: error, host }, 'web push could not be sent');
    } finally {
      connections.end();
      this.#lanes.end(host, run.meanRequestMs);
    }
  }

  async #deliver(host: string, run: Run): Promise<void> {
    const claimed = await claimDue(this.#app.db, host);
    const due = await this.#withoutPaused(claimed);
    for (const [organizationId, waiting] of Map.groupBy(due, ({ organization_id }) => organization_id)) {
      await this.#deliverFor(organizationId, waiting, run);
    }
    for (const id of run.accepting) this.#subscriptionPauses.end(String(id));
    for (const id of run.failing) this.#subscriptionPauses.afterFailure(String(id));
    for (const [id, seconds] of run.waits) this.#subscriptionPauses.beginFor(String(id), seconds * 1000);
    if (run.wait > 0) this.#pauses.beginFor(host, run.wait * 1000);
    else if (run.isFailing) this.#pauses.afterFailure(host);
    else if (due.length > 0) this.#pauses.end(host);
  }

  /** Puts back what is for subscriptions that pause, and returns the others. */
  async #withoutPaused(claimed: readonly Waiting[]): Promise<readonly Waiting[]> {
    const pauses = new Map<Waiting, number>();
    for (const one of claimed) {
      const milliseconds = this.#subscriptionPauses.left(String(one.subscription_id));
      if (milliseconds > 0) pauses.set(one, Math.ceil(milliseconds / 1000));
    }
    await putBackEach(this.#app.db, [...pauses.keys()], (one) => pauses.get(one) ?? 0);
    return claimed.filter((one) => !pauses.has(one));
  }

  /** An organization that fails delays no other one. Its rows are retried when their claims expire. */
  async #deliverFor(organizationId: number, waiting: readonly Waiting[], run: Run): Promise<void> {
    const { db, organizations, log } = this.#app;
    try {
      const organization = await organizations.byId(organizationId);
      if (organization === undefined) throw new Error('the organization does not exist');
      for (const part of partsOf(waiting)) {
        if (run.isOver) await run.putBack(part);
        else {
          const { parcels, useless } = await pack(this.#app, organization.directory, part);
          await forget(db, organizationId, useless);
          await run.deliver(organizationId, parcels);
        }
      }
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, organization: organizationId }, 'web push could not be sent for an organization');
      const hopeless = waiting.filter(({ is_last }) => is_last);
      await giveUp(db, organizationId, hopeless, new Set());
    }
  }
}

function partsOf(waiting: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const ofUsers = [...Map.groupBy(waiting, ({ user_id }) => user_id).values()];
  const parts: Waiting[][] = [];
  for (let begin = 0; begin < ofUsers.length; begin += USERS_PER_PART) {
    parts.push(ofUsers.slice(begin, begin + USERS_PER_PART).flat());
  }
  return parts;
}

/** A run for one push service. */
class Run {
  readonly #app: DeliveringContext;
  readonly #sending: Sending;
  readonly #host: string;
  readonly #begun = performance.now();
  /** Subscriptions whose push the service accepted. */
  readonly accepting = new Set<number>();
  /** Subscriptions for which the service failed. */
  readonly failing = new Set<number>();
  /** The pauses in seconds that the service wants, by subscription. */
  readonly waits = new Map<number, number>();
  #requests = 0;
  #requestMs = 0;

  constructor(app: DeliveringContext, sending: Sending, host: string) {
    this.#app = app;
    this.#sending = sending;
    this.#host = host;
  }

  /** Whether the service failed. Then the run starts nothing more. */
  get isFailing(): boolean {
    return this.failing.size >= MIN_SUBSCRIPTIONS_TO_PAUSE;
  }

  /** The pause in seconds that the service wants. Then the same. */
  get wait(): number {
    return this.waits.size >= MIN_SUBSCRIPTIONS_TO_PAUSE ? Math.max(...this.waits.values()) : 0;
  }

  /** Undefined: there was no request. */
  get meanRequestMs(): number | undefined {
    return this.#requests === 0 ? undefined : this.#requestMs / this.#requests;
  }

  /** Whether no part may begin any more. */
  get isOver(): boolean {
    return this.isFailing || this.wait > 0 || performance.now() - this.#begun > PART_TIME_LIMIT_MS;
  }

  /** Nobody has tried to send these. */
  async putBack(some: readonly Waiting[]): Promise<void> {
    await putBackEach(this.#app.db, some, this.#waitOf);
  }

  readonly #waitOf = ({ subscription_id: id }: Waiting): number => Math.max(this.wait, this.waits.get(id) ?? 0);

  async #send(push: Push): Promise<Sent> {
    const begun = performance.now();
    const outcome = await sendPush(this.#sending, push);
    this.#requests += 1;
    this.#requestMs += performance.now() - begun;
    return outcome;
  }

  /** @param parcels of one organization */
  async deliver(organizationId: number, parcels: readonly Parcel[]): Promise<void> {
    const { db, log } = this.#app;
    const sent: Waiting[] = [];
    const silent: { readonly userId: number; readonly subscriptionId: number }[] = [];
    const gone: Waiting[] = [];
    const failed: Waiting[] = [];
    const unclear = new Set<Waiting>();
    const untried: Waiting[] = [];
    const refused: Waiting[] = [];
    const [reasons, endings] = [new Set<string>(), new Set<string>()];
    const queue = parcels.values();
    const begun = performance.now();
    const mayStart = (id: number) =>
      !this.isFailing &&
      this.wait === 0 &&
      performance.now() - begun <= START_TIME_LIMIT_MS &&
      !this.failing.has(id) &&
      !this.waits.has(id);
    const worker = async () => {
      for (const { userId, subscriptionId, waiting, push, isSilent } of queue) {
        if (push === undefined) {
          sent.push(...waiting);
          continue;
        }
        if (!mayStart(subscriptionId)) {
          untried.push(...waiting);
          continue;
        }
        const outcome = await this.#send(push);
        if (outcome.kind === 'accepted') {
          this.accepting.add(subscriptionId);
          sent.push(...waiting);
          if (isSilent) silent.push({ userId, subscriptionId });
        } else if (outcome.kind === 'gone') {
          endings.add(outcome.reason);
          gone.push(...waiting);
        } else {
          reasons.add(outcome.reason);
          (outcome.kind === 'refused' ? refused : failed).push(...waiting);
          if (outcome.kind === 'later') {
            this.waits.set(subscriptionId, Math.max(this.waits.get(subscriptionId) ?? 1, outcome.afterSeconds));
          }
          if (outcome.kind === 'failing') {
            this.failing.add(subscriptionId);
            if (!outcome.hasResponded) for (const one of waiting) unclear.add(one);
          }
        }
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS_PER_HOST }, worker));
    await noteSent(db, organizationId, sent);
    await noteSilent(db, organizationId, silent);
    await endSubscriptions(db, log, organizationId, gone, textOf(endings));
    await this.putBack(untried);
    if (failed.length + refused.length === 0) return;
    const hopeless = [...refused, ...failed.filter(({ is_last }) => is_last)];
    await giveUp(db, organizationId, hopeless, unclear);
    for (const [seconds, some] of Map.groupBy(
      failed.filter(({ is_last }) => !is_last),
      this.#waitOf,
    ))
      await postpone(db, organizationId, some, seconds);
    const waiting = failed.length + refused.length;
    const facts = { organization: organizationId, host: this.#host, waiting, dropped: hopeless.length };
    // Users choose the service, so it is nothing that the operator must mend.
    log.warn({ ...facts, reason: textOf(reasons) }, 'the push service of browsers did not take notifications');
  }
}

async function putBackEach(db: Db, some: readonly Waiting[], waitOf: (one: Waiting) => number): Promise<void> {
  for (const [organizationId, own] of Map.groupBy(some, ({ organization_id }) => organization_id)) {
    for (const [seconds, alike] of Map.groupBy(own, waitOf)) await putBack(db, organizationId, alike, seconds);
  }
}

function textOf(reasons: ReadonlySet<string>): string {
  return [...reasons].join(', ').slice(0, MAX_REASON_LENGTH);
}
