import type { Organization } from '../../directory/organization.ts';
import type { LoggedEvent } from '../../log/event.ts';
import type { SubscriptionEvent } from '../channels/subscription-event.ts';
import { isTopicSetting } from '../users/user-settings/queries.ts';
import type { UserTopicBody } from './events.ts';
import type { TopicOfUser } from './policies.ts';

/** Why a message concerns a user. */
export type Role = 'sender' | 'mentioned';

interface Case extends TopicOfUser {
  readonly role: Role;
}

/** Bounds the memory: an entry takes about 50 bytes. A full set starts again empty. */
const MAX_UNCHANGED_POLICIES = 50_000;

/**
 * Remembers users whose policy for a topic stays the same when they send, or are mentioned, there. So most messages
 * need no query. Every fact behind an entry changes with an event, and `hear` removes the entries that an event
 * affects. These events are policies, muting, subscriptions and settings, and also messages that leave a topic, since
 * an empty topic can start again.
 */
export class UnchangedPolicies {
  /** Users by channel and topic. Each is twice the user id, plus one for the role `mentioned`. */
  readonly #channels = new Map<number, Map<string, Set<number>>>();
  #size = 0;
  #version = 0;

  /** Increases whenever entries are removed. */
  get version(): number {
    return this.#version;
  }

  has({ userId, channelId, topic, role }: Case): boolean {
    const users = this.#channels.get(channelId)?.get(topic.toLowerCase());
    return users?.has(numberOf(userId, role)) ?? false;
  }

  /** @param asOf the version before the query; entries removed since may not be valid any more, so nothing is added */
  add(cases: readonly Case[], asOf: number): void {
    if (asOf !== this.#version) return;
    for (const { userId, channelId, topic, role } of cases) {
      if (this.#size >= MAX_UNCHANGED_POLICIES) this.#forgetAll();
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

  /** Removes the entries that the event may affect. */
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

/**
 * The channel of edited, moved or deleted messages before the event. Null for direct messages; undefined if the event
 * does not contain it.
 */
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

const known = new WeakMap<Organization, UnchangedPolicies>();

/** The entries that this process knows for the organization. */
export function unchangedPoliciesOf(organization: Organization): UnchangedPolicies {
  let unchanged = known.get(organization);
  if (unchanged === undefined) {
    const begun = new UnchangedPolicies();
    organization.onEvent((event) => begun.hear(event));
    known.set(organization, begun);
    unchanged = begun;
  }
  return unchanged;
}
