/** Sends due notifications to the push services of browsers. Each service has a lane of its own, so a dead one delays no other. */
import { isUnavailable } from '../../db/failures.ts';
import type { Db } from '../../db/schema.ts';
import type { Directory } from '../../directory/directory.ts';
import type { AppContext } from '../../extension/app-context.ts';
import { turn } from '../../http/limits/turns.ts';
import { RetryPauses } from '../../jobs/retry-pauses.ts';
import { WorkerLoop } from '../../jobs/worker-loop.ts';
import { Connections, type Reach } from '../../outbound/request.ts';
import { encryptFor } from './encrypting.ts';
import { endSubscriptions } from './ending.ts';
import type { VapidIdentity } from './identity.ts';
import { Lanes } from './lanes.ts';
import { type PackingContext, type Parcel, pack } from './packing.ts';
import { type Push, type Sending, type Sent, sendPush } from './sending.ts';
import { noteSilent } from './silent-pushes.ts';
import {
  claimDue,
  forget,
  giveUp,
  hostsWithDue,
  noteNotified,
  noteSent,
  postpone,
  putBack,
  type Waiting,
} from './waiting.ts';

/** Users whose pushes are made together, while those of the last part are sent. */
const USERS_PER_PART = 100;
/** Pushes that are encrypted in one turn of the CPU queue. Each takes a fraction of a millisecond. */
const PUSHES_PER_TURN = 8;
/** So many pushes are noted together as sent, while others are sent. A killed process repeats what it had not noted. */
const PUSHES_PER_NOTE = 32;
/**
 * A part begins no later than this after the claim, and starts no request later than this after its first one; in milliseconds. A claim expires
 * after a minute, and the notification must not be sent twice.
 */
const PART_TIME_LIMIT_MS = 30_000;
const START_TIME_LIMIT_MS = 10_000;
/** An answer about the browsers of one user says little about the service: the user chooses them. If those of so many users get it, the service pauses. */
const MIN_USERS_TO_PAUSE = 2;

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
    const { busy, quick, free, isFull } = this.#lanes;
    if (isFull) return false;
    const except = [...busy, ...this.#pauses.running()];
    for (const host of await hostsWithDue(this.#app.db, except, quick, free)) {
      const concurrency = this.#lanes.begin(host);
      this.#loop.begin(this.#run(host, concurrency));
    }
    return false;
  }

  /** Never rejects. What could not be sent is retried when its claim expires. */
  async #run(host: string, concurrency: number): Promise<void> {
    const connections = new Connections();
    const run = new Run(this.#app, { ...this.#sending, connections }, { host, concurrency });
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
    for (const id of run.failing.keys()) this.#subscriptionPauses.afterFailure(String(id));
    for (const [id, { seconds }] of run.waits) this.#subscriptionPauses.beginFor(String(id), seconds * 1000);
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

  /** Rejects only for who waits for it. */
  #pack(directory: Directory, part: readonly Waiting[] | undefined): Promise<Packed> {
    if (part === undefined) return Promise.resolve(NOTHING);
    const packing = pack(this.#app, directory, part).then(async ({ parcels, useless }) => ({
      parcels: await sealed(parcels),
      useless,
    }));
    packing.catch(() => undefined);
    return packing;
  }

  /** An organization that fails delays no other one. Its rows are retried when their claims expire. */
  async #deliverFor(organizationId: number, waiting: readonly Waiting[], run: Run): Promise<void> {
    const { db, organizations, log } = this.#app;
    try {
      const organization = await organizations.byId(organizationId);
      if (organization === undefined) throw new Error('the organization does not exist');
      const parts = partsOf(waiting);
      let next = this.#pack(organization.directory, parts[0]);
      for (const [index, part] of parts.entries()) {
        if (run.isOver) {
          await run.putBack(part);
          continue;
        }
        const { parcels, useless } = await next;
        next = this.#pack(organization.directory, parts[index + 1]);
        await forget(db, organizationId, useless);
        await run.deliver(organizationId, parcels);
      }
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, organization: organizationId }, 'web push could not be sent for an organization');
      const hopeless = waiting.filter(({ is_last }) => is_last);
      await giveUp(db, organizationId, hopeless, new Set());
    }
  }
}

interface Packed {
  readonly parcels: readonly SealedParcel[];
  readonly useless: readonly Waiting[];
}

const NOTHING: Packed = { parcels: [], useless: [] };

interface SealedParcel extends Omit<Parcel, 'push'> {
  readonly push: Push | undefined;
}

/** In turns, because requests must not wait for the encryption of all pushes of a part. */
async function sealed(parcels: readonly Parcel[]): Promise<readonly SealedParcel[]> {
  const all: SealedParcel[] = [];
  for (let begin = 0; begin < parcels.length; begin += PUSHES_PER_TURN) {
    await turn();
    for (const { push, ...parcel } of parcels.slice(begin, begin + PUSHES_PER_TURN)) {
      all.push({ ...parcel, push: push && { ...push, body: encryptFor(push.keys, push.payload) } });
    }
  }
  return all;
}

function partsOf(waiting: readonly Waiting[]): readonly (readonly Waiting[])[] {
  const ofUsers = [...Map.groupBy(waiting, ({ user_id }) => user_id).values()];
  const parts: Waiting[][] = [];
  for (let begin = 0; begin < ofUsers.length; begin += USERS_PER_PART) {
    parts.push(ofUsers.slice(begin, begin + USERS_PER_PART).flat());
  }
  return parts;
}

/** Why a subscription gets nothing more in this run. */
interface Wait {
  readonly userId: number;
  /** The pause that the service wants. */
  readonly seconds: number;
}

/** A run for one push service. */
class Run {
  readonly #app: DeliveringContext;
  readonly #sending: Sending;
  readonly #host: string;
  readonly #concurrency: number;
  readonly #begun = performance.now();
  /** Subscriptions whose push the service accepted. */
  readonly accepting = new Set<number>();
  /** Subscriptions for which the service failed, with their users. */
  readonly failing = new Map<number, number>();
  /** Those for which the service wants a pause. */
  readonly waits = new Map<number, Wait>();
  /** Notes follow each other, because two of them can concern the same subscription. */
  #noting: Promise<void> = Promise.resolve();
  #requests = 0;
  #requestMs = 0;

  constructor(
    app: DeliveringContext,
    sending: Sending,
    { host, concurrency }: { readonly host: string; readonly concurrency: number },
  ) {
    this.#app = app;
    this.#sending = sending;
    this.#host = host;
    this.#concurrency = concurrency;
  }

  /** Whether the service failed. Then the run starts nothing more. */
  get isFailing(): boolean {
    return new Set(this.failing.values()).size >= MIN_USERS_TO_PAUSE;
  }

  /** The pause in seconds that the service wants. Then the same. */
  get wait(): number {
    const waits = [...this.waits.values()];
    const users = new Set(waits.map(({ userId }) => userId)).size;
    return users >= MIN_USERS_TO_PAUSE ? Math.max(...waits.map(({ seconds }) => seconds)) : 0;
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

  readonly #waitOf = ({ subscription_id: id }: Waiting): number =>
    Math.max(this.wait, this.waits.get(id)?.seconds ?? 0);

  async #send(push: Push): Promise<Sent> {
    const begun = performance.now();
    const outcome = await sendPush(this.#sending, push);
    this.#requests += 1;
    this.#requestMs += performance.now() - begun;
    return outcome;
  }

  #note(organizationId: number, some: readonly Waiting[]): Promise<void> {
    this.#noting = this.#noting.then(() => noteSent(this.#app.db, organizationId, some));
    return this.#noting;
  }

  /** @param parcels of one organization */
  async deliver(organizationId: number, parcels: readonly SealedParcel[]): Promise<void> {
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
    let isBroken = false;
    let [pushes, noted] = [0, 0];
    const note = () => {
      const some = sent.slice(noted);
      [pushes, noted] = [0, sent.length];
      return this.#note(organizationId, some);
    };
    const mayStart = (id: number) =>
      !isBroken &&
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
          pushes += 1;
          if (pushes >= PUSHES_PER_NOTE) await note();
        } else if (outcome.kind === 'gone') {
          endings.add(outcome.reason);
          gone.push(...waiting);
        } else {
          reasons.add(outcome.reason);
          (outcome.kind === 'refused' ? refused : failed).push(...waiting);
          if (outcome.kind === 'later') {
            const seconds = Math.max(this.waits.get(subscriptionId)?.seconds ?? 1, outcome.afterSeconds);
            this.waits.set(subscriptionId, { userId, seconds });
          }
          if (outcome.kind === 'failing') {
            this.failing.set(subscriptionId, userId);
            if (!outcome.hasResponded) for (const one of waiting) unclear.add(one);
          }
        }
      }
    };
    const working = Array.from({ length: this.#concurrency }, () =>
      worker().catch((error: unknown) => {
        // The database did not take a note. Nothing more starts, and what is on its way ends.
        isBroken = true;
        throw error;
      }),
    );
    const ended = await Promise.allSettled(working);
    for (const one of ended) if (one.status === 'rejected') throw one.reason;
    await note();
    await noteNotified(db, organizationId, sent);
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
