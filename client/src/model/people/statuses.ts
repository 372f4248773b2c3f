import type { EventOfType, InitialState, ReactionType, UserStatus } from '../../calls/types.ts';
import { KeyedSubject, Subject } from '../changes.ts';
import type { Users } from './users.ts';

export interface StatusEmoji {
  readonly name: string;
  readonly code: string;
  readonly type: ReactionType;
}

/** The status of a user: a text, an emoji, or both. */
export interface StatusRecord {
  /** Empty if the status has only an emoji. */
  readonly text: string;
  readonly emoji: StatusEmoji | null;
}

/**
 * The statuses of users.
 *
 * Invariants:
 * - Users without text and emoji have no record.
 * - A deactivated user has no status until a reactivation.
 * - The client does not learn the status of a user who becomes accessible, until that user changes it.
 */
export class Statuses {
  /** Notified when the status of any user changed. */
  readonly changes = new Subject();
  /** The same for one user. */
  readonly changesOf = new KeyedSubject<number>();
  readonly #users: Users;
  readonly #statuses = new Map<number, StatusRecord>();

  constructor(state: InitialState, users: Users) {
    this.#users = users;
    for (const [id, status] of Object.entries(state.user_status ?? {}))
      this.#set(Number(id), withChanges(undefined, status));
  }

  /** The statuses by user. Also has deactivated users, whose status does not count. */
  get all(): ReadonlyMap<number, StatusRecord> {
    return this.#statuses;
  }

  of(userId: number): StatusRecord | undefined {
    return this.#users.get(userId)?.isActive === false ? undefined : this.#statuses.get(userId);
  }

  /** The event has only the changed fields. */
  apply(event: EventOfType<'user_status'>): void {
    this.#set(event.user_id, withChanges(this.#statuses.get(event.user_id), event));
    this.#notify(event.user_id);
  }

  /** Forgets users who became inaccessible. */
  applyUser(event: EventOfType<'realm_user'>): void {
    if (event.op !== 'remove' || !this.#statuses.delete(event.person.user_id)) return;
    this.#notify(event.person.user_id);
  }

  #set(userId: number, status: StatusRecord): void {
    if (status.text === '' && status.emoji === null) this.#statuses.delete(userId);
    else this.#statuses.set(userId, status);
  }

  #notify(userId: number): void {
    this.changes.changed();
    this.changesOf.changed(userId);
  }

  /** The content in comparable form. */
  plain(): object {
    const ids = [...this.#statuses.keys()].sort((a, b) => a - b);
    return ids.flatMap((id) => {
      const status = this.of(id);
      return status === undefined ? [] : [[id, status]];
    });
  }
}

/** Applies changed fields. An empty name removes the emoji. */
function withChanges(before: StatusRecord | undefined, changed: UserStatus): StatusRecord {
  const { status_text: text = before?.text ?? '', emoji_name: name, emoji_code: code, reaction_type: type } = changed;
  if (name === undefined) return { text, emoji: before?.emoji ?? null };
  if (name === '') return { text, emoji: null };
  return { text, emoji: { name, code: code ?? '', type: type ?? 'unicode_emoji' } };
}
