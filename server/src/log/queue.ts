import { randomUUID } from 'node:crypto';

/** What a client declared when it registered, and which events it wants. It does not change during the queue's life. */
export interface QueueSettings {
  /** Event types of the wire; null for all. */
  readonly eventTypes: readonly string[] | null;
  /** Pairs of operator and operand. The queue receives only events of messages that match all of them. */
  readonly narrow: readonly (readonly [string, string])[];
  readonly allPublicChannels: boolean;
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  /** How old the presence data in the initial state may be, in days. Absent: the usual time. */
  readonly presenceHistoryDays?: number;
  /** `true`, `false` or `partial`: whether channel objects carry their subscribers. */
  readonly includeSubscribers: 'true' | 'false' | 'partial';
  /** Whether its program uses older names of the wire. Absent in queues of older versions. */
  readonly readsOlderNames?: boolean;
  readonly capabilities: ClientCapabilities;
}

export interface ClientCapabilities {
  readonly notificationSettingsNull: boolean;
  readonly bulkMessageDeletion: boolean;
  readonly userAvatarUrlFieldOptional: boolean;
  readonly channelTypingNotifications: boolean;
  readonly userSettingsObject: boolean;
  readonly linkifierUrlTemplate: boolean;
  readonly userListIncomplete: boolean;
  readonly includeDeactivatedGroups: boolean;
  readonly archivedChannels: boolean;
  readonly emptyTopicName: boolean;
  readonly simplifiedPresenceEvents: boolean;
  /** Absent in queues of older versions. */
  readonly pinnedMessages?: boolean;
  /** Absent in queues of older versions. */
  readonly gifPicker?: boolean;
  /** The same. */
  readonly webPush?: boolean;
  /** Absent in queues of older versions. */
  readonly quietHours?: boolean;
  /** The same. */
  readonly briefUsers?: boolean;
}

/**
 * A queue is a cursor, not a buffer (I3). It says who reads, which events the client wants, and when it last asked. The
 * events themselves are in the log.
 */
export interface Queue {
  readonly id: string;
  readonly organizationId: number;
  readonly userId: number;
  readonly client: string;
  /** The epoch of the log at registration (log/epoch.ts). A queue of another epoch has ended. */
  readonly epoch: string | null;
  readonly settings: QueueSettings;
  /** The position of the client's initial state. The queue receives only later events. */
  readonly start: number;
  /** When a client last asked, in milliseconds since 1970, as far as this process knows. */
  lastFetchedAt: number;
  /** The client has acknowledged every event up to this one. */
  acknowledgedId: number;
  /** No event after `clearFrom` and up to `clearThrough` is for this queue; polls skip them (log/long-poll.ts). */
  clearFrom: number;
  clearThrough: number;
  /** Whether it has changed since it was last written to the table. */
  dirty: boolean;
}

/** Returns an id that cannot be guessed. Together with the owner's API key, it gives the right to read the queue. */
export function newQueueId(): string {
  return randomUUID();
}

/**
 * Keeps one settings object for equal settings, so ten thousand queues of one kind of client share it. It goes with its
 * last queue.
 */
export class SettingsPool {
  readonly #byText = new Map<string, PooledSettings>();
  readonly #known = new Map<QueueSettings, PooledSettings>();

  get size(): number {
    return this.#byText.size;
  }

  /** Returns the shared settings for one more queue. */
  take(text: string): QueueSettings {
    let pooled = this.#byText.get(text);
    if (pooled === undefined) {
      pooled = { text, settings: JSON.parse(text) as QueueSettings, queues: 0 };
      this.#byText.set(text, pooled);
      this.#known.set(pooled.settings, pooled);
    }
    pooled.queues += 1;
    return pooled.settings;
  }

  /** Releases the settings of a queue that has gone. */
  release(settings: QueueSettings): void {
    const pooled = this.#known.get(settings);
    if (pooled === undefined) return;
    pooled.queues -= 1;
    if (pooled.queues > 0) return;
    this.#byText.delete(pooled.text);
    this.#known.delete(settings);
  }
}

interface PooledSettings {
  readonly text: string;
  readonly settings: QueueSettings;
  /** How many queues use these settings. */
  queues: number;
}
