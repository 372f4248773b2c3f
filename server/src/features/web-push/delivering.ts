/** Sends due notifications to the push services of browsers. Each service has a lane of its own, so a dead one delays no other. */
import { isUnavailable } from '../../db/failures.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { RetryPauses } from '../../jobs/retry-pauses.ts';
import { WorkerLoop } from '../../jobs/worker-loop.ts';
import type { Reach } from '../../outbound/request.ts';
import { endSubscriptions } from './ending.ts';
import type { VapidIdentity } from './identity.ts';
import { type PackingContext, type Parcel, pack } from './packing.ts';
import { sendPush } from './sending.ts';
import { claimDue, forget, giveUp, hostsWithDue, noteSent, postpone, putBack, type Waiting } from './waiting.ts';

/** Push services that a process serves at the same time. */
const MAX_CONCURRENT_HOSTS = 32;
const MAX_CONCURRENT_REQUESTS_PER_HOST = 32;
/**
 * A run starts no request later than this, in milliseconds. A claim expires after a minute, and the notification must not be sent twice.
 */
const START_TIME_LIMIT_MS = 20_000;

/** Characters in a line of the log. */
const MAX_REASON_LENGTH = 200;

type DeliveringContext = PackingContext & Pick<AppContext, 'db' | 'organizations' | 'log'>;

export class Deliveries {
  readonly #app: DeliveringContext;
  readonly #reach: Reach;
  readonly #identity: VapidIdentity;
  readonly #busy = new Set<string>();
  /** Of this process, for services that fail or want fewer requests. */
  readonly #pauses = new RetryPauses();
  readonly #loop: WorkerLoop;

  constructor(app: DeliveringContext, reach: Reach, identity: VapidIdentity) {
    this.#app = app;
    this.#reach = reach;
    this.#identity = identity;
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
    await this.#loop.settled();
  }

  get loop(): WorkerLoop {
    return this.#loop;
  }

  /** Begins a run for each push service with due notifications, as far as there are lanes. A run that ends looks again. */
  async #beginDue(): Promise<boolean> {
    const lanes = MAX_CONCURRENT_HOSTS - this.#busy.size;
    if (lanes <= 0) return false;
    const except = [...this.#busy, ...this.#pauses.running()];
    for (const host of await hostsWithDue(this.#app.db, except, lanes)) {
      this.#busy.add(host);
      this.#loop.begin(this.#run(host).finally(() => this.#busy.delete(host)));
    }
    return false;
  }

  /** Never rejects. What could not be sent is retried when its claim expires. */
  async #run(host: string): Promise<void> {
    try {
      await this.#deliver(host);
    } catch (error) {
      this.#pauses.afterFailure(host);
      // The health check of the database logs an outage once for all (`db/health-check.ts`).
      this.#app.log[isUnavailable(error) ? 'debug' : 'error']({ err: error, host }, 'web push could not be sent');
    }
  }

  async #deliver(host: string): Promise<void> {
    const due = await claimDue(this.#app.db, host);
    const run = new Run(this.#app, this.#reach, this.#identity, host);
    for (const [organizationId, waiting] of Map.groupBy(due, ({ organization_id }) => organization_id)) {
      await this.#deliverFor(organizationId, waiting, run);
    }
    if (run.wait > 0) this.#pauses.beginFor(host, run.wait * 1000);
    else if (run.isFailing) this.#pauses.afterFailure(host);
    else if (due.length > 0) this.#pauses.end(host);
  }

  /** An organization that fails delays no other one. Its rows are retried when their claims expire. */
  async #deliverFor(organizationId: number, waiting: readonly Waiting[], run: Run): Promise<void> {
    const { db, organizations, log } = this.#app;
    try {
      const organization = await organizations.byId(organizationId);
      if (organization === undefined) throw new Error('the organization does not exist');
      const { parcels, useless } = await pack(this.#app, organization.directory, waiting);
      await forget(db, organizationId, useless);
      await run.deliver(organizationId, parcels);
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, organization: organizationId }, 'web push could not be sent for an organization');
      const hopeless = waiting.filter(({ is_last }) => is_last);
      await giveUp(db, organizationId, hopeless, new Set());
    }
  }
}

/** A run for one push service. */
class Run {
  readonly #app: DeliveringContext;
  readonly #reach: Reach;
  readonly #identity: VapidIdentity;
  readonly #host: string;
  readonly #begun = performance.now();
  /** Whether the service failed. Then the run starts nothing more. */
  isFailing = false;
  /** The pause in seconds that the service wants. The same. */
  wait = 0;

  constructor(app: DeliveringContext, reach: Reach, identity: VapidIdentity, host: string) {
    this.#app = app;
    this.#reach = reach;
    this.#identity = identity;
    this.#host = host;
  }

  /** @param parcels of one organization */
  async deliver(organizationId: number, parcels: readonly Parcel[]): Promise<void> {
    const { db, log } = this.#app;
    const sent: Waiting[] = [];
    const gone: Waiting[] = [];
    const failed: Waiting[] = [];
    const unclear = new Set<Waiting>();
    const untried: Waiting[] = [];
    const refused: Waiting[] = [];
    const [reasons, endings] = [new Set<string>(), new Set<string>()];
    const queue = parcels.values();
    const worker = async () => {
      for (const { waiting, push } of queue) {
        if (push === undefined) {
          sent.push(...waiting);
          continue;
        }
        if (this.isFailing || this.wait > 0 || performance.now() - this.#begun > START_TIME_LIMIT_MS) {
          untried.push(...waiting);
          continue;
        }
        const outcome = await sendPush(this.#reach, this.#identity, push);
        if (outcome.kind === 'accepted') sent.push(...waiting);
        else if (outcome.kind === 'gone') {
          endings.add(outcome.reason);
          gone.push(...waiting);
        } else {
          reasons.add(outcome.reason);
          (outcome.kind === 'refused' ? refused : failed).push(...waiting);
          if (outcome.kind === 'later') this.wait = Math.max(this.wait, outcome.afterSeconds, 1);
          if (outcome.kind === 'failing') {
            this.isFailing = true;
            if (!outcome.hasResponded) for (const one of waiting) unclear.add(one);
          }
        }
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS_PER_HOST }, worker));
    await noteSent(db, organizationId, sent);
    await endSubscriptions(db, log, organizationId, gone, textOf(endings));
    await putBack(db, organizationId, untried, this.wait);
    if (failed.length + refused.length === 0) return;
    const hopeless = [...refused, ...failed.filter(({ is_last }) => is_last)];
    await giveUp(db, organizationId, hopeless, unclear);
    if (this.wait > 0) {
      const others = failed.filter(({ is_last }) => !is_last);
      await postpone(db, organizationId, others, this.wait);
    }
    const waiting = failed.length + refused.length;
    const facts = { organization: organizationId, host: this.#host, waiting, dropped: hopeless.length };
    // Users choose the service, so it is nothing that the operator must mend.
    log.warn({ ...facts, reason: textOf(reasons) }, 'the push service of browsers did not take notifications');
  }
}

function textOf(reasons: ReadonlySet<string>): string {
  return [...reasons].join(', ').slice(0, MAX_REASON_LENGTH);
}
