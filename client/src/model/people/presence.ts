import type { EventOfType, InitialState, LegacyPresences, ModernPresences } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';
import type { Organization } from '../organization.ts';
import type { Users } from './users.ts';

/** Times in seconds since the epoch. */
export interface PresenceRecord {
  /** The last activity of the user. */
  readonly activeAt: number;
  /** The last report of any client of the user. */
  readonly connectedAt: number;
}

export type PresenceStatus = 'active' | 'idle' | 'offline';

/** What the response of `POST /users/me/presence` says about presences. */
export interface PresenceReport {
  readonly presences?: ModernPresences | LegacyPresences;
  readonly presence_last_update_id?: number;
}

/** The server's default, for clients that did not fetch `realm`. In seconds. */
const OFFLINE_THRESHOLD_SECONDS = 200;

/**
 * Who is active, idle or offline.
 *
 * Invariants:
 * - Events announce only users who come back, or who show or hide themselves. The app reports its own presence about
 *   once a minute, and passes each response to `applyReport`. Without that, users seem to go offline.
 * - Bots and deactivated users have no presence.
 */
export class Presence {
  /** Notified when the presence of any user changed. Time alone changes statuses, too: read them again every minute. */
  readonly changes = new Subject();
  /** The same for one user. */
  readonly changesOf = new KeyedSubject<number>();
  readonly #users: Users;
  readonly #organization: Organization;
  readonly #presences = new Map<number, PresenceRecord>();
  /** Users who can be online. Those who went offline are removed when someone reads the list. */
  readonly #candidates = new Set<number>();
  /** The number to send with the next report, so that its response has only what changed since. -1: nothing known. */
  lastUpdateId: number;

  constructor(state: InitialState, users: Users, organization: Organization) {
    this.#users = users;
    this.#organization = organization;
    this.lastUpdateId = state.presence_last_update_id ?? -1;
    const since = (state.server_timestamp ?? 0) - this.#offlineThreshold;
    for (const [id, presence] of this.#recordsOf(state.presences ?? {})) {
      this.#presences.set(id, presence);
      if (latest(presence) >= since) this.#candidates.add(id);
    }
  }

  /** What is known by user. Also has deactivated users, whose presence does not count. */
  get all(): ReadonlyMap<number, PresenceRecord> {
    return this.#presences;
  }

  /** @param now seconds since the epoch */
  statusOf(userId: number, now: number): PresenceStatus {
    const presence = this.#presenceOf(userId);
    if (presence === undefined) return 'offline';
    const since = now - this.#offlineThreshold;
    if (presence.activeAt >= since) return 'active';
    return presence.connectedAt >= since ? 'idle' : 'offline';
  }

  /** When the user was last active, in seconds since the epoch. Undefined if that is unknown or too long ago. */
  lastActiveAt(userId: number): number | undefined {
    return this.#presenceOf(userId)?.activeAt;
  }

  /**
   * The users who are active or idle, in no particular order. Visits only users who were online lately.
   * @param now seconds since the epoch
   */
  online(now: number): number[] {
    const ids: number[] = [];
    for (const id of this.#candidates) {
      if (this.statusOf(id, now) === 'offline') this.#candidates.delete(id);
      else ids.push(id);
    }
    return ids;
  }

  apply(event: EventOfType<'presence'>): void {
    if ('presences' in event) this.#merge(this.#recordsOf(event.presences));
    else this.#merge([[event.user_id, legacyRecord(event.presence.website)]]);
  }

  /** Applies the response of the report of the own presence. */
  applyReport({ presences, presence_last_update_id }: PresenceReport): void {
    if (presence_last_update_id !== undefined) this.lastUpdateId = presence_last_update_id;
    if (presences !== undefined) this.#merge(this.#recordsOf(presences));
  }

  /** Forgets users who became inaccessible. */
  applyUser(event: EventOfType<'realm_user'>): void {
    if (event.op !== 'remove') return;
    const { user_id: id } = event.person;
    this.#candidates.delete(id);
    if (this.#presences.delete(id)) this.#notify([id]);
  }

  get #offlineThreshold(): number {
    return this.#organization.server.presence_offline_threshold_seconds ?? OFFLINE_THRESHOLD_SECONDS;
  }

  #presenceOf(userId: number): PresenceRecord | undefined {
    return this.#users.get(userId)?.isActive === false ? undefined : this.#presences.get(userId);
  }

  #merge(presences: readonly (readonly [number, PresenceRecord])[]): void {
    for (const [id, presence] of presences) {
      this.#presences.set(id, presence);
      this.#candidates.add(id);
    }
    this.#notify(presences.map(([id]) => id));
  }

  #notify(userIds: readonly number[]): void {
    if (userIds.length === 0) return;
    this.changes.changed();
    for (const id of userIds) this.changesOf.changed(id);
  }

  /** Reads both formats. The older one has addresses as keys. */
  #recordsOf(presences: ModernPresences | LegacyPresences): (readonly [number, PresenceRecord])[] {
    return Object.entries(presences).flatMap(([key, presence]) => {
      if ('active_timestamp' in presence) return [[Number(key), modernRecord(presence)] as const];
      const user = this.#users.byAddress(key);
      return user === undefined ? [] : [[user.id, legacyRecord(presence.website)] as const];
    });
  }

  /** The users with a known presence. Times are left out, because no event announces most reports. */
  plain(): object {
    return [...this.#presences.keys()].filter((id) => this.#presenceOf(id) !== undefined).sort((a, b) => a - b);
  }
}

function latest({ activeAt, connectedAt }: PresenceRecord): number {
  return Math.max(activeAt, connectedAt);
}

type Modern = ModernPresences[string];

function modernRecord({ active_timestamp: activeAt, idle_timestamp: connectedAt }: Modern): PresenceRecord {
  return { activeAt, connectedAt };
}

function legacyRecord({ status, timestamp }: LegacyPresences[string]['website']): PresenceRecord {
  return { activeAt: status === 'active' ? timestamp : 0, connectedAt: timestamp };
}
