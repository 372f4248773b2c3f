import type { LockedLogChange, OptimisticLogChange } from '../log/change.ts';
import type { Directory } from './directory.ts';
import type { UserRecord } from './records.ts';

/** An open optimistic transaction. A `Change` can be passed wherever this is expected. */
export interface OptimisticChange extends OptimisticLogChange {
  readonly directory: Directory;
  readonly hooks: Hooks;
}

/** An open exclusive transaction. The directory is exact until its commit. */
export interface Change extends LockedLogChange {
  readonly directory: Directory;
  readonly hooks: Hooks;
  readonly announced: Announced;
}

/** What the transaction has announced to guests so far about users whom they cannot access (`domain/users/accessible-users`). */
export interface Announced {
  /** The number of announcements. */
  count: number;
  /** New accounts, which the directory does not have yet. */
  readonly newcomers: Map<number, UserRecord>;
}

/** Makes a transaction of the log one of the organization. */
export function changeOf(open: LockedLogChange, directory: Directory, hooks: Hooks): Change {
  return { ...open, directory, hooks, announced: { count: 0, newcomers: new Map() } };
}

export type Mode = keyof ChangeIn;

/** The open transaction of each mode. */
export interface ChangeIn {
  readonly exclusive: Change;
  readonly optimistic: OptimisticChange;
}

/** What features add to a change of the domain, in the same transaction. A hook must be bounded, and may run again after a conflict. */
export interface Hooks {
  /** These messages are being deleted: rows of a feature may still quote them. */
  messagesDeleted(change: OptimisticChange, messageIds: readonly number[]): Promise<void>;
  /** These messages have moved to another topic or channel. */
  messagesMoved(change: OptimisticChange, move: MovedMessages): Promise<void>;
  /** An account gets another holder, or a bot another owner: what the former one arranged for it must end. */
  holderChanged(change: Change, account: UserRecord): Promise<void>;
  /** A user stored another value of a personal setting. */
  settingChanged(change: OptimisticChange, userId: number, setting: ChangedSetting): Promise<void>;
}

export interface MovedMessages {
  readonly messageIds: readonly number[];
  readonly fromChannelId: number;
  readonly toChannelId: number;
  /** The topic where they are now. */
  readonly topic: string;
}

export interface ChangedSetting {
  /** The name on the wire, such as `presence_enabled`. */
  readonly property: string;
  readonly value: unknown;
}
