import type { Organization } from '../../directory/organization.ts';
import type { LoggedEvent } from '../../log/event.ts';
import type { SubscriptionEvent } from '../subscriptions/present.ts';
import { isTopicSetting } from '../user-settings/queries.ts';
import type { UserTopicBody } from './events.ts';
import type { TopicOfUser } from './policies.ts';

/** As what a message concerns somebody. */
export type Role = 'sender' | 'mentioned';

interface Case extends TopicOfUser {
  readonly role: Role;
}

/** So many are remembered: some 50 bytes each. Beyond, remembering begins anew. */
const MOST = 50_000;

/**
 * Who is known to keep their policy for a topic when they write there, or are mentioned there; so that messages need not ask the database
 * about it. Whatever that follows from is announced by an event, and what an event touches is forgotten: policies, muting and joining
 * channels, and messages leaving a topic, since a topic without messages can be begun.
 */
export class SettledTopics {
  /** By channel and topic: users, as twice their id, and one more as somebody who is mentioned. */
  readonly #channels = new Map<number, Map<string, Set<number>>>();
  #size = 0;
  #version = 0;

  /** Rises whenever something is forgotten. */
  get version(): number {
    return this.#version;
  }

  has({ userId, channelId, topic, role }: Case): boolean {
    const users = this.#channels.get(channelId)?.get(topic.toLowerCase());
    return users?.has(numberOf(userId, role)) ?? false;
  }

  /** @param asOf the version when the database was asked: what was forgotten meanwhile may not be true any more */
  add(cases: readonly Case[], asOf: number): void {
    if (asOf !== this.#version) return;
    for (const { userId, channelId, topic, role } of cases) {
      if (this.#size >= MOST) this.#forgetAll();
      const topics = this.#channels.get(channelId) ?? new Map<string, Set<number>>();
      this.#channels.set(channelId, topics);
      const key = topic.toLowerCase();
      const users = topics.get(key) ?? new Set<number>();
      topics.set(key, users);
      if (users.has(numberOf(userId, role))) continue;
      users.add(numberOf(userId, role));
      this.#size += 1;
    }
  }

  /** Forgets what the event may change. */
  hear({ type, body, audience }: LoggedEvent): void {
    switch (type) {
      case 'user_topic': {
        const { channelId, topic } = body as UserTopicBody;
        const users = this.#channels.get(channelId)?.get(topic.toLowerCase());
        this.#version += 1;
        for (const userId of audience.to === 'users' ? audience.users : []) this.#forget(userId, users);
        break;
      }
      case 'subscription':
        this.#hearOfSubscriptions(body as SubscriptionEvent);
        break;
      case 'update_message':
      case 'delete_message': {
        const channelId = channelLeft(body);
        if (channelId === undefined) this.#forgetAll();
        else if (channelId !== null) this.#forgetChannel(channelId);
        break;
      }
      case 'user_settings':
        if (isTopicSetting((body as { readonly property: string }).property)) this.#forgetAll();
    }
  }

  #hearOfSubscriptions(body: SubscriptionEvent): void {
    if (body.op === 'add') this.#forgetChannel(body.view.channel.id);
    else if (body.op === 'remove' || (body.op === 'update' && body.property === 'is_muted'))
      this.#forgetChannel(body.channelId);
  }

  #forget(userId: number, users: Set<number> | undefined): void {
    for (const role of ['sender', 'mentioned'] as const) {
      if (users?.delete(numberOf(userId, role))) this.#size -= 1;
    }
  }

  #forgetChannel(channelId: number): void {
    this.#version += 1;
    for (const users of this.#channels.get(channelId)?.values() ?? []) this.#size -= users.size;
    this.#channels.delete(channelId);
  }

  #forgetAll(): void {
    this.#version += 1;
    this.#channels.clear();
    this.#size = 0;
  }
}

/** The channel that messages of an edit, a move or a deletion were in: null for direct messages, undefined where the event does not say. */
function channelLeft(body: unknown): number | null | undefined {
  const { channel, place } = (body ?? {}) as {
    readonly channel?: { readonly id: number } | null;
    readonly place?: { readonly channelId: number } | null;
  };
  if (channel === null || place === null) return null;
  return channel?.id ?? place?.channelId;
}

function numberOf(userId: number, role: Role): number {
  return userId * 2 + Number(role === 'mentioned');
}

const known = new WeakMap<Organization, SettledTopics>();

/** What this process knows of the organization. */
export function settledOf(organization: Organization): SettledTopics {
  let settled = known.get(organization);
  if (settled === undefined) {
    const begun = new SettledTopics();
    organization.onEvent((event) => begun.hear(event));
    known.set(organization, begun);
    settled = begun;
  }
  return settled;
}
