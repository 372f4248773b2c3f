import type { Json } from '@heddle/server/testing/clients/json.ts';
import type { ServerEvent } from '../src/calls/types.ts';
import type { Model } from '../src/model/model.ts';
import { isNamingUsers, permissionsWithoutUser } from '../src/model/people/group-values.ts';

/** Fields of users that depend on the role of the account. */
const ADDRESSES = ['deliveryEmail', 'avatarUrl'];

/** What the client receives. */
interface Known {
  /** Lists of subscribers. */
  readonly subscribers: boolean;
  /** Events about users. Without them, it does not learn of deactivations. */
  readonly users: boolean;
  /**
   * Archived channels. Without them, it receives no events about messages of these, e.g. notices and deletions. The
   * state names such messages: the newest one, and those with a star.
   */
  readonly archived: boolean;
}

/** What a client cannot know from its events, although a new registration says it. */
export class Unknown {
  readonly #ownId: number;
  readonly #has: Known;
  /** Channels that events announced. The events do not say whether the user was subscribed before. */
  readonly #announced = new Set<number>();
  /** Channels that were hidden for a time. The client missed the events about their messages and topics. */
  readonly #hidden = new Set<number>();
  /** Users who became accessible. No event has their status and presence. */
  readonly #arrived = new Set<number>();
  /** Whether the own role changed: it decides which addresses are visible. */
  #hasNewRole = false;
  /** After a deletion, only the server knows the newest message, of all and of a direct conversation. */
  #hasDeletions = false;
  #hasDirectDeletions = false;
  /** Whether the client left a channel. It may have missed deletions there. */
  #hasLeft = false;

  constructor(ownId: number, has: Known) {
    this.#ownId = ownId;
    this.#has = has;
  }

  /** Whether the client may have missed events about the messages and topics of the channel. */
  isHidden(channelId: number): boolean {
    return this.#hidden.has(channelId);
  }

  /** Whether the client learned of the channel after its registration, and was not subscribed to it since. */
  isAnnounced(channelId: number): boolean {
    return this.#announced.has(channelId);
  }

  add(event: ServerEvent): void {
    switch (event.type) {
      case 'stream':
        if (event.op === 'create') {
          for (const { stream_id: id, first_message_id: first } of event.streams) {
            this.#announced.add(id);
            // A new channel has no messages.
            if (first !== null) this.#hide(id);
          }
        } else if (event.op === 'delete') for (const id of event.stream_ids) this.#hide(id);
        break;
      case 'subscription':
        if (event.op === 'add') for (const one of event.subscriptions) this.#announced.delete(one.stream_id);
        if (event.op === 'remove') this.#hasLeft = true;
        break;
      case 'delete_message':
        this.#hasDeletions = true;
        if (event.message_type === 'private') this.#hasDirectDeletions = true;
        break;
      case 'realm_user':
        if (event.op === 'add') this.#arrived.add(event.person.user_id);
        else if (event.op === 'update' && 'role' in event.person && event.person.user_id === this.#ownId) {
          this.#hasNewRole = true;
        }
    }
  }

  #hide(channelId: number): void {
    this.#hidden.add(channelId);
    this.#hasLeft = true;
  }

  /**
   * The content of a model without what the client cannot know.
   * @param hasBots whether the client knows its bots
   * @param accounts users who may have been deactivated
   */
  without(model: Model, hasBots: boolean, accounts: Iterable<number>): Json {
    const plain = model.plain() as Json;
    const isKnown = (id: number) => !this.#arrived.has(id);
    return {
      ...plain,
      ...this.#permissionsWithout(plain, this.#has.users ? [] : [...accounts]),
      users: plain.users.map((user: Json) => (this.#hasNewRole ? omitted(user, ADDRESSES) : user)),
      bots: hasBots ? plain.bots : undefined,
      presence: plain.presence.filter(isKnown),
      statuses: plain.statuses.filter(([id]: [number]) => isKnown(id)),
      topicPolicies: plain.topicPolicies.filter(({ channelId }: Json) => !this.#hidden.has(channelId)),
      unread: this.#unreadOf(model),
      starred: this.#has.archived ? plain.starred : undefined,
      directConversations: this.#hasDirectDeletions ? undefined : plain.directConversations,
      maxMessageId: this.#hasDeletions || this.#hasLeft || !this.#has.archived ? undefined : model.maxMessageId,
    };
  }

  #permissionsWithout({ channels, groups, organization }: Json, userIds: readonly number[]): Json {
    const without = (permissions: Json) => userIds.reduce(permissionsWithoutUser<Json>, permissions);
    const settings = Object.entries(organization.settings).filter(([, value]) => isNamingUsers(value));
    return {
      channels: channels.map((channel: Json) => ({
        ...channel,
        permissions: without(channel.permissions),
        subscribers: this.#has.subscribers ? channel.subscribers : undefined,
        settings: this.#announced.has(channel.id) ? null : channel.settings,
      })),
      groups: groups.map((group: Json) => ({ ...group, permissions: without(group.permissions) })),
      organization: {
        ...organization,
        settings: { ...organization.settings, ...without(Object.fromEntries(settings)) },
      },
    };
  }

  #unreadOf({ unread }: Model): object {
    const groups = [...unread.groups()].filter(
      ({ place }) => place.kind === 'direct' || !this.#hidden.has(place.channelId),
    );
    return {
      count: this.#hidden.size === 0 ? unread.count : undefined,
      direct: unread.directCount,
      groups: groups.map(plainGroup).sort((a, b) => (a.place < b.place ? -1 : 1)),
      channels: [...unread.channelIds()]
        .filter((id) => !this.#hidden.has(id))
        .sort((a, b) => a - b)
        .map((id) => ({ id, ...countsOf(unread, id) })),
    };
  }
}

function omitted(record: Json, names: readonly string[]): Json {
  return Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));
}

function countsOf(unread: Model['unread'], channelId: number) {
  const { count, mutedCount, mentions } = unread.ofChannel(channelId);
  return { count, mutedCount, mentions };
}

type Group = ReturnType<Model['unread']['groups']> extends Iterable<infer Item> ? Item : never;

function plainGroup({ place, ids, mentions }: Group) {
  const sorted = (all: ReadonlySet<number>) => [...all].sort((a, b) => a - b);
  const key = place.kind === 'topic' ? `${place.channelId}:${place.topic}` : `d${place.userIds}`;
  return { place: key.toLowerCase(), ids: sorted(ids), mentions: sorted(mentions) };
}
