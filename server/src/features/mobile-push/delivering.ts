/** Sends due notifications, and removes those that phones must no longer show. */
import { organizationSetting } from '../../access/organization-settings.ts';
import { readSnapshot } from '../../db/transaction.ts';
import type { Directory } from '../../directory/directory.ts';
import { asShownTo, noticesOf, stillUnread } from '../../domain/notifications/push-notifications/notices.ts';
import { quietUsers, silences } from '../../domain/notifications/quiet-hours/queries.ts';
import type { AppContext } from '../../extension/app-context.ts';
import type { PushDevice } from '../../push/devices.ts';
import { type EncryptedPush, sendEncrypted } from '../../push/encrypted-requests.ts';
import { organizationUuid, userUuid } from '../../push/identities.ts';
import { type PlainPush, sendPlain } from '../../push/plain-requests.ts';
import { type PushService, PushServiceError } from '../../push/service.ts';
import { devicesOf } from './active-devices.ts';
import { removeGone } from './gone.ts';
import { type Account, encryptedMessage, encryptedRemoval, plainMessage, plainRemoval } from './payloads.ts';
import {
  claimDue,
  forget,
  MAX_SHOWN_NOTIFICATIONS_PER_USER,
  NOTIFICATIONS_PER_RUN,
  noteShown,
  putBack,
  remove,
  type Waiting,
} from './waiting.ts';

/** Concurrent requests for devices without encryption. Each request is for one user. */
const MAX_CONCURRENT_REQUESTS = 8;
/**
 * A run starts no request later than this, in milliseconds. A claim expires after a minute, and the notification must not be sent twice.
 */
const START_TIME_LIMIT_MS = 20_000;

type DeliveringContext = Pick<AppContext, 'db' | 'pool' | 'organizations' | 'address' | 'secret' | 'log'>;

/**
 * One run.
 * @returns whether there may be more to send now
 */
export async function deliver(app: DeliveringContext, service: PushService): Promise<boolean> {
  const due = await claimDue(app.db);
  const begun = performance.now();
  let isServing = true;
  let problem: PushServiceError | undefined;
  for (const [organizationId, waiting] of Map.groupBy(due, ({ organization_id }) => organization_id)) {
    const turn = new Turn(app, service, begun, isOfService(problem) ? problem : undefined);
    await turn.deliverAll(organizationId, waiting);
    problem = turn.problem;
    isServing &&= problem === undefined;
  }
  return due.length === NOTIFICATIONS_PER_RUN && isServing;
}

/** Whether the problem affects all requests to the service, and not just one organization. */
function isOfService(problem: PushServiceError | undefined): boolean {
  return problem?.problem === 'unreachable' || problem?.problem === 'failing';
}

/** The notification for one user's devices, and its rows. */
interface Parcel {
  readonly waiting: readonly Waiting[];
  readonly encrypted: readonly EncryptedPush[];
  readonly plain: PlainPush | undefined;
}

/** A run for one organization. */
class Turn {
  readonly #app: DeliveringContext;
  readonly #service: PushService;
  readonly #begun: number;
  /** The first problem. After it the run sends nothing more for the organization. */
  problem: PushServiceError | undefined;
  /** What the service rejected while it accepts others. */
  readonly #refused = new Set<Waiting>();

  constructor(app: DeliveringContext, service: PushService, begun: number, problem: PushServiceError | undefined) {
    this.#app = app;
    this.#service = service;
    this.#begun = begun;
    this.problem = problem;
  }

  async deliverAll(organizationId: number, waiting: readonly Waiting[]): Promise<void> {
    const { db, organizations, log } = this.#app;
    const organization = await organizations.byId(organizationId);
    if (organization === undefined) return;
    const { parcels, useless } = await this.#pack(organization.directory, waiting);
    await forget(db, organizationId, useless);
    const sent = await this.#send(organizationId, parcels);
    await noteShown(
      db,
      organizationId,
      sent.filter(({ state }) => state === 'due'),
    );
    await remove(
      db,
      organizationId,
      sent.filter(({ state }) => state === 'leaving'),
    );
    const left = parcels.flatMap((parcel) => parcel.waiting).filter((one) => !sent.includes(one));
    const failed = this.problem === undefined ? left.filter((one) => this.#refused.has(one)) : left;
    await putBack(
      db,
      organizationId,
      left.filter((one) => !failed.includes(one)),
    );
    if (failed.length === 0) return;
    const hopeless = failed.filter(({ is_last }) => is_last);
    await remove(db, organizationId, hopeless);
    const facts = { organization: organizationId, waiting: failed.length, dropped: hopeless.length };
    const level = this.problem?.problem === 'not-serving' || hopeless.length > 0 ? 'error' : 'warn';
    const reason = this.problem?.message ?? 'the push service does not take them';
    log[level]({ ...facts, reason }, 'push notifications could not be sent');
  }

  async #pack(directory: Directory, waiting: readonly Waiting[]) {
    const { pool, address, secret } = this.#app;
    const organizationId = directory.organization.id;
    const due = waiting.filter(({ state }) => state === 'due');
    // One snapshot: if the message moves to a private channel meanwhile, the notification must not name that channel.
    const [devices, unread, notices, quiet] = await readSnapshot(pool, (db) =>
      Promise.all([
        devicesOf(db, organizationId, [...new Set(waiting.map(({ user_id }) => user_id))]),
        stillUnread(db, organizationId, due),
        noticesOf(db, directory, address, [...new Set(due.map(({ message_id }) => message_id))]),
        quietUsers(db, organizationId, [...new Set(due.map(({ user_id }) => user_id))]),
      ]),
    );
    const isRedacted = organizationSetting(directory, 'require_e2ee_push_notifications');
    const parcels: Parcel[] = [];
    const packed = new Set<Waiting>();
    const pack = (userId: number, some: readonly Waiting[], isUrgent: boolean, payloads: Payloads) => {
      const own = devices.get(userId);
      if (own === undefined || directory.user(userId)?.isActive !== true) return;
      for (const one of some) packed.add(one);
      const uuid = userUuid(secret, organizationId, userId);
      parcels.push({ waiting: some, ...parcelFor(own, { userId, userUuid: uuid, isUrgent }, payloads) });
    };
    for (const one of due) {
      const { user_id: userId } = one;
      const notice = notices.get(one.message_id);
      // Quiet hours can have begun while the service was out of reach.
      const isSilenced = silences(quiet.get(userId), one.cause === 'direct');
      if (notice === undefined || isSilenced || !unread.has(one)) continue;
      const account: Account = { directory, address, userId };
      const shown = asShownTo(directory, notice, one, address.of(directory.organization.subdomain));
      pack(userId, [one], true, {
        encrypted: () => encryptedMessage(account, shown),
        plain: () => plainMessage(account, shown, isRedacted),
      });
    }
    const leaving = waiting.filter(({ state }) => state === 'leaving');
    for (const [userId, some] of Map.groupBy(leaving, ({ user_id }) => user_id)) {
      const account: Account = { directory, address, userId };
      const ids = some
        .map(({ message_id }) => message_id)
        .toSorted((a, b) => a - b)
        .slice(-MAX_SHOWN_NOTIFICATIONS_PER_USER);
      pack(userId, some, false, {
        encrypted: () => encryptedRemoval(account, ids),
        plain: () => plainRemoval(account, ids),
      });
    }
    return { parcels, useless: waiting.filter((one) => !packed.has(one)) };
  }

  /** What has reached the service. */
  async #send(organizationId: number, parcels: readonly Parcel[]): Promise<readonly Waiting[]> {
    const { db, log, secret } = this.#app;
    const uuid = organizationUuid(secret, organizationId);
    const gone: PushDevice[] = [];
    const sent: Waiting[] = [];
    const encrypted = parcels.flatMap((parcel) => parcel.encrypted);
    const withKeys = parcels.filter((parcel) => parcel.encrypted.length > 0).flatMap((parcel) => parcel.waiting);
    const isEncryptedSent = await this.#attempt(withKeys, async () => {
      gone.push(...(await sendEncrypted(this.#service, uuid, encrypted)));
    });
    const queue = parcels.values();
    const worker = async () => {
      for (const { waiting, encrypted: secrets, plain } of queue) {
        const isPlainSent =
          plain === undefined ||
          (await this.#attempt(waiting, async () => {
            gone.push(...(await sendPlain(this.#service, uuid, plain)));
          }));
        if (isPlainSent && (isEncryptedSent || secrets.length === 0)) sent.push(...waiting);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_REQUESTS }, worker));
    await removeGone(db, log, organizationId, gone);
    return sent;
  }

  /** Whether the action succeeded. Nothing is started after a failure of the service, or when the time is over. */
  async #attempt(waiting: readonly Waiting[], act: () => Promise<void>): Promise<boolean> {
    if (this.problem !== undefined || performance.now() - this.#begun > START_TIME_LIMIT_MS) return false;
    try {
      await act();
      return true;
    } catch (error) {
      if (!(error instanceof PushServiceError)) throw error;
      if (error.problem === 'refused') for (const one of waiting) this.#refused.add(one);
      else this.problem ??= error;
      return false;
    }
  }
}

interface Payloads {
  encrypted(): object;
  plain(): { readonly apns: object; readonly gcm: object };
}

function parcelFor(
  devices: readonly PushDevice[],
  about: Pick<PlainPush, 'userId' | 'userUuid' | 'isUrgent'>,
  payloads: Payloads,
): Omit<Parcel, 'waiting'> {
  const secret = devices.filter((device) => device.encrypted !== null);
  const bare = devices.filter((device) => device.encrypted === null);
  const text = secret.length === 0 ? '' : JSON.stringify(payloads.encrypted());
  return {
    encrypted: secret.map((device) => ({ device, text, isUrgent: about.isUrgent })),
    plain: bare.length === 0 ? undefined : { ...about, devices: bare, ...payloads.plain() },
  };
}
