import { randomUUID } from 'node:crypto';

/** What a client said of itself when it registered, and what it wants to hear of. Immutable for the queue's life. */
export interface QueueSettings {
  /** Wire types; null for all. */
  readonly eventTypes: readonly string[] | null;
  /** Pairs of operator and operand that a message must match to be announced. */
  readonly narrow: readonly (readonly [string, string])[];
  readonly allPublicChannels: boolean;
  readonly applyMarkdown: boolean;
  readonly clientGravatar: boolean;
  readonly slimPresence: boolean;
  /** How old presence may be in the initial state; missing: as usual. */
  readonly presenceHistoryDays?: number;
  /** `true`, `false` or `partial`: whether channel objects carry their subscribers. */
  readonly includeSubscribers: 'true' | 'false' | 'partial';
  /** Its program is one that knows the wire by older names; missing in queues of versions that did not ask. */
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
}

/**
 * A queue is a cursor, not a buffer (I3): who reads, what of the log interests them, and when they last asked. The rest is
 * in the log.
 */
export interface Queue {
  readonly id: string;
  readonly organizationId: number;
  readonly userId: number;
  readonly client: string;
  /** The log's epoch in which it was registered (log/epoch.ts); a queue of another is no more. */
  readonly epoch: string | null;
  readonly settings: QueueSettings;
  /** The log's position in the client's initial state: nothing up to here is for the queue. */
  readonly start: number;
  /** Milliseconds since the epoch, as this process knows it. */
  lastFetchedAt: number;
  /** The client has said that it knows every event up to here. */
  acknowledgedId: number;
  /** Nothing in the log after `clearFrom` and up to `clearThrough` is for this queue. */
  clearFrom: number;
  clearThrough: number;
  /** Changed since it was last written to the table. */
  dirty: boolean;
}

/** An id that cannot be guessed: it is the right to read the queue, together with its owner's key. */
export function newQueueId(): string {
  return randomUUID();
}

/** The same settings object for equal settings: ten thousand queues of one kind of client share one. It goes with the last of them. */
export class SettingsPool {
  readonly #byText = new Map<string, PooledSettings>();
  readonly #known = new Map<QueueSettings, PooledSettings>();

  get size(): number {
    return this.#byText.size;
  }

  /** For one queue more. */
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

  /** For one queue less. */
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
  /** How many queues have them. */
  queues: number;
}
