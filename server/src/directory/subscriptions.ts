/** A subscription that ended, with the two events that bound it: after `since`, up to and including `until`. */
export interface EndedSubscription {
  readonly userId: number;
  readonly since: number;
  readonly until: number;
}

/**
 * All subscriptions with their start events. Ended subscriptions are kept as long as readers may ask for events of that
 * time.
 */
export class SubscriptionIndex {
  readonly #sinceByChannel = new Map<number, Map<number, number>>();
  readonly #channelsByUser = new Map<number, number[]>();
  readonly #ended = new Map<number, EndedSubscription[]>();
  readonly #changes = new Map<number, number>();
  #lastEnded = 0;

  add(channelId: number, userId: number, since: number): void {
    let subscribers = this.#sinceByChannel.get(channelId);
    if (subscribers === undefined) {
      subscribers = new Map();
      this.#sinceByChannel.set(channelId, subscribers);
    }
    if (subscribers.has(userId)) return;
    subscribers.set(userId, since);
    this.#noteChange(channelId);
    const channels = this.#channelsByUser.get(userId);
    if (channels === undefined) this.#channelsByUser.set(userId, [channelId]);
    else channels.push(channelId);
  }

  remove(channelId: number, userId: number, until: number): void {
    const subscribers = this.#sinceByChannel.get(channelId);
    const since = subscribers?.get(userId);
    if (subscribers === undefined || since === undefined) return;
    subscribers.delete(userId);
    this.#noteChange(channelId);
    const channels = this.#channelsByUser.get(userId);
    if (channels !== undefined) channels.splice(channels.indexOf(channelId), 1);
    this.addEnded(channelId, { userId, since, until });
  }

  #noteChange(channelId: number): void {
    this.#changes.set(channelId, this.changesOf(channelId) + 1);
  }

  /** How often a user was added to the channel or removed from it. What was computed from its subscribers stays valid until this changes. */
  changesOf(channelId: number): number {
    return this.#changes.get(channelId) ?? 0;
  }

  addEnded(channelId: number, ended: EndedSubscription): void {
    this.#lastEnded = Math.max(this.#lastEnded, ended.until);
    const list = this.#ended.get(channelId);
    if (list === undefined) this.#ended.set(channelId, [ended]);
    else list.push(ended);
  }

  /** Discards subscriptions that ended before an event that no reader can ask about any more. */
  forgetEndedThrough(eventId: number): void {
    for (const [channelId, list] of this.#ended) {
      const kept = list.filter((ended) => ended.until > eventId);
      if (kept.length === 0) this.#ended.delete(channelId);
      else if (kept.length < list.length) this.#ended.set(channelId, kept);
    }
  }

  /** The channel's subscribers, each with the event that subscribed them. */
  of(channelId: number): ReadonlyMap<number, number> {
    return this.#sinceByChannel.get(channelId) ?? NOBODY;
  }

  channelsOf(userId: number): readonly number[] {
    return this.#channelsByUser.get(userId) ?? [];
  }

  has(channelId: number, userId: number): boolean {
    return this.#sinceByChannel.get(channelId)?.has(userId) ?? false;
  }

  /** Whether the user was subscribed when the event happened. */
  hadAt(channelId: number, userId: number, eventId: number): boolean {
    const since = this.#sinceByChannel.get(channelId)?.get(userId);
    if (since !== undefined && since < eventId) return true;
    const ended = this.#ended.get(channelId);
    if (ended === undefined) return false;
    return ended.some((span) => span.userId === userId && span.since < eventId && eventId <= span.until);
  }

  /** Whether both users were subscribed to a common channel when the event happened. */
  sharedAt(userId: number, otherId: number, eventId: number): boolean {
    for (const channelId of this.channelsOf(userId)) {
      if (this.hadAt(channelId, userId, eventId) && this.hadAt(channelId, otherId, eventId)) return true;
    }
    if (eventId > this.#lastEnded) return false;
    for (const channelId of this.#ended.keys()) {
      if (this.hadAt(channelId, userId, eventId) && this.hadAt(channelId, otherId, eventId)) return true;
    }
    return false;
  }

  /** The channel's subscribers just after the event, including those whom it subscribed. */
  after(channelId: number, eventId: number): number[] {
    const users: number[] = [];
    for (const [userId, since] of this.of(channelId)) if (since <= eventId) users.push(userId);
    for (const span of this.#ended.get(channelId) ?? []) {
      if (span.since <= eventId && span.until > eventId) users.push(span.userId);
    }
    return users;
  }

  /** Whether a subscription to the channel ended at this event or later. Then `of` may lack earlier subscribers. */
  endedSince(channelId: number, eventId: number): boolean {
    return this.#ended.get(channelId)?.some((span) => span.until >= eventId) ?? false;
  }

  *channels(): Iterable<number> {
    yield* this.#sinceByChannel.keys();
  }
}

const NOBODY: ReadonlyMap<number, number> = new Map();
